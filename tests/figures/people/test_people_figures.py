"""Figures of judgements: what they draw, and that names are literal."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.people.annotators import annotator_overview
from mtsig_core.analysis.people.items import item_scores
from mtsig_core.analysis.people.meta_evaluation.automatic_tests import compare_tests_with_people
from mtsig_core.analysis.people.meta_evaluation.correlation import metric_against_people
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import compare_metrics
from mtsig_core.analysis.people.meta_evaluation.replica_spread import replica_spread
from mtsig_core.analysis.people.meta_evaluation.worth import point_worth
from mtsig_core.analysis.people.mqm import mqm_penalties
from mtsig_core.analysis.people.pairs import system_pairs
from mtsig_core.analysis.people.rankings import ranking
from mtsig_core.analysis.people.systems import system_means
from mtsig_core.figures.people.annotators import annotator_scores, balance_matrix
from mtsig_core.figures.people.errors import penalty_bars
from mtsig_core.figures.people.metrics import (
    correlation_distribution,
    metric_scatter,
    replica_distribution,
    williams_matrix,
)
from mtsig_core.figures.people.systems import (
    automatic_verdicts,
    mean_intervals,
    pair_verdicts,
    people_verdicts,
    strength_intervals,
    win_rate_matrix,
)
from mtsig_core.figures.people.worth import point_worth_figure
from mtsig_core.figures.theme import literal
from mtsig_core.loading.judgements.frame import Span, judgement_frame
from mtsig_core.resampling import Settings

SYSTEMS = ("<b>a</b>", "$x$ %{y}", "c")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(1)
    n = 90
    return judgement_frame(
        {"system": list(SYSTEMS) * (n // 3), "segment": [str(i // 3) for i in range(n)],
         "annotator": [f"p{i // 3 % 2}" for i in range(n)], "dimension": "score",
         "score": (rng.normal(size=n) + np.tile([0, 1, 2], n // 3)).tolist()}, n,
    )  # fmt: skip


@pytest.mark.slow
def test_penalties_are_stacked_and_sum_to_those_of_each_system(check):
    spans = [(Span("major", "accuracy/<i>wrong</i>"), Span("minor", "style")), (),
             (Span("minor", "accuracy/omission"),)]  # fmt: skip
    frame = judgement_frame({"system": list(SYSTEMS), "segment": ["1"] * 3, "annotator": ["p"] * 3, "dimension": "mqm",
                             "score": [None] * 3, "spans": spans}, 3)  # fmt: skip
    penalties = mqm_penalties(frame)
    document, _ = check(penalty_bars(penalties))
    bars = document["data"]
    assert {bar["name"] for bar in bars} == {"accuracy, major", "accuracy, minor", "style, minor"}
    assert sum(sum(bar["x"]) for bar in bars) == pytest.approx(-sum(penalties.means.values()))
    assert len({(bar["marker"]["color"], bar["marker"]["pattern"]["shape"]) for bar in bars}) == 3
    assert document["layout"]["yaxis"]["ticktext"] == [literal(name) for name in penalties.means]
    none = mqm_penalties(frame.assign(spans=[()] * 3))
    assert "No marked error" in check(penalty_bars(none))[0]["layout"]["annotations"][0]["text"]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 12), st.sampled_from(["major", "minor"])), max_size=4), min_size=3,
                max_size=9))
def test_no_penalty_is_lost_among_many_categories(errors):
    n = len(errors)
    spans = [tuple(Span(severity, f"c{k}/x") for k, severity in own) for own in errors]
    frame = judgement_frame({"system": [SYSTEMS[i % 3] for i in range(n)], "segment": [str(i // 3) for i in range(n)],
                             "annotator": ["p"] * n, "dimension": "mqm", "score": [None] * n, "spans": spans}, n)
    penalties = mqm_penalties(frame)
    drawn = penalty_bars(penalties)
    total = sum(sum(bar.x) for bar in drawn.data)
    assert total == pytest.approx(-sum(penalties.means.values()))
    assert penalties.by_category().drop(columns=["category", "errors"]).to_numpy(float).sum() == pytest.approx(total)


def test_balance_has_a_cell_for_each_annotator_and_system(frame, check):
    overview = annotator_overview(frame, "score")
    document, _ = check(balance_matrix(overview))
    heat = document["data"][0]
    assert heat["z"] == [[15, 15, 15], [15, 15, 15]]
    assert document["layout"]["xaxis"]["ticktext"] == [literal(name) for name in SYSTEMS]
    unnamed = annotator_overview(frame.assign(annotator=None), "score")
    assert "No annotator" in check(balance_matrix(unnamed))[0]["layout"]["annotations"][0]["text"]


def test_annotators_show_mean_and_spread(frame, check):
    overview = annotator_overview(frame, "score")
    document, _ = check(annotator_scores(overview))
    first = overview.annotators[0]
    assert document["data"][0]["x"] == pytest.approx([first.mean - first.sd, first.mean, first.mean + first.sd])


@pytest.mark.slow
def test_means_with_intervals_and_clusters(frame, check):
    means = system_means(frame, "score", Settings(n_bootstrap=200))
    clusters = system_pairs(item_scores(frame, "score"), Settings(n_bootstrap=200)).clusters()
    for scores in ("raw", "standardised"):
        document, _ = check(mean_intervals(means, scores, clusters=clusters))
        assert len(document["data"]) == 3
        best = means.systems[0]
        value = best.mean if scores == "raw" else best.standardised
        assert document["data"][0]["x"][1] == pytest.approx(value)
        assert len(document["layout"].get("shapes", [])) == len(clusters) - 1
        title = document["layout"]["xaxis"]["title"]["text"]
        assert title.endswith(f"{' ' if scores == 'raw' else '<br>'}with 95% bootstrap intervals")


def test_verdicts_of_people_and_tests_have_one_order(frame, check):
    people = {(SYSTEMS[2], SYSTEMS[0]): SYSTEMS[2], (SYSTEMS[2], SYSTEMS[1]): "", (SYSTEMS[1], SYSTEMS[0]): SYSTEMS[1]}
    tests = pd.DataFrame({"preset": "p", "metric": "m", "a": [SYSTEMS[0]] * 2, "b": SYSTEMS[1:], "p": [0.01, 0.2],
                          "better": [SYSTEMS[0], SYSTEMS[2]]})  # fmt: skip
    order = tuple(reversed(SYSTEMS))
    result = compare_tests_with_people({0.05: people}, tests, order)
    first, _ = check(people_verdicts(result, 0.05))
    second, _ = check(automatic_verdicts(result, "p", "m", 0.05))
    assert first["layout"]["yaxis"]["ticktext"] == second["layout"]["yaxis"]["ticktext"]
    assert first["data"][0]["z"] == [[None, 0, 1], [0, None, 1], [-1, -1, None]]
    assert second["data"][0]["z"] == [[None, None, 0], [None, None, -1], [0, 1, None]]
    assert set(first["data"][1]["text"]) == {"="}
    assert set(first["data"][2]["text"]) == {"+", "\u2212"}


@pytest.fixture(scope="module")
def against():
    rng = np.random.default_rng(2)
    human = rng.normal(size=9)
    human[0] = 12.0
    names = [f"s{k}<i>" for k in range(9)]
    return metric_against_people("BLEU", human + 0.3 * rng.normal(size=9), human, names, Settings(n_bootstrap=300))


def test_scatter_shows_scores_of_people_as_they_were_given(against):
    given = [trace.y[0] for trace in metric_scatter(against).data if "markers" in trace.mode]
    turned = metric_scatter(against, "hter", humans_higher_is_better=False)
    assert [-trace.y[0] for trace in turned.data if "markers" in trace.mode] == given


def test_scatter_names_every_system_and_marks_outliers(against, check):
    document, _ = check(metric_scatter(against))
    points = [t for t in document["data"] if t["mode"].startswith("markers")]
    assert len(points) == 9
    assert [p["marker"]["line"]["width"] for p in points] == [2] + [0] * 8
    assert points[0]["text"] == [literal("s0<i>")]
    assert "outlier" in points[0]["hovertemplate"]


def test_distributions_sum_to_one(against, check):
    document, _ = check(correlation_distribution(against))
    assert sum(document["data"][0]["y"]) == pytest.approx(1)
    rng = np.random.default_rng(3)
    spread = replica_spread("BLEU", [h + rng.normal(size=3) for h in range(6)], np.arange(6.0), Settings())
    document, _ = check(replica_distribution(spread))
    assert sum(document["data"][0]["y"]) == pytest.approx(1)
    constant = metric_against_people("m", [1.0, 1, 1], [1.0, 2, 3], list("abc"), Settings())
    assert "constant input" in check(correlation_distribution(constant))[0]["layout"]["annotations"][0]["text"]
    check(metric_scatter(constant))


def test_williams_matrix_shows_one_sided_p(check):
    rng = np.random.default_rng(4)
    human = rng.normal(size=12)
    scores = np.stack([human + 0.2 * rng.normal(size=12), rng.normal(size=12)])
    result = compare_metrics(human, ["good", "bad"], scores, [True, True], Settings())
    document, _ = check(williams_matrix(result))
    heat = document["data"][0]
    assert heat["z"][0][1] == pytest.approx(result.pairs[0].williams.p)
    assert heat["z"][0][1] + heat["z"][1][0] == pytest.approx(1)
    empty = compare_metrics(human, ["flat"], np.ones((1, 12)), [True], Settings())
    check(williams_matrix(empty))


def test_verdicts_of_pairs_follow_the_corrected_test(frame, check):
    pairs = system_pairs(item_scores(frame, "score"), Settings(n_bootstrap=100))
    document, _ = check(pair_verdicts(pairs, "signed_rank"))
    heat, plain, on_colour = document["data"]
    won = sum(bool(winner) for winner in pairs.better("signed_rank", corrected=True).values())
    assert sum(value == 1 for row in heat["z"] for value in row) == won > 0
    # dark on a coloured cell; the page's own colour where a cell has none
    assert set(on_colour["text"]) == {"+", "\u2212"}
    assert on_colour["textfont"]["color"] == "#0f0f0f"
    assert set(plain["text"]) <= {"="}
    assert not plain.get("textfont")


def test_win_rates_and_strengths_have_one_order(frame, check):
    result = ranking(frame, "score", Settings(n_bootstrap=50))
    document, _ = check(win_rate_matrix(result))
    order = [each.system for each in result.systems]
    assert document["layout"]["yaxis"]["ticktext"] == [literal(name) for name in order]
    assert document["data"][0]["z"][0][1] == result.win_rates.loc[order[0], order[1]]
    strengths, _ = check(strength_intervals(result))
    assert [trace["x"][1] for trace in strengths["data"]] == [each.strength for each in result.systems]


def test_what_a_point_is_worth_has_a_point_for_each_pair(check):
    pairs = pd.DataFrame({"a": ["x", "x", "y"], "b": ["y", "$z$", "$z$"], "difference": [1.0, 2.0, 1.0],
                          "p": [0.2, 0.01, 0.5], "human_difference": [3.0, 1.0, -2.0], "human_p": [0.1, 0.2, 0.3]})
    document, _ = check(point_worth_figure(point_worth("BLEU", pairs)))
    assert {trace["name"]: sorted(trace["y"]) for trace in document["data"]} == {
        "people prefer the same system": [0.01, 0.2], "people prefer the other system": [0.5],
    }  # fmt: skip

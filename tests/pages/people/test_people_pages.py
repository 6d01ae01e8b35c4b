"""Human judgement and Metrics against people: what the pages show is what the library computes."""

from __future__ import annotations

from functools import cache

import pytest

from data import DEMONSTRATIONS
from mtsig_core.figures.theme import short
from mtsig_core.loading import read
from mtsig_core.loading.judgements.find import judgements_of
from mtsig_core.metrics import get_metric
from mtsig_core.reports.meta_evaluation import agreement_table, correlation_table, metric_pair_table
from mtsig_core.reports.people import annotator_table, mean_table, pair_table, ranking_sentence, suspects_sentence
from mtsig_core.resampling import Settings
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.meta_evaluation.agreement import Judged, TestChoice, agreement_of_tests
from mtsig_core.workbench.meta_evaluation.correlations import correlations
from mtsig_core.workbench.people import People, open_people
from tests.pages.session import PAGES, app, said, session, settle, upload

SETTINGS = Settings(n_bootstrap=100, n_permutations=100)
ALONE = b"system,segment,annotator,adequacy\n" + b"".join(
    b"%s,%d,%s,%d\n" % (system, segment, who, (segment * 7 + shift) % 5 + better)
    for system, better in ((b"alpha", 0), (b"beta", 3)) for who, shift in ((b"ann", 0), (b"bob", 1))
    for segment in range(1, 31)
)  # fmt: skip


@cache
def example() -> tuple[Workbench, People]:
    result = read(DEMONSTRATIONS["judged"].path)
    found = judgements_of(result.recognition)
    assert found is not None
    names = [system.name for system in result.experiment.systems]
    return Workbench(result.experiment), open_people(found, names)


def frames(made) -> list[dict]:
    return [frame.value.to_dict("list") for frame in made.dataframe]


def shows(made, frame) -> bool:
    """Say whether a table on the page has the cells of a frame."""
    return any(shown == frame.to_dict("list") for shown in frames(made))


def judged_app(page: str, section: str = "", **query: str | list[str]):
    made = session({"demo": "judged", "metrics": "BLEU"} | query)
    made.switch_page(PAGES[page])  # by its file, once the first run has registered the addresses of pages
    if section:
        made.query_params["section"] = section
    return settle(made)


@pytest.mark.slow
def test_means_ranks_and_pairs_are_those_of_the_library():
    _, people = example()
    campaign = people.campaign("score")
    made = judged_app("Human judgement")
    text = said(made)
    assert "simulated" in text
    pairs = campaign.pairs(SETTINGS)
    assert ranking_sentence(pairs) in text
    means = campaign.means(SETTINGS)
    assert shows(made, mean_table(means))
    assert mean_table(means)["standardised mean"].str.fullmatch(r"\u2212?0\.\d\d").all()
    assert means.note in text
    made.segmented_control(key="people systems").set_value("pairs")
    settle(made)
    assert shows(made, pair_table(pairs, "rank_sum"))
    made.segmented_control(key="people test").set_value("signed_rank")
    settle(made)
    assert shows(made, pair_table(pairs, "signed_rank"))


@pytest.mark.slow
def test_marked_errors_are_shown_for_their_dimension():
    _, people = example()
    made = judged_app("Human judgement")
    made.selectbox(key="dimension").set_value("mqm")
    settle(made)
    made.segmented_control(key="people systems").set_value("errors")
    settle(made)
    systems = list(people.penalties["mqm"].means)
    assert any(frame.get("system") == systems and "major" in frame for frame in frames(made))


@pytest.mark.slow
def test_the_careless_annotator_is_named_and_nobody_is_dropped():
    _, people = example()
    overview = people.campaign("score").annotators()
    assert overview.suspects == ("simulated-careless",)
    made = judged_app("Human judgement", section="annotators")
    assert suspects_sentence(overview) in said(made)
    assert shows(made, annotator_table(overview))


@pytest.mark.slow
def test_what_is_set_aside_is_counted():
    _, people = example()
    aside = people.campaign("score").table.set_aside["damaged"]
    made = judged_app("Human judgement", section="details")
    rows = next(frame for frame in frames(made) if "used or set aside" in frame)
    kinds = zip(rows["kind"], rows["used or set aside"], rows["judgements"], strict=True)
    assert ("damaged", "set aside", aside) in kinds


@pytest.mark.slow
def test_correlations_are_those_of_the_library():
    bench, people = example()
    metrics = [get_metric("bleu", tokenize="none"), get_metric("chrf")]
    result = correlations(Judged.of(bench, "test", people, "score"), metrics, SETTINGS)
    made = judged_app("Metrics against people", metrics=["BLEU", "chrF"])
    assert shows(made, correlation_table(result.metrics[0]))
    made.query_params["section"] = "metric-pairs"
    settle(made)
    assert shows(made, metric_pair_table(result.comparisons))
    assert "That does not compare metrics" in said(made)
    made.query_params["section"] = "replicas"
    settle(made)
    low, high = result.spreads[0].interval
    assert f"between {low:.3f} and {high:.3f}" in said(made)


@pytest.mark.slow
def test_agreement_of_tests_is_that_of_the_library():
    bench, people = example()
    judged = Judged.of(bench, "test", people, "score")
    choice = TestChoice(("ar-segment",), (0.05, 0.01, 0.001))
    result = agreement_of_tests(judged, [get_metric("bleu", tokenize="none")], SETTINGS, choice)
    made = judged_app("Metrics against people", section="tests")
    made.multiselect(key="people tests").set_value(["ar-segment"])
    settle(made)
    assert shows(made, agreement_table(result))
    row = result.rows[0]
    assert f"on {row.right} of {row.n} pairs" in said(made)


@pytest.mark.slow
@pytest.mark.parametrize("page", ["Human judgement", "Metrics against people"])
def test_without_judgements_the_page_says_what_to_bring_and_opens_the_example(page):
    made = app(demo="travel")
    made.switch_page(PAGES[page])
    settle(made)
    assert "No human judgements came with what is open" in said(made)
    made.button(key="open example").click()
    settle(made)
    assert "simulated" in said(made)
    assert "What to bring" not in said(made)


@pytest.mark.slow
def test_judgements_alone_open_and_are_shown():
    made = app()
    upload(made, "campaign.csv", ALONE)
    made.switch_page(PAGES["Human judgement"])
    settle(made)
    text = said(made)
    assert "According to people, beta leads, separated from alpha." in text
    assert "simulated" not in text
    means = next(frame for frame in frames(made) if "mean" in frame)
    assert means["system"] == [short("beta"), short("alpha")]
    made.switch_page(PAGES["Metrics against people"])
    settle(made)
    assert "There are judgements only" in said(made)
    assert not made.multiselect(key="metrics").disabled
    assert not [control for control in made.main if control.type in ("button_group", "selectbox", "toggle")]


@pytest.mark.slow
def test_two_dimensions_of_people_in_a_table_of_scores_are_compared_with_each_other():
    made = app()
    rows = b"".join(b"%s,%d,%d,%d\n" % (system, k, 3 + k % 2 + better, 3 + k % 3 + better)
                    for better, system in enumerate((b"old", b"mid", b"new")) for k in range(1, 21))  # fmt: skip
    upload(made, "judged.csv", b"system,segment,adequacy,fluency\n" + rows)
    made.switch_page(PAGES["Metrics against people"])
    settle(made)
    text = said(made)
    assert "None of the chosen metrics" not in text
    assert "each other dimension that people judged takes the place of a metric" in text

"""Published numbers from real files of judgements, from reading to result; skipped where they are not at hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mtsig_core.analysis.people.annotators import annotator_overview
from mtsig_core.analysis.people.items import item_scores, outputs_only
from mtsig_core.analysis.people.meta_evaluation.correlation import metric_against_people
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import compare_metrics, williams
from mtsig_core.analysis.people.mqm import TWO_SEVERITIES, mqm_penalties
from mtsig_core.analysis.people.pairs import rank_sum, system_pairs
from mtsig_core.analysis.people.verdicts import human_verdicts
from mtsig_core.loading.judgements.find import read_judgement_table
from mtsig_core.loading.judgements.system_names import plain_system_names
from mtsig_core.resampling import Settings
from mtsig_core.workbench.meta_evaluation.correlations import correlations_of_dimensions
from mtsig_core.workbench.people import open_people

ESA = {
    "refA": 89.0813, "GPT4-5shot": 88.6039, "ONLINE-W": 88.1905, "ONLINE-B": 87.9034, "ONLINE-M": 86.1163,
    "ONLINE-A": 86.0145, "ONLINE-Y": 85.4444, "Lan-BridgeMT": 84.0417, "ONLINE-G": 83.7440, "ZengHuiMT": 80.5933,
    "NLLB_Greedy": 72.3798, "NLLB_MBR_BLEU": 69.9227, "AIRC": 68.9474,
}  # fmt: skip


def table(real_data, path):
    file = real_data / path
    read = read_judgement_table(file.name, file.read_bytes())
    return read.with_systems(plain_system_names(read.frame["system"].unique()))


@pytest.fixture
def esa(real_data):
    return table(real_data, "human-wmt23-esa/240315rc5ESA.scores.csv")


@pytest.fixture
def mqm(real_data):
    return table(real_data, "human-wmt23-esa/240315rc5MQM.scores.csv")


@pytest.mark.slow
def test_esa_of_wmt23(esa):
    assert esa.set_aside == {"damaged": 398, "tutorial": 198}
    assert len(esa.annotators) == 33
    means = outputs_only(esa.frame).groupby("system")["score"].mean()
    assert {name: round(value, 4) for name, value in means.items()} == ESA
    repeats = outputs_only(esa.frame).duplicated(["annotator", "document", "segment", "system"])
    assert repeats.sum() >= 13


@pytest.mark.slow
def test_items_of_esa_are_the_authors_segments(real_data, esa):
    items = item_scores(esa.frame, "score")
    assert (np.isfinite(items.values).sum(axis=0) == 207).all()
    own = dict(zip(items.systems, items.means, strict=True))
    scores = table(real_data, "human-wmt23-esa/en-de.ESA-1.seg.score")
    authors = scores.frame.groupby("system")["score"].mean()
    # the order of parts of a document that two people judged is not in the file, so a few segments differ
    for name, mean in authors.items():
        assert own[name] == pytest.approx(mean, abs=0.04), name
    assert own["AIRC"] == pytest.approx(69.2077, abs=5e-5)


@pytest.mark.slow
def test_esa_rank_sum_on_raw_judgements(esa):
    frame = outputs_only(esa.frame)
    a, b = (frame.loc[frame["system"] == name, "score"] for name in ("GPT4-5shot", "ZengHuiMT"))
    assert (len(a), len(b)) == (207, 209)
    assert rank_sum(a, b).p_a == pytest.approx(5.41e-7, abs=5e-10)


@pytest.mark.slow
def test_esa_against_mqm(esa, mqm):
    assert mqm.set_aside["damaged"] == 399
    penalties = mqm_penalties(mqm.frame, TWO_SEVERITIES)
    means = penalties.frame.groupby("system")["score"].mean()
    expected = {"refA": -0.4163, "GPT4-5shot": -0.4203, "ONLINE-A": -0.5700, "ONLINE-W": -0.6039, "AIRC": -3.2657}
    for name, value in expected.items():
        assert round(means[name], 4) == value
    names = list(ESA)
    people = outputs_only(esa.frame).groupby("system")["score"].mean()
    result = metric_against_people("MQM", means[names], people[names], names, Settings()).coefficients
    assert result["pearson"].value == pytest.approx(0.96723, abs=5e-6)
    assert result["spearman"].value == pytest.approx(0.92308, abs=5e-6)
    assert result["kendall"].value == pytest.approx(0.82051, abs=5e-6)


@pytest.mark.slow
def test_annotators_of_esa_notice_damage_with_two_exceptions(esa):
    overview = annotator_overview(esa.frame, "score")
    assert len(overview.annotators) == 33
    assert overview.balance.to_numpy().sum() == len(outputs_only(esa.frame))
    assert set(overview.suspects) == {"engdeu6907", "engdeu6914"}
    hasty = next(a for a in overview.annotators if a.name == "engdeu6907")
    assert hasty.seconds < 1


@pytest.mark.slow
def test_rank_sum_of_wmt22(real_data):
    scores = table(real_data, "human-wmt22-da-liven/segment_scores.tsv")
    pairs = system_pairs(item_scores(scores.frame, "z"), Settings())
    p = pairs.row("TartuNLP.1", "HuaweiTSC.0").tests["rank_sum"].p_a
    assert p == pytest.approx(0.029622271282975638, rel=1e-12)
    p = pairs.row("TartuNLP.1", "Liv4ever.4").tests["rank_sum"].p_a
    assert p == pytest.approx(0.009050817952937077, rel=1e-12)
    p = pairs.row("TartuNLP.1", "NiuTrans.2").tests["rank_sum"].p_a
    assert p == pytest.approx(1.97568864110944e-12, rel=1e-9)


@pytest.mark.slow
def test_averaging_wmt22_judgements_gives_the_published_segment_scores(real_data):
    judged = table(real_data, "human-wmt22-da-liven/judgements.tsv")
    assert judged.set_aside == {"damaged": 570, "reference": 574}
    own = item_scores(judged.frame, "z").to_frame().stack()
    scores = table(real_data, "human-wmt22-da-liven/segment_scores.tsv")
    published = item_scores(scores.frame, "z").to_frame().stack()
    assert len(own) == len(published)
    pd.testing.assert_series_equal(own.sort_index(), published.sort_index(), atol=1e-9)


def test_williams_cases(real_data):
    cases = pd.read_csv(real_data / "williams-known/williams_cases.tsv", sep="\t")
    assert len(cases) == 106
    for r12, r13, r23, n, t, p in cases[["r12", "r13", "r23", "n", "t", "p_one_sided_df_n-3"]].itertuples(index=False):
        result = williams(r12, r13, r23, n)
        assert result.statistic == pytest.approx(t, abs=1e-9)
        assert result.p == pytest.approx(p, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("pair", ["cs-en", "de-en", "en-ru", "fr-en"])
def test_published_correlations_of_wmt15(real_data, pair):
    folder = real_data / "human-wmt15-syslevel"
    raw = pd.read_csv(folder / f"hum-sys.{pair}.scores.csv", sep=r"\s+")
    published = pd.read_csv(folder / f"wmt-r.{pair}.csv", sep=r"\s+").set_index("METRIC")["R"]
    for metric, own in raw.groupby("METRIC"):
        if metric in published.index and own["SCORE"].nunique() > 1:
            names = list(own["SYSTEM"])
            value = metric_against_people(metric, own["SCORE"], own["HUMAN"], names, Settings(n_bootstrap=10))
            r = value.coefficients["pearson"].value
            assert abs(r) == pytest.approx(abs(published[metric]), abs=1e-9), metric


def test_error_rates_of_wmt15_are_turned_around(real_data):
    raw = pd.read_csv(real_data / "human-wmt15-syslevel/hum-sys.cs-en.scores.csv", sep=r"\s+")
    wide = raw.pivot_table(index="SYSTEM", columns="METRIC", values="SCORE")
    human = raw.groupby("SYSTEM")["HUMAN"].first()[wide.index].to_numpy()
    scores = np.stack([wide["BLEU"], -wide["TER"]])  # the file has the negative of TER
    result = compare_metrics(human, ["BLEU", "TER"], scores, [True, False], Settings())
    assert min(result.correlations.values()) > 0.8


@pytest.mark.slow
def test_e2e_quality_and_naturalness_fall_back(real_data):
    verdicts = {}
    for name in ("quality", "naturalness"):
        read = table(real_data, f"human-e2e-adequacy-fluency/{name}.tsv")
        verdicts[name] = system_pairs(item_scores(read.frame, name), Settings(n_bootstrap=50))
    combined = human_verdicts(verdicts["quality"], verdicts["naturalness"])
    decided = combined.to_frame()["decided by"].value_counts()
    assert decided["quality"] > decided["naturalness"] > 0
    for verdict in combined.verdicts:
        if verdict.decided_by == "naturalness":
            assert verdict.p["quality"] >= 0.05 > verdict.p["naturalness"]


@pytest.mark.slow
def test_mqm_averages_load_with_gaps_and_signs(real_data):
    read = table(real_data, "human-mqm-avgseg/mqm_newstest2021_ende.avg_seg_scores.tsv")
    assert read.higher_is_better == {"mqm": True}
    scores = read.frame["score"]
    assert scores.isna().any()
    assert (scores.dropna() <= 0).all()
    assert not np.signbit(scores[scores == 0]).any()


def test_cases_that_broke_other_tools(real_data):
    constant = item_scores(table(real_data, "bugs/33-constant-correlation/run/human.tsv").frame, "score")
    against = metric_against_people("m", [1.0, 2.0], constant.means, constant.systems, Settings())
    assert "constant input" in against.coefficients["pearson"].note
    zero = table(real_data, "bugs/35-wilcoxon-zero-differences/run/human.tsv").frame
    (adequacy,) = system_pairs(item_scores(zero, "adequacy"), Settings()).rows
    assert (adequacy.tests["signed_rank"].p, adequacy.tests["signed_rank"].n) == (1, 0)
    (fluency,) = system_pairs(item_scores(zero, "fluency"), Settings()).rows
    assert (fluency.tests["signed_rank"].p, fluency.tests["signed_rank"].n) == (1, 1)
    negative = table(real_data, "bugs/49-human-negative-scale/run/human.tsv")
    assert negative.higher_is_better == {"mqm": True}
    assert item_scores(negative.frame, "mqm").best_first == ("alpha", "beta")
    turned = item_scores(negative.frame.assign(score=-negative.frame["score"]), "mqm", higher_is_better=False)
    assert turned.best_first == ("alpha", "beta")
    for case in pd.read_csv(real_data / "bugs/50-williams-edge/run/cases.tsv", sep="\t").itertuples(index=False):
        # the error rate of the fifth row is turned around, with its correlation to the other metric
        r12, r23 = (-case.r12, -case.r23) if case.r12 < 0 else (case.r12, case.r23)
        result = williams(r12, case.r13, r23, case.n)
        assert result.note if result.p is None else np.isfinite(result.p)


def test_appraise_without_a_heading(real_data):
    read = table(real_data, "bugs-2/22-appraise-export/in/judgements/scores.csv")
    means = item_scores(read.frame, "score")
    assert dict(zip(means.systems, means.means.round(3).tolist(), strict=True)) == {"alpha": 70.510, "beta": 78.530}
    assert read.set_aside["damaged"] == 44
    assert "document score" in read.dimensions


@pytest.mark.slow
def test_scipy_agrees_on_esa_items(esa):
    items = item_scores(esa.frame, "score")
    row = system_pairs(items, Settings(n_bootstrap=100)).row("GPT4-5shot", "ZengHuiMT")
    a, b = items.shared("GPT4-5shot", "ZengHuiMT")
    difference = np.round(b - a, 9)
    assert row.tests["signed_rank"].p == pytest.approx(stats.wilcoxon(difference[difference != 0]).pvalue)


@pytest.mark.slow
def test_what_people_print_of_wmt23_are_the_published_means(real_data):
    folder = real_data / "human-wmt23-esa"
    people = open_people([(file.name, file.read_bytes()) for file in sorted(folder.glob("*.scores.csv"))])
    few = Settings(n_bootstrap=20, n_permutations=20)
    means = people.campaign("score").means(few)
    assert {each.system: round(each.judgement_mean, 4) for each in means.systems} == ESA
    result = correlations_of_dimensions(people.campaign("score"), people, few)
    (mqm,) = (each for each in result.metrics if "rc5MQM" in each.metric)
    # over items and with the weights of Freitag et al., where the published figure counts each judgement once
    assert mqm.coefficients["pearson"].value == pytest.approx(0.96723, abs=0.001)
    damaged = {campaign.table.set_aside["damaged"] for campaign in people.campaigns}
    assert damaged == {398, 399}

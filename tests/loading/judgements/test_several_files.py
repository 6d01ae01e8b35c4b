"""Several files of judgements: which are one campaign, and which are of test sets or languages of their own."""

import numpy as np
import pytest

from mtsig_core.loading import read
from mtsig_core.loading.judgements.find import find_judgements
from mtsig_core.resampling import Settings
from mtsig_core.workbench.meta_evaluation.correlations import correlations_of_scores
from mtsig_core.workbench.people import open_people

FEW = Settings(n_bootstrap=20, n_permutations=20)


def averaged(name, shift):
    return name, ("system\tmqm\tseg_id\n" + "".join(
        f"{system}\t{-shift - k}\t{k}\n" for k in range(1, 4) for system in ("A", "B"))).encode()  # fmt: skip


@pytest.mark.slow
def test_averages_of_the_same_outputs_are_of_different_test_sets():
    files = [averaged("ted.tsv", 0), averaged("news.tsv", 10)]
    people = open_people(files)
    assert {c.name: c.items.means.tolist() for c in people.campaigns} == {
        "mqm (news.tsv)": [-12, -12], "mqm (ted.tsv)": [-2, -2]}  # fmt: skip
    experiment = read(files).experiment
    assert {each.name: each.n_segments for each in experiment.test_sets} == {"news": 3, "ted": 3}
    assert set(experiment.outside_metrics) == {"mqm"}  # one metric, of which each test set has scores
    assert [campaign.name for campaign in people.on("ted").campaigns] == ["mqm (ted.tsv)"]


def test_a_heading_with_blanks_between_its_columns_is_of_several(real_data):
    read_ = read(real_data / "human-mqm-avgseg")
    assert read_.report.layout == "human judgements"
    assert set(read_.experiment.outside_metrics) == {"mqm"}


def test_files_of_several_annotators_are_one_campaign():
    table = "system,segment,annotator,adequacy\nA,1,{0},3\nB,1,{0},4\n"
    people = open_people([(f"{who}.csv", table.format(who).encode()) for who in ("ann", "bob")])
    (campaign,) = people.campaigns
    assert campaign.table.annotators == ("ann", "bob")


def wmt15(pair, sets=("newstest2015",)):
    rows = [f"{metric} {pair} {name} S{k}.{pair} {k + bend * k * k + i} {k + i} \n"
            for metric, bend in (("BLEU", 0.1), ("chrF3", 0)) for i, name in enumerate(sets)
            for k in range(4)]  # fmt: skip
    return f"hum-sys.{pair}.scores.csv", ("METRIC  LP  DATA  SYSTEM  SCORE HUMAN\n" + "".join(rows)).encode()


@pytest.mark.slow
def test_each_language_pair_of_wmt15_is_compared_with_its_own_metrics():
    files = [wmt15("cs-en"), wmt15("en-fr", ("newstest2015", "newsdiscusstest2015"))]
    found = find_judgements(files)
    people = open_people(found)
    assert [campaign.name for campaign in people.campaigns] == [
        "score (cs-en)", "score (newstest2015 en-fr)", "score (newsdiscusstest2015 en-fr)"]  # fmt: skip
    for campaign in people.campaigns:
        result = correlations_of_scores(campaign, people.metric_scores, FEW)
        r = {one.metric: one.coefficients["pearson"].value for one in result.metrics}
        bent = np.corrcoef([0, 1.1, 2.4, 3.9], [0, 1, 2, 3])[0, 1]
        assert r == {"BLEU": pytest.approx(bent), "chrF3": pytest.approx(1)}
        assert all(len(one.names) == 4 for one in result.metrics)
    report = read(files).report
    assert report.layout == "human judgements"
    assert not any("judgements" in line.message for line in report.lines if line.kind == "ignored")

"""Columns of numbers that are no metrics: listed, and taken only on request."""

from __future__ import annotations

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.scores.non_metrics import is_no_metric
from mtsig_core.loading.scores.tables import counts_up

HEADER = "system,replica,segment,comet,src_length,time_ms,annotator_id"
ROWS = [f"{s},{r},{i},0.{i}{r},{10 * i},{7 + i},3" for s in "AB" for r in (1, 2) for i in (1, 2, 3)]


def loaded(manifest: str = "", header: str = HEADER):
    files = [("s.csv", "\n".join([header, *ROWS, ""]).encode())]
    return load([*files, ("experiment.toml", manifest.encode())] if manifest else files, cache=False)


def test_lengths_times_and_ids_are_no_metrics():
    experiment, report = loaded()
    assert list(experiment.outside_metrics) == ["comet"]
    (guess,) = [g for g in report.guesses if g.code == "no-metric"]
    assert all(name in guess.message for name in ("src_length", "time_ms", "annotator_id"))
    assert "use = true" in guess.remedy


def test_a_column_is_a_metric_on_request_and_left_out_on_request():
    experiment, _ = loaded("[metrics.src_length]\nuse = true\n[metrics.comet]\nuse = false\n")
    assert list(experiment.outside_metrics) == ["src_length"]


def test_nothing_but_other_numbers_is_refused_with_the_remedy():
    with pytest.raises(LoadError, match=r"no column is a metric.*use = true"):
        loaded(header=HEADER.replace("comet", "n_tokens"))


@pytest.mark.parametrize(
    "name", ["bits_per_byte", "word_error_rate", "length_f1", "comet", "zeta", "ln_subject/object_swap", "judge_score",
             "llm_judge"]
)
def test_metrics_stay_metrics(name):
    assert not is_no_metric(name)


@pytest.mark.parametrize("name", [
    "srcLength", "n_words", "annotatorid", "Time (s)", "user id", "epoch", "hyp_len", "judge", "judge_id", "cost_usd",
    "pid", "comet_std", "acc_stderr", "p_value", "BLEU variance", "ci_low",
])  # fmt: skip
def test_names_of_other_numbers(name):
    assert is_no_metric(name)


@pytest.mark.parametrize(("folder", "metric"), [("in", "comet"), ("in-ter", "ter")])
def test_real_tables(real_data, folder, metric):
    experiment, report = load(real_data / "bugs-3/07-columns-that-are-no-metric" / folder, cache=False)
    assert list(experiment.outside_metrics) == [metric]
    assert "no-metric" in [g.code for g in report.guesses]


@pytest.mark.parametrize(
    ("cells", "counts"),
    [
        (range(1, 13), True), ([str(i) for i in range(20)], True), ([*range(10), *range(10)], True),
        ([i for i in range(12) for _ in "ab"], True), ([*range(1, 6)] * 4, False), (range(7), False),
        ([0, 2, *range(3, 15)], False), ([i / 2 for i in range(20)], False), ([*range(12, 0, -1)], False),
    ],
)  # fmt: skip
def test_whole_numbers_that_count_up_are_no_scores(cells, counts):
    assert counts_up(list(cells)) is counts


def test_a_column_that_counts_the_segments_is_no_metric():
    rows = "".join(f"{s},{k},{i},{i},.{i + 10}\n" for s in "ab" for k in (1, 2) for i in range(12))
    experiment, _ = load([("t.csv", f"system,seed,segment,Zeiger,quux\n{rows}".encode())], cache=False)
    assert list(experiment.outside_metrics) == ["quux"]

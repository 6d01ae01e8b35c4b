"""Outside metrics: plain means are the oracle, for scores, pseudo-values and every test on them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.metrics import (
    OutsideMetric,
    available_metrics,
    choose_metric,
    compute_statistics,
    default_metrics,
    metric_names,
    systems_under,
)
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance.closed_form.crossed import crossed_test
from mtsig_core.significance.run import run_preset


def made(seed=0, *, n=(3, 4), segments=50, gaps=(), name="COMET", higher=True, documents=None, shift=0.3):
    rng = np.random.default_rng(seed)
    text = rng.normal(size=segments)
    tables = [text + rng.normal(size=(k, segments)) + i * shift for i, k in enumerate(n)]
    systems = []
    for i, table in enumerate(tables):
        replicas = []
        for k, row in enumerate(table):
            scores = [None if (i, k, seg) in gaps else float(x) for seg, x in enumerate(row)]
            replicas.append(Replica(f"seed{k}", scores={"t": {name: tuple(scores)}}))
        systems.append(System("AB"[i], tuple(replicas)))
    target = TestSet("t", "test", (), documents=documents, size=segments)
    return Experiment("e", (target,), tuple(systems), outside_metrics={name: higher}), tables


def statistics_of(experiment, name="COMET"):
    return compute_statistics(experiment, "t", choose_metric(experiment, name))


def test_scores_are_plain_means_and_pseudo_values_the_scores_themselves():
    experiment, (a, b) = made()
    found = statistics_of(experiment)
    np.testing.assert_allclose(found.scores, [*a.mean(axis=1), *b.mean(axis=1)], rtol=1e-13)
    np.testing.assert_allclose(found.pseudo_values("B"), b, atol=1e-12)
    assert found.signature == "COMET|from file"
    assert (found.segments, found.note) == (None, "")


def test_a_missing_segment_is_left_out_for_every_output():
    documents = ("d1",) * 3 + ("d2",) * 2 + ("d3",) * 45
    experiment, (a, b) = made(gaps={(0, 1, 3), (1, 0, 4), (1, 2, 4), (0, 0, 49)}, documents=documents)
    found = statistics_of(experiment)
    kept = [i for i in range(50) if i not in (3, 4, 49)]
    assert found.segments.tolist() == kept
    np.testing.assert_allclose(found.scores_of("A"), a[:, kept].mean(axis=1))
    np.testing.assert_allclose(found.scores_of("B"), b[:, kept].mean(axis=1))
    assert found.documents.tolist() == [0] * 3 + [1] * 44  # d2 is gone; numbers stay without a gap
    assert found.note.startswith("COMET on t: 47 of 50 segments used; 3 segments lack a score")


def test_no_common_segment_is_an_error_in_words():
    gaps = {(0, 0, i) for i in range(25)} | {(1, 0, i) for i in range(25, 50)}
    with pytest.raises(ValueError, match="no segment has a score of every output"):
        statistics_of(made(gaps=gaps)[0])


def test_the_gradient_is_that_of_a_mean():
    metric = OutsideMetric("x")
    sums = np.array([[3.0, 4.0], [-2.0, 7.0]])
    np.testing.assert_allclose(metric.gradient(sums), super(OutsideMetric, metric).gradient(sums), rtol=1e-6)
    assert np.isnan(metric.score(np.zeros(2)))


@pytest.mark.slow
def test_tests_are_those_of_plain_means():
    experiment, (a, b) = made()
    found, settings = statistics_of(experiment), Settings(n_bootstrap=400, n_permutations=2000)
    crossed = run_preset("crossed", found, "A", "B", settings)
    assert crossed.p == pytest.approx(crossed_test(a, b).p, rel=1e-9)
    assert crossed.difference == pytest.approx(b.mean() - a.mean())
    welch = run_preset("welch-replicas", found, "A", "B", settings)
    oracle = scipy_stats.ttest_ind(b.mean(axis=1), a.mean(axis=1), equal_var=False)
    assert welch.p == pytest.approx(oracle.pvalue, rel=1e-9)
    swapped = run_preset("ar-segment", found, "A", "B", settings)
    d = b.mean(axis=0) - a.mean(axis=0)
    by_hand = scipy_stats.permutation_test(
        (d,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(1)
    )
    assert swapped.p == pytest.approx(by_hand.pvalue, abs=0.02)
    draws = bootstrap_scores(found, 4000, 1)
    np.testing.assert_allclose(draws.std(axis=0, ddof=1), np.vstack([a, b]).std(axis=1) / np.sqrt(50), rtol=0.06)


def test_names_and_defaults():
    experiment, _ = made(name="Accuracy")
    assert available_metrics(experiment) == default_metrics(experiment) == ("Accuracy",)
    assert choose_metric(experiment, "accuracy").label == "Accuracy"
    with pytest.raises(ValueError, match="No metric 'bleu' here; there are: Accuracy. This experiment has scores only"):
        choose_metric(experiment, "bleu")


def test_beside_text_a_taken_name_says_that_it_is_from_a_file():
    target = TestSet("t", "test", (("x y",),))
    replica = Replica("1", {"t": ("x y",)}, {"t": {"BLEU": (40.0,), "COMET": (0.8,), "comet": (0.1,)}})
    experiment = Experiment("e", (target,), (System("A", (replica,)),))
    assert available_metrics(experiment) == (*metric_names(), "BLEU (from file)", "COMET", "comet")
    assert default_metrics(experiment) == ("bleu", "chrf")
    assert choose_metric(experiment, "BLEU").key == choose_metric(experiment, "bleu").key
    assert compute_statistics(experiment, "t", choose_metric(experiment, "bleu (FROM file)")).scores == [40.0]
    assert compute_statistics(experiment, "t", choose_metric(experiment, "comet")).scores == [0.1]
    with pytest.raises(ValueError, match="No metric 'Comet'"):
        choose_metric(experiment, "Comet")


def test_who_can_be_scored():
    sets = (TestSet("t", "test", (("x",),)), TestSet("u", "test", (), size=1))
    systems = (
        System("A", (Replica("1", {"t": ("x",), "u": ("x",)}),)),
        System("B", (Replica("1", scores={"t": {"C": (1.0,)}, "u": {"C": (1.0,)}}),)),
    )
    experiment = Experiment("e", sets, systems)
    bleu, outside = choose_metric(experiment, "bleu"), choose_metric(experiment, "C")
    names = {(m.name, t): [s.name for s in systems_under(experiment, t, m)] for m in (bleu, outside) for t in "tu"}
    assert names == {("bleu", "t"): ["A"], ("bleu", "u"): [], ("C", "t"): ["B"], ("C", "u"): ["B"]}
    with pytest.raises(ValueError, match="'u' has no references"):
        compute_statistics(experiment, "u", bleu)
    with pytest.raises(ValueError, match="No system has D scores"):
        compute_statistics(experiment, "t", OutsideMetric("D"))


def test_it_cannot_score_text():
    with pytest.raises(ValueError, match="read from files"):
        OutsideMetric("C").statistics(["x"], [("x",)])


def test_defaults_have_scores_on_the_first_test_set():
    sets = tuple(TestSet(name, "test", (), size=2) for name in ("first", "second"))
    scores = {"first": {"late": (1.0, 2.0)}, "second": {"early": (1.0, 2.0), "late": (1.0, 2.0)}}
    systems = tuple(System(name, (Replica("1", {}, scores),)) for name in "AB")
    experiment = Experiment("e", sets, systems)
    assert set(available_metrics(experiment)) == {"early", "late"}
    assert default_metrics(experiment) == ("late",)

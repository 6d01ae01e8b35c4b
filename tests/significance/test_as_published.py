"""The rules as they were published, against their gold cases, their own programs, and measured false alarms."""

import numpy as np
import pytest
from sacrebleu.significance import _compute_p_value
from scipy.stats import binom

from mtsig_core.resampling import ExchangeDesign, Settings, bootstrap_means, exchange
from mtsig_core.significance import PRESETS, Pair, run_on, run_preset, valid_presets

SETTINGS = Settings(n_bootstrap=10000)
X = binom(1000, 1 / 1000)
PUBLISHED = [name for name in PRESETS if name not in valid_presets()]


@pytest.fixture(scope="module")
def gold(means):
    """1000 segments, outputs identical except in one, where B is better."""
    y = np.random.default_rng(0).integers(0, 9, (1, 1000)).astype(float)
    better = y.copy()
    better[0, 321] += 1000
    return means({"A": y, "B": better})


@pytest.fixture(scope="module")
def centred_draws():
    """Scores of A and B whose differences are Poisson-like with the exact mean 1, as in the gold case."""
    x = np.repeat([0.0, 1, 2, 3, 4], [3680, 3680, 1840, 613, 187])
    extra = x.sum() - len(x)
    x = np.append(x, np.zeros(max(0, int(extra)))) if extra > 0 else np.append(x, 1 - extra)
    assert x.mean() == 1
    return np.stack([np.zeros_like(x), x], axis=1)


def run(name, statistics, chosen=SETTINGS, bootstrap=None):
    return run_on(Pair(statistics, "A", "B", chosen, bootstrap), name)


# --- gold case -------------------------------------------------------------------------------------------------------


def test_strict_randomization_gives_the_smallest_p_there_is(gold):
    for name in ("sacrebleu-ar", "multeval-ar"):
        result = run(name, gold)
        assert result.p == pytest.approx(1 / 10001)
        assert result.smallest_p is None
        assert not result.exact


def test_the_lectures_randomization_sees_half_the_ties(gold):
    assert run("lecture-ar", gold).p == pytest.approx(0.5, abs=0.02)


@pytest.mark.slow
def test_koehn_counts_ties_against_the_winner(gold):
    result = run("koehn", gold)
    assert result.p == pytest.approx(X.pmf(0), abs=0.015)
    assert result.shares[0] == 0
    assert result.null is None


@pytest.mark.parametrize(("name", "expected"), [("lecture-bootstrap", 0.264), ("bootstrap-centred", 0.632)])
def test_bootstraps_with_the_exact_centre(name, expected, gold, centred_draws):
    assert run(name, gold, bootstrap=centred_draws).p == pytest.approx(expected, abs=0.015)


def test_sacrebleu_centres_sizes(gold, centred_draws):
    # |D_b| = X here, so its rule is the lecture's with > instead of >=.
    assert run("sacrebleu-bootstrap", gold, bootstrap=centred_draws).p == pytest.approx(0.080, abs=0.01)


# --- other programs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gain", [-2.0, -0.4, 0.4, 1.5])
def test_sacrebleu_rules_are_sacrebleus_own(gain, pair):
    statistics = pair(np.random.default_rng(1), 1, 1, 80, gain=gain)
    chosen = Settings(n_bootstrap=500, n_permutations=500)
    shared = Pair(statistics, "A", "B", chosen)
    d = abs(shared.difference)
    drawn = np.abs(shared.drawn_differences("segment", lambda *_: None))
    assert run_on(shared, "sacrebleu-bootstrap").p == _compute_p_value(drawn - drawn.mean(), d)
    swapped = exchange(statistics, "A", "B", ExchangeDesign("segment", 500, chosen.seed, exact=False))
    assert run_on(shared, "sacrebleu-ar").p == _compute_p_value(np.abs(swapped.values), d)


@pytest.mark.slow
def test_sacrebleus_whole_test_agrees(multeval):
    sacrebleu = pytest.importorskip("sacrebleu")
    from sacrebleu.significance import PairedTest as Theirs

    rng = np.random.default_rng(2)
    words = [f"w{i}" for i in range(40)]
    references = [" ".join(rng.choice(words, 12)) for _ in range(150)]

    def garbled(share):
        return [" ".join(w if rng.random() > share else rng.choice(words) for w in r.split()) for r in references]

    outputs = {"A": garbled(0.25), "B": garbled(0.22)}
    metric = sacrebleu.BLEU(tokenize="none", references=[references])
    values = np.array([metric._extract_corpus_statistics(o, None) for o in outputs.values()], dtype=float)
    ours = type(multeval)(multeval.metric, "t", "", ("A", "B"), (("1",), ("1",)), _as_ours(values))
    for kind, name, n in (("bs", "sacrebleu-bootstrap", 2000), ("ar", "sacrebleu-ar", 5000)):
        _, scores = Theirs(list(outputs.items()), {"BLEU": metric}, None, test_type=kind, n_samples=n)()
        p = scores["BLEU"][1].p_value
        assert run(name, ours, Settings(n_bootstrap=n, n_permutations=n)).p == pytest.approx(p, abs=0.035)


def _as_ours(values):
    """Turn sacreBLEU's order of BLEU statistics (lengths first) into ours, known by its score."""
    from mtsig_core.metrics.bleu import COUNTS, HYP_LEN, REF_LEN, TOTALS

    ours = np.empty_like(values)
    ours[..., HYP_LEN], ours[..., REF_LEN] = values[..., 0], values[..., 1]
    ours[..., COUNTS], ours[..., TOTALS] = values[..., 2:6], values[..., 6:10]
    return ours


@pytest.mark.slow
def test_multevals_rule_on_its_example_is_ar_hypothesis_without_ties(multeval):
    chosen = Settings(n_permutations=2000)
    both = Pair(multeval, "baseline", "sys1", chosen)
    assert run_on(both, "multeval-ar").p == run_on(both, "ar-hypothesis").p <= 5 / 2001
    assert run_on(both, "multeval-ar").null is run_on(both, "ar-hypothesis").null  # drawn once


# --- replicas --------------------------------------------------------------------------------------------------------


def test_bootstrap_of_replicas_has_the_plug_in_variance(pair):
    statistics = pair(np.random.default_rng(3), 4, 7, 30, replica=3)
    null = run("bootstrap-replica", statistics, Settings(n_bootstrap=20000)).null
    expected = sum(statistics.scores_of(s).var() / len(statistics.names(s)) for s in "AB")
    assert null.var() == pytest.approx(expected, rel=0.03)


def test_two_way_bootstrap_adds_both_kinds_of_luck(pair):
    statistics = pair(np.random.default_rng(4), 3, 3, 60, replica=3, residual=4)
    chosen = Settings(n_bootstrap=8000)
    spread = {n: run(n, statistics, chosen).null.var() for n in ("bootstrap-replica", "bootstrap-centred")}
    both = run("two-way-bootstrap", statistics, chosen).null.var()
    assert sum(spread.values()) < both < 2 * sum(spread.values())


def test_fu_swaps_by_index_or_deals_where_numbers_differ(pair):
    even, odd = (pair(np.random.default_rng(5), 3, n, 30, replica=3) for n in (3, 5))
    assert run("fu-ar", even).unit == "replica-paired"
    assert run("fu-ar", odd).unit == "replica"
    assert "Welch" in run("fu-ar", odd).scheme
    assert np.unique(np.round(run("fu-ar", even).null, 9)).size <= 8


def test_declared_pairs_are_redrawn_together(means):
    base = np.random.default_rng(6).normal(0, 5, (6, 1)) + np.zeros((6, 20))
    statistics = means({"A": base, "B": base + np.arange(6)[:, None] * 0.01 + 0.2})
    free, paired = (run("bootstrap-replica", statistics, Settings(paired=p)) for p in (False, True))
    assert paired.null.std() < 0.1 * free.null.std()
    assert "drawn together" in paired.scheme


def test_replicas_that_all_score_the_same_cannot_be_redrawn(means):
    statistics = means({"A": np.full((3, 9), 1.0), "B": np.full((3, 9), 2.0)})
    result = run("fu-bootstrap", statistics)
    assert result.p is None
    assert "do not vary" in result.note


def test_redrawn_means_share_places_within_a_system_number():
    x = np.array([1.0, 4.0, 9.0])
    one, same, other = (bootstrap_means(x, 50, 1, system=k) for k in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    np.testing.assert_allclose(bootstrap_means(np.tile(x, (50, 1)), 50, 1), one)
    with pytest.raises(ValueError, match="expected scores"):
        bootstrap_means(np.ones((3, 2)), 50, 1)


# --- what every one of them says -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_carries_its_warning_and_never_reaches_the_headline(name, pair):
    result = run(name, pair(np.random.default_rng(7), 3, 3, 30), Settings(n_bootstrap=100, n_permutations=100))
    assert result.warning
    assert result.preset.alarms
    assert not result.preset.headline


def test_the_honest_come_first():
    names = list(PRESETS)
    assert names[: len(valid_presets())] == list(valid_presets())
    assert {"crossed", "ar-segment", "welch-replicas"} <= set(valid_presets())


def test_a_count_of_none_is_never_a_p_of_0(means):
    y = np.random.default_rng(8).normal(0, 1, (1, 50))
    statistics = means({"A": y, "B": y + 5 + 0.1 * np.random.default_rng(9).normal(0, 1, (1, 50))})
    for name in ("koehn", "lecture-bootstrap", "lecture-ar"):
        result = run(name, statistics, Settings(n_bootstrap=200, n_permutations=200))
        assert result.p == pytest.approx(1 / 201)
        assert "gives 0" in result.note


@pytest.mark.parametrize("gain", [-1.0, 1.0])
def test_one_sided_rules_follow_the_winner(gain, pair):
    statistics = pair(np.random.default_rng(10), 1, 1, 200, gain=gain)
    result = run("lecture-ar", statistics, Settings(n_permutations=2000))
    assert result.preset.one_tail
    assert result.observed == abs(result.difference)
    assert np.mean(result.null >= result.observed) == pytest.approx(result.p)
    assert result.p == pytest.approx(run("ar-segment", statistics, Settings(n_permutations=2000)).p / 2, abs=0.03)


# --- measured false alarms -------------------------------------------------------------------------------------------


def alarms(name, make, trials, seed, chosen):
    rng = np.random.default_rng(seed)
    return np.mean([run_preset(name, make(rng), "A", "B", chosen).p <= 0.05 for _ in range(trials)])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("koehn", 0.07, 0.13), ("lecture-bootstrap", 0.07, 0.13), ("lecture-ar", 0.07, 0.13),
     ("sacrebleu-bootstrap", 0.08, 0.14), ("sacrebleu-ar", 0.03, 0.07)],
)
def test_segment_rules(name, low, high, pair):
    chosen = Settings(n_bootstrap=199, n_permutations=199)
    assert low < alarms(name, lambda rng: pair(rng, 1, 1, 60, segment=5), 700, 11, chosen) < high


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n", "expected"),
    [("fu-bootstrap", 2, 0.33), ("fu-bootstrap", 5, 0.12), ("bootstrap-replica", 3, 0.20),
     ("fu-ar", 2, 0.50), ("fu-ar", 3, 0.25), ("fu-ar", 5, 0.065)],
)
def test_replica_rules(name, n, expected, pair):
    chosen = Settings(n_bootstrap=199, n_permutations=199)
    rate = alarms(name, lambda rng: pair(rng, n, n, 4, replica=3, residual=1), 600, 12, chosen)
    assert rate == pytest.approx(expected, abs=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "expected"), [(2, 0.27), (5, 0.115)])
def test_two_way_bootstrap(n, expected, pair):
    chosen = Settings(n_bootstrap=199)
    rate = alarms("two-way-bootstrap", lambda rng: pair(rng, n, n, 60, replica=3, residual=4), 400, 13, chosen)
    assert rate == pytest.approx(expected, abs=0.06)

"""What holds of every optimizer, and what is special of each."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize

from mtsig_core.loading.nbest import load_nbest
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import OPTIMIZERS, baselines, get_optimizer, tune_replicas, tuning_problem
from mtsig_core.optimizers.minimum_risk import expected_objective, probabilities
from mtsig_core.optimizers.mira import _Walk
from mtsig_core.optimizers.pro import PRO, _learned
from mtsig_core.runtime.jobs import Cancelled, no_progress
from tests.optimizers.conftest import made_data, rng

FAST = {
    "mert": {"restarts": 4}, "pro": {"iterations": 4, "samples": 200}, "mira": {"epochs": 5},
    "risk": {"iterations": 20}, "random": {"samples": 60},
}  # fmt: skip


def fast(name):
    return get_optimizer(name, **FAST[name])


@pytest.mark.parametrize("name", OPTIMIZERS)
@pytest.mark.parametrize("kind", ["bleu", "ter"])
def test_every_optimizer_beats_a_random_choice_on_dev(name, kind, problem, ter_problem):
    own = problem if kind == "bleu" else ter_problem
    result = tune_replicas(own, fast(name), 3)
    beside = baselines(own.dev)
    sign = 1 if own.metric.higher_is_better else -1
    assert (sign * result.dev_scores > sign * beside.random + 5).all()
    assert result.dev_scores == pytest.approx(own.dev.scores(own.scaled(result.weights)))
    assert result.test_scores == pytest.approx(own.test.scores(own.scaled(result.weights)))
    for replica in result.replicas:
        path = replica.trajectory
        assert replica.dev == path.dev[path.chosen]
        assert np.array_equal(own.plain(path.weights[path.chosen]), replica.weights)


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_replicas_depend_on_their_number_alone(name, problem):
    one = tune_replicas(problem, fast(name), 5, n_jobs=1)
    two = tune_replicas(problem, fast(name), 5, n_jobs=2)
    fewer = tune_replicas(problem, fast(name), 2, n_jobs=2)
    other = tune_replicas(problem, fast(name), 2, seed=1)
    assert one.weights.tobytes() == two.weights.tobytes()
    assert one.weights[:2].tobytes() == fewer.weights.tobytes()
    assert [r.trajectory.dev.tobytes() for r in one.replicas] == [r.trajectory.dev.tobytes() for r in two.replicas]
    assert other.weights.tobytes() != fewer.weights.tobytes()
    assert len({weights.tobytes() for weights in one.weights}) > 1


def test_with_and_without_kernels_the_same_bytes(problem, kernels, monkeypatch):
    from mtsig_core.optimizers.compiled import ENVELOPES

    compiled = tune_replicas(problem, fast("mert"), 2)
    monkeypatch.setattr(ENVELOPES, "_loaded", None)
    monkeypatch.setattr(ENVELOPES, "problem", "not wanted here")
    assert ENVELOPES.loaded is None
    assert compiled.weights.tobytes() == tune_replicas(problem, fast("mert"), 2).weights.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_tuning_reports_and_can_be_called_off(name, problem):
    reports = []
    tune_replicas(problem, fast(name), 2, progress=lambda fraction, what="": reports.append((fraction, what)))
    assert reports[-1][0] == 1
    assert "2 replicas" in reports[-1][1]
    before = threading.active_count()

    def stop(fraction, what=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        tune_replicas(problem, fast(name), 50, progress=stop)
    assert threading.active_count() <= before


def test_no_replicas():
    with pytest.raises(ValueError, match="At least one replica is needed; not 0"):
        tune_replicas(None, fast("mert"), 0)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("nobody", {}, "must be one of mert, pro, mira, risk, random; not 'nobody'"),
        ("mert", {"c": 1}, "MERT has no option 'c'; it has restarts"),
        ("mert", {"restarts": 0}, "MERT: restarts must be at least 1; not 0"),
        ("mert", {"low": 2.0}, "high must be at least 2"),
        ("mira", {"c": float("nan")}, "c must be at least 0"),
        ("mira", {"decay": 1.1}, "decay is a share"),
        ("pro", {"interpolation": 1.1}, "interpolation is a share"),
        ("pro", {"kept": 2.5}, "kept must be a whole number; not 2.5"),
    ],
)
def test_options_out_of_range(name, options, words):
    with pytest.raises(ValueError, match=words):
        get_optimizer(name, **options)


def test_every_optimizer_names_its_paper():
    for kind in OPTIMIZERS.values():
        assert kind.paper[-4:].isdigit()
        assert kind.paper.split()[0] in kind.__doc__
        assert kind.explanation.endswith(".")


# MERT


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_mert_never_ends_below_its_start(seed):
    problem = tuning_problem(made_data(seed, 6, 6, 3), get_metric("bleu", tokenize="none"))
    (path,) = get_optimizer("mert", restarts=3).tune(problem, [rng(seed)], no_progress)
    assert (np.diff(path.dev) > 0).all()
    assert path.dev[-1] >= problem.dev.scores(problem.start[None])[0]
    assert path.dev[-1] == problem.dev.scores(path.weights[-1:])[0]


def test_mert_ends_where_no_line_along_a_feature_is_better(problem):
    from mtsig_core.optimizers.line_search import along_lines

    (path,) = get_optimizer("mert", restarts=3, random_directions=0).tune(problem, [rng()], no_progress)
    end = path.weights[-1:]
    for k in range(problem.n_features):
        (line,) = along_lines(problem.dev, problem.dev.model_scores(end), problem.dev.features[k, None])
        assert line.best()[1] <= path.dev[-1] + 1e-8


def test_more_restarts_are_never_worse_on_dev(problem):
    scores = []
    for restarts in (1, 5, 20):
        optimizer = get_optimizer("mert", restarts=restarts, random_directions=0)
        scores.append(optimizer.tune(problem, [rng()], no_progress)[0].dev[-1])
    assert scores == sorted(scores)


def test_groups_of_restarts_do_not_change_mert(problem, monkeypatch):
    from mtsig_core.optimizers import mert

    whole = fast("mert").tune(problem, [rng()], no_progress)[0]
    monkeypatch.setattr(mert, "_MOST_SCORES", problem.dev.rows.size)
    assert whole.weights.tobytes() == fast("mert").tune(problem, [rng()], no_progress)[0].weights.tobytes()


# PRO


def test_pairs_of_pro_are_better_minus_worse_and_far_apart(problem):
    optimizer = PRO(samples=500, kept=10, least_difference=5.0)
    dev = problem.dev
    pairs = optimizer._pairs(dev, rng())
    assert 0 < pairs.shape[1] <= 10 * dev.n_segments
    differences = {}
    for segment in range(dev.n_segments):
        n = int(dev.is_candidate[segment].sum())
        for i in range(n):
            for j in range(n):
                key = (dev.features[:, segment, i] - dev.features[:, segment, j]).tobytes()
                differences.setdefault(key, set()).add(float(dev.gains[segment, i] - dev.gains[segment, j]))
    for pair in pairs.T:
        assert max(differences[np.ascontiguousarray(pair).tobytes()]) >= 5


@pytest.mark.parametrize("kind", ["noisy", "separable", "a feature without values"])
def test_pro_learns_what_a_general_minimiser_finds(kind):
    generator = np.random.default_rng(4)
    differences = generator.normal(size=(3, 80)) + [[0.7], [-0.2], [0.1]]
    if kind == "separable":
        differences *= np.sign(differences[0])
    if kind == "a feature without values":
        differences[2] = 0

    def loss(weights):
        return np.log1p(np.exp(-(weights @ differences))).mean() + 0.001 * weights @ weights

    expected = minimize(loss, np.zeros(3), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-14}).x
    for start in (np.zeros(3), np.array([30.0, -20.0, 5.0])):
        learned = _learned(differences, 0.001, start)
        assert learned == pytest.approx(expected, abs=1e-4)
        assert (learned == np.rint(2**24 * learned) / 2**24).all()


def test_pro_interpolates_with_what_came_before(problem):
    from mtsig_core.optimizers.scored_list import tidy

    small = PRO(samples=200, iterations=1, interpolation=0.1).tune(problem, [rng()], no_progress)[0].weights
    whole = PRO(samples=200, iterations=1, interpolation=1.0).tune(problem, [rng()], no_progress)[0].weights
    assert np.allclose(small[1], tidy(0.9 * problem.start + 0.1 * whole[1]), atol=1e-8)


# MIRA


def test_a_step_of_mira_closes_the_margin_as_far_as_c_allows(problem):
    for c in (1e9, 1e-4):
        walk = _Walk(problem.dev, problem.start[None].copy(), c, 0.999)
        before = walk.weights[0].copy()
        n, background = walk.n_background.copy(), walk.background.copy()
        walk.step(np.array([3]))
        features, statistics = problem.dev.features[:, 3], problem.dev.statistics[problem.dev.rows[3]]
        gain = problem.metric.score(background + statistics) / 100 * (n + 1)
        model = before @ features
        hope, fear = (model + gain).argmax(), (model - gain).argmax()
        change = features[:, hope] - features[:, fear]
        loss = gain[hope] - gain[fear] - (model[hope] - model[fear])
        assert loss > 0
        assert np.allclose(walk.weights[0] - before, min(c, loss / (change @ change)) * change)
        assert np.allclose(walk.background, 0.999 * background + statistics[hope])
        if c > 1:
            after = walk.weights[0] @ features
            assert after[hope] - after[fear] == pytest.approx(gain[hope] - gain[fear])


def test_mira_returns_its_best_epoch(problem):
    for replica in tune_replicas(problem, fast("mira"), 3).replicas:
        assert replica.dev == replica.trajectory.dev.max()


# minimum risk


@pytest.mark.parametrize("kind", ["bleu", "ter"])
def test_the_gradient_of_the_expected_score(kind, problem, ter_problem):
    own = problem if kind == "bleu" else ter_problem
    point = np.random.default_rng(6).normal(size=own.n_features)
    error = check_grad(
        lambda w: expected_objective(own.dev, w)[0], lambda w: expected_objective(own.dev, w)[1], point
    )
    assert error < 1e-3 * np.abs(expected_objective(own.dev, point)[1]).max()


def test_the_expected_score_becomes_the_score_when_it_is_sharp(problem):
    point = np.random.default_rng(7).normal(size=problem.n_features)
    assert expected_objective(problem.dev, 1e4 * point)[0] == pytest.approx(problem.dev.scores(point[None])[0])
    probability = probabilities(problem.dev, point)
    assert np.allclose(probability.sum(axis=1), 1)
    assert (probability[~problem.dev.is_candidate] == 0).all()
    flat = probabilities(problem.dev, np.zeros(problem.n_features))
    sizes = problem.dev.is_candidate.sum(axis=1)
    assert np.allclose(flat.max(axis=1), 1 / sizes)


def test_random_search_keeps_the_best(problem):
    (path,) = get_optimizer("random", samples=60).tune(problem, [rng()], no_progress)
    tried = problem.starts(rng(), 60, -1.0, 1.0)
    assert path.dev[-1] == problem.dev.scores(tried).max()
    assert (np.diff(path.dev) >= 0).all()


@pytest.mark.parametrize("name", list(OPTIMIZERS))
@pytest.mark.parametrize("n_candidates", [1, 3])
def test_lists_without_a_choice_leave_nothing_to_tune(name, n_candidates):
    line = "{} ||| a b c d e ||| f0= 1 f1= -2 ||| 1"
    rows = [line.format(segment) for segment in range(3) for _ in range(n_candidates)]
    files = [("nbest", "\n".join(rows).encode()), ("reference", b"a b c d x\n" * 3)]
    still = tuning_problem(load_nbest(files), get_metric("bleu", tokenize="none"))
    result = tune_replicas(still, get_optimizer(name), 2)
    assert set(result.dev_scores) == {still.dev.scores(still.start[None])[0]}
    beside = baselines(still.dev)
    assert (beside.one_best, beside.random, beside.random_sd) == (beside.oracle, pytest.approx(beside.oracle), 0)


def test_one_segment_leaves_nothing_to_test_on():
    files = [("nbest", b"0 ||| a b ||| f0= 1 ||| 1\n0 ||| a c ||| f0= 2 ||| 2"), ("reference", b"a b\n")]
    alone = tuning_problem(load_nbest(files), get_metric("bleu"))
    assert alone.test is None
    assert alone.notes == ("One set of 1 segment: tuned on the first 1, there is nothing to test on.",)

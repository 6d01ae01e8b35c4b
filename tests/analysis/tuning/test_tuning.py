"""Analyses of tuning against brute force and scipy."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from mtsig_core.analysis.tuning import (
    generalisation,
    least_variance,
    objective_along_line,
    segment_envelope,
    slow_run,
    trajectories,
    weight_plane,
)
from mtsig_core.analysis.tuning.plane import _optima
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import baselines, get_optimizer, tune_replicas, tuning_problem
from tests.optimizers.conftest import made_data


@pytest.fixture(scope="module")
def problem():
    return tuning_problem(made_data(), get_metric("bleu", tokenize="none"))


@pytest.fixture(scope="module")
def results(problem):
    options = {"mert": {"restarts": 3}, "mira": {"epochs": 4}, "random": {"samples": 20}}
    optimizers = [get_optimizer(name, **own) for name, own in options.items()]
    return [tune_replicas(problem, optimizer, 6) for optimizer in optimizers]


@pytest.mark.slow
def test_the_line_is_the_objective_and_its_smoothed_score_follows_it(problem, results):
    start = results[0].replicas[0].weights
    line = objective_along_line(problem, start, "f1", sharpness=(1.0, 1e5))
    scaled = problem.scaled(start)
    scaled = scaled / np.abs(scaled).sum()
    middles = (np.concatenate([[-1], line.corners]) + np.concatenate([line.corners, [1]])) / 2
    expected = problem.dev.scores(scaled + middles[:, None] * np.eye(problem.n_features)[1])
    wide = np.diff(np.concatenate([[-1], line.corners, [1]])) > 1e-9
    assert np.allclose(line.values[wide], expected[wide])
    assert line.smoothed.shape == (2, 201)
    steps = line.values[np.searchsorted(line.corners, line.x, side="right")]
    far = np.array([np.abs(line.corners - x).min() > 1e-3 for x in line.x])
    assert np.allclose(line.smoothed[1][far], steps[far], atol=0.05)
    assert np.ptp(line.smoothed[0]) < np.ptp(line.smoothed[1])
    assert line.n_local_optima >= 1
    frame = line.to_frame()
    assert frame["from"].iloc[0] == -1
    assert frame["to"].iloc[-1] == 1
    with pytest.raises(ValueError, match="No feature 'x'; there are: f0, f1, f2, f3"):
        objective_along_line(problem, start, "x")


@pytest.mark.slow
def test_the_plane_is_the_objective_on_a_grid(problem, results):
    centre = results[0].replicas[0].weights
    plane = weight_plane(problem, centre, n_points=9, half_width=0.4)
    assert plane.scores.shape == (9, 9)
    assert plane.scores[4, 4] == pytest.approx(results[0].replicas[0].dev)
    assert plane.to_frame()["BLEU"].iloc[0] == plane.scores.max()
    assert (plane.scores == weight_plane(problem, centre, n_points=9, half_width=0.4).scores).all()
    assert (plane.scores != weight_plane(problem, centre, seed=2, n_points=9, half_width=0.4).scores).any()


def test_local_optima_are_plateaus_above_all_neighbours():
    grid = np.array([[1, 1, 0, 5], [1, 2, 0, 5], [0, 0, 0, 0], [3, 0, 4, 4], [0, 0, 4, 4.5]])
    # 1 touches 2; the plateau of 4 touches 4.5
    assert sorted(_optima(grid)) == [(0, 3), (1, 1), (3, 0), (4, 3)]
    assert list(_optima(np.zeros((3, 3)))) == [(1, 1)]


@pytest.mark.parametrize("segment", [0, 7])
def test_the_envelope_of_a_segment_names_what_is_chosen(problem, segment):
    generator = np.random.default_rng(1)
    start, direction = generator.normal(size=(2, problem.n_features))
    envelope = segment_envelope(problem, start, direction, segment)
    for x in np.linspace(-3, 3, 61):
        chosen = envelope.chosen[envelope.at(x)]
        assert chosen == problem.dev.choose((start + x * direction)[None])[0, segment]
    frame = envelope.to_frame()
    assert (frame["from"] < frame["to"]).all()
    assert frame["text"].tolist() == list(envelope.texts)
    with pytest.raises(ValueError, match="No segment 99; the dev set has segments 0 to 19"):
        segment_envelope(problem, start, direction, 99)


def test_the_slow_run_is_mert_step_by_step(problem):
    run = slow_run(problem)
    assert run.direction(1) == "f1"
    for step, following in zip(run.steps, run.steps[1:], strict=False):
        assert step.after >= step.before
        assert following.before == step.after
        assert np.array_equal(step.end, following.start)
        moved = step.end if step.after > step.before else step.start
        assert np.array_equal(step.end, moved)
        assert step.after == problem.dev.objective(step.end[None])[0]
    assert run.steps[-1].after > run.steps[0].before
    assert run.to_frame()["dev after"].iloc[-1] == run.steps[-1].after


def test_dev_against_test(problem, results):
    result = generalisation(results)
    row = result.rows[0]
    assert row.s_test == pytest.approx(results[0].test_scores.std(ddof=1))
    ratio, low, high = row.ratio
    assert ratio == pytest.approx(row.s_test / row.s_dev)
    f = ratio**2
    assert low == pytest.approx(np.sqrt(f / stats.f.ppf(0.975, 5, 5)))
    assert high == pytest.approx(np.sqrt(f / stats.f.ppf(0.025, 5, 5)))
    dev, test = baselines(problem.dev), baselines(problem.test)
    kept = (results[0].test_scores.mean() - test.one_best) / (results[0].dev_scores.mean() - dev.one_best)
    assert row.kept == pytest.approx(kept)
    assert list(result.to_frame()["optimizer"]) == ["MERT", "batch MIRA", "random search"]
    alone = tuning_problem(made_data(), get_metric("bleu"), dev_segments=range(5), test_segments=[0])
    assert generalisation([tune_replicas(alone, get_optimizer("random", samples=2), 1)]).rows[0].ratio is None


def made_results(problem, *columns):
    """Results whose test scores are given."""
    return [
        SimpleNamespace(
            problem=problem, replicas=[None] * len(scores), test_scores=np.array(scores), dev_scores=np.array(scores),
            optimizer=SimpleNamespace(label=f"o{k}"),
        )
        for k, scores in enumerate(columns)
    ]  # fmt: skip


def test_the_least_variance_against_scipy(problem):
    generator = np.random.default_rng(2)
    wide, narrow, middle = generator.normal(0, 3, 12), generator.normal(5, 0.5, 10), generator.normal(2, 0.7, 15)
    result = least_variance(made_results(problem, wide, narrow, middle))
    assert [row.name for row in result.rows] == ["o1", "o2", "o0"]
    by_name = {row.name: row for row in result.rows}
    p, robust = [], []
    for scores in (middle, wide):
        f = scores.var(ddof=1) / narrow.var(ddof=1)
        p.append(2 * stats.f.sf(f, len(scores) - 1, 9))
        robust.append(stats.levene(scores, narrow, center="median").pvalue)
    assert p[1] < p[0]
    assert by_name["o0"].p == pytest.approx(2 * p[1])
    assert by_name["o0"].p_robust == pytest.approx(min(1, 2 * robust[1]))
    assert by_name["o2"].p == pytest.approx(min(1.0, max(p[0], by_name["o0"].p)))
    low, high = (np.sqrt(9 * narrow.var(ddof=1) / stats.chi2.ppf(q, 9)) for q in (0.975, 0.025))
    assert (by_name["o1"].low, by_name["o1"].high) == (pytest.approx(low), pytest.approx(high))
    ratio = wide.std(ddof=1) / narrow.std(ddof=1)
    assert by_name["o0"].ratio_low == pytest.approx(ratio / np.sqrt(stats.f.ppf(0.975, 11, 9)))
    assert result.not_worse == ("o2",)
    assert result.to_frame()["s_test"].is_monotonic_increasing


def test_replicas_without_spread(problem):
    result = least_variance(made_results(problem, [1.0, 2.0, 3.0], [5.0, 5.0, 5.0]))
    assert (result.rows[0].sd, result.rows[1].ratio, result.rows[1].p) == (0, None, None)
    assert result.not_worse == ("o0",)
    with pytest.raises(ValueError, match="one replica has no variance"):
        least_variance(made_results(problem, [1.0]))


@pytest.mark.slow
def test_equal_optimizers_are_seldom_told_apart(problem):
    """Two optimizers of one spread: the F test errs in 5% of the cases."""
    generator = np.random.default_rng(3)
    n = 1000
    wrong = sum(
        (least_variance(made_results(problem, *generator.normal(size=(2, 10)))).rows[1].p or 1) < 0.05 for _ in range(n)
    )
    assert stats.binomtest(wrong, n, 0.05).pvalue > 1e-3


def test_trajectories_know_every_iteration(results):
    result = trajectories(results)
    frame = result.to_frame()
    assert len(frame) == sum(len(r.trajectory.dev) for one in results for r in one.replicas)
    assert frame["returned"].sum() == 18
    returned = frame[frame["returned"]]["dev"].tolist()
    assert returned == [replica.dev for one in results for replica in one.replicas]

"""The line search finds every step of the objective: against brute force, compiled or not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.optimizers.line_search import StepFunction, _envelopes, along_lines, upper_envelopes

small = st.integers(-4, 4).map(float)
lines = st.integers(1, 6).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(small, min_size=n, max_size=n), st.lists(small, min_size=n, max_size=n)),
        min_size=1, max_size=4,
    )
)  # fmt: skip


def arrays(rows):
    return np.array([a for a, _ in rows]), np.array([b for _, b in rows])


def chosen_at(corners, row, x):
    """Return the line of a row that the corners name at x."""
    current = corners.first[row]
    for k in np.flatnonzero(corners.row == row):
        if corners.x[k] < x:
            assert corners.before[k] == current
            current = corners.after[k]
    return current


@pytest.mark.slow
@given(lines)
def test_the_envelope_is_the_maximum_everywhere(rows):
    intercepts, slopes = arrays(rows)
    corners = upper_envelopes(intercepts, slopes)
    # lines with small whole numbers cross at multiples of 1/n, n up to 8: none of these places is one
    for x in np.arange(-9, 9, 0.37):
        values = intercepts + x * slopes
        for row in range(len(rows)):
            assert values[row, chosen_at(corners, row, x)] == pytest.approx(values[row].max(), abs=1e-9)


@pytest.mark.slow
@given(lines)
def test_corners_are_in_order_and_equal_lines_yield_to_the_first(rows):
    intercepts, slopes = arrays(rows)
    corners = upper_envelopes(intercepts, slopes)
    for row in range(len(rows)):
        own = corners.row == row
        assert (np.diff(corners.x[own]) >= 0).all()
        for line in (corners.first[row], *corners.after[own]):
            same = (intercepts[row] == intercepts[row, line]) & (slopes[row] == slopes[row, line])
            assert line == np.flatnonzero(same)[0]


floats = st.floats(-100, 100, allow_nan=False)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.integers(1, 30), st.integers(1, 5), st.integers(0, 2**32 - 1), st.booleans())
def test_compiled_and_numpy_envelopes_are_the_same_bits(kernels_session, n_lines, n_rows, seed, ties):
    generator = np.random.default_rng(seed)
    intercepts, slopes = generator.normal(size=(2, n_rows, n_lines))
    if ties:
        intercepts, slopes = np.round(intercepts), np.round(slopes)
    compiled = kernels_session.envelopes(intercepts, slopes)
    for one, other in zip(compiled, _envelopes(intercepts, slopes, 0), strict=True):
        assert np.array_equal(one, other)


@pytest.fixture(scope="module")
def kernels_session():
    from mtsig_core.optimizers.compiled import ENVELOPES

    loaded = ENVELOPES.wait(300)
    if loaded is None:
        pytest.skip(ENVELOPES.problem)
    return loaded


def test_slopes_are_shared_by_several_sets_of_intercepts(kernels_session, without_kernels):
    intercepts, slopes = np.random.default_rng(1).normal(size=(6, 9)), np.random.default_rng(2).normal(size=(3, 9))
    numpy = upper_envelopes(intercepts, slopes)
    compiled = kernels_session.envelopes(intercepts, slopes)
    whole = upper_envelopes(intercepts, np.concatenate([slopes, slopes]))
    for k, name in enumerate(("first", "row", "x", "before", "after")):
        assert np.array_equal(getattr(numpy, name), compiled[k])
        assert np.array_equal(getattr(numpy, name), getattr(whole, name))


@pytest.mark.parametrize("kind", ["bleu", "ter"])
@pytest.mark.parametrize("seed", range(5))
def test_the_step_function_is_the_objective_between_all_corners(kind, seed, problem, ter_problem):
    own = problem if kind == "bleu" else ter_problem
    generator = np.random.default_rng(seed)
    start, direction = generator.normal(size=(2, own.n_features))
    (line,) = along_lines(own.dev, own.dev.model_scores(start[None]), own.dev.model_scores(direction[None]))
    wide = np.flatnonzero(np.diff(line.x) > 1e-9)
    places = np.concatenate([[line.x[0] - 1], (line.x[wide] + line.x[wide + 1]) / 2, [line.x[-1] + 1]])
    expected = own.dev.objective(start + places[:, None] * direction)
    assert np.allclose(line.at(places), expected, atol=1e-8)
    assert len(places) > 20


def test_no_place_is_better_than_the_best(problem):
    generator = np.random.default_rng(3)
    for start, direction in generator.normal(size=(10, 2, problem.n_features)):
        dev = problem.dev
        (line,) = along_lines(dev, dev.model_scores(start[None]), dev.model_scores(direction[None]))
        x, promised = line.best()
        reached, here = problem.dev.objective(np.stack([start + x * direction, start]))
        assert reached == pytest.approx(promised, abs=1e-8)
        assert promised >= here
        tried = problem.dev.objective(start + generator.normal(scale=3, size=(200, 1)) * direction)
        assert tried.max() <= promised + 1e-8


def test_the_best_of_equals_is_the_nearest():
    line = StepFunction(np.array([-1.0, 1.0, 2.0, 2.0 + 1e-9]), np.array([5.0, 3.0, 5.0, 9.0, 4.0]))
    assert line.best() == (1.5, 5.0)  # the interval with 9 is too narrow to aim at
    assert StepFunction(np.zeros(0), np.array([7.0])).best() == (0.0, 7.0)
    assert line.at(np.array([-1.0, 0.0, 5.0])).tolist() == [3.0, 3.0, 4.0]

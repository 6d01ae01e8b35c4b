"""MERT on 100 segments x 100 candidates x 14 features, beside a textbook line search.

No peer installs from a registry: Z-MERT, Moses, cdec and Travatar were looked for.
"""

from __future__ import annotations

import time

import numpy as np

from mtsig_core.loading.nbest import NbestData, load_nbest
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import ScoredList, get_optimizer, tuning_problem
from mtsig_core.optimizers import mert as mert_module
from mtsig_core.optimizers.compiled import ENVELOPES
from mtsig_core.runtime.jobs import no_progress
from tests.benchmarks._common import Row, best_of

SEGMENTS, CANDIDATES, FEATURES, RESTARTS = 100, 100, 14, 20
LINES = 10  # of the textbook's way that are timed


def made_lists(seed: int = 0) -> NbestData:
    """Return a list of noisy copies of random references, with features that see the noise."""
    rng = np.random.default_rng(seed)
    nbest, references = [], []
    for segment in range(SEGMENTS):
        reference = rng.integers(0, 200, rng.integers(12, 30))
        references.append(" ".join(f"w{word}" for word in reference))
        for _ in range(CANDIDATES):
            wrong = rng.random(len(reference)) < rng.random() * 0.5
            words = np.where(wrong, rng.integers(0, 200, len(reference)), reference)
            values = rng.normal(size=FEATURES) * 3 - wrong.sum() * rng.random(FEATURES)
            features = " ".join(f"f{k}= {value:.3f}" for k, value in enumerate(values))
            text = " ".join(f"w{word}" for word in words)
            nbest.append(f"{segment} ||| {text} ||| {features} ||| {values.sum():.3f}")
    lines = (("\n".join(rows) + "\n").encode() for rows in (nbest, references))
    return load_nbest(list(zip(("nbest", "reference"), lines, strict=True)))


def textbook_line(scored: ScoredList, intercepts: np.ndarray, slopes: np.ndarray) -> float:
    """Return the best objective along a line, one segment and one candidate at a time."""
    events, total = [], np.zeros(scored.statistics.shape[1])
    for segment in range(scored.n_segments):
        order = np.lexsort((intercepts[segment], slopes[segment]))
        stack: list[tuple[float, int]] = []
        for c in order:
            start = -np.inf
            while stack:
                top = stack[-1][1]
                rise = slopes[segment, c] - slopes[segment, top]
                start = (intercepts[segment, top] - intercepts[segment, c]) / rise if rise > 0 else -np.inf
                if start > stack[-1][0]:
                    break
                stack.pop()
            stack.append((start if stack else -np.inf, c))
        rows = scored.rows[segment]
        total += scored.statistics[rows[stack[0][1]]]
        for (_, before), (x, after) in zip(stack, stack[1:], strict=False):
            events.append((x, scored.statistics[rows[after]] - scored.statistics[rows[before]]))
    best = float(scored.objective_of(total))
    for _, change in sorted(events, key=lambda event: event[0]):
        total = total + change
        best = max(best, float(scored.objective_of(total)))
    return best


def rows() -> list[Row]:
    """Return the row of MERT."""
    ENVELOPES.wait()
    problem = tuning_problem(made_lists(), get_metric("bleu", tokenize="none"), dev_segments=range(SEGMENTS),
                             test_segments=[])  # fmt: skip
    optimizer = get_optimizer("mert", restarts=RESTARTS, random_directions=0)
    n_lines = 0
    along = mert_module.along_lines

    def counted(*arguments):
        nonlocal n_lines
        found = along(*arguments)
        n_lines += len(found)
        return found

    mert_module.along_lines = counted
    try:
        optimizer.tune(problem, [np.random.default_rng(0)], no_progress)
    finally:
        mert_module.along_lines = along
    ours = best_of(3, lambda: optimizer.tune(problem, [np.random.default_rng(0)], no_progress))
    dev, start = problem.dev, problem.start[None]
    intercepts = dev.model_scores(start)
    begin = time.perf_counter()
    for k in range(LINES):
        found = textbook_line(dev, intercepts[0], dev.features[k])
        (line,) = along(dev, intercepts, dev.features[k, None])
        assert abs(found - line.values.max()) < 1e-6, "the two ways disagree"
    theirs = (time.perf_counter() - begin) / LINES * n_lines
    job = f"MERT, {RESTARTS} restarts, {SEGMENTS} segments x {CANDIDATES} candidates x {FEATURES} features"
    remark = f"one line at a time, {LINES} timed; {n_lines} lines in all"
    return [Row(job, "textbook line search in numpy", theirs, ours, goal=2.0, remark=remark)]

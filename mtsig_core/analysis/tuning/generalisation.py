"""Dev against test: what of a gain on the tuning set is left elsewhere, and how much replicas differ on both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.tuning.scope import TuningScope, scope_of
from mtsig_core.optimizers import Baselines, TuningResult, baselines, system_names
from mtsig_core.significance.distributions import fdtri


@dataclass(frozen=True, eq=False)
class GeneralisationRow:
    """One optimizer.

    Parameters
    ----------
    name : str
    dev, test : ndarray of shape (replica,)
    s_dev, s_test : float or None
        Standard deviation (ddof 1) over replicas, Clark et al. 2011; None with one replica.
    ratio : tuple of float or None
        s_test / s_dev and its 95% interval by F, which takes dev and test scores as independent; None where one
        standard deviation is 0 or does not exist.
    kept : float or None
        Gain over the 1-best on the test set, as a share of that on dev; None without a gain on dev.
    """

    name: str
    dev: np.ndarray
    test: np.ndarray
    s_dev: float | None
    s_test: float | None
    ratio: tuple[float, float, float] | None
    kept: float | None


@dataclass(frozen=True, eq=False)
class Generalisation:
    """All optimizers, beside what needs no tuning.

    Parameters
    ----------
    scope : TuningScope
    rows : tuple of GeneralisationRow
    dev, test : Baselines
    """

    scope: TuningScope
    rows: tuple[GeneralisationRow, ...]
    dev: Baselines
    test: Baselines

    def to_frame(self) -> pd.DataFrame:
        """Return one row per optimizer: replicas, means, s_dev, s_test, their ratio, the share of the gain kept."""
        rows = [
            {
                "optimizer": row.name,
                "replicas": len(row.dev),
                "dev": float(row.dev.mean()),
                "test": float(row.test.mean()),
                "s_dev": row.s_dev,
                "s_test": row.s_test,
                "s_test / s_dev": row.ratio[0] if row.ratio else None,
                "from": row.ratio[1] if row.ratio else None,
                "to": row.ratio[2] if row.ratio else None,
                "gain kept on test": row.kept,
            }
            for row in self.rows
        ]
        return pd.DataFrame(rows)


def generalisation(results: Sequence[TuningResult]) -> Generalisation:
    """Return dev against test for several results on the same lists.

    Raises
    ------
    ValueError
        Without a test set.
    """
    problem = results[0].problem
    if problem.test is None:
        raise ValueError("There is no test set to compare with: add its n-best list, or tune on a part of the list.")
    dev, test = baselines(problem.dev), baselines(problem.test)
    sign = 1 if problem.metric.higher_is_better else -1
    rows = []
    for name, result in zip(system_names(results), results, strict=True):
        on_dev, on_test = result.dev_scores, np.asarray(result.test_scores)
        gain = sign * (float(on_dev.mean()) - dev.one_best)
        share = sign * (float(on_test.mean()) - test.one_best) / gain if gain > 0 else None
        s_dev, s_test = spread(on_dev), spread(on_test)
        rows.append(GeneralisationRow(name, on_dev, on_test, s_dev, s_test, _ratio(s_test, s_dev, len(on_dev)), share))
    return Generalisation(scope_of(problem), tuple(rows), dev, test)


def spread(scores: np.ndarray) -> float | None:
    """Return the standard deviation (ddof 1) of scores, shape (replica,); None for one, 0 exactly for equal ones."""
    if len(scores) < 2:
        return None
    return 0.0 if np.ptp(scores) == 0 else float(scores.std(ddof=1))


def _ratio(s_test: float | None, s_dev: float | None, n: int) -> tuple[float, float, float] | None:
    if not s_test or not s_dev:
        return None
    ratio = s_test / s_dev
    low, high = (ratio / math.sqrt(float(fdtri(n - 1, n - 1, q))) for q in (0.975, 0.025))
    return ratio, low, high

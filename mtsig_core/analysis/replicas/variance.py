"""Table 1 of Clark et al. (2011): how much scores vary with the replica and with the test set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from mtsig_core.experiment import Role, natural_key
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import OfSystem, Result, Scope, with_numbers
from mtsig_core.significance.distributions import fdtri

T = TypeVar("T")
# Neither the seed nor the number of draws changes these, so they last as long as the statistics do.
_closed_forms: WeakKeyDictionary[SegmentStatistics, dict[str, float]] = WeakKeyDictionary()
TABLE_1 = ("avg", "s_sel", "s_dev", "s_test")  # its columns of numbers
ONE_REPLICA = "one replica has no spread: run at least one more"


@dataclass(frozen=True)
class Ratio:
    """s_test / s_dev with its F interval.

    Attributes
    ----------
    value, low, high : float
        The interval takes the two variances as independent, which replicas tuned and tested once each
        only roughly are.
    remark : str
        Clark's sign of poor generalisation (or its opposite); empty when the interval covers 1.
    """

    value: float
    low: float
    high: float
    remark: str = ""


@dataclass(frozen=True)
class VarianceRow(OfSystem):
    """One system on one test set under one metric.

    Attributes
    ----------
    scope : Scope
        Test set, metric and the system.
    signature : str
        Of the metric.
    n : int
        Number of replicas.
    avg : float
        Mean of the replicas' scores.
    s_sel : float or None
        Mean over replicas of the standard deviation (ddof 1) over bootstrap resamples: test-set variation.
    s_sel_closed : float or None
        The same without draws: ``sd_l(u) / sqrt(L)``, mean over replicas.
    s_dev : float or None
        Standard deviation (ddof 1) over replicas on the tuning set.
    s_test : float or None
        The same on this test set (MultEval's s_opt): optimizer variation. None in the row of a tuning set.
    mean_over_draws : float or None
        Mean score of the draws: equals avg up to Monte-Carlo error and does not re-estimate it
        (Clark's footnote).
    dev_ratio : Ratio or None
    scores : mapping of replica name to score
    reasons : mapping of field name to str
        Why a field is None.
    """

    scope: Scope
    signature: str
    n: int
    avg: float
    s_sel: float | None
    s_sel_closed: float | None
    s_dev: float | None
    s_test: float | None
    mean_over_draws: float | None
    dev_ratio: Ratio | None
    scores: Mapping[str, float]
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class VarianceTable(Result):
    """Rows by test set, metric and system, in the order of the statistics given.

    Attributes
    ----------
    rows : tuple of VarianceRow
    settings : Settings
        Of the bootstrap behind s_sel.

    Examples
    --------
    >>> import mtsig_core
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(4))
    >>> [(row.system, row.n) for row in bench.table(n_bootstrap=100).rows]
    [('system1', 4), ('system2', 4)]
    """

    rows: tuple[VarianceRow, ...]
    settings: Settings

    @property
    def reasons(self) -> dict[str, str]:
        """Return why numbers are not defined: each reason with the columns of Table 1 that it empties."""
        columns: dict[str, list[str]] = {}
        for why, name in dict.fromkeys((why, name) for row in self.rows for name, why in row.reasons.items()):
            if name in TABLE_1:
                columns.setdefault(why, []).append(name)
        return {why: " and ".join(names) for why, names in columns.items()}

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system, test set and metric, with headings for people."""
        names = {
            "test_set": "test set", "label": "metric", "system": "system", "n": "replicas", "avg": "average",
            "s_sel": "s_sel", "s_dev": "s_dev", "s_test": "s_test", "s_sel_closed": "s_sel (closed form)",
            "mean_over_draws": "mean over draws",
        }  # fmt: skip
        frame = pd.DataFrame([[getattr(row, key) for key in names] for row in self.rows], columns=list(names.values()))
        frame["s_test / s_dev"] = [None if row.dev_ratio is None else row.dev_ratio.value for row in self.rows]
        frame["note"] = [_note(row) for row in self.rows]
        return with_numbers(frame)


def _note(row: VarianceRow) -> str:
    grouped: dict[str, list[str]] = {}
    for name, reason in row.reasons.items():
        if name != "dev_ratio":  # follows from s_dev or s_test, which say why themselves
            grouped.setdefault(reason, []).append(name)
    notes = [f"{', '.join(names)}: {reason}" for reason, names in grouped.items()]
    remark = row.dev_ratio.remark if row.dev_ratio else ""
    return "; ".join([*notes, *([remark] if remark else [])])


def variance_table(
    statistics: Sequence[SegmentStatistics], settings: Settings, *,
    dev: Mapping[str, SegmentStatistics] | None = None, roles: Mapping[str, Role] | None = None,
    bootstrap: Mapping[tuple[str, str], np.ndarray] | None = None, progress: Progress = no_progress,
) -> VarianceTable:  # fmt: skip
    """Return Clark's Table 1 for every system.

    Parameters
    ----------
    statistics : sequence of SegmentStatistics
        One for each test set and metric.
    settings : Settings
    dev : mapping of metric name to SegmentStatistics, optional
        On the tuning set; a metric left out is taken from `statistics` of role ``dev``.
    roles : mapping of test set to role, optional
        A set left out is a test set.
    bootstrap : mapping of (test set, metric name) to ndarray of shape (draw, output), optional
        Scores of all outputs on bootstrap resamples; drawn here where left out, once for all systems.
    progress : Progress
    """
    roles, dev, bootstrap = roles or {}, dict(dev or {}), bootstrap or {}
    for stats in sorted(statistics, key=lambda s: natural_key(s.test_set)):
        if roles.get(stats.test_set) == "dev":
            dev.setdefault(stats.metric.name, stats)
    rows: list[VarianceRow] = []
    for k, stats in enumerate(statistics):
        sub = subprogress(progress, k / len(statistics), (k + 1) / len(statistics))
        draws = bootstrap.get((stats.test_set, stats.metric.name))
        if draws is None:
            draws = bootstrap_scores(stats, settings.n_bootstrap, settings.seed, progress=sub)
        is_dev = roles.get(stats.test_set) == "dev"
        tuning = stats if is_dev else dev.get(stats.metric.name)
        rows += [_row(stats, system, draws, tuning, is_dev) for system in stats.systems]
        sub(1.0, stats.test_set)
    return VarianceTable(tuple(rows), settings)


def _row(
    stats: SegmentStatistics, system: str, draws: np.ndarray, tuning: SegmentStatistics | None, is_dev: bool
) -> VarianceRow:
    scores = stats.scores_of(system)
    drawn = draws[:, stats.rows(system)]
    reasons: dict[str, str] = {}
    s_sel = _defined("s_sel", _s_sel(stats, drawn), reasons)
    s_closed = _defined("s_sel_closed", _closed_form(stats, system), reasons)
    s_dev = _defined("s_dev", _s_dev(tuning, system), reasons)
    s_test = _defined("s_test", "a tuning set: its spread is s_dev" if is_dev else spread(scores), reasons)
    ratio = _defined("dev_ratio", _ratio(s_test, s_dev, scores.size, tuning, system), reasons)
    mean = _defined("mean_over_draws", _finite(float(drawn.mean())), reasons)
    return VarianceRow(
        scope=Scope.of(stats, system),
        signature=stats.signature,
        n=scores.size,
        avg=float(scores.mean()),
        s_sel=s_sel,
        s_sel_closed=s_closed,
        s_dev=s_dev,
        s_test=s_test,
        mean_over_draws=mean,
        dev_ratio=ratio,
        scores=dict(zip(stats.names(system), scores.tolist(), strict=True)),
        reasons=reasons,
    )


def _defined(name: str, value: T | str, reasons: dict[str, str]) -> T | None:
    """Return a value, or note the reason that came in its place and return None."""
    if isinstance(value, str):
        reasons[name] = value
        return None
    return value


def _finite(value: float) -> float | str:
    return value if math.isfinite(value) else "the score is not defined on some drawn test sets"


def spread(scores: np.ndarray) -> float | str:
    """Return the standard deviation (ddof 1) over replicas, scores of shape (n,), or why it is undefined."""
    if scores.size < 2:
        return ONE_REPLICA
    # equal scores have no spread: the computed one would be rounding noise
    return 0.0 if np.ptp(scores) == 0 else _finite(float(scores.std(ddof=1)))


def _s_sel(stats: SegmentStatistics, drawn: np.ndarray) -> float | str:
    """Return the mean over replicas of the sd over draws; drawn has shape (draw, n)."""
    if stats.n_segments < 2:
        return "it takes scores of two or more segments"
    if drawn.shape[0] < 2:
        return "one draw has no spread: ask for more"
    return _finite(float(drawn.std(axis=0, ddof=1).mean()))


def _closed_form(stats: SegmentStatistics, system: str) -> float | str:
    if stats.n_segments < 2:
        return "it takes scores of two or more segments"
    cached = _closed_forms.setdefault(stats, {})
    if system not in cached:
        deviations = stats.pseudo_values(system).std(axis=1)
        cached[system] = float(deviations.mean()) / math.sqrt(stats.n_segments)
    return _finite(cached[system])


def _s_dev(tuning: SegmentStatistics | None, system: str) -> float | str:
    if tuning is None:
        return "there is no tuning set: add the systems' outputs on it and its references (or their scores on it)"
    if system not in tuning.systems:
        return f"no output on the tuning set ({tuning.test_set})"
    return spread(tuning.scores_of(system))


def _ratio(
    s_test: float | None, s_dev: float | None, n: int, tuning: SegmentStatistics | None, system: str
) -> Ratio | str:
    if s_test is None or s_dev is None or tuning is None:
        return "needs both s_test and s_dev"
    if s_test == 0 or s_dev == 0:
        return "the replicas do not differ at all on one of the two sets"
    ratio = s_test / s_dev
    freedoms = n - 1, tuning.scores_of(system).size - 1
    low, high = (ratio / math.sqrt(float(fdtri(*freedoms, q))) for q in (0.975, 0.025))
    return Ratio(ratio, low, high, _remark(low, high))


def _remark(low: float, high: float) -> str:
    """Return what the ratio shows; empty while it may be 1 (s_test > s_dev happens half the time)."""
    if low > 1:
        return "replicas differ more on the test set than on the tuning set: a sign of poor generalisation"
    if high < 1:
        return "replicas differ less on the test set than on the tuning set"
    return ""

"""Automatic tests of an experiment against the judgements of people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.comparison.effect import human_terms
from mtsig_core.analysis.people.meta_evaluation.automatic_tests import TestsAgainstPeople, compare_tests_with_people
from mtsig_core.analysis.people.meta_evaluation.worth import PointWorth, point_worth
from mtsig_core.analysis.people.verdicts import human_verdicts
from mtsig_core.metrics import Metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.workbench.meta_evaluation.alignment import aligned, of_segments
from mtsig_core.workbench.people import Campaign, People
from mtsig_core.workbench.workbench import Workbench

#: Tests that are compared with people where none is named; the first needs replicas.
DEFAULT_TESTS = ("coherent", "ar-segment", "bootstrap-centred", "bootstrap-paired", "lecture-bootstrap", "lecture-ar")
LEVELS = (0.05, 0.01, 0.001)


@dataclass(frozen=True, eq=False)
class Judged:
    r"""The systems of one test set that have both scores of metrics and judgements.

    Attributes
    ----------
    bench : Workbench
    test_set : str
    people : People
    deciding : tuple of Campaign
        The dimensions that decide between two systems, in order; the first is what metrics are compared with.
    systems : tuple of str
        In the order of the experiment.
    by_line : Campaign
        All judgements of the dimension that decides first, also those of lines that were left out of the test set.

    Examples
    --------
    >>> import mtsig_core
    >>> from mtsig_core.loading.example import example_judgements
    >>> bench = mtsig_core.Workbench(mtsig_core.load_example(1, 4))
    >>> people = mtsig_core.open_people([("judged.csv", example_judgements())])
    >>> judged = mtsig_core.Judged.of(bench, "test", people)
    >>> judged.systems, judged.human.round(2).tolist()
    (('system1', 'system2', 'system3', 'system4'), [2.02, 3.02, 4.02, 5.02])
    """

    bench: Workbench
    test_set: str
    people: People
    deciding: tuple[Campaign, ...]
    systems: tuple[str, ...]
    by_line: Campaign

    @property
    def campaign(self) -> Campaign:
        """The dimension that decides first."""
        return self.deciding[0]

    @staticmethod
    def of(bench: Workbench, test_set: str, people: People, name: str | None = None) -> Judged:
        """Return the systems of a test set that people judged.

        Raises
        ------
        ValueError
            When fewer than two systems have both.
        """
        people = people.on(test_set)
        named = people.deciding(name)
        deciding = tuple(of_segments(each, bench.experiment.test_set(test_set)) for each in named)
        there = [system.name for system in bench.experiment.systems_present_on(test_set)]
        judged = set(deciding[0].frame["system"]) & set(named[0].items.systems)
        systems = tuple(system for system in there if system in judged)
        if len(systems) < 2:
            raise ValueError(
                f"People judged {len(systems)} of the systems with outputs on {test_set!r}; two at least are needed. "
                f"Judged are {', '.join(sorted(judged))}; outputs are those of {', '.join(there)}."
            )
        return Judged(bench, test_set, people, deciding, systems, named[0])

    @property
    def human(self) -> np.ndarray:
        """Mean quality of each system by people, shape (system,); higher is better."""
        items = self.campaign.items
        sign = 1.0 if items.higher_is_better else -1.0
        return np.array([sign * items.means[items.place(name)] for name in self.systems])

    def statistics(self, metric: Metric, progress: Progress = no_progress) -> SegmentStatistics:
        """Return a metric's statistics of the judged systems."""
        return self.bench.statistics(self.test_set, metric, progress)

    def segment_values(self, metric: Metric) -> np.ndarray:
        """Return pseudo-values by segment, higher is better, averaged over replicas, shape (segment, system).

        Their mean over segments is the system's score. Segments that the metric has no score for are NaN.
        """
        statistics = self.statistics(metric)
        sign = 1.0 if metric.higher_is_better else -1.0
        own = np.stack([sign * statistics.pseudo_values(name).mean(axis=0) for name in self.systems], axis=1)
        if statistics.segments is None:
            return own
        values = np.full((self.bench.experiment.test_set(self.test_set).n_segments, len(self.systems)), np.nan)
        values[statistics.segments] = own
        return values

    @property
    def human_segments(self) -> np.ndarray:
        """People's scores by segment of the test set, shape (segment, system); NaN where not judged."""
        return aligned(self.by_line, self.systems, self.bench.experiment.test_set(self.test_set))

    @property
    def n_left_out(self) -> int:
        """Number of judgements that are not used because their lines were left out of the test set."""
        return len(self.by_line.frame) - len(self.campaign.frame)


@dataclass(frozen=True)
class TestChoice:
    """Which automatic tests are compared with people.

    Parameters
    ----------
    presets : sequence of str
    levels : sequence of float
        Significance levels of the tests.
    same_level : bool
        Whether people are held to the same level as the tests, or to that of the settings throughout.

    Examples
    --------
    >>> import mtsig_core
    >>> mtsig_core.TestChoice(("ar-segment",)).levels
    (0.05, 0.01, 0.001)
    """

    __test__ = False  # not a pytest class, whatever its name

    presets: Sequence[str] = DEFAULT_TESTS
    levels: Sequence[float] = LEVELS
    same_level: bool = True


def agreement_of_tests(
    judged: Judged, metrics: Sequence[Metric], settings: Settings, choice: TestChoice = TestChoice(),
    progress: Progress = no_progress,
) -> TestsAgainstPeople:  # fmt: skip
    r"""Compare automatic tests with the verdicts of people on every judged pair.

    Parameters
    ----------
    judged : Judged
    metrics : sequence of Metric
    settings : Settings
    choice : TestChoice
    progress : callable

    Examples
    --------
    >>> import mtsig_core
    >>> from mtsig_core.loading.example import example_judgements
    >>> bench, judgements = mtsig_core.Workbench(mtsig_core.load_example(1, 4)), example_judgements()
    >>> people = mtsig_core.open_people([("judged.csv", judgements)])
    >>> judged, metrics = mtsig_core.Judged.of(bench, "test", people), [bench.metric("score")]
    >>> settings = mtsig_core.Settings(n_bootstrap=100, n_permutations=100)
    >>> choice = mtsig_core.TestChoice(("ar-segment",), (0.05,))
    >>> row = mtsig_core.agreement_of_tests(judged, metrics, settings, choice).rows[0]
    >>> row.n, row.wrong_side
    (6, 0)
    """
    pairs = [campaign.pairs(settings) for campaign in judged.deciding]
    people = {}
    for level in choice.levels:
        own = human_verdicts(*pairs, alpha=level if choice.same_level else settings.alpha)
        people[level] = {pair: name for pair, name in own.by_pair.items() if set(pair) <= set(judged.systems)}
    order = [name for name in pairs[0].systems if name in judged.systems]
    frames = []
    for k, metric in enumerate(metrics):
        own_progress = subprogress(progress, k / len(metrics), (k + 1) / len(metrics))
        frames.append(pair_frame(judged, metric, settings, choice.presets, own_progress))
    return compare_tests_with_people(people, pd.concat(frames, ignore_index=True), order, level=1 - settings.alpha)


def pair_frame(
    judged: Judged, metric: Metric, settings: Settings, presets: Sequence[str], progress: Progress = no_progress
) -> pd.DataFrame:
    """Return p of all pairs of judged systems under one metric, one row per preset and pair."""
    rows = []
    for k, preset in enumerate(presets):
        own = subprogress(progress, k / len(presets), (k + 1) / len(presets))
        result = judged.bench.pairwise(
            judged.test_set, metric, preset=preset, settings=settings, progress=own,
        )  # fmt: skip
        for row in result.rows:
            if {row.a, row.b} <= set(judged.systems):
                rows.append((preset, metric.label, row.a, row.b, row.p, row.better, row.difference))
    names = ["preset", "metric", "a", "b", "p", "better", "difference"]
    return pd.DataFrame(rows, columns=names).astype({"p": float})


def worth_of_points(judged: Judged, metric: Metric, settings: Settings, *, preset: str = "ar-segment") -> PointWorth:
    """Relate differences of a metric to their p, to people's preference and to published agreement.

    Parameters
    ----------
    judged : Judged
    metric : Metric
    settings : Settings
    preset : str
        The automatic test.
    """
    human = dict(zip(judged.systems, judged.human.tolist(), strict=True))
    p_human = {frozenset((r.a, r.b)): r.tests["rank_sum"].p for r in judged.campaign.pairs(settings).rows}
    frame = pair_frame(judged, metric, settings, [preset])
    pairs = pd.DataFrame({
        "a": frame["a"], "b": frame["b"], "difference": frame["difference"], "p": frame["p"],
        "human_difference": frame["b"].map(human) - frame["a"].map(human),
        "human_p": [p_human.get(frozenset(pair)) for pair in zip(frame["a"], frame["b"], strict=True)],
    })  # fmt: skip
    return point_worth(metric.label, pairs, higher_is_better=metric.higher_is_better, alpha=settings.alpha,
                       published=_published(judged, metric))  # fmt: skip


def _published(judged: Judged, metric: Metric) -> Callable[[float], float | None] | None:
    scale = float(np.abs(judged.statistics(metric).scores).max())
    if isinstance(human_terms(metric.name, 1.0, scale, metric.label), str):
        return None

    def share(size: float) -> float | None:
        terms = human_terms(metric.name, size, scale, metric.label)
        return None if isinstance(terms, str) else terms.share

    return share

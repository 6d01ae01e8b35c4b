"""Median replicas for people to read and judge: which to read, their segments, annotation sheets, MultEval's files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mtsig_core.analysis.reading.annotation import Choice, sample_segments
from mtsig_core.analysis.reading.median import median_system, rank_table, reading_warning
from mtsig_core.analysis.reading.multeval import MultEvalTables
from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.analysis.reading.sheets import AnnotationSheet, annotation_sheet
from mtsig_core.formatting import count
from mtsig_core.loading.judgements.sheets.annotation_key import Asked
from mtsig_core.metrics import Metric, SegmentStatistics
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.workbench.results import Medians, MedianSegments

if TYPE_CHECKING:
    from mtsig_core.workbench.pair import Pair
    from mtsig_core.workbench.workbench import Workbench


def statistics_of(
    bench: Workbench, test_set: str, metrics: Sequence[Metric], progress: Progress
) -> list[SegmentStatistics]:
    """Return the statistics of several metrics on one test set."""
    n = len(metrics)
    return [bench.statistics(test_set, m, subprogress(progress, i / n, (i + 1) / n)) for i, m in enumerate(metrics)]


def own_statistics_of(
    bench: Workbench, test_set: str, metrics: Sequence[Metric], progress: Progress
) -> list[SegmentStatistics]:
    """Return the statistics of several metrics, each system on its own segments."""
    n = len(metrics)
    steps = [subprogress(progress, i / n, (i + 1) / n) for i in range(n)]
    return [own for m, step in zip(metrics, steps, strict=True) for own in bench.own_statistics(test_set, m, step)]


def medians(bench: Workbench, test_set: str, metrics: Sequence[Metric], progress: Progress = no_progress) -> Medians:
    """Return the median replica of each system by the first metric, and the ranks of its replicas under all.

    A metric that does not score the same replicas of a system as the first one does not rank them.
    """
    usable = [metrics[0], *(m for m in metrics[1:] if bench.can_score(test_set, m))]
    statistics = own_statistics_of(bench, test_set, usable, progress)
    by_system = {}
    for first, system in [(s, name) for s in statistics if s.metric.key == metrics[0].key for name in s.systems]:
        names = first.names(system)
        scores = {
            s.metric.name: dict(zip(names, map(float, s.scores_of(system)), strict=True))
            for s in statistics
            if system in s.systems and s.names(system) == names
        }
        by_system[system] = (
            median_system(scores[metrics[0].name], metrics[0].higher_is_better),
            rank_table(scores, {m.name: m.higher_is_better for m in metrics if m.name in scores}),
        )
    return Medians(test_set, by_system)


def median_segments(pair: Pair, select_on: str | None = None, progress: Progress = no_progress) -> MedianSegments:
    """Return the median replicas of a pair side by side; chosen on another test set if there is one."""
    bench = pair.bench
    usable = bench.selection_sets(pair.test_set, pair.metric, pair.a, pair.b)
    sets = usable if select_on is None else [bench.experiment.test_set(select_on).name]
    if not sets or not bench.can_score(sets[0], pair.metric, pair.a, pair.b):
        place = sets[0] if sets else "any test set"
        raise ValueError(f"{pair.metric.label} cannot score both {pair.a!r} and {pair.b!r} on {place}.")
    chosen = bench.median(sets[0], [pair.metric], progress=subprogress(progress, 0, 0.5))
    first, second = chosen[pair.a][0], chosen[pair.b][0]
    table = pair.segments(first.replica, second.replica, progress=subprogress(progress, 0.5, 1))
    warning = reading_warning(sets[0], pair.test_set, others=len(usable) > 1)
    return MedianSegments(table, sets[0], (first, second), warning)


@dataclass(frozen=True)
class SheetChoice:
    """Which segments annotators get.

    Parameters
    ----------
    n : int
        Number of segments to draw.
    how : {"stratified", "random"}
        See `mtsig_core.analysis.reading.annotation.sample_segments`.
    segments : tuple of int
        Numbers of segments to take instead of drawing.
    with_equal : bool
        Draw from segments of equal outputs, too; they are ties by definition.
    replicas : str
        How the two outputs were chosen among the replicas of their systems; the key says it, too.
    """

    n: int = 50
    how: Choice = "stratified"
    segments: tuple[int, ...] = ()
    with_equal: bool = False
    replicas: str = ""


def draw_sheet(table: SegmentTable, asked: Asked, choice: SheetChoice, seed: int) -> AnnotationSheet:
    """Return a blind sheet of drawn or chosen segments.

    Parameters
    ----------
    table : SegmentTable
    asked : Asked
        What annotators are asked.
    choice : SheetChoice
    seed : int
        Of the choice and of the sides.

    Raises
    ------
    ValueError
        When there is nothing to choose from, or a segment is not there.
    """
    if choice.segments:
        segments = sorted(set(choice.segments))
        drawn = f"{count(len(segments), 'segment')} chosen by hand" + _replicas(choice)
        return annotation_sheet(table, segments, asked, seed=seed, drawn=drawn)
    differ = np.array([x != y for x, y in zip(table.output_a, table.output_b, strict=True)])
    usable = np.flatnonzero(differ | choice.with_equal)
    if not len(usable):
        pair = f"{'/'.join(table.a)} and {'/'.join(table.b)}"
        raise ValueError(f"{pair} have the same output in every segment: there is nothing to judge. Choose to draw "
                         "segments of equal outputs, too, to get a sheet all the same.")  # fmt: skip
    places = usable[sample_segments(table.gain[usable], choice.n, how=choice.how, seed=seed)]
    drawn = _drawn(table, choice, len(places), len(usable), seed) + _equal_outputs(choice, int((~differ).sum()))
    drawn += _replicas(choice)
    return annotation_sheet(table, table.index[places].tolist(), asked, seed=seed, drawn=drawn)


def _drawn(table: SegmentTable, choice: SheetChoice, n: int, n_usable: int, seed: int) -> str:
    """Say which segments a sheet holds."""
    which = "segments" if choice.with_equal else "segments whose outputs differ"
    if n == n_usable:
        return f"all {n_usable:,} {which}"
    scheme = f"stratified by the difference in {table.label}" if choice.how == "stratified" else "at random"
    return f"{n:,} of {n_usable:,} {which}, {scheme}, seed {seed}"


def _equal_outputs(choice: SheetChoice, n_equal: int) -> str:
    if choice.with_equal or not n_equal:
        return ""
    return f"; the outputs of {count(n_equal, 'other segment')} are equal"


def _replicas(choice: SheetChoice) -> str:
    return f"; {choice.replicas}" if choice.replicas else ""


def multeval_tables(
    bench: Workbench, test_set: str, metrics: Sequence[Metric], systems: Sequence[str], *,
    select_on: str | None = None, progress: Progress = no_progress,
) -> MultEvalTables:
    """Return the content of MultEval's ``--rankDir`` and ``--sentLevelDir``; the first system is the baseline."""
    baseline, *others = dict.fromkeys(systems)
    usable = [m for m in metrics if bench.can_score(test_set, m, baseline, *others)]
    if not usable:
        names = ", ".join((baseline, *others))
        raise ValueError(f"No metric asked for scores all of {names} on {test_set}.")
    statistics = statistics_of(bench, test_set, usable, progress)
    numbers = {f"sys{i}": name for i, name in enumerate((baseline, *others), 1)}
    ranked = {}
    for metric in usable:
        chosen = bench.median(select_on or test_set, [metric])
        order = [metric, *(m for m in usable if m is not metric)]
        for number, name in list(numbers.items())[1:]:
            tables = [
                bench.pair(test_set, m, baseline, name).segments(chosen.replica(baseline), chosen.replica(name))
                for m in order
            ]
            ranked[f"{number}.sortedby.{metric.name}"] = tuple(tables)
    replicas = {name: tuple(r.name for r in bench.experiment.system(name).on(test_set)) for name in numbers.values()}
    return MultEvalTables(ranked, tuple(statistics), numbers, replicas)

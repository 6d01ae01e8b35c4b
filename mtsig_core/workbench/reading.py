"""Median replicas for people to read and judge, asked of a workbench: the page and the command line share this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.analysis.reading.annotation import Choice, sample_segments
from mtsig_core.analysis.reading.median import MedianReplica, reading_warning
from mtsig_core.analysis.reading.segments import SegmentTable
from mtsig_core.formatting import count
from mtsig_core.loading.judgements.annotation_key import Asked
from mtsig_core.metrics import Metric
from mtsig_core.reports.annotation_sheets import AnnotationSheet, annotation_sheet
from mtsig_core.reports.multeval_files import rank_file, sentence_file
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.workbench.workbench import Workbench


@dataclass(frozen=True)
class Reading:
    """The median replicas of two systems, side by side.

    Attributes
    ----------
    table : SegmentTable
    select_on : str
        The test set that chose the replicas.
    medians : tuple of MedianReplica
        Of the baseline and the system.
    warning : str
        That they are read where they were chosen; may be empty.
    """

    table: SegmentTable
    select_on: str
    medians: tuple[MedianReplica, MedianReplica]
    warning: str


def selection_sets(bench: Workbench, test_set: str, metric: Metric, *systems: str) -> list[str]:
    """Return the test sets that can choose replicas to read on another one, the best choice first.

    Sets other than the one that is read come first, those for tuning after others.
    """
    sets = [t for t in bench.experiment.test_sets if bench.can_score(t.name, metric, *systems)]
    return [t.name for t in sorted(sets, key=lambda t: (t.name == test_set, t.role == "dev"))]


def ask_reading(
    bench: Workbench, test_set: str, metric: Metric, a: str, b: str, *, select_on: str | None = None,
    progress: Progress = no_progress,
) -> Reading:
    """Return two systems' median replicas side by side.

    Parameters
    ----------
    bench : Workbench
    test_set : str
        Where they are read.
    metric : Metric
        The one that is trusted to choose, and ranks segments.
    a, b : str
        Baseline and system.
    select_on : str, optional
        The test set that chooses; by default another one, if there is any.

    Raises
    ------
    ValueError
        When the metric cannot score both systems there, or a median replica has no output.
    """
    if select_on is None:
        chosen = selection_sets(bench, test_set, metric, a, b)
    else:
        chosen = [bench.experiment.test_set(select_on).name]
    if not chosen or not bench.can_score(chosen[0], metric, a, b):
        where = chosen[0] if chosen else "any test set"
        raise ValueError(f"{metric.label} cannot score both {a!r} and {b!r} on {where}.")
    medians = bench.medians(chosen[0], [metric], subprogress(progress, 0, 0.5))
    first, second = medians[a][0], medians[b][0]
    table = bench.segments(test_set, metric, (a, first.replica), (b, second.replica), subprogress(progress, 0.5, 1))
    return Reading(table, chosen[0], (first, second), reading_warning(chosen[0], test_set))


def draw_sheet(
    table: SegmentTable, asked: Asked, *, seed: int, n: int = 50, how: Choice = "stratified",
    segments: Sequence[int] = (), with_equal: bool = False,
) -> AnnotationSheet:
    """Return a blind sheet of drawn or chosen segments.

    Parameters
    ----------
    table : SegmentTable
    asked : Asked
    seed : int
        Of the choice and of the sides.
    n : int
        Segments to draw.
    how : {"random", "stratified"}
        See `mtsig_core.analysis.reading.annotation.sample_segments`.
    segments : sequence of int
        Numbers of segments to take instead of drawing.
    with_equal : bool
        Draw from segments of equal outputs, too; they are ties by definition.

    Raises
    ------
    ValueError
        When there is nothing to choose from, or a segment is not there.
    """
    if segments:
        chosen = sorted(set(segments))
        drawn = f"{count(len(chosen), 'segment')} chosen by hand"
        return annotation_sheet(table, chosen, asked, seed=seed, drawn=drawn)
    differ = np.array([x != y for x, y in zip(table.output_a, table.output_b, strict=True)])
    usable = np.flatnonzero(differ | with_equal)
    if not len(usable):
        pair = f"{'/'.join(table.a)} and {'/'.join(table.b)}"
        raise ValueError(f"{pair} have the same output in every segment: there is nothing to judge. Choose to draw "
                         "segments of equal outputs, too, to get a sheet all the same.")  # fmt: skip
    places = usable[sample_segments(table.gain[usable], n, how=how, seed=seed)]
    which = "segments" if with_equal else "segments whose outputs differ"
    scheme = f"stratified by the difference in {table.label}" if how == "stratified" else "at random"
    equal = int((~differ).sum())
    rest = "" if with_equal or not equal else f"; the outputs of {count(equal, 'other segment')} are equal"
    of = f"{len(places):,} of {len(usable):,} {which}, {scheme}, seed {seed}"
    drawn = f"{of if len(places) < len(usable) else f'all {len(usable):,} {which}'}{rest}"
    return annotation_sheet(table, table.index[places].tolist(), asked, seed=seed, drawn=drawn)


@dataclass(frozen=True)
class MultEvalFiles:
    """What MultEval's ``--rankDir`` and ``--sentLevelDir`` hold, by file name; and whom its numbers stand for.

    Attributes
    ----------
    ranked, sentences : dict of str to str
        Contents by file name.
    systems : dict of str to str
        ``{"sys1": "baseline's name", ...}``.
    replicas : dict of str to tuple of str
        Replicas of each system in the order of ``opt1``, ``opt2``, ...
    """

    ranked: dict[str, str]
    sentences: dict[str, str]
    systems: dict[str, str]
    replicas: dict[str, tuple[str, ...]]


def multeval_files(
    bench: Workbench, test_set: str, metrics: Sequence[Metric], baseline: str, systems: Sequence[str], *,
    select_on: str | None = None, progress: Progress = no_progress,
) -> MultEvalFiles:
    """Return the files of MultEval's ``--rankDir`` and ``--sentLevelDir``.

    Parameters
    ----------
    bench : Workbench
    test_set : str
    metrics : sequence of Metric
        Those that cannot score all these systems are left out.
    baseline : str
    systems : sequence of str
        Those to compare with it: sys2, sys3, ...
    select_on : str, optional
        Test set that chooses the median replicas; by default the same one, as in MultEval.

    Raises
    ------
    ValueError
        When no metric scores all systems, or there is no text.
    """
    names = [baseline, *(name for name in systems if name != baseline)]
    usable = [m for m in metrics if bench.can_score(test_set, m, *names)]
    if not usable:
        raise ValueError(f"No metric asked for scores all of {', '.join(names)} on {test_set}.")
    made = [
        bench.statistics(test_set, m, subprogress(progress, i / len(usable), (i + 1) / len(usable)))
        for i, m in enumerate(usable)
    ]
    numbers = {f"sys{i}": name for i, name in enumerate(names, 1)}
    ranked = {}
    for metric in usable:
        medians = {name: found.replica for name, (found, _) in bench.medians(select_on or test_set, [metric]).items()}
        order = [metric, *(m for m in usable if m is not metric)]
        for number, name in list(numbers.items())[1:]:
            a, b = (baseline, medians[baseline]), (name, medians[name])
            tables = [bench.segments(test_set, m, a, b) for m in order]
            ranked[f"{number}.sortedby.{metric.name}"] = rank_file(tables)
    replicas = {name: tuple(r.name for r in bench.experiment.system(name).on(test_set)) for name in names}
    sentences = {
        f"{number}.opt{k}": sentence_file(bench.experiment, made, name, replica)
        for number, name in numbers.items()
        for k, replica in enumerate(replicas[name], 1)
    }
    return MultEvalFiles(ranked, sentences, numbers, replicas)

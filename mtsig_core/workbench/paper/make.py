"""Compute what a report is asked for, and put it together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Unpack

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.metrics import Metric
from mtsig_core.reports.paper.document import report_document
from mtsig_core.reports.paper.methods import OF_VERDICT
from mtsig_core.reports.paper.model import Report
from mtsig_core.reports.paper.results import Planned, ReportRequest, Results
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import applicable, valid_presets
from mtsig_core.workbench.options import Options, resolved
from mtsig_core.workbench.pair import Pair
from mtsig_core.workbench.paper.sections import sections
from mtsig_core.workbench.workbench import Workbench

LOTTERY_PERMUTATIONS = 1000  # of each pair of single replicas: there are many pairs


def make_report(
    bench: Workbench, request: ReportRequest | None = None, *, files: dict[str, str] | None = None,
    **options: Unpack[Options],
) -> Report:
    """Return a report on an experiment.

    Every number comes from a question to the workbench, so what was asked before is not computed again.

    Parameters
    ----------
    bench : Workbench
    request : ReportRequest, optional
    files : dict of path to str, optional
        Sha256 of the files that the experiment was loaded from, to be stated in the report.
    **options
        See `Options`.

    Raises
    ------
    ValueError
        For an unknown part, test set, system or preset.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> bench = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment")))
    >>> mtsig_core.make_report(bench, n_bootstrap=100, n_permutations=100).document["request"]["baseline"]
    'system1'
    """
    settings, progress = resolved(options, bench.settings)
    results = compute(bench, filled(bench, request or ReportRequest()), settings, progress)
    document = report_document(results, files)
    return Report(f"{bench.experiment.name}: report", sections(results, bench), document)


def filled(bench: Workbench, request: ReportRequest) -> ReportRequest:
    """Return a request with every default filled in, and every name checked."""
    experiment = bench.experiment
    metrics = tuple(bench.metrics(request.metrics))
    scored = [t for t in experiment.test_sets if any(bench.can_score(t.name, m) for m in metrics)]
    untuned = [t.name for t in scored if t.role != "dev"] or [t.name for t in scored]
    sets = tuple(dict.fromkeys(experiment.test_set(name).name for name in request.test_sets)) or tuple(untuned)
    if not sets:
        raise ValueError(f"{', '.join(m.label for m in metrics)} cannot score any output of this experiment.")
    baseline = experiment.system(request.baseline or experiment.baseline).name
    systems = tuple(dict.fromkeys(experiment.system(name).name for name in request.systems))
    if baseline in systems:
        raise ValueError(f"{baseline!r} is the baseline; choose other systems to compare with it.")
    others = systems or tuple(s.name for s in experiment.systems if s.name != baseline)
    return replace(request, metrics=metrics, test_sets=sets, baseline=baseline, systems=others)


class _Steps:
    """Shares the progress of a report among its steps."""

    def __init__(self, progress: Progress, n: int) -> None:
        self._progress, self._n, self._done = progress, max(1, n), 0

    def next(self) -> Progress:
        """Return the progress of the next step."""
        start = min(self._done, self._n - 1)
        self._done += 1
        return subprogress(self._progress, start / self._n, (start + 1) / self._n)


def compute(bench: Workbench, request: ReportRequest, settings: Settings, progress: Progress) -> Results:
    """Return all results of a request."""
    pairs = _pairs(bench, request)
    scored = [(name, m) for name in request.test_sets for m in request.metrics if bench.can_score(name, m)]
    compared = pairs if request.has("verdict", "tests", "table1", "methods", "checklist") else []
    steps = _Steps(progress, len(compared) + 1 + (len(scored) if request.has("pairs") else 0)
                   + len(pairs) * (request.has("runs") + request.has("plan")))  # fmt: skip
    comparisons = tuple(_compare(pair, request.presets, settings, steps.next()) for pair in compared)
    combined, reasons = _combined(bench, compared, settings)
    ask: dict[str, Callable[[], Any]] = {
        "table1": lambda: bench.table(request.test_sets, request.metrics, settings=settings, progress=steps.next()),
        "pairs": lambda: tuple(
            bench.pairwise(name, m, settings=settings, progress=steps.next()) for name, m in scored
            if len(bench.statistics(name, m).systems) > 1
        ),
        "runs": lambda: tuple(_lottery(pair, settings, steps.next()) for pair in pairs),
        "plan": lambda: tuple(_plan(pair, request, settings, steps.next()) for pair in pairs),
    }  # fmt: skip
    answers = {part: question() for part, question in ask.items() if request.has(part)}
    return Results(
        bench.experiment, settings, request,
        {(name, m.name): bench.signature(name, m) for name, m in scored}, comparisons,
        tuple(pair.effect(settings=settings) for pair in compared) if request.has("verdict") else (),
        combined if request.has("verdict") else (), reasons if request.has("verdict") else (),
        answers.get("table1"), answers.get("pairs", ()),
        tuple(pair.by_n(settings=settings) for pair in pairs) if request.has("runs") else (),
        answers.get("runs", ()), answers.get("plan", ()), _notes(bench, scored, pairs, settings),
    )


def _pairs(bench: Workbench, request: ReportRequest) -> list[Pair]:
    return [
        bench.pair(name, metric, request.baseline, system)
        for name in request.test_sets for metric in request.metrics for system in request.systems
        if bench.can_score(name, metric, request.baseline, system)
    ]  # fmt: skip


def _compare(pair: Pair, presets: Sequence[str], settings: Settings, progress: Progress) -> Comparison:
    possible = applicable(pair.statistics(), pair.a, pair.b, settings)
    # what a verdict rests on is part of it, whatever else is asked for
    chosen = [*presets, *(name for name in (OF_VERDICT if presets else valid_presets()) if name in possible)]
    return pair.compare(presets=chosen, settings=settings, progress=progress)


def _combined(
    bench: Workbench, pairs: Sequence[Pair], settings: Settings
) -> tuple[tuple[Combined, ...], tuple[str, ...]]:
    """Return differences over several test sets, and why some cannot be put together."""
    sets: dict[tuple[Metric, str], list[Pair]] = {}
    for pair in pairs:
        if bench.experiment.test_set(pair.test_set).role != "dev":
            sets.setdefault((pair.metric, pair.b), []).append(pair)
    combined, reasons = [], []
    for (metric, system), own in sets.items():
        if len(own) < 2:
            continue
        try:
            names = [pair.test_set for pair in own]
            combined.append(bench.combined(metric, own[0].a, system, names, settings=settings))
        except ValueError as error:
            reasons.append(f"{metric.label}, {system}: the test sets are not put together: {error}")
    return tuple(combined), tuple(reasons)


def _lottery(pair: Pair, settings: Settings, progress: Progress) -> Any:
    fewer = replace(settings, n_permutations=min(LOTTERY_PERMUTATIONS, settings.n_permutations))
    return pair.lottery(settings=fewer, progress=progress)


def _plan(pair: Pair, request: ReportRequest, settings: Settings, progress: Progress) -> Planned:
    components, seeds = pair.components(settings=settings, progress=progress), pair.shared_seeds()
    wanted = settings.margin if request.difference is None else request.difference
    why = pair.why_no_plan(settings=settings)
    if wanted is None and not why:
        why = "No difference to plan for was stated: give the smallest one that matters."
    plan = None if why else pair.planner(wanted, power=request.power, settings=settings)
    return components, seeds, plan, why


def _notes(
    bench: Workbench, scored: Sequence[tuple[str, Metric]], pairs: Sequence[Pair], settings: Settings
) -> tuple[str, ...]:
    """Return what was left out of scores, and of comparisons."""
    notes = [note for name, metric in scored for note in bench.notes([name], [metric])]
    for pair in pairs:
        sentences = pair.basis(settings=settings).sentences()
        notes += [f"{pair.metric.label} on {pair.test_set}: {sentence}" for sentence in sentences]
    return tuple(dict.fromkeys(notes))

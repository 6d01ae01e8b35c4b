"""The sections of a report: results arranged as sentences, tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.experiment.assumptions import in_few_lines
from mtsig_core.formatting import count
from mtsig_core.reports.pairs.comparator import comparator
from mtsig_core.reports.pairs.effect import combined_lines, effect_lines
from mtsig_core.reports.pairs.planner import components_frame, plan_frame, seeds_sentence
from mtsig_core.reports.pairs.several import across_metrics
from mtsig_core.reports.pairs.tables import combined_frame, lottery_frame, pairs_frame, ranks_frame
from mtsig_core.reports.paper.bibliography import bibtex
from mtsig_core.reports.paper.checklist import checklist
from mtsig_core.reports.paper.methods import methods
from mtsig_core.reports.paper.model import PARTS, Block, Claim, Code, Figure, Items, Prose, Section, Table
from mtsig_core.reports.paper.results import Planned, Results
from mtsig_core.reports.paper.tables import data_tables, multeval_table
from mtsig_core.reports.tables import by_n_frame, p_value_table
from mtsig_core.workbench.paper import figures
from mtsig_core.workbench.workbench import Workbench


def sections(results: Results, bench: Workbench) -> tuple[Section, ...]:
    """Return the sections that were asked for, in the order of `PARTS`; those without anything to say are left out."""
    writers: dict[str, Callable[[], Iterator[Block]]] = {
        "data": lambda: _data(results), "verdict": lambda: _verdict(results, bench), "table1": lambda: _table1(results),
        "tests": lambda: _tests(results), "pairs": lambda: _pairs(results), "runs": lambda: _runs(results),
        "plan": lambda: _plans(results), "methods": lambda: _methods(results),
        "checklist": lambda: iter([checklist(results)]),
    }  # fmt: skip
    sections = ((name, tuple(writers[name]())) for name in PARTS if name in results.request.parts)
    return tuple(Section(name, PARTS[name], blocks) for name, blocks in sections if blocks)


def _slug(*parts: str) -> str:
    """Return the name of a file or label: letters, digits and hyphens."""
    return "-".join("".join(c if c.isascii() and c.isalnum() else "-" for c in part.lower()) for part in parts)


def _data(results: Results) -> Iterator[Block]:
    experiment = results.experiment
    yield Prose.of(
        f"{experiment.name}: {count(len(experiment.systems), 'system')}, "
        f"{count(len(experiment.test_sets), 'test set')}; the sha256 of all text and scores begins with "
        f"{experiment.digest[:16]}."
    )
    yield from data_tables(experiment)
    if experiment.assumptions:
        yield Prose.of("Assumed while loading:")
        yield Items(tuple(guess.message for guess in in_few_lines(experiment.assumptions)))


def _by_pair(results: Results) -> Iterator[tuple[str, list[Comparison]]]:
    """Yield a heading for each test set and system, with the comparisons under every metric."""
    for name in results.request.test_sets:
        for system in results.request.systems:
            own = [c for c in results.comparisons if (c.test_set, c.b) == (name, system)]
            if own:
                yield f"{system} against {results.request.baseline} on {name}", own


def _verdict(results: Results, bench: Workbench) -> Iterator[Block]:
    if not results.comparisons:
        yield Prose.of("There is nothing to compare: it takes two systems that a metric scores on one test set.")
    effects = dict(zip(results.comparisons, results.effects, strict=True))
    for i, (title, own) in enumerate(_by_pair(results)):
        for c in own:
            note = bench.pair(c.test_set, results.metric(c.metric), c.a, c.b).direction_note
            yield Claim(f"{title}, {c.label}{f' ({note})' if note else ''}: {c.verdict.headline}")
            yield Items((*c.verdict.details, *effect_lines(effects[c])))
            name = _slug("difference", str(i + 1), c.metric)
            yield Figure(name, f"{title}: difference in {c.label} with its intervals",
                         partial(figures.difference, c))
        yield Prose.of(*across_metrics(own))
    for one in results.combined:
        yield Table(_slug("all-test-sets", one.b, one.metric), f"{one.b} against {one.a} in {one.label}, by test set",
                    combined_frame(one), one.to_frame())  # fmt: skip
    if lines := (*combined_lines(results.combined), *results.why_not_combined):
        yield Items(tuple(line.strip() for line in lines))


def _table1(results: Results) -> Iterator[Block]:
    if results.table is None:
        return
    yield multeval_table(results.table, results)
    for name in results.request.test_sets:
        for metric in results.request.metrics:
            rows = [row for row in results.table.rows if (row.test_set, row.metric) == (name, metric.name)]
            if rows:
                yield Figure(_slug("replicas", name, metric.name), f"{metric.label} of every replica on {name}",
                             partial(figures.replicas, rows, results.experiment))  # fmt: skip


def _tests(results: Results) -> Iterator[Block]:
    asked = results.request.presets
    for i, (title, every) in enumerate(_by_pair(results)):
        own = [replace(c, tests=tuple(t for t in c.tests if not asked or t.preset.name in asked)) for c in every]
        table = comparator(own)
        shown = p_value_table(own)
        yield Table(f"tests-{i + 1}", f"{title}: p by test and metric", shown.drop(columns="note"), _numbers(own))
        notes = dict.fromkeys(note for note in shown["note"] if note)
        yield Items((*table.disagreements, *notes))


def _numbers(comparisons: Sequence[Comparison]) -> Any:
    """Return the tests of several metrics one below the other, in full precision."""
    import pandas as pd

    frames = [c.to_frame() for c in comparisons]
    for frame, c in zip(frames, comparisons, strict=True):
        frame.insert(0, "metric", c.label)
    return pd.concat(frames, ignore_index=True)


def _pairs(results: Results) -> Iterator[Block]:
    for one in results.pairwise:
        where = f"{one.label} on {one.test_set}"
        name = _slug(one.test_set, one.metric)
        yield Figure(f"ranks-{name}", f"Systems by {where}, with clusters of ranks",
                     partial(figures.ranks, one, results.experiment))  # fmt: skip
        notes = tuple(filter(None, (f"{one.preset.label}: {one.preset.question}.", one.preset.warning, one.note)))
        yield Table(f"ranks-{name}", f"Clusters of ranks by {where}", ranks_frame(one), one.rank_frame(), notes=notes)
        yield Table(f"pairs-{name}", f"All pairs of systems by {where}", pairs_frame(one), one.to_frame())


def _runs(results: Results) -> Iterator[Block]:
    for one, lottery in zip(results.by_n, results.lotteries, strict=True):
        where = f"{one.b} against {one.a} in {one.label} on {one.test_set}"
        name = _slug(one.test_set, one.metric, one.b)
        yield Figure(f"by-n-{name}", f"{where}: the difference against the number of replicas",
                     partial(figures.by_n, one))  # fmt: skip
        yield Table(f"by-n-{name}", f"{where}, by number of replicas", by_n_frame(one), one.to_frame(),
                    notes=tuple(filter(None, (one.model_note, one.note))))  # fmt: skip
        yield from _single_runs(lottery, where, name)


def _single_runs(lottery: Lottery, where: str, name: str) -> Iterator[Block]:
    from mtsig_core.reports.overview import single_run_sentence

    yield Prose.of(single_run_sentence(lottery))
    yield Table(f"single-runs-{name}", f"{where}: single runs, worst, median and best", lottery_frame(lottery),
                lottery.scenario_frame())  # fmt: skip


def _plans(results: Results) -> Iterator[Block]:
    for planned in results.plans:
        yield from _plan(planned, results.settings.paired)


def _plan(planned: Planned, paired: bool) -> Iterator[Block]:
    components, seeds, plan, why = planned
    where = f"{components.b} against {components.a} in {components.label} on {components.test_set}"
    name = _slug(components.test_set, components.metric, components.b)
    if components.rows:
        yield Figure(f"components-{name}", f"{where}: where the variance of the difference comes from",
                     partial(figures.components, components))  # fmt: skip
        yield Table(f"components-{name}", f"{where}: variance components", components_frame(components),
                    components.to_frame())  # fmt: skip
    yield Prose.of(components.note, seeds_sentence(seeds, paired) if seeds else "", f"No plan. {why}" if why else "")
    if plan is not None:
        yield Claim(plan.sentence(components.label, 2 if plan.difference >= 0.05 else 4))
        yield Figure(f"power-{name}", f"{where}: power by replicas and segments", partial(figures.power, plan))
        yield Table(f"plan-{name}", f"{where}: power by number of replicas", plan_frame(plan), plan.to_frame())


def _methods(results: Results) -> Iterator[Block]:
    paragraphs = methods(results)
    yield from paragraphs
    cited = dict.fromkeys(key for prose in paragraphs for sentence in prose.sentences for key in sentence.cites)
    yield Code(bibtex(cited))

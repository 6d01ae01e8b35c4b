"""The commands ``people``, ``agreement`` and ``correlations``: human judgements, and who agrees with them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, TEST_SET_OPTIONS, Command, resampling_options

if TYPE_CHECKING:
    from mtsig_core.metrics import Metric
    from mtsig_core.reports.documents import Document
    from mtsig_core.reports.people import Table
    from mtsig_core.resampling import Settings
    from mtsig_core.workbench.meta_evaluation import Correlations, Judged
    from mtsig_core.workbench.people import Campaign, People


def show_people(options: argparse.Namespace) -> int:
    """Print what people judged: annotators, means, pairs, agreement, marked errors."""
    from mtsig_core.loading.judgements.find import find_judgements
    from mtsig_core.reports.people import tables_document
    from mtsig_core.workbench.people import open_people

    settings = _settings(options)
    people = open_people(find_judgements(options.path, encoding=options.encoding))
    campaigns = people.campaigns if options.dimension is None else (people.campaign(options.dimension),)
    tables = [table for campaign in campaigns for table in _campaign_tables(campaign, people, settings, options)]
    verdicts = people.verdicts(settings, options.dimension)
    tables.append(("verdicts of people", verdicts.to_frame()))
    aside = {name: n for campaign in campaigns for name, n in campaign.table.set_aside.items()}
    _print(options, tables, people.notes, lambda: tables_document(
        tables, settings, people.notes, {"dimensions": [c.name for c in campaigns], "set_aside": aside}))  # fmt: skip
    return DONE


def _settings(options: argparse.Namespace) -> Settings:
    from mtsig_core.resampling import Settings

    return Settings(n_bootstrap=options.n_bootstrap, n_permutations=options.n_permutations, alpha=options.alpha,
                    seed=options.seed)  # fmt: skip


def _campaign_tables(
    campaign: Campaign, people: People, settings: Settings, options: argparse.Namespace
) -> list[Table]:
    tables: list[Table] = [(f"{campaign.name}: systems", campaign.means(settings).to_frame())]
    if options.without:
        tables.append((f"{campaign.name}: with and without {', '.join(options.without)}",
                       campaign.without(options.without, settings).to_frame()))  # fmt: skip
    tables.append((f"{campaign.name}: pairs", campaign.pairs(settings).to_frame()))
    if campaign.table.annotators:
        overview = campaign.annotators(settings.alpha)
        tables.append((f"{campaign.name}: annotators", overview.to_frame()))
        tables.append((f"{campaign.name}: who judged what", overview.balance.reset_index()))
        tables.append((f"{campaign.name}: agreement of annotators", campaign.reliability(settings).to_frame()))
    with suppress(ValueError):  # nobody judged two systems on one item: there is nothing to compare
        tables.append((f"{campaign.name}: strengths by comparison", campaign.ranking(settings).to_frame()))
    if campaign.name in people.penalties:
        tables.append((f"{campaign.name}: penalties by category", people.penalties[campaign.name].errors))
    return tables


def _print(
    options: argparse.Namespace, tables: list[Table], notes: tuple[str, ...], document: Callable[[], Document]
) -> None:
    output.clear_line()
    if options.json:
        output.print_json(document())
        return
    for name, frame in tables:
        output.say(f"\n{name}")
        output.print_frame(frame)
    output.print_lines(notes)


def _judged(options: argparse.Namespace) -> tuple[Judged, Settings, list[Metric], list[str]]:
    """Return the judged systems of the test set asked for, and what to know of them."""
    from mtsig_core.loading.judgements.find import find_judgements
    from mtsig_core.reports.people import unmatched_sentences
    from mtsig_core.workbench.meta_evaluation import Judged
    from mtsig_core.workbench.people import open_people

    bench, metrics = selection.open_bench(options)
    settings = bench.settings
    source = options.judgements or options.path
    names = [system.name for system in bench.experiment.systems]
    people = open_people(find_judgements(source, encoding=options.encoding), names)
    # what people gave is no metric, although a table of scores may hold both
    metrics = [m for m in metrics if m.name not in {c.dimension for c in people.campaigns}] or metrics
    sets = selection.chosen_sets(options, bench.experiment)
    tested = [name for name in sets if bench.experiment.test_set(name).role != "dev"] or sets
    judged = Judged.of(bench, tested[0], people, options.dimension)
    match = people.match
    notes = [*people.notes, *(unmatched_sentences(match.unmatched, match.not_judged) if match else ())]
    return judged, settings, metrics, notes


def show_agreement(options: argparse.Namespace) -> int:
    """Print how often automatic tests agree with people, pair by pair."""
    from mtsig_core.reports.people import tables_document
    from mtsig_core.workbench.meta_evaluation import (
        DEFAULT_TESTS,
        LEVELS,
        TestChoice,
        agreement_of_tests,
        worth_of_points,
    )

    judged, settings, metrics, notes = _judged(options)
    choice = TestChoice(options.preset or DEFAULT_TESTS, options.level or LEVELS, same_level=not options.fixed_level)
    result = agreement_of_tests(judged, metrics, settings, choice, output.report_progress)
    tables: list[Table] = [("agreement of tests with people", result.to_frame())]
    first = result.rows[0]
    tables.append((f"pairs: {first.preset}, {first.metric}, alpha {first.alpha:g}",
                   result.pair_frame(first.preset, first.metric, first.alpha)))  # fmt: skip
    tables += [
        (f"what a point of {m.label} is worth", worth_of_points(judged, m, settings).to_frame()) for m in metrics
    ]
    _print(options, tables, tuple(notes), lambda: tables_document(
        tables, settings, notes, {"test_set": judged.test_set, "systems": list(judged.systems)}))  # fmt: skip
    return DONE


def _correlations(options: argparse.Namespace) -> tuple[Correlations, Settings, list[str], dict[str, object]]:
    """Return correlations with the outputs of PATH, or else with scores that stand beside the judgements."""
    from mtsig_core.loading import LoadError
    from mtsig_core.loading.judgements.find import find_judgements
    from mtsig_core.workbench.meta_evaluation import correlations, correlations_of_scores
    from mtsig_core.workbench.people import open_people

    try:
        judged, settings, metrics, notes = _judged(options)
    except LoadError:
        judgements = find_judgements(options.judgements or options.path, encoding=options.encoding)
        if judgements.metric_scores.empty:
            raise
        people, settings = open_people(judgements), _settings(options)
        result = correlations_of_scores(people.deciding(options.dimension)[0], judgements.metric_scores, settings)
        return result, settings, list(people.notes), {"systems": list(result.metrics[0].names)}
    result = correlations(judged, metrics, settings)
    return result, settings, notes, {"test_set": judged.test_set, "systems": list(judged.systems)}


def show_correlations(options: argparse.Namespace) -> int:
    """Print correlations of metrics with people, and the tests of their differences."""
    import pandas as pd

    from mtsig_core.reports.people import spread_sentence, tables_document

    result, settings, notes, facts = _correlations(options)
    tables: list[Table] = [("systems: metric against people", pd.concat([m.to_frame() for m in result.metrics]))]
    if result.comparisons.pairs:
        tables.append(("pairs of metrics", result.comparisons.to_frame()))
    tables.append(("one replica per system", pd.concat([s.to_frame() for s in result.spreads])))
    if result.accuracies is not None:
        tables.append(("pairs of systems ordered as by people", result.accuracies.to_frame()))
        tables.append((f"segments ({result.n_segments} judged)", pd.concat([s.to_frame() for s in result.segments])))
    else:
        notes.append("No judgement names a segment of the test set, so there is nothing at segment level.")
    for each in result.spreads:
        line = spread_sentence(each.metric, each.averaged, each.interval, 1 - settings.alpha)
        if line or each.note:
            notes.append(line or f"{each.metric}: {each.note}")
    notes.append("The p against 0 does not say that one metric is better than another: see the pairs of metrics.")
    _print(options, tables, tuple(notes), lambda: tables_document(tables, settings, notes, facts))
    return DONE


def _dimension_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dimension", metavar="NAME", help="only this dimension (default: all, or what decides first)")


def _people_options(parser: argparse.ArgumentParser) -> None:
    _dimension_option(parser)
    parser.add_argument(
        "--without", action="append", metavar="ANNOTATOR",
        help="show results without this annotator beside those of all; may be repeated",
    )  # fmt: skip


def _correlation_options(parser: argparse.ArgumentParser) -> None:
    _dimension_option(parser)
    parser.add_argument("--judgements", metavar="PATH", help="file or folder of judgements (default: those in PATH)")


def _agreement_options(parser: argparse.ArgumentParser) -> None:
    _correlation_options(parser)
    parser.add_argument("--preset", action="append", metavar="NAME", help="only this test; may be repeated")
    parser.add_argument(
        "--level", action="append", type=float, metavar="ALPHA",
        help="significance level of the tests; may be repeated (default 0.05, 0.01, 0.001)",
    )  # fmt: skip
    parser.add_argument("--fixed-level", action="store_true", help="hold people to --alpha at every level of the tests")


TEST_SET_OPTIONS = TEST_SET_OPTIONS
PEOPLE = Command(
    "people", "human judgements: annotators, systems, pairs, marked errors", show_people, (resampling_options,),
    _people_options, "files of human judgements: one of them, a folder, or a zip or tar",
)  # fmt: skip
AGREEMENT = Command(
    "agreement", "do automatic tests agree with people?", show_agreement, TEST_SET_OPTIONS, _agreement_options
)
CORRELATIONS = Command(
    "correlations", "how do metrics correlate with people?", show_correlations, TEST_SET_OPTIONS, _correlation_options
)

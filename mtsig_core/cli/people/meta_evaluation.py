"""The commands ``agreement`` and ``correlations``: tests and metrics against people."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mtsig_core.cli import output, selection
from mtsig_core.cli.command import DONE, TEST_SET_OPTIONS, Command
from mtsig_core.cli.people.judgements import dimension_option, mqm_option, mqm_weights, people_settings
from mtsig_core.cli.people.tables import Part, print_parts, shown_part

MOST_METRICS = 6  # whose soft accuracies are compared without being asked for

if TYPE_CHECKING:
    from mtsig_core.loading.judgements.find import HumanJudgements
    from mtsig_core.metrics import Metric
    from mtsig_core.resampling import Settings
    from mtsig_core.workbench.meta_evaluation.agreement import Judged
    from mtsig_core.workbench.meta_evaluation.correlations import Correlations


def _judged(options: argparse.Namespace) -> tuple[Judged, Settings, list[Metric], list[str]]:
    """Return the judged systems of the test set asked for, and what to know of them."""
    from mtsig_core.loading import load
    from mtsig_core.loading.judgements.find import find_judgements
    from mtsig_core.loading.layouts.judgements import NAME
    from mtsig_core.reports.people import lines_left_out_sentence, unmatched_sentences
    from mtsig_core.workbench.meta_evaluation.agreement import Judged
    from mtsig_core.workbench.people import open_people, outputs_of

    _, report = load(options.path, encoding=options.encoding)
    if report.layout == NAME and options.judgements is None:
        raise ValueError("There are judgements only, so there is no test to compare with people. Add the outputs that "
                         "were judged, or scores of metrics by segment.")  # fmt: skip
    bench, metrics = selection.open_bench(options)
    settings = bench.settings
    source = options.judgements or options.path
    sets = selection.chosen_sets(options, bench.experiment)
    tested = [name for name in sets if bench.experiment.test_set(name).role != "dev"] or sets
    people = open_people(find_judgements(source, encoding=options.encoding),
                         [system.name for system in bench.experiment.systems],
                         weights=mqm_weights(options), edited=outputs_of(bench.experiment, tested[0]),
                         test_set=tested[0])  # fmt: skip
    # what people gave is no metric, although a table of scores may hold both
    metrics = [m for m in metrics if m.name not in {c.dimension for c in people.campaigns}] or metrics
    judged = Judged.of(bench, tested[0], people, options.dimension)
    match = people.match
    notes = [*people.notes, *(unmatched_sentences(match.unmatched, match.not_judged) if match else ())]
    notes += [said] if (said := lines_left_out_sentence(judged.n_left_out, judged.test_set)) else []
    return judged, settings, metrics, notes


def show_agreement(options: argparse.Namespace) -> int:
    """Print how often automatic tests agree with people, pair by pair."""
    from mtsig_core.reports.meta_evaluation import agreement_sentence, agreement_table, verdict_table
    from mtsig_core.workbench.meta_evaluation.agreement import (
        DEFAULT_TESTS,
        LEVELS,
        TestChoice,
        agreement_of_tests,
        worth_of_points,
    )

    judged, settings, metrics, notes = _judged(options)
    choice = TestChoice(options.preset or DEFAULT_TESTS, options.level or LEVELS, same_level=not options.fixed_level)
    result = agreement_of_tests(judged, metrics, settings, choice, output.report_progress)
    first = result.rows[0]
    verdicts = result.pair_frame(first.preset, first.metric, first.alpha)
    parts = [
        shown_part("agreement of tests with people", result.to_frame(), agreement_table(result, labels=False)),
        shown_part(f"pairs: {first.preset}, {first.metric}, alpha {first.alpha:g}", verdicts, verdict_table(verdicts),
                   agreement_sentence(first)),
    ]  # fmt: skip
    for metric in metrics:
        worth = worth_of_points(judged, metric, settings).to_frame()
        parts.append(shown_part(f"what a point of {metric.label} is worth", worth))
    print_parts(options, parts, settings, notes, {"test_set": judged.test_set, "systems": list(judged.systems)})
    return DONE


def _correlations(options: argparse.Namespace) -> tuple[Correlations, Settings, list[str], dict[str, object]]:
    """Return correlations with the outputs of PATH, or else with what stands beside the judgements or among them."""
    from mtsig_core.loading import LoadError, load
    from mtsig_core.loading.judgements.find import find_judgements
    from mtsig_core.loading.layouts.judgements import NAME
    from mtsig_core.workbench.meta_evaluation.correlations import correlations

    source = options.judgements or options.path
    try:
        _, report = load(options.path, encoding=options.encoding)
        if report.layout == NAME and options.judgements is None:
            return _without_outputs(options, find_judgements(source, encoding=options.encoding))
        judged, settings, metrics, notes = _judged(options)
    except LoadError:
        judgements = find_judgements(source, encoding=options.encoding)
        if judgements.metric_scores.empty:
            raise
        return _without_outputs(options, judgements)
    result = correlations(judged, metrics, settings)
    return result, settings, notes, {"test_set": judged.test_set, "systems": list(judged.systems)}


def _without_outputs(
    options: argparse.Namespace, judgements: HumanJudgements
) -> tuple[Correlations, Settings, list[str], dict[str, object]]:
    """Return correlations of metrics in the tables of judgements, or else of the other dimensions."""
    from mtsig_core.workbench.meta_evaluation.correlations import correlations_of_dimensions, correlations_of_scores
    from mtsig_core.workbench.people import open_people

    people, settings = open_people(judgements, weights=mqm_weights(options)), people_settings(options)
    campaign, notes = people.deciding(options.dimension)[0], list(people.notes)
    if judgements.metric_scores.empty:
        result = correlations_of_dimensions(campaign, people, settings)
        notes.append(f"There are judgements only: each other dimension that people judged takes the place of a metric "
                     f"and is compared with {campaign.name}.")  # fmt: skip
    else:
        result = correlations_of_scores(campaign, judgements.metric_scores, settings)
    return result, settings, notes, {"systems": list(result.metrics[0].names)}


def show_correlations(options: argparse.Namespace) -> int:
    """Print correlations of metrics with people, and the tests of their differences."""
    result, settings, notes, facts = _correlations(options)
    parts = [*_system_parts(result, settings), *_segment_parts(result), *_soft_parts(result, settings, notes)]
    if result.accuracies is None:
        notes.append("No judgement names a segment of the test set, so there is nothing at segment level.")
    notes.append("The p against 0 does not say that one metric is better than another: see the pairs of metrics.")
    print_parts(options, parts, settings, notes, facts)
    return DONE


def _system_parts(result: Correlations, settings: Settings) -> Iterator[Part]:
    import pandas as pd

    from mtsig_core.reports.meta_evaluation import (
        all_correlations_table,
        metric_pair_table,
        mistake_sentence,
        outlier_sentence,
        spread_lines,
        spread_table,
    )

    compared = result.comparisons
    yield shown_part("systems: metric against people", pd.concat([m.to_frame() for m in result.metrics]),
                     all_correlations_table(result.metrics),
                     *(f"{m.metric}: {said}" for m in result.metrics if (said := outlier_sentence(m))))  # fmt: skip
    if compared.pairs:
        yield shown_part("pairs of metrics", compared.to_frame(), metric_pair_table(compared),
                         mistake_sentence(result.metrics, compared, settings.alpha))  # fmt: skip
    spreads, lines = pd.concat([s.to_frame() for s in result.spreads]), spread_lines(result.spreads, 1 - settings.alpha)
    known = any(each.interval is not None for each in result.spreads)
    yield Part("one replica per system", spreads, [(spread_table(result.spreads), spreads)] if known else (), lines)


def _segment_parts(result: Correlations) -> Iterator[Part]:
    from mtsig_core.reports.meta_evaluation import accuracy_table, segment_table, tie_table
    from mtsig_core.reports.people import people_table

    if result.accuracies is None:
        return
    yield shown_part("pairs of systems ordered as by people", result.accuracies.to_frame(),
                     accuracy_table(result.accuracies))  # fmt: skip
    frame, shown = segment_table(result.segments)
    yield shown_part(f"segments ({result.n_segments:,} judged)", frame, people_table(shown))
    yield shown_part("pairs of outputs of a segment, with ties", tie_table(result.segments))


def _soft_parts(result: Correlations, settings: Settings, notes: list[str]) -> Iterator[Part]:
    n_metrics = len(result.metric_segments)
    if n_metrics > MOST_METRICS:
        notes.append(f"Differences in soft pairwise accuracy take long for {n_metrics} metrics: choose at most "
                     f"{MOST_METRICS} with --metric to see them.")  # fmt: skip
    elif n_metrics > 1:
        yield shown_part("differences in soft pairwise accuracy", result.soft_accuracy_tests(settings))


def _correlation_options(parser: argparse.ArgumentParser) -> None:
    dimension_option(parser)
    mqm_option(parser)
    parser.add_argument("--judgements", metavar="PATH", help="file or folder of judgements (default: those in PATH)")


def _agreement_options(parser: argparse.ArgumentParser) -> None:
    _correlation_options(parser)
    parser.add_argument("--preset", action="append", metavar="NAME", help="only this test; may be repeated")
    parser.add_argument(
        "--level", action="append", type=float, metavar="ALPHA",
        help="significance level of the tests; may be repeated (default 0.05, 0.01, 0.001)",
    )  # fmt: skip
    parser.add_argument("--fixed-level", action="store_true",
                        help="judge people at --alpha, whatever the level of the tests")


AGREEMENT = Command(
    "agreement", "do automatic tests agree with people?", show_agreement, TEST_SET_OPTIONS, _agreement_options
)
CORRELATIONS = Command(
    "correlations", "how do metrics correlate with people?", show_correlations, TEST_SET_OPTIONS, _correlation_options
)

"""The command ``people``: human judgements alone."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mtsig_core.cli.command import DONE, Command, resampling_options
from mtsig_core.cli.people.tables import Part, print_parts, shown_part

if TYPE_CHECKING:
    from mtsig_core.analysis.people.mqm import Weights
    from mtsig_core.loading.judgements.find import HumanJudgements
    from mtsig_core.resampling import Settings
    from mtsig_core.workbench.people import Campaign, People


def show_people(options: argparse.Namespace) -> int:
    """Print what people judged: annotators, means, pairs, agreement, marked errors."""
    from mtsig_core.loading.judgements.find import find_judgements
    from mtsig_core.reports.people import file_table, scale_sentence
    from mtsig_core.workbench.people import open_people

    settings = people_settings(options)
    judgements = find_judgements(options.path, encoding=options.encoding)
    people = open_people(judgements, weights=mqm_weights(options), **_edited(judgements, options))
    campaigns = people.campaigns if options.dimension is None else (people.campaign(options.dimension),)
    parts = [shown_part("what was read", file_table([campaign.table for campaign in campaigns]))]
    for campaign in campaigns:
        parts += _system_parts(campaign, settings, options)
        parts += _annotator_parts(campaign, settings)
        parts += _error_parts(campaign, people)
    verdicts = people.verdicts(settings, options.dimension).to_frame()
    name = "verdicts of people"
    parts.append(shown_part(name, verdicts) if len(people.deciding(options.dimension)) > 1 else Part(name, verdicts))
    aside = {name: n for campaign in campaigns for name, n in campaign.table.set_aside.items()}
    scales = filter(None, (scale_sentence(campaign.smaller_scale, campaign.name) for campaign in campaigns))
    print_parts(options, parts, settings, [*scales, *people.notes], {
        "dimensions": [campaign.name for campaign in campaigns], "set_aside": aside,
    })  # fmt: skip
    return DONE


def _edited(judgements: HumanJudgements, options: argparse.Namespace) -> dict[str, Any]:
    """Return the outputs that post-edits belong to, as far as files of post-edits do not repeat them."""
    from mtsig_core.loading import LoadError, load
    from mtsig_core.workbench.people import outputs_of

    if not judgements.post_edit_files and all("output" in each for each in judgements.post_edits.values()):
        return {}
    with suppress(LoadError):  # without outputs, the notes say what is missing
        experiment, _ = load(options.path, encoding=options.encoding)
        sets = sorted(experiment.test_sets, key=lambda each: each.role == "dev")
        names = [system.name for system in experiment.systems]
        return {"outputs": names, "edited": outputs_of(experiment, sets[0].name), "test_set": sets[0].name}
    return {}


def people_settings(options: argparse.Namespace) -> Settings:
    """Return the settings of a call that opens no outputs."""
    from mtsig_core.resampling import Settings

    return Settings(n_bootstrap=options.n_bootstrap, n_permutations=options.n_permutations, alpha=options.alpha,
                    seed=options.seed)  # fmt: skip


def _system_parts(campaign: Campaign, settings: Settings, options: argparse.Namespace) -> Iterator[Part]:
    from mtsig_core.reports.people import (
        left_out_sentence,
        mean_table,
        other_tests_table,
        pair_columns,
        pair_table,
        ranking_sentence,
        without_sentence,
        without_table,
    )

    standardised = options.standardised and campaign.can_be_standardised
    means, pairs = campaign.means(settings), campaign.pairs(settings, standardised=standardised)
    yield shown_part(f"{campaign.name}: systems", means.to_frame(), mean_table(means), ranking_sentence(pairs),
                     means.note, left_out_sentence(means.left_out), campaign.replicas().note)  # fmt: skip
    if options.without:
        both = campaign.without(options.without, settings)
        yield shown_part(f"{campaign.name}: with and without {', '.join(options.without)}", both.to_frame(),
                         without_table(both), without_sentence(both))  # fmt: skip
    if pairs.rows:
        frame = pairs.to_frame()
        tables = ((pair_table(pairs, "rank_sum", standardised=standardised), frame[pair_columns("rank_sum")]),
                  other_tests_table(pairs))
        scores = " on standardised scores" if standardised else ""
        yield Part(f"{campaign.name}: pairs{scores}, by the rank-sum test and by others", frame, tables)
    yield from _replica_parts(campaign, settings)
    with suppress(ValueError):  # nobody judged two systems on one item: there is nothing to compare
        strengths = campaign.ranking(settings)
        yield shown_part(f"{campaign.name}: strengths by comparison", strengths.to_frame(), None, strengths.note)


def _replica_parts(campaign: Campaign, settings: Settings) -> Iterator[Part]:
    from mtsig_core.reports.people import replica_pair_sentence, replica_pair_table

    tested = campaign.replica_pairs(settings)
    if tested is not None:
        yield shown_part(f"{campaign.name}: pairs, by the replicas that were judged", tested.to_frame(),
                         replica_pair_table(tested), replica_pair_sentence(tested))  # fmt: skip


def _annotator_parts(campaign: Campaign, settings: Settings) -> Iterator[Part]:
    from mtsig_core.reports.people import annotator_table, balance_sentence, suspects_sentence

    if not campaign.table.annotators:
        return
    overview = campaign.annotators(settings.alpha)
    yield shown_part(f"{campaign.name}: annotators", overview.to_frame(), annotator_table(overview),
                     suspects_sentence(overview))  # fmt: skip
    balance = overview.balance.reset_index()
    yield shown_part(f"{campaign.name}: who judged what", balance, balance, balance_sentence(overview))
    yield shown_part(f"{campaign.name}: agreement of annotators", campaign.reliability(settings).to_frame())


def _error_parts(campaign: Campaign, people: People) -> Iterator[Part]:
    from mtsig_core.reports.people import people_table

    penalties = people.penalties.get(campaign.name)
    if penalties is not None:
        frames = [frame for frame in (penalties.to_frame(), penalties.by_category()) if len(frame)]
        name = f"{campaign.name}: errors per item by severity{', and penalties by category' * (len(frames) > 1)}"
        yield Part(name, penalties.errors, [(people_table(frame), frame) for frame in frames])


def dimension_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names what people judged."""
    parser.add_argument("--dimension", metavar="NAME", help="only this dimension (default: all, or what decides first)")


def mqm_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses the weights of marked errors."""
    parser.add_argument(
        "--mqm-weights", choices=("freitag-2021", "major-minor"), default="freitag-2021",
        help="weights of marked errors: freitag-2021 is major 5, minor 1, minor punctuation 0.1, non-translation 25; "
        "major-minor is major 5, minor 1 whatever the category (default: %(default)s)",
    )  # fmt: skip


def mqm_weights(options: argparse.Namespace) -> Weights:
    """Return the chosen weights of marked errors."""
    from mtsig_core.analysis.people.mqm import WEIGHTS

    return WEIGHTS[options.mqm_weights]


def _people_options(parser: argparse.ArgumentParser) -> None:
    dimension_option(parser)
    mqm_option(parser)
    parser.add_argument(
        "--without", action="append", metavar="ANNOTATOR",
        help="show results without this annotator beside those of all; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--standardised", action="store_true", help="test pairs on scores standardised by annotator (default: as given)"
    )


COMMAND = Command(
    "people", "human judgements: annotators, systems, pairs, marked errors", show_people, (resampling_options,),
    _people_options, "files of human judgements: one of them, a folder, or a zip or tar",
)  # fmt: skip

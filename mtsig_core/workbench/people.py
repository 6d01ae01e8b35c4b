"""Human judgements of one upload with the questions that can be asked of them, alone or beside an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import pandas as pd

from mtsig_core.analysis.people.annotators import AnnotatorOverview, annotator_overview
from mtsig_core.analysis.people.hter import hter_judgements, with_outputs
from mtsig_core.analysis.people.items import ItemScores, Unit, item_scores, of_dimension, outputs_only
from mtsig_core.analysis.people.mqm import FREITAG_2021, Penalties, Weights, mqm_penalties
from mtsig_core.analysis.people.pairs import SystemPairs, TestName, system_pairs
from mtsig_core.analysis.people.rankings import Ranking, ranking
from mtsig_core.analysis.people.reliability import Reliability, reliability
from mtsig_core.analysis.people.replicas import JudgedReplicas, ReplicaPairs, judged_replicas, replica_pairs
from mtsig_core.analysis.people.scales import SmallerScale, smaller_scale
from mtsig_core.analysis.people.standardise import standardise
from mtsig_core.analysis.people.systems import UNNAMED, SystemMeans, WithAndWithout, system_means, with_and_without
from mtsig_core.analysis.people.verdicts import HumanVerdicts, human_verdicts
from mtsig_core.experiment import Experiment
from mtsig_core.loading.judgements.find import HumanJudgements, find_judgements
from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.judgements.languages import language_pair
from mtsig_core.loading.judgements.readers.post_edit_files import PostEditFile, aligned_post_edits, of_test_set
from mtsig_core.loading.judgements.system_names import SystemMatch, match_systems, plain_system_names
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.sources.source import Source
from mtsig_core.resampling import Settings

#: Dimensions of adequacy and of fluency, in the order in which they decide.
ADEQUACY, FLUENCY = ("adequacy", "quality", "informativeness"), ("fluency", "naturalness")
MQM, HTER = "mqm", "hter"


@dataclass(frozen=True, eq=False)
class Campaign:
    """What people gave in one dimension of one table.

    Attributes
    ----------
    name : str
        The dimension, with the file where several tables have it.
    dimension : str
    higher_is_better : bool
    frame : DataFrame
        Judgements of the dimension with their control items.
    table : JudgementTable
    """

    name: str
    dimension: str
    higher_is_better: bool
    frame: pd.DataFrame
    table: JudgementTable

    @property
    def items(self) -> ItemScores:
        """What people gave by item, each segment a unit."""
        return self.items_by("segment")

    def items_by(self, unit: Unit) -> ItemScores:
        """Return what people gave by item, with segments or documents as units."""
        return item_scores(self.frame, self.dimension, higher_is_better=self.higher_is_better, unit=unit)

    def means(self, settings: Settings, unit: Unit = "segment") -> SystemMeans:
        """Return the means of all systems."""
        return system_means(self.frame, self.dimension, settings, higher_is_better=self.higher_is_better, unit=unit)

    @property
    def can_be_standardised(self) -> bool:
        """Whether some annotator is named, and gave scores that differ."""
        return len(standardise(self.frame).frame) > 0

    @property
    def not_standardised(self) -> tuple[str, ...]:
        """The annotators whose scores cannot be standardised, without any draws."""
        return tuple(name or UNNAMED for name in standardise(of_dimension(self.frame, self.dimension)).left_out)

    def pairs(self, settings: Settings, *, standardised: bool = False) -> SystemPairs:
        """Return the tests of all pairs of systems, on scores as given or standardised by annotator.

        Raises
        ------
        ValueError
            When no annotator's scores can be standardised.
        """
        if not standardised:
            return system_pairs(self.items, settings)
        own = standardise(self.frame).frame
        if not self.can_be_standardised:
            raise ValueError("No annotator's scores can be standardised, so there are tests on raw scores only.")
        return system_pairs(item_scores(own, self.dimension, higher_is_better=self.higher_is_better), settings)

    @property
    def smaller_scale(self) -> SmallerScale | None:
        """Annotators who evidently used a smaller scale than others."""
        return smaller_scale(self.frame, self.dimension)

    def annotators(self, alpha: float = 0.05) -> AnnotatorOverview:
        """Return the overview of annotators."""
        return annotator_overview(self.frame, self.dimension, higher_is_better=self.higher_is_better, alpha=alpha)

    def reliability(self, settings: Settings) -> Reliability:
        """Return the agreement between annotators."""
        return reliability(self.frame, self.dimension, settings)

    def ranking(self, settings: Settings) -> Ranking:
        """Return win rates and strengths; ValueError where nobody judged two systems on one item."""
        return ranking(self.frame, self.dimension, settings, higher_is_better=self.higher_is_better)

    @property
    def has_replicas(self) -> bool:
        """Whether several replicas of some system were judged, and another system to compare it with."""
        named = outputs_only(self.frame)[["system", "replica"]].fillna("").drop_duplicates()
        return named["system"].nunique() > 1 and bool(named["system"].duplicated().any())

    def replicas(self) -> JudgedReplicas:
        """Return which replicas were judged, and their statistics for the tests of metrics."""
        return judged_replicas(self.frame, self.dimension, higher_is_better=self.higher_is_better)

    def replica_pairs(self, settings: Settings) -> ReplicaPairs | None:
        """Return the replica-aware tests of all pairs; None where one replica of each system was judged."""
        return replica_pairs(self.frame, self.dimension, settings, higher_is_better=self.higher_is_better)

    def without(self, annotators: Sequence[str], settings: Settings) -> WithAndWithout:
        """Return the means with and without some annotators."""
        return with_and_without(
            self.frame, self.dimension, annotators, settings, higher_is_better=self.higher_is_better
        )


@dataclass(frozen=True, eq=False)
class People:
    r"""All judgements of one upload.

    Attributes
    ----------
    campaigns : tuple of Campaign
    penalties : mapping of campaign name to Penalties
        Of campaigns whose scores are counted from marked errors.
    match : SystemMatch or None
        Judged names against names of outputs; None without outputs.
    notes : tuple of str
    metric_scores : DataFrame
        Scores of metrics that stand beside judgements in one table, with the same names of systems; may be empty.
    post_edits : mapping of campaign name to DataFrame
        Outputs beside their post-edits with the HTER of each.

    Examples
    --------
    >>> import mtsig_core
    >>> table = b"system,segment,adequacy,fluency\nold,1,3,4\nnew,1,4,4\nold,2,2,5\nnew,2,4,4\n"
    >>> people = mtsig_core.open_people([("judged.csv", table)])
    >>> [campaign.name for campaign in people.deciding()]
    ['adequacy', 'fluency']
    """

    campaigns: tuple[Campaign, ...]
    penalties: Mapping[str, Penalties] = field(default_factory=dict)
    match: SystemMatch | None = None
    notes: tuple[str, ...] = ()
    metric_scores: pd.DataFrame = field(default_factory=pd.DataFrame)
    post_edits: Mapping[str, pd.DataFrame] = field(default_factory=dict)

    def campaign(self, name: str | None = None) -> Campaign:
        """Return a campaign by its name or dimension, the first one without a name.

        Raises
        ------
        ValueError
            When there is no such campaign; names those there are.
        """
        if name is None:
            return self.campaigns[0]
        for each in self.campaigns:
            if name in (each.name, each.dimension):
                return each
        raise ValueError(f"No judgements of {name!r}; there are: {', '.join(c.name for c in self.campaigns)}.")

    def on(self, test_set: str) -> People:
        """Return what was judged on one test set, where they name it or its pair of languages; else everything."""
        judged = {name for c in self.campaigns for name in c.frame["test_set"].dropna().unique()}
        if test_set not in judged and (pair := language_pair(test_set)):
            same_pair = [name for name in judged if language_pair(name) == pair]
            test_set = same_pair[0] if len(same_pair) == 1 else test_set
        named = [c for c in self.campaigns if (c.frame["test_set"] == test_set).any()]
        if not named:
            return self
        general = [c for c in self.campaigns if c.frame["test_set"].isna().all()]
        own = [replace(c, frame=c.frame[c.frame["test_set"].isin([test_set, None])]) for c in self.campaigns
               if c in named or c in general]  # fmt: skip
        return replace(self, campaigns=tuple(own))

    def deciding(self, name: str | None = None) -> tuple[Campaign, ...]:
        """Return the campaigns that decide, in order: adequacy and fluency where both are there, else one."""
        if name is None:
            first_of_kind = [
                next((c for c in self.campaigns if c.dimension in group), None) for group in (ADEQUACY, FLUENCY)
            ]
            both = tuple(c for c in first_of_kind if c is not None)
            if len(both) == 2:
                return both
        return (self.campaign(name),)

    def verdicts(
        self, settings: Settings, name: str | None = None, test: TestName = "rank_sum", alpha: float | None = None
    ) -> HumanVerdicts:
        """Return the verdict of people on every pair."""
        pairs = [campaign.pairs(settings) for campaign in self.deciding(name)]
        return human_verdicts(*pairs, test=test, alpha=alpha)


def open_people(
    judgements: HumanJudgements | Source, outputs: Sequence[str] = (), *, weights: Weights = FREITAG_2021,
    edited: Mapping[tuple[str, str], Sequence[str | None]] = MappingProxyType({}), test_set: str = "",
) -> People:  # fmt: skip
    r"""Return the campaigns of judgements, their systems named as those of the outputs.

    Parameters
    ----------
    judgements : HumanJudgements, path, bytes, or iterable of (relative path, bytes)
        What `LoadResult.recognition.judgements` returns, or files as `load` takes them.
    outputs : sequence of str
        Names of systems whose outputs are there; without any, campaigns before names are taken off.
    weights : Weights
        Penalties of marked errors.
    edited : mapping of (system, replica) to lines
        Outputs of the experiment, for files of post-edits that do not repeat them.
    test_set : str
        Test set of these outputs; post-edits in the folder of another one are left out.

    Raises
    ------
    ValueError
        When no table has a score or a marked error.
    LoadError
        When files cannot be read, or none holds judgements.

    Examples
    --------
    >>> import mtsig_core
    >>> table = b"system,segment,annotator,adequacy\nold,1,ann,3\nnew,1,ann,4\nold,2,ann,4\nnew,2,ann,5\n"
    >>> people = mtsig_core.open_people([("judged.csv", table)])
    >>> means = people.campaign("adequacy").means(mtsig_core.Settings(n_bootstrap=100))
    >>> [(each.system, each.mean) for each in means.systems]
    [('new', 4.5), ('old', 3.5)]
    """
    if not isinstance(judgements, HumanJudgements):
        judgements = find_judgements(judgements)
    (names, match), notes = _names(judgements, outputs), _notes(judgements)
    is_alone = len(judgements.tables) == 1
    tables = [part for table in judgements.tables for part in _by_languages(table.with_systems(names), is_alone)]
    campaigns, penalties = _campaigns(tables, weights, notes)
    post_edits = _post_edits(judgements, names, edited, notes)
    post_edits |= _post_edit_files(of_test_set(judgements.post_edit_files, test_set), edited, notes, len(post_edits))
    campaigns += [_hter_campaign(name, frame) for name, frame in post_edits.items()]
    if not campaigns:
        raise ValueError(_nothing(judgements, notes))
    scores = judgements.metric_scores.replace({"system": names})
    return People(tuple(campaigns), penalties, match, tuple(dict.fromkeys(notes)), scores, post_edits)


def _notes(judgements: HumanJudgements) -> list[str]:
    notes = [note for table in judgements.tables for note in table.notes]
    return notes + [f"{path}: left out. {reason}" for path, reason in judgements.refused.items()]


def _nothing(judgements: HumanJudgements, notes: Sequence[str]) -> str:
    """Return what to say where nothing can be compared, and why post-edits, if these are all there is, are left out."""
    said = "The judgements hold neither scores nor marked errors, so there is nothing to compare."
    has_edits = judgements.post_edits or judgements.post_edit_files
    return f"{said} {notes[-1]}" if has_edits and notes else said


def _by_languages(table: JudgementTable, is_alone: bool) -> Iterator[JudgementTable]:
    """Yield the judgements of each pair of languages: means over several would mix systems that only share a name."""
    pairs = [name for name in table.frame["test_set"].dropna().unique() if language_pair(name)]
    if len(pairs) < 2 or table.frame["test_set"].nunique(dropna=False) > len(pairs):
        yield table
        return
    for pair in pairs:
        name = pair if is_alone else f"{table.file}, {pair}"
        yield replace(table, frame=table.frame[table.frame["test_set"] == pair], file=name)


def _campaigns(
    tables: Sequence[JudgementTable], weights: Weights, notes: list[str]
) -> tuple[list[Campaign], dict[str, Penalties]]:
    """Return the campaigns of all tables, and the penalties of those that mark errors; add why some are not counted."""
    campaigns: list[Campaign] = []
    penalties: dict[str, Penalties] = {}
    marked = [table.frame["spans"].map(bool).any() for table in tables]
    dimensions = [name for table, spans in zip(tables, marked, strict=True)
                  for name in (*table.dimensions, *([MQM] if spans else []))]  # fmt: skip
    for table, has_spans in zip(tables, marked, strict=True):
        campaigns += _scored(table, dimensions)
        if has_spans:
            try:
                counted = mqm_penalties(table.frame, weights)
            except ValueError as error:
                notes.append(f"{table.file}: marked errors are not counted. {error}")
                continue
            name = _campaign_name(MQM, table, dimensions)
            penalties[name] = counted
            campaigns.append(Campaign(name, MQM, True, counted.frame, table))
    return campaigns, penalties


def _scored(table: JudgementTable, dimensions: Sequence[str]) -> Iterator[Campaign]:
    """Yield the campaigns of a table that have a score; one of several of a name gets the file's name beside it."""
    for dimension in table.dimensions:
        own = table.frame[table.frame["dimension"] == dimension]
        if own["score"].notna().any():
            name = _campaign_name(dimension, table, dimensions)
            yield Campaign(name, dimension, table.higher_is_better[dimension], own, table)


def _campaign_name(dimension: str, table: JudgementTable, dimensions: Sequence[str]) -> str:
    """Return the dimension, with the file beside it where several tables have it."""
    return dimension if dimensions.count(dimension) == 1 else f"{dimension} ({table.file.removeprefix('judgements/')})"


def _names(judgements: HumanJudgements, outputs: Sequence[str]) -> tuple[dict[str, str], SystemMatch | None]:
    """Return the names of judged systems as those of outputs, file by file: two files may spell one system apart."""
    judged = [list(table.systems) for table in judgements.tables]
    judged += [list(dict.fromkeys(edited["system"])) for edited in judgements.post_edits.values()]
    names: dict[str, str] = {}
    for own in judged:
        names |= plain_system_names(own)
    if not outputs:
        return names, None
    matches = [match_systems(own, outputs) for own in judged]
    matched = {name: output for match in matches for name, output in match.names.items()}
    unmatched = tuple(dict.fromkeys(name for own in judged for name in own if name not in matched))
    missing = tuple(name for name in outputs if name not in set(matched.values()))
    return {**names, **matched}, SystemMatch(matched, unmatched, missing)


def _post_edits(
    judgements: HumanJudgements, names: Mapping[str, str], outputs: Mapping[tuple[str, str], Sequence[str | None]],
    notes: list[str],
) -> dict[str, pd.DataFrame]:  # fmt: skip
    """Return post-edits beside their outputs with their HTER, by the name of their campaign."""
    edited_tables = {}
    for path, own in judgements.post_edits.items():
        edited = own.assign(system=own["system"].map(lambda name: names.get(name, name)))
        if "output" not in edited:
            edited = with_outputs(edited, outputs)
            if edited.empty:
                notes.append(f"{path}: post-edits without the outputs that were edited. Add a column 'output', or the "
                             "outputs themselves, with the line of each post-edit in a column 'segment'.")  # fmt: skip
                continue
        edited = edited[edited["post_edit"].notna() & edited["output"].notna()].reset_index(drop=True)
        name = HTER if len(judgements.post_edits) == 1 else f"{HTER} ({path})"
        edited_tables[name] = edited.assign(hter=hter_judgements(edited)["score"])
    return edited_tables


def _post_edit_files(
    files: Sequence[PostEditFile], outputs: Mapping[tuple[str, str], Sequence[str | None]], notes: list[str],
    n_tables: int,
) -> dict[str, pd.DataFrame]:
    """Return the post-edits in files of lines beside their outputs with their HTER, by the name of their campaign."""
    parts = []
    for file in files:
        try:
            parts.append(aligned_post_edits([file], outputs))
        except LoadError as error:
            notes.append(f"{error} These post-edits are left out.")
    edited = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if edited.empty:
        return {}
    return {f"{HTER} (files)" if n_tables else HTER: edited.assign(hter=hter_judgements(edited)["score"])}


def _hter_campaign(name: str, edited: pd.DataFrame) -> Campaign:
    frame = hter_judgements(edited.drop(columns="hter"))
    table = JudgementTable("post-edits", "post-edits", frame, {HTER: False}, {HTER: ""})
    return Campaign(name, HTER, False, frame, table)


def outputs_of(experiment: Experiment, test_set: str) -> dict[tuple[str, str], Sequence[str | None]]:
    """Return the lines of every output on a test set, by system and replica; None where a line was left out."""
    in_lines = experiment.test_set(test_set).in_lines
    return {(system.name, replica.name): in_lines(replica.outputs[test_set])
            for system in experiment.systems for replica in system.on(test_set)}  # fmt: skip

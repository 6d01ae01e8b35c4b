"""Human judgements: documents for programs, and tables and sentences for the screen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.annotators import AnnotatorOverview
from mtsig_core.analysis.people.pairs import TESTS, SystemPairs, TestName
from mtsig_core.analysis.people.replicas import ReplicaPairs
from mtsig_core.analysis.people.scales import SmallerScale
from mtsig_core.analysis.people.systems import UNNAMED, SystemMeans, WithAndWithout
from mtsig_core.formatting import (
    UNDEFINED,
    count,
    format_interval,
    format_p,
    format_percent,
    format_score,
    score_decimals,
    separating_decimals,
)
from mtsig_core.loading.judgements.frame import OF_OUTPUTS, JudgementTable
from mtsig_core.loading.report import some
from mtsig_core.reports.documents import Document, plain, versions
from mtsig_core.reports.ranking import groups_sentence, leader_sentence, pairs_sentence
from mtsig_core.reports.tables import readable
from mtsig_core.resampling import Settings
from mtsig_core.significance import PRESETS

_P = re.compile(r"(?<![A-Za-z])p(?![A-Za-z])")
Table = tuple[str, pd.DataFrame]


def records(frame: pd.DataFrame) -> list[Document]:
    """Return a frame as a list of objects; missing values are null."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [plain({str(name): value for name, value in row.items()}) for row in rows]


def tables_document(
    tables: Sequence[Table], settings: Settings, notes: Sequence[str] = (), facts: Mapping[str, object] | None = None
) -> Document:
    """Return the document of several tables: each under its name, with settings and versions."""
    return plain({
        **(facts or {}),
        "tables": {name: records(frame) for name, frame in tables},
        "notes": list(notes),
        "settings": {"seed": settings.seed, "n_bootstrap": settings.n_bootstrap,
                     "n_permutations": settings.n_permutations, "alpha": settings.alpha},
        "versions": versions(),
    })  # fmt: skip


def unmatched_sentences(unmatched: Sequence[str], not_judged: Sequence[str]) -> list[str]:
    """Return which systems have only judgements, or only outputs."""
    lines = []
    if unmatched:
        lines.append(f"Judged, but without outputs: {', '.join(unmatched)}.")
    if not_judged:
        lines.append(f"{count(len(not_judged), 'system')} with outputs that nobody judged: {', '.join(not_judged)}.")
    return lines


# Tables for the screen: texts, with intervals in one cell


def people_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame as people read it: p with the digits it supports, few decimals, no column that says nothing."""
    shown = readable(frame)
    for name in frame.columns:
        if _P.search(str(name)):
            shown[name] = [format_p(None if pd.isna(p) else float(p)) for p in frame[name]]
    return shown[[name for name in shown.columns if not shown[name].isin(["", UNDEFINED]).all()]]


def with_intervals(
    frame: pd.DataFrame, intervals: Mapping[str, tuple[str, str]], decimals: int | None = None
) -> pd.DataFrame:
    """Return a frame whose pairs of columns (low, high) are one column of texts, in the place of the first.

    They have as many decimals as scores of their size, where `decimals` does not say how many.
    """
    columns: dict[str, object] = {}
    lows = {low: (title, high) for title, (low, high) in intervals.items()}
    highs = {high for _, high in intervals.values()}
    for name in frame.columns:
        if name in lows:
            title, high = lows[name]
            ends = [None if pd.isna(a) or pd.isna(b) else (float(a), float(b))
                    for a, b in zip(frame[name], frame[high], strict=True)]  # fmt: skip
            digits = decimals or score_decimals(value for pair in ends if pair for value in pair)
            columns[title] = [format_interval(pair, digits) for pair in ends]
        elif name not in highs:
            columns[name] = frame[name].tolist()
    return pd.DataFrame(columns)


def mean_table(means: SystemMeans) -> pd.DataFrame:
    """Return means of systems with their intervals."""
    frame = means.to_frame()
    decimals = separating_decimals(frame["standardised mean"].dropna())
    if np.allclose(frame["mean"], frame["mean over judgements"], rtol=0, atol=1e-9):
        frame = frame.drop(columns="mean over judgements")
    frame["standardised mean"] = [format_score(mean, decimals) for mean in frame["standardised mean"]]
    standardised = {"standardised interval": ("standardised low", "standardised high")}
    return people_table(with_intervals(with_intervals(frame, standardised, decimals), {"interval": ("low", "high")}))


def pair_table(pairs: SystemPairs, test: TestName, *, standardised: bool = False) -> pd.DataFrame:
    """Return all pairs under one test, with p of both sides and Holm's correction.

    Parameters
    ----------
    pairs : SystemPairs
    test : str
    standardised : bool
        Whether the scores are: their differences are small, and have two decimals all the same.
    """
    chosen = pairs.to_frame()[pair_columns(test)].assign(note=[row.tests[test].note for row in pairs.rows])
    chosen.columns = [name.removeprefix(f"{TESTS[test]}: ") for name in chosen.columns]
    if standardised:
        chosen["B − A"] = [format_score(difference) for difference in chosen["B − A"]]
    chosen["win rate A"] = [format_percent(None if pd.isna(share) else share) for share in chosen["win rate A"]]
    decimals = 2 if standardised else None
    return people_table(with_intervals(chosen, {"interval": ("low", "high")}, decimals))


def pair_columns(test: TestName) -> list[str]:
    """Return the columns of `SystemPairs.to_frame` that one test needs."""
    own = [f"{TESTS[test]}: {name}" for name in ("p", "p, A better", "p, B better", "p, Holm")]
    return ["A", "B", "B − A", "low", "high", *own, "win rate A", "items A", "items B", "shared"]


_SHORT = {"coherent": "p", "crossed": "p, crossed", "welch-replicas": "p, Welch", "ar-replica": "p, permuting"}


def replica_pair_table(pairs: ReplicaPairs) -> pd.DataFrame:
    """Return all pairs under the tests that count the spread of judged replicas, in short headings."""
    frame = with_intervals(pairs.to_frame(), {"interval": ("low", "high")})
    shown = people_table(frame).rename(columns={f"p, {PRESETS[name].label}": short for name, short in _SHORT.items()})
    if "p" in shown and "p, Holm" in shown:
        shown.insert(list(shown.columns).index("p") + 1, "p, Holm", shown.pop("p, Holm"))
    return shown if frame["note"].ne("").any() else shown.drop(columns="note", errors="ignore")


def replica_pair_sentence(pairs: ReplicaPairs) -> str:
    """Return how many pairs differ when the spread of replicas counts, and what these tests cover."""
    p = [row.p_holm for row in pairs.rows if row.p_holm is not None]
    if not p:
        return "No pair of systems has an item on which every replica was judged, so no test of replicas applies."
    n = sum(value < pairs.alpha for value in p)
    differ = f"{pairs_sentence(n, len(p))} at α = {pairs.alpha:g} (coherent test{', Holm' if len(p) > 1 else ''})"
    return (
        f"With the spread of judged replicas counted, {differ}. These tests ask whether the "
        "training setup is better, with new replicas and on new text. The rank-sum test asks it of the judged outputs "
        "alone."
    )


def other_tests_table(pairs: SystemPairs) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the p of every test but the rank-sum test, each with Holm's: for people in few columns, and in full."""
    frame = pairs.to_frame()
    of_others = [name for name in frame.columns if name.startswith(tuple(TESTS[t] for t in TESTS if t != "rank_sum"))]
    wins = ["A", "B", "A better", "ties", "B better"]
    notes = [" ".join(dict.fromkeys(each.note for name, each in row.tests.items() if each.note and name != "rank_sum"))
             for row in pairs.rows]  # fmt: skip
    frame = frame.assign(note=notes)
    shown = [*wins, *(name for name in of_others if name.endswith("Holm")), "note"]
    return people_table(frame[shown]), frame[[*wins, *of_others, "note"]]


def without_table(both: WithAndWithout) -> pd.DataFrame:
    """Return ranks and means of everybody beside those without some annotators."""
    ends = {f"interval ({who})": (f"low ({who})", f"high ({who})") for who in ("everyone", "without")}
    return people_table(with_intervals(both.to_frame(), ends))


def left_out_sentence(left_out: Sequence[str]) -> str:
    """Return whose scores cannot be standardised, or an empty text."""
    named = ", ".join(name for name in left_out if name != UNNAMED)
    few = f"Not standardised, as all scores are equal or fewer than two: {named}." if named else ""
    unnamed = "Judgements that name no annotator are not standardised." if UNNAMED in left_out else ""
    return f"{few} {unnamed}".strip()


def lines_left_out_sentence(n: int, test_set: str) -> str:
    """Return how many judgements are of lines without a reference, or an empty text where none is."""
    if n == 0:
        return ""
    return (
        f"{count(n, 'judgement')} of {test_set} {'is' if n == 1 else 'are'} not used here: "
        f"{'its line has' if n == 1 else 'their lines have'} no reference, so no metric scores "
        f"{'it' if n == 1 else 'them'}."
    )


def scale_sentence(smaller: SmallerScale | None, campaign: str) -> str:
    """Return who used a smaller scale than others, and what to do; an empty text where nobody did."""
    if smaller is None:
        return ""
    who = f"{count(len(smaller.annotators), 'annotator')} ({some(smaller.annotators, 5)})"
    return (
        f"{campaign}: {who} gave at most {smaller.most:g}, others up to {smaller.others_most:g}. These look like "
        "different scales, so means of scores as given depend on who judged what. Use standardised scores, or bring "
        "the file to one scale."
    )


def ranking_sentence(pairs: SystemPairs) -> str:
    """Return who leads by the rank-sum test with Holm's correction, how many pairs differ, and the groups of ranks."""
    if not pairs.rows:
        return "One system was judged, so there is no other to compare it with."
    separated = {frozenset(pair) for pair, winner in pairs.better(corrected=True).items() if winner}
    leader = leader_sentence(pairs.systems, separated)
    differ = pairs_sentence(len(separated), len(pairs.rows))
    test = f"rank-sum test{', Holm' if len(pairs.rows) > 1 else ''}"
    groups = groups_sentence(pairs.clusters())
    start = f"According to people, {leader}. {differ[0].upper()}{differ[1:]} at α = {pairs.alpha:g} ({test})."
    return f"{start} {groups}".strip()


def annotator_table(overview: AnnotatorOverview) -> pd.DataFrame:
    """Return annotators with headings for people, and what to look at in the second column."""
    titles = {
        "name": "annotator", "note": "check", "n": "judgements", "n_systems": "systems", "mean": "mean", "sd": "sd",
        "seconds": "median seconds", "n_repeats": "repeats", "repeat_difference": "difference on repeats",
        "n_damaged": "damaged copies", "damage_gap": "intact − damaged", "damage_p": "p, damaged scored worse",
    }  # fmt: skip
    frame = overview.to_frame()[list(titles)].rename(columns=titles)
    return people_table(frame)


def suspects_sentence(overview: AnnotatorOverview) -> str:
    """Return who does not score damaged copies worse, as far as that was checked."""
    checked = sum(each.damage_p is not None for each in overview.annotators)
    if not checked:
        return f"{count(len(overview.annotators), 'annotator')}; too few damaged copies to check whether they read."
    if not overview.suspects:
        return f"All {count(checked, 'annotator')} with damaged copies score them worse than the intact outputs."
    verb = "does" if len(overview.suspects) == 1 else "do"
    return (
        f"Of {count(checked, 'annotator')} who got damaged copies, {len(overview.suspects)} {verb} not score them "
        f"worse than the intact outputs (α = {overview.alpha:g}): {', '.join(overview.suspects)}."
    )


def balance_sentence(overview: AnnotatorOverview) -> str:
    """Return how balanced the shares of systems are that annotators saw."""
    value = overview.imbalance
    if value is None:
        return "One annotator or one system: there are no shares to compare."
    return (
        f"Imbalance (Cramér's V): {value:.2f}. It is 0 when all annotators see equal shares of the systems; the larger "
        "it is, the less raw means can be trusted where annotators differ in strictness."
    )


def without_sentence(both: WithAndWithout) -> str:
    """Return what leaving annotators out changes."""
    moved = f"The rank changes of {', '.join(both.moved)}." if both.moved else "No rank changes."
    return f"Without {', '.join(both.removed)}: {count(both.n_removed, 'judgement')} fewer. {moved}"


def file_table(tables: Sequence[JudgementTable]) -> pd.DataFrame:
    """Return how many judgements of each kind every dimension has; what is not an output or a repeat is set aside."""
    rows = []
    for table in dict.fromkeys(tables):
        for (dimension, kind), own in table.frame.groupby(["dimension", "item_type"], sort=False):
            used = "used" if kind in OF_OUTPUTS else "set aside"
            rows.append((table.file, table.format, dimension, kind, used, len(own), int(own["score"].notna().sum())))
    names = ["file", "format", "dimension", "kind", "used or set aside", "judgements", "with a score"]
    return pd.DataFrame(rows, columns=names)

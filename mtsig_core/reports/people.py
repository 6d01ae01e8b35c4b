"""Human judgements and metrics against people: documents for programs and tables for the screen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from mtsig_core.analysis.people.annotators import AnnotatorOverview
from mtsig_core.analysis.people.meta_evaluation.automatic_tests import TestAgreement, TestsAgainstPeople
from mtsig_core.analysis.people.meta_evaluation.correlation import MetricAgainstPeople
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import MetricComparisons
from mtsig_core.analysis.people.meta_evaluation.segment_level import SegmentLevel
from mtsig_core.analysis.people.pairs import TESTS, SystemPairs, TestName
from mtsig_core.analysis.people.systems import SystemMeans, WithAndWithout
from mtsig_core.formatting import (
    UNDEFINED,
    count,
    format_interval,
    format_p,
    format_percent,
    number,
    score_decimals,
)
from mtsig_core.loading.judgements.frame import OF_OUTPUTS, JudgementTable
from mtsig_core.reports.documents import Document, plain, versions
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


def spread_sentence(metric: str, averaged: float | None, interval: tuple[float, float] | None, level: float) -> str:
    """Return what one replica per system would have reported, or an empty text."""
    if averaged is None or interval is None:
        return ""
    low, high = interval
    return (
        f"{metric}: r = {averaged:.3f} over averaged replicas. A paper with one replica per system would have reported "
        f"r between {low:.3f} and {high:.3f} ({format_percent(level)} of the choices of replicas)."
    )


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


def _with_intervals(frame: pd.DataFrame, intervals: Mapping[str, tuple[str, str]]) -> pd.DataFrame:
    """Return a frame whose pairs of columns (low, high) are one column of texts, in the place of the first."""
    columns: dict[str, object] = {}
    lows = {low: (title, high) for title, (low, high) in intervals.items()}
    highs = {high for _, high in intervals.values()}
    for name in frame.columns:
        if name in lows:
            title, high = lows[name]
            ends = [None if pd.isna(a) or pd.isna(b) else (float(a), float(b))
                    for a, b in zip(frame[name], frame[high], strict=True)]  # fmt: skip
            decimals = score_decimals(value for pair in ends if pair for value in pair)
            columns[title] = [format_interval(pair, decimals) for pair in ends]
        elif name not in highs:
            columns[name] = frame[name].tolist()
    return pd.DataFrame(columns)


def mean_table(means: SystemMeans) -> pd.DataFrame:
    """Return means of systems with their intervals."""
    both = {"interval": ("low", "high"), "standardised interval": ("standardised low", "standardised high")}
    return people_table(_with_intervals(means.to_frame(), both))


def pair_table(pairs: SystemPairs, test: TestName) -> pd.DataFrame:
    """Return all pairs under one test, with p of both sides and Holm's correction."""
    frame, label = pairs.to_frame(), TESTS[test]
    own = {f"{label}: {name}": name for name in ("p", "p, A better", "p, B better", "p, Holm")}
    names = ["A", "B", "items A", "items B", "shared", "B − A", "low", "high", "win rate A", *own]
    chosen = frame[[*names, "note"]].rename(columns=own)
    order = ["A", "B", "B − A", "low", "high", *own.values(), "win rate A", "items A", "items B", "shared", "note"]
    return people_table(_with_intervals(chosen[order], {"interval": ("low", "high")}))


def groups_sentence(pairs: SystemPairs) -> str:
    """Return the groups of ranks by the rank-sum test with Holm's correction, and how many pairs differ."""
    clusters = pairs.clusters()
    decided = sum(bool(winner) for winner in pairs.better(corrected=True).values())
    end = f"{decided} of {count(len(pairs.rows), 'pair')} differ at α = {pairs.alpha:g} (rank-sum test, Holm)."
    if len(clusters) == 1:
        return f"People separate no group of systems from the others. {end}"
    groups = " > ".join("{" + ", ".join(cluster) + "}" for cluster in clusters)
    return f"{count(len(clusters), 'group')}: {groups}. {end}"


def annotator_table(overview: AnnotatorOverview) -> pd.DataFrame:
    """Return annotators with headings for people, and what to look at in the second column."""
    titles = {
        "name": "annotator", "note": "look at", "n": "judgements", "n_systems": "systems", "mean": "mean", "sd": "sd",
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
    return (
        f"{len(overview.suspects)} of {count(checked, 'annotator')} with damaged copies do not score them worse "
        f"(α = {overview.alpha:g}): {', '.join(overview.suspects)}."
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


def correlation_table(result: MetricAgainstPeople) -> pd.DataFrame:
    """Return coefficients with their intervals."""
    both = {"bootstrap": ("low", "high"), "Fisher": ("Fisher low", "Fisher high")}
    frame = _with_intervals(result.to_frame().drop(columns="metric"), both)
    return people_table(frame[["coefficient", "points", "value", "bootstrap", "Fisher", "n", "note"]])


def outlier_sentence(result: MetricAgainstPeople) -> str:
    """Return which systems are outliers by people and what r is without them, and which systems lack a score."""
    lines = []
    if result.outliers:
        own, without = result.coefficients["pearson"].value, result.without_outliers["pearson"].value
        names = ", ".join(result.outliers)
        lines.append(f"Outliers by people: {names}. Pearson's r is {number(own, 3)} with and {number(without, 3)} "
                     "without them.")  # fmt: skip
    elif len(result.names) > 2:
        lines.append("No system is an outlier by people.")
    if result.missing:
        lines.append(f"Without a score of both: {', '.join(result.missing)}.")
    return " ".join(lines)


def segment_table(levels: Sequence[SegmentLevel]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the statistics at segment level, as numbers and with intervals as texts."""
    frame = pd.concat([level.to_frame() for level in levels], ignore_index=True)
    return frame, _with_intervals(frame, {"interval": ("low", "high")})


def metric_pair_table(compared: MetricComparisons) -> pd.DataFrame:
    """Return all pairs of metrics with both tests of the difference of their correlations."""
    names = ["metric A", "metric B", "r A", "r B", "r A − r B", "Williams p, two-sided", "Williams p, two-sided, Holm",
             "permutation p, two-sided", "note"]  # fmt: skip
    return people_table(compared.to_frame()[names])


def mistake_sentence(metrics: Sequence[MetricAgainstPeople], compared: MetricComparisons, alpha: float) -> str:
    """Return what testing each correlation against 0 would have concluded, beside what the right test concludes."""
    significant = {m.metric: (m.coefficients["pearson"].p_zero or 0.0) < alpha for m in metrics
                   if m.coefficients["pearson"].p_zero is not None}  # fmt: skip
    wrong = [p for p in compared.pairs if significant.get(p.a) is not significant.get(p.b)]
    right = [p for p in compared.pairs if (p.williams.p_two_sided or 1.0) < alpha]
    counted = f"{sum(significant.values())} of {count(len(significant), 'metric')}"
    start = (f"{counted} correlate significantly with people when each r is tested against 0. "
             "That does not compare metrics.")
    if wrong:
        pairs = ", ".join(f"{p.a} and {p.b}" for p in wrong)
        start += f" It would seem to separate {pairs}, as one is significant and the other is not."
    return f"{start} Williams' test separates {len(right)} of {count(len(compared.pairs), 'pair')} at α = {alpha:g}."


def tie_table(levels: Sequence[SegmentLevel]) -> pd.DataFrame:
    """Return pairwise accuracy within segments with calibrated ties, one row per metric."""
    rows = [(each.metric, each.ties.accuracy, each.ties.accuracy_without, each.ties.epsilon, each.ties.n_pairs,
             each.ties.n_human_ties) for each in levels]  # fmt: skip
    names = ["metric", "accuracy, calibrated", "accuracy, equal scores tie", "ties up to", "pairs", "ties of people"]
    return pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names[1:4], float))


def agreement_table(result: TestsAgainstPeople) -> pd.DataFrame:
    """Return the accuracy of each test with the kinds of disagreement; presets by their labels."""
    frame = _with_intervals(result.to_frame(), {"interval": ("low", "high")})
    shares = [format_percent(value) for value in result.to_frame()["accuracy"]]
    ends = [f"{format_percent(r.interval[0])} to {format_percent(r.interval[1])}" for r in result.rows]
    frame = frame.assign(preset=[PRESETS[r.preset].label for r in result.rows], accuracy=shares, interval=ends)
    order = ["preset", "metric", "alpha", "accuracy", "interval", "right", "missed", "false", "wrong side", "pairs"]
    return frame[order].rename(columns={"preset": "test", "alpha": "α", "interval": f"{result.level:.0%} interval"})


def agreement_sentence(row: TestAgreement) -> str:
    """Return how one test agrees with people."""
    return (
        f"{PRESETS[row.preset].label} with {row.metric} at α = {row.alpha:g} agrees with people on {row.right} of "
        f"{count(row.n, 'pair')} ({format_percent(row.accuracy)}): {row.missed} missed, {row.false} false, "
        f"{row.wrong_side} on the wrong side."
    )

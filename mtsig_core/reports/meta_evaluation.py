"""Metrics and significance tests against people: tables and sentences for the screen."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mtsig_core.analysis.people.meta_evaluation.automatic_tests import TestAgreement, TestsAgainstPeople
from mtsig_core.analysis.people.meta_evaluation.correlation import MetricAgainstPeople
from mtsig_core.analysis.people.meta_evaluation.correlation_tests import MetricComparisons
from mtsig_core.analysis.people.meta_evaluation.pair_accuracy import PairAccuracies
from mtsig_core.analysis.people.meta_evaluation.replica_spread import ReplicaSpread
from mtsig_core.analysis.people.meta_evaluation.segment_level import SegmentLevel
from mtsig_core.analysis.people.meta_evaluation.worth import PointWorth
from mtsig_core.formatting import count, format_percent, number
from mtsig_core.reports.people import people_table, with_intervals
from mtsig_core.significance import PRESETS

_DIGITS = 3


def spread_sentence(metric: str, averaged: float | None, interval: tuple[float, float] | None, level: float) -> str:
    """Return what one replica per system would have reported, or an empty text."""
    if averaged is None or interval is None:
        return ""
    low, high = interval
    return (
        f"{metric}: r = {number(averaged, 3)} over averaged replicas. A paper with one replica per system would have "
        f"reported r between {number(low, 3)} and {number(high, 3)} ({format_percent(level)} of the choices of "
        "replicas)."
    )


def correlation_table(result: MetricAgainstPeople) -> pd.DataFrame:
    """Return coefficients with their intervals."""
    both = {"bootstrap": ("low", "high"), "Fisher": ("Fisher low", "Fisher high")}
    frame = with_intervals(result.to_frame().drop(columns="metric"), both, _DIGITS)
    columns = ["coefficient", "points", "value", "bootstrap", "Fisher", "n", "note"]
    return people_table(_few_digits(frame, "value")[columns])


def _few_digits(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Return a frame whose correlations are texts: of a handful of systems, none is known to four decimals."""
    return frame.assign(**{name: [number(value, _DIGITS) for value in frame[name]] for name in names})


def all_correlations_table(results: Sequence[MetricAgainstPeople]) -> pd.DataFrame:
    """Return the coefficients of several metrics below each other."""
    tables = [correlation_table(each) for each in results]
    for table, each in zip(tables, results, strict=True):
        table.insert(0, "metric", each.metric)
    return pd.concat(tables, ignore_index=True).fillna("")


def accuracy_table(accuracies: PairAccuracies) -> pd.DataFrame:
    """Return the share of pairs of systems that each metric orders as people do, with both intervals."""
    both = {"exact interval": ("exact low", "exact high"), "over segments": ("bootstrap low", "bootstrap high")}
    frame = with_intervals(accuracies.to_frame(), both, _DIGITS)
    return people_table(_few_digits(frame, "accuracy", "soft pairwise accuracy"))


def worth_table(worth: PointWorth) -> pd.DataFrame:
    """Return the bins of differences, with the shares of pairs as percent."""
    frame = worth.to_frame().drop(columns="metric")
    for name in ("people agree", "significant", "published"):
        frame[name] = [format_percent(None if pd.isna(share) else share) for share in frame[name]]
    frame["low"] = [f"{format_percent(b.interval[0])} to {format_percent(b.interval[1])}" for b in worth.bins]
    return people_table(frame.drop(columns="high").rename(columns={"low": "interval"}))


def outlier_sentence(result: MetricAgainstPeople) -> str:
    """Return which systems are outliers by people and what r is without them, and which systems lack a score."""
    lines = []
    if result.outliers:
        own, without = result.coefficients["pearson"].value, result.without_outliers["pearson"].value
        several = len(result.outliers) > 1
        what, them = ("Outliers", "them") if several else ("Outlier", "it")
        lines.append(f"{what} in people's scores: {', '.join(result.outliers)}. Pearson's r is {number(own, 3)} with "
                     f"{them} and {number(without, 3)} without.")  # fmt: skip
    elif len(result.names) > 2:
        lines.append("No system is an outlier in people's scores.")
    if result.missing:
        lines.append(f"Without a score of both: {', '.join(result.missing)}.")
    return " ".join(lines)


def segment_table(levels: Sequence[SegmentLevel]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the statistics at segment level, as numbers and with intervals as texts."""
    frame = pd.concat([level.to_frame() for level in levels], ignore_index=True)
    return frame, _few_digits(with_intervals(frame, {"interval": ("low", "high")}, _DIGITS), "value")


def metric_pair_table(compared: MetricComparisons) -> pd.DataFrame:
    """Return all pairs of metrics with both tests of the difference of their correlations."""
    names = ["metric A", "metric B", "r A", "r B", "r A − r B", "Williams p, two-sided", "Williams p, two-sided, Holm",
             "permutation p, two-sided", "note"]  # fmt: skip
    return people_table(_few_digits(compared.to_frame()[names], "r A", "r B", "r A − r B"))


def mistake_sentence(metrics: Sequence[MetricAgainstPeople], compared: MetricComparisons, alpha: float) -> str:
    """Return what testing each correlation against 0 would have concluded, beside what the right test concludes."""
    significant = {m.metric: (m.coefficients["pearson"].p_zero or 0.0) < alpha for m in metrics
                   if m.coefficients["pearson"].p_zero is not None}  # fmt: skip
    wrong = [p for p in compared.pairs if significant.get(p.a) is not significant.get(p.b)]
    right = [p for p in compared.pairs if (p.williams.p_two_sided or 1.0) < alpha]
    if not significant:
        return "With so few systems, r can neither be tested against 0 nor compared between metrics."
    n = sum(significant.values())
    start = (f"{n} of {count(len(significant), 'metric')} {'correlates' if n == 1 else 'correlate'} significantly "
             "with people when each r is tested against 0. That does not compare metrics.")
    if wrong:
        pairs = ", ".join(f"{p.a} and {p.b}" for p in wrong)
        start += f" It would seem to separate {pairs}, as one is significant and the other is not."
    return f"{start} Williams' test separates {len(right)} of {count(len(compared.pairs), 'pair')} at α = {alpha:g}."


def tie_table(levels: Sequence[SegmentLevel], *, for_people: bool = False) -> pd.DataFrame:
    """Return pairwise accuracy within segments with calibrated ties, one row per metric; for people with few digits."""
    rows = [(each.metric, each.ties.accuracy, each.ties.accuracy_without, each.ties.epsilon, each.ties.n_pairs,
             each.ties.n_human_ties) for each in levels]  # fmt: skip
    names = ["metric", "accuracy, calibrated", "accuracy, equal scores tie", "ties up to", "pairs", "ties of people"]
    frame = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(names[1:4], float))
    return _few_digits(frame, "accuracy, calibrated", "accuracy, equal scores tie") if for_people else frame


def agreement_table(result: TestsAgainstPeople, *, labels: bool = True) -> pd.DataFrame:
    """Return the accuracy of each test with the kinds of disagreement; presets by their labels, or by their names."""
    frame = with_intervals(result.to_frame(), {"interval": ("low", "high")})
    shares = [format_percent(value) for value in result.to_frame()["accuracy"]]
    ends = [f"{format_percent(r.interval[0])} to {format_percent(r.interval[1])}" for r in result.rows]
    names = [PRESETS[r.preset].label if labels else r.preset for r in result.rows]
    frame = frame.assign(preset=names, accuracy=shares, interval=ends)
    order = ["preset", "metric", "alpha", "accuracy", "interval", "right", "missed", "false", "wrong side", "pairs"]
    return frame[order].rename(columns={"preset": "test", "alpha": "α", "interval": f"{result.level:.0%} interval"})


def agreement_sentence(row: TestAgreement) -> str:
    """Return how one test agrees with people."""
    return (
        f"{PRESETS[row.preset].label} with {row.metric} at α = {row.alpha:g} agrees with people on {row.right} of "
        f"{count(row.n, 'pair')} ({format_percent(row.accuracy)}): {row.missed} missed, {row.false} false, "
        f"{row.wrong_side} on the wrong side."
    )


def verdict_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the verdicts of people and of one test on every pair, as `TestsAgainstPeople.pair_frame` gives them."""
    words = {"people": pairs["people"].replace("", "neither"), "test": pairs["test"].replace("", "neither")}
    return people_table(pairs.assign(**words))


def spread_table(spreads: Sequence[ReplicaSpread]) -> pd.DataFrame:
    """Return r of averaged replicas beside those of one replica per system."""
    frame = pd.concat([each.to_frame() for each in spreads], ignore_index=True)
    return people_table(with_intervals(frame, {"interval": ("low", "high")}))


def spread_lines(spreads: Sequence[ReplicaSpread], level: float) -> list[str]:
    """Return what one replica per system would have reported, or why that is not known, for each metric."""
    notes = {each.note for each in spreads}
    if len(notes) == 1 and all(each.interval is None for each in spreads):
        return [*notes]
    lines = []
    for each in spreads:
        line = spread_sentence(each.metric, each.averaged, each.interval, level)
        lines.append(line or (f"{each.metric}: {each.note}" if each.note else ""))
    return lines

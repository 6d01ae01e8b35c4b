"""Segments and judgements as lines for people and documents for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
import pandas as pd

from mtsig_core.analysis.reading.annotation import AnnotationResult, mean_digits, names_of
from mtsig_core.analysis.reading.median import RankTable
from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.experiment import Experiment
from mtsig_core.formatting import UNDEFINED, count, format_p, format_percent, number
from mtsig_core.reports.documents import plain, settings_document

Order = Literal["gain", "loss", "index"]
ORDERS: tuple[Order, ...] = ("gain", "loss", "index")


def ranked(table: SegmentTable, order: Order, limit: int | None = None) -> list[int]:
    """Return places in a table: the largest gain of b first, its largest loss first, or as in the test set."""
    keys = {"gain": -table.gain, "loss": table.gain, "index": np.arange(len(table.gain))}
    return np.argsort(keys[order], kind="stable").tolist()[:limit]


def segments_document(
    table: SegmentTable, places: Sequence[int], select_on: str, experiment: Experiment, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the document of ``segments``; gain is positive where the system is better, whatever the metric."""
    names = {"a": table.a[0], "b": table.b[0], "": None}
    rows = [
        {
            "segment": table.index[i],
            "document": table.document[i] if table.document else None,
            "source": table.source[i] if table.source else None,
            "references": table.references[i],
            "baseline": _side(table.output_a[i], table.score_a[i], table.spread_a, i),
            "system": _side(table.output_b[i], table.score_b[i], table.spread_b, i),
            "gain": table.gain[i],
            "all_replicas_say": names[table.agree[i]],
        }
        for i in places
    ]
    sides = {side: {"system": output[0], "replica": output[1]} for side, output in
             (("baseline", table.a), ("system", table.b))}  # fmt: skip
    head = {"test_set": table.test_set, "metric": table.metric, "higher_is_better": table.higher_is_better}
    return plain({**head, **sides, "select_on": select_on, "n_segments": len(table.index), "segments": rows,
                  "notes": notes, "settings": settings_document(None, experiment)})  # fmt: skip


def _side(output: str, score: float, spread: Spread, i: int) -> dict[str, Any]:
    over = {"lowest": spread.low[i], "mean": spread.mean[i], "highest": spread.high[i]}
    return {"output": output, "score": score, **over}


def segment_lines(table: SegmentTable, places: Sequence[int], decimals: int = 1) -> list[str]:
    """Return segments for people, a few lines each."""
    names = {"a": table.a[0], "b": table.b[0]}
    lines = []
    for i in places:
        document = f" ({table.document[i]})" if table.document else ""
        agree = f"; all replicas say {names[table.agree[i]]}" if table.agree[i] else ""
        lines.append(f"segment {table.index[i]}{document}: gain {number(table.gain[i], decimals, sign=True)} "
                     f"{table.label}{agree}")  # fmt: skip
        lines += [f"  source: {table.source[i]}"] if table.source else []
        lines += [f"  reference: {text}" for text in table.references[i]]
        for output, text, score, spread in (
            (table.a, table.output_a[i], table.score_a[i], table.spread_a),
            (table.b, table.output_b[i], table.score_b[i], table.spread_b),
        ):
            over = f"{number(spread.low[i], decimals)} to {number(spread.high[i], decimals)}"
            lines.append(f"  {'/'.join(output)} ({number(score, decimals)}, all replicas {over}): {text}")
    return lines


def annotation_frame(result: AnnotationResult) -> pd.DataFrame:
    """Return human judgements as people read them: one row per column; A and B as in `annotation_sides`."""
    digits = mean_digits(value for c in result.columns for value in (c.mean_a, c.mean_b))
    percent = f"{100 * result.level:g}%"
    return pd.DataFrame(
        {
            "asked": [c.column for c in result.columns],
            "segments": [c.n for c in result.columns],
            "mean A": [number(c.mean_a, digits) for c in result.columns],
            "mean B": [number(c.mean_b, digits) for c in result.columns],
            "A better": [c.wins_a for c in result.columns],
            "ties": [c.ties for c in result.columns],
            "B better": [c.wins_b for c in result.columns],
            "B wins, without ties": [format_percent(c.win_rate) for c in result.columns],
            f"{percent} interval": [
                UNDEFINED if c.low is None or c.high is None else f"{format_percent(c.low)} to {format_percent(c.high)}"
                for c in result.columns
            ],
            "Wilcoxon p": [format_p(c.p) for c in result.columns],
        }
    )


def annotation_sides(result: AnnotationResult) -> str:
    """Return which outputs A and B are."""
    return f"A: {'/'.join(result.a)}, B: {'/'.join(result.b)}"


def annotation_headline(result: AnnotationResult, alpha: float = 0.05) -> str:
    """Return in one sentence which output people prefer, by the ranking if there is one, else by the first column."""
    if not result.columns:
        return "No segment was judged on both sides, so nothing can be compared."
    c = next((c for c in result.columns if c.column == "ranking"), result.columns[0])
    a, b = names_of(result.a, result.b)
    of = f"of {count(c.n, 'segment')} ({c.column})"
    wins = f"{b} is better on {c.wins_b}, {a} on {c.wins_a}, neither on {c.ties} {of}"
    if c.p is None:
        return f"{wins}: nothing to test."
    better = b if c.wins_b > c.wins_a else a
    if c.p > alpha:
        return f"{wins}; p {_p(c.p)}: these judgements do not tell which is better."
    # the test weighs differences by size, and may point the other way than the count of wins
    means = c.mean_b - c.mean_a if c.higher_is_better else c.mean_a - c.mean_b
    if (means > 0) != (c.wins_b > c.wins_a):
        return f"{wins}; p {_p(c.p)}, but wins and means point to different sides: look at the rows."
    return f"{wins}; p {_p(c.p)}: people find {better} better."


def _p(p: float) -> str:
    text = format_p(p)
    return text if text.startswith("<") else f"= {text}"


def annotation_notes(result: AnnotationResult) -> list[str]:
    """Return notes on the judgements: who and how many, and what loading the files reported."""
    who = count(len(result.annotators), "annotator") if result.annotators else "no annotator named"
    lines = [f"{count(result.n_segments, 'segment')} judged, {who}."]
    if result.n_repeated:
        lines.append(f"{count(result.n_repeated, 'segment')} judged by two or more people: averaged before they count.")
    return [*lines, *(c.note for c in result.columns if c.note), *result.notes]


def annotation_document(result: AnnotationResult, test_set: str, drawn: str) -> dict[str, Any]:
    """Return the document of ``annotate --read``."""
    return plain(
        {
            "test_set": test_set,
            "drawn": drawn,
            "baseline": {"system": result.a[0], "replica": result.a[1]},
            "system": {"system": result.b[0], "replica": result.b[1]},
            "level": result.level,
            "columns": [
                {
                    "column": c.column, "higher_is_better": c.higher_is_better, "segments": c.n,
                    "mean_baseline": c.mean_a, "mean_system": c.mean_b, "wins_baseline": c.wins_a, "ties": c.ties,
                    "wins_system": c.wins_b, "win_rate": c.win_rate,
                    "interval": None if c.low is None else [c.low, c.high], "p": c.p, "note": c.note,
                }
                for c in result.columns
            ],
            "errors": [{"error": e.name, "baseline": e.a, "system": e.b} for e in result.errors],
            "annotators": result.annotators,
            "segments": result.n_segments,
            "segments_by_several": result.n_repeated,
            "notes": result.notes,
        }
    )


def rank_frame(table: RankTable, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return replicas as a reader chooses among them: the closest to the medians first, medians named.

    Parameters
    ----------
    table : RankTable
    labels : mapping of metric name to what people call it
    """
    order = np.argsort(table.distance, kind="stable")
    frame = pd.DataFrame({"replica": [table.replicas[i] for i in order]})
    for j, (name, median) in enumerate(zip(table.metrics, table.medians, strict=True)):
        frame[f"rank by {labels[name]}"] = [
            f"{table.ranks[i, j]:g}{', median' if table.replicas[i] == median else ''}" for i in order
        ]
    return frame.assign(**{"distance to medians": [f"{table.distance[i]:.1f}" for i in order]})


def agreement_words(table: SegmentTable, place: int, n_a: int, n_b: int) -> str:
    """Return whether a segment's difference is the systems' or of the two replicas that are shown.

    Parameters
    ----------
    table : SegmentTable
    place : int
        From 0.
    n_a, n_b : int
        Replicas of each system.
    """
    sides = {"a": (table.a[0], n_a, table.b[0], n_b), "b": (table.b[0], n_b, table.a[0], n_a)}
    if table.output_a[place] == table.output_b[place]:
        return "Both outputs are the same."
    if n_a == n_b == 1:
        return "One replica of each system: whether other replicas would differ here is unknown."
    if not table.agree[place] and table.gain[place] == 0:
        return "Both outputs have the same score here."
    if not table.agree[place]:
        return "Replicas of the two systems overlap here: the difference may be due to these two outputs."
    better, n, worse, m = sides[table.agree[place]]
    every = f"All {n} replicas of {better} beat" if n > 1 else f"The one replica of {better} beats"
    other = f"all {m} of {worse}" if m > 1 else f"the one of {worse}"
    return f"{every} {other} here: the difference is not due to these two outputs alone."

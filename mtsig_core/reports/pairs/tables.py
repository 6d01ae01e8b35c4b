"""Tables of two systems, and of all pairs, as people read them: texts with the digits that the draws support."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import pandas as pd

from mtsig_core.analysis.calibration.arena import AlarmTable
from mtsig_core.analysis.calibration.inflation import Inflation
from mtsig_core.analysis.comparison.combined import Combined
from mtsig_core.analysis.comparison.results import Comparison
from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.analysis.replicas.p_by_n import PByN
from mtsig_core.analysis.systems.pairwise import Correction, Pairwise
from mtsig_core.analysis.systems.s_diff import PAgainstDifference
from mtsig_core.analysis.systems.three_methods import ThreeMethods
from mtsig_core.formatting import format_p, format_score, number, rare_share, score_decimals
from mtsig_core.reports.pairs.comparator import SYMBOLS
from mtsig_core.reports.pairs.p_by_n import PERMUTED
from mtsig_core.reports.tables import readable
from mtsig_core.resampling import Settings
from mtsig_core.significance import Outcome

TOO_OFTEN = 1.5  # times alpha: false alarms beyond it are marked
_CORRECTED: dict[str, Correction] = {"p": "none", "p, Holm": "holm", "p, Benjamini–Hochberg": "bh"}


def lottery_frame(result: Lottery) -> pd.DataFrame:
    """Return the worst, median and best replicas of each system against each other: scores, difference, p."""
    frame = readable(result.scenario_frame())
    decimals = score_decimals([s.score_a for s in result.scenarios] + [s.score_b for s in result.scenarios])
    frame["B − A"] = [number(s.difference, decimals, sign=True) for s in result.scenarios]
    frame["p"] = _p_texts((one.p for one in result.scenarios), result.n_permutations)
    return frame


def lottery_matrix(result: Lottery) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return p of every pair of replicas with a symbol of who is better, and the outcome of each in a word."""
    symbols = {"b": ("▲", "better"), "a": ("▼", "worse"), "none": ("", "undecided")}
    outcomes = [
        [symbols[result.winner(d)] if p < result.alpha else ("", "undecided") for p, d in zip(*row, strict=True)]
        for row in zip(result.p, result.differences, strict=True)
    ]
    texts = [
        [f"{p:.3f} {symbol}".strip() for p, (symbol, _) in zip(*row, strict=True)]
        for row in zip(result.p, outcomes, strict=True)
    ]
    words = [[word for _, word in row] for row in outcomes]
    of_replicas = partial(pd.DataFrame, index=list(result.replicas_a), columns=list(result.replicas_b))
    return of_replicas(texts), of_replicas(words)


def p_by_n_frame(result: PByN) -> pd.DataFrame:
    """Return p against the number of replicas, without the numbers that the smaller system does not have."""
    frame = result.to_frame()
    frame = frame[frame["p, median"].notna()].drop(columns="note", errors="ignore")
    p_columns = [name for name in frame if name.startswith("p, ")]
    for name in p_columns:
        frame[name] = _p_texts(frame[name], result.n_permutations)
    frame["permuted"] = frame["permuted"].map(PERMUTED)
    shares = [name for name in frame if name not in (*p_columns, "permuted", "replicas")]
    return readable(frame, shares=shares, draws=result.design.draws)


def pairs_frame(result: Pairwise) -> pd.DataFrame:
    """Return one row per pair of systems: difference, p before and after correction, overlap of intervals."""
    frame = result.to_frame()
    for title, correction in _CORRECTED.items():
        frame[title] = [
            format_p(row.corrected(correction), row.smallest_p, exact=row.exact) for row in result.rows
        ]
    for title, decimals in (("B − A", score_decimals(result.scores.values())), ("overlap ratio", 2)):
        frame[title] = _score_texts(frame[title], decimals)
    for title in frame.columns.difference(list(_CORRECTED)):
        if title.startswith("p "):  # of equivalence, where a margin was stated
            frame[title] = _p_texts(frame[title])
    return frame


def p_matrix(result: Pairwise, correction: Correction) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return p of every pair of systems, corrected, with the symbol of the row's outcome, and the outcome in a word."""
    outcomes = {
        (row, column): _outcome(result, row, column, correction) for row in result.systems for column in result.systems
    }

    def text(row: str, column: str) -> str:
        if row == column:
            return "·"
        pair = result.row(row, column)
        p = format_p(pair.corrected(correction), pair.smallest_p, exact=pair.exact)
        return f"{p} {SYMBOLS[outcomes[row, column]]}"

    of_systems = partial(pd.DataFrame, index=list(result.systems), columns=list(result.systems))
    return (
        of_systems([[text(row, column) for column in result.systems] for row in result.systems]),
        of_systems([[outcomes[row, column] for column in result.systems] for row in result.systems]),
    )


def p_numbers(result: Pairwise, correction: Correction) -> pd.DataFrame:
    """Return p of every pair of systems, corrected, as numbers; nothing where it is undefined."""
    rows = [
        [None if row == column else result.row(row, column).corrected(correction) for column in result.systems]
        for row in result.systems
    ]
    return pd.DataFrame(rows, index=list(result.systems), columns=list(result.systems), dtype=float)


def _outcome(result: Pairwise, row: str, column: str, correction: Correction) -> Outcome:
    pair = None if row == column else result.row(row, column)
    p = pair.corrected(correction) if pair else None
    if pair is None or p is None:
        return "not defined"
    if p >= result.alpha or not pair.better:
        return "undecided"
    return "better" if pair.better == row else "worse"


def ranks_frame(result: Pairwise) -> pd.DataFrame:
    """Return one row per system, best first: cluster, score, interval."""
    frame = result.rank_frame()
    decimals = score_decimals(result.scores.values())
    for title in frame.columns[3:]:
        frame[title] = _score_texts(frame[title], decimals)
    return frame


def three_methods_frame(result: ThreeMethods, settings: Settings) -> pd.DataFrame:
    """Return one row per pair of systems: overlap ratios and p by the methods of Riezler, Clark and Fu."""
    frame = result.pair_frame()
    frame["B − A"] = _score_texts(frame["B − A"], score_decimals(i.score for i in result.intervals))
    frame["overlap ratio"] = _score_texts(frame["overlap ratio"], 2)
    frame["p, randomization"] = _p_texts(frame["p, randomization"], settings.n_permutations)
    frame["p, bootstrap"] = _p_texts(frame["p, bootstrap"], settings.n_bootstrap)
    return frame


def threshold_frame(curves: PAgainstDifference, difference: float) -> pd.DataFrame:
    """Return one row per test: the smallest significant difference, and p of a difference of a given size."""
    frame = curves.at_frame(difference)
    decimals = score_decimals([float(curves.x[-1]) * 10])  # a difference is a small part of the scale
    _, threshold, p = frame.columns
    return frame.assign(**{threshold: _score_texts(frame[threshold], decimals), p: _p_texts(frame[p])})


def combined_frame(result: Combined) -> pd.DataFrame:
    """Return one row per test set and one of all: difference, interval, p."""
    frame = result.to_frame()
    for title in ("B − A", "low", "high"):
        frame[title] = _score_texts(frame[title], result.decimals)
    return frame.assign(p=_p_texts(frame["p"]))


def combined_intervals(result: Combined) -> pd.DataFrame:
    """Return every interval of the figure: one of each test set, three of all together."""
    rows = [(s.test_set, "new replicas, new text", s.difference, s.interval) for s in result.sets]
    kinds = {"new text": result.text, "new replicas": result.replicas, "new replicas, new text": result.both}
    rows += [("all sets, equal weight", kind, result.difference, interval) for kind, interval in kinds.items()]
    columns = ["test set", "interval for", "B − A", "low", "high"]
    return pd.DataFrame([(*row, *(interval or (None, None))) for *row, interval in rows], columns=columns)


def inflation_frame(results: Sequence[Inflation]) -> pd.DataFrame:
    """Return one row per metric: variance ratios of hypothesis-level tests, and false alarms to expect."""
    rows = [
        (one.label, format_score(one.ratio), rare_share(one.rate), format_score(one.ratio_text),
         rare_share(one.rate_text))
        for one in results
    ]
    columns = ["metric", "VR", "false alarms to expect", "VR, these outputs", "false alarms, these outputs"]
    return pd.DataFrame(rows, columns=columns)


def inflation_numbers(results: Sequence[Inflation]) -> pd.DataFrame:
    """Return the same as numbers."""
    rows = [(one.label, one.ratio, one.rate, one.ratio_text, one.rate_text) for one in results]
    return pd.DataFrame(rows, columns=list(inflation_frame(()).columns))


def alarm_frame(result: AlarmTable, alpha: float) -> pd.DataFrame:
    """Return the false alarms of every test in every world; those far above alpha are marked."""
    frame = result.to_frame()
    for title, one in result.arenas:
        frame[title] = [
            f"{rare_share(share, one.design.trials)}{' ⚠' if share > TOO_OFTEN * alpha else ''}"
            for share in frame[title]
        ]
    return frame


def _p_texts(values: Iterable[Any], draws: int | None = None) -> list[str]:
    """Return p-values as texts; with a number of draws none is shown as smaller than they allow."""
    smallest = None if draws is None else 1 / (draws + 1)
    return [format_p(None if pd.isna(value) else float(value), smallest) for value in values]


def _score_texts(values: Iterable[Any], decimals: int) -> list[str]:
    return [format_score(None if pd.isna(value) else float(value), decimals) for value in values]


def interval_numbers(comparison: Comparison) -> pd.DataFrame:
    """Return the three intervals of a difference, each in a row that says over what it holds; for a file."""
    names = {"test_set": "other text", "optimizer": "other replicas", "both": "both"}
    rows = []
    for key, name in names.items():
        low, high = getattr(comparison.intervals, key) or (None, None)
        rows.append((name, comparison.difference, low, high, 1 - comparison.alpha))
    return pd.DataFrame(rows, columns=["over", "difference", "low", "high", "level"])

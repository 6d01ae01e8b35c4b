"""Frames as CSV, LaTeX and Markdown, and the tables that papers print."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.replicas.by_n import ByN
from mtsig_core.analysis.replicas.variance import VarianceRow, VarianceTable
from mtsig_core.formatting import UNDEFINED, format_p, number, rare_range, rare_share, score_decimals
from mtsig_core.loading.text.spreadsheets import FORMULA_STARTS
from mtsig_core.reports.files.latex import bold_mask, latex_table
from mtsig_core.significance import PRESETS, TestResult

Digits = int | Mapping[str, int] | None
NUMBERS_OF_ITEMS = ("segment", "seed")  # which name something, and count nothing
_SDS = ("sd of the redrawn pool", "sd of new replicas")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~$])")


def to_csv(frame: pd.DataFrame) -> str:
    """Return a frame as CSV: a heading, full precision, undefined cells empty.

    A text cell (or heading) that starts with ``=``, ``+``, ``-``, ``@`` or a tab gets an apostrophe before it,
    lest a spreadsheet run text from somebody's upload as a formula. Numbers are left as they are.
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")  # as RFC 4180 asks; also quotes a lone \r in text
    writer.writerow([_csv_cell(str(name)) for name in frame.columns])
    writer.writerows([_csv_cell(value) for value in row] for row in _rows(frame))
    return stream.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def _rows(frame: pd.DataFrame) -> list[tuple[Any, ...]]:
    # column by column: a row of a frame would turn integers beside floats into floats
    columns = [frame.iloc[:, j].tolist() for j in range(frame.shape[1])]
    return list(zip(*columns, strict=True))


def _is_undefined(value: Any) -> bool:
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    return isinstance(value, (float, np.floating)) and not math.isfinite(value)


def _csv_cell(value: Any) -> str | int | float | bool:
    if _is_undefined(value):
        return ""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (bool, int, float)):
        return value
    text = str(value).replace("\x00", "\ufffd")
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def to_latex(
    frame: pd.DataFrame, caption: str = "", label: str = "", notes: str | Sequence[str] = (), *,
    digits: Digits = None, bold: pd.DataFrame | None = None,
) -> str:
    """Return a frame as a LaTeX table (booktabs), ready to be pasted into a paper.

    Parameters
    ----------
    frame : DataFrame
    caption, label : str
        Left out when empty.
    notes : str or sequence of str
        Lines below the table.
    digits : int or mapping of column to int, optional
        Decimals of floats; by default enough for two significant digits in every cell of a column.
    bold : DataFrame of bool, optional
        Cells to print in bold, with as many rows as the frame and any of its columns.
    """
    lines = (notes,) if isinstance(notes, str) else tuple(notes)
    return latex_table(
        *printed(frame, digits),
        caption=caption, label=label, notes=tuple(line for line in lines if line), bold=bold_mask(frame, bold),
    )


def to_markdown(frame: pd.DataFrame, *, digits: Digits = None) -> str:
    """Return a frame as a Markdown table; text is shown as it is, numbers as in `to_latex`."""
    columns, rows = printed(frame, digits)
    lines = [
        [escape_markdown(name) for name, _ in columns],
        ["---:" if right else "---" for _, right in columns],
        *([escape_markdown(cell) for cell in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is; line ends and control characters become a space."""
    text = re.sub("[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text).replace("&", "&amp;")
    return _MARKDOWN.sub(r"\\\1", text).encode("utf-8", "backslashreplace").decode("utf-8")


def readable(
    frame: pd.DataFrame, *, shares: Sequence[str] = (), draws: int = 0, same_decimals: Sequence[str] = (),
    decimals: int | None = None,
) -> pd.DataFrame:
    """Return a frame as people read it on a screen: texts with few decimals, a dash where nothing is defined.

    Parameters
    ----------
    frame : DataFrame
    shares : sequence of str
        Columns that hold shares of 1, shown as percent.
    draws : int
        How many draws the shares were counted in; 0: a closed form.
    same_decimals : sequence of str
        Columns in the same unit, shown with the same decimals; every other column has its own.
    decimals : int, optional
        Of the columns in the same unit; None: what their largest value deserves.
    """
    def decimals_of(names: Sequence[str]) -> int:
        if decimals is not None and names is same_decimals:
            return decimals
        values = [v for name in names for v in frame[name].tolist()]
        return score_decimals(v for v in values if isinstance(v, float) and not _is_undefined(v))

    shown = {}
    for name in frame.columns:
        values = frame[name].tolist()
        digits = decimals_of(same_decimals if name in same_decimals else [name])
        shown[name] = [
            rare_share(None if _is_undefined(v) else v, draws) if name in shares
            else f"{v:,}" if type(v) is int and v > 0 and name not in NUMBERS_OF_ITEMS else _print(v, digits)
            for v in values
        ]
    return pd.DataFrame(shown)


def by_n_frame(result: ByN) -> pd.DataFrame:
    """Return the difference against the number of replicas as people read it; no probability is shown as 0."""
    draws = result.design.draws if result.model == "redraw" else 0
    frame = result.to_frame()
    in_points = ("mean", "2.5%", "median", "97.5%", *_SDS)
    sds = [sd for name in _SDS for sd in frame[name].tolist()]
    shown = readable(frame, shares=("P(wrong sign)", "P(far from D)"), draws=draws, same_decimals=in_points,
                     decimals=_decimals(sds))  # fmt: skip
    ranges = [row.p_wrong_range for row in result.rows]
    if any(ranges):
        texts = [UNDEFINED if r is None else rare_range(*r) for r in ranges]
        shown.insert(list(shown.columns).index("P(wrong sign)") + 1, "its range, new replicas", texts)
    return shown.drop(columns="note") if shown["note"].eq("").all() else shown


def _is_numeric(frame: pd.DataFrame, j: int) -> bool:
    """Say whether a column reads as numbers, by type or printed; one of dashes only does too."""
    values = [v for v in frame.iloc[:, j].tolist() if not _is_undefined(v) and v != UNDEFINED]
    return len(frame) > 0 and all(
        isinstance(v, (int, float, np.number)) and not isinstance(v, (bool, np.bool_))
        or isinstance(v, str) and re.fullmatch("(< )?[-+−]?[0-9]+([.][0-9]+)?", v) is not None
        for v in values
    )


def printed(frame: pd.DataFrame, digits: Digits = None) -> tuple[list[tuple[str, bool]], list[list[str]]]:
    """Return headings, each with whether its column reads as numbers, and every cell as people read it, by row."""
    columns = [(str(name), _is_numeric(frame, j)) for j, name in enumerate(frame.columns)]
    return columns, _printed(frame, digits)


def as_texts(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame of texts: every cell as people read it."""
    columns, rows = printed(frame)
    return pd.DataFrame(rows, columns=[name for name, _ in columns], dtype=object)


def with_commas(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with commas in counts of 1,000 and more, as text; the numbers of items are left alone.

    >>> with_commas(pd.DataFrame({"segments": [2489, 12], "segment": [1840, 1]})).values.tolist()
    [['2,489', 1840], [12, 1]]
    """
    counts = [name for name in frame if str(name).lower() not in NUMBERS_OF_ITEMS]
    written = frame[counts].astype(object).map(
        lambda value: f"{value:,}" if isinstance(value, (int, np.integer)) and value >= 1000 else value
    )
    return frame.assign(**{str(name): written[name] for name in counts})


def _printed(frame: pd.DataFrame, digits: Digits) -> list[list[str]]:
    """Return every cell as people read it, by row."""
    columns = []
    for j, name in enumerate(frame.columns):
        values = frame.iloc[:, j].tolist()
        chosen = digits.get(str(name)) if isinstance(digits, Mapping) else digits
        columns.append([_print(value, _decimals(values) if chosen is None else chosen) for value in values])
    return [list(row) for row in zip(*columns, strict=True)]


def _decimals(values: Sequence[Any]) -> int:
    """Return the decimals that show two significant digits of every float: 2 to 6."""
    floats = [float(v) for v in values if isinstance(v, (float, np.floating)) and not _is_undefined(v)]
    sizes = [abs(v) for v in floats if v != 0]
    return min(6, max(2, 1 - math.floor(math.log10(min(sizes))))) if sizes else 2


def _print(value: Any, decimals: int) -> str:
    if _is_undefined(value):
        return UNDEFINED
    if isinstance(value, (float, np.floating)):
        return number(float(value), decimals)
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return number(int(value), 0)
    return str(value)


def metric_heading(label: str, higher_is_better: bool, is_quality: bool = True) -> str:
    """Return a metric's name with the direction of quality, as Table 1 of Clark et al. prints it, if it has one."""
    if not is_quality:
        return label
    return f"{label} {'↑' if higher_is_better else '↓'}"


def table1_frame(table: VarianceTable, digits: int | None = None) -> pd.DataFrame:
    """Return Clark's Table 1 as printed: one row per metric and system, numbers as text, "—" for undefined.

    Parameters
    ----------
    table : VarianceTable
    digits : int, optional
        Decimals; the paper has 1. By default as many as each metric's scale deserves (`score_decimals`).

    Returns
    -------
    DataFrame
        Columns metric, system, n, avg, s_sel, s_dev, s_test; before them the test set where there are several.
    """
    several = len({row.test_set for row in table.rows}) > 1
    names = [*(["test set"] if several else []), "metric", "system", "n", "avg", "s_sel", "s_dev", "s_test"]
    averages: dict[str, list[float]] = {}
    for row in table.rows:
        averages.setdefault(row.metric, []).append(row.avg)
    decimals = {name: score_decimals(own) if digits is None else digits for name, own in averages.items()}
    rows = [_table1_row(row, decimals[row.metric]) for row in table.rows]
    return pd.DataFrame(rows, columns=["test set", *names[-7:]])[names]


def _table1_row(row: VarianceRow, digits: int) -> list[str | int]:
    numbers = [number(value, digits) for value in (row.avg, row.s_sel, row.s_dev, row.s_test)]
    return [row.test_set, metric_heading(row.label, row.higher_is_better, row.is_quality), row.system, row.n, *numbers]


def table1_best(table: VarianceTable) -> pd.DataFrame:
    """Return which averages of `table1_frame` are the best of their test set and metric (for ``bold``)."""
    best: dict[tuple[str, str], float] = {}
    for row in table.rows:
        sign = 1 if row.higher_is_better else -1
        key = row.test_set, row.metric
        best[key] = max(best.get(key, -math.inf), sign * row.avg)
    flags = [
        r.is_quality and best[r.test_set, r.metric] == (1 if r.higher_is_better else -1) * r.avg for r in table.rows
    ]
    return pd.DataFrame({"avg": flags})


def p_value_table(comparisons: Sequence[Comparison]) -> pd.DataFrame:
    """Return the p-values of one pair of systems, one row per test and one column per metric, as text.

    Parameters
    ----------
    comparisons : sequence of Comparison
        One per metric, of the same two systems and test set.

    Returns
    -------
    DataFrame
        Columns test, question, one per metric label, "smallest reachable p", note. An undefined p is a
        dash; a rule without a valid floor says so.
    """
    results = [(c.label, r) for c in comparisons for r in c.tests]
    rows: list[dict[str, str]] = []
    for preset in dict.fromkeys(r.preset.name for _, r in results):
        mine = [(label, r) for label, r in results if r.preset.name == preset]
        # a warning sign where the preset has a limitation, whatever the data
        sign = "⚠ " if PRESETS[preset].warning else ""
        row = {"test": sign + mine[0][1].label, "question": PRESETS[preset].question}
        row |= dict.fromkeys((c.label for c in comparisons), format_p(None))
        row |= {label: format_p(r.p, r.smallest_p, exact=r.exact) for label, r in mine}
        row["smallest reachable p"] = smallest_reachable([r for _, r in mine])
        row["note"] = " ".join(dict.fromkeys(t for _, r in mine for t in (r.note, r.warning) if t))
        rows.append(row)
    columns = ["test", "question", *dict.fromkeys(c.label for c in comparisons), "smallest reachable p", "note"]
    return pd.DataFrame(rows, columns=columns)


def smallest_reachable(results: Sequence[TestResult]) -> str:
    """Return the floor of the tests that sample or enumerate; a closed form has none, a strict rule no valid one."""
    if any(r.preset.strict for r in results):
        return "no valid floor"
    floors = [r.smallest_p for r in results if r.smallest_p is not None]
    return format_p(max(floors), min(floors)) if floors else "none"

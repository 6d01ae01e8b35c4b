"""Human judgements of two outputs: the choice of segments, and the result of the annotation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.significance import Result

Choice = Literal["random", "stratified"]
#: Strata of the differences: fifths, from the largest losses to the largest gains.
STRATA = 5
ERROR_PREFIX = "error: "
Output = tuple[str, str]


def sample_segments(gain: np.ndarray, n: int, *, how: Choice = "random", seed: int) -> np.ndarray:
    """Draw segments for people to judge, without replacement.

    Parameters
    ----------
    gain : ndarray of shape (segment,)
        Score of b minus that of a, oriented by quality.
    n : int
        How many; all of them when there are fewer.
    how : {"random", "stratified"}
        Stratified: the segments are ordered by gain and cut into fifths of (nearly) equal size, from each of which
        (nearly) as many are drawn; means over them are unbiased all the same.
    seed : int

    Returns
    -------
    ndarray of int
        Places in `gain`, in order.

    Raises
    ------
    ValueError
        When there is nothing to draw from, or n is below 1.
    """
    if n < 1 or not len(gain):
        raise ValueError(f"Cannot draw {n:,} of {len(gain):,} segments; ask for at least one, of at least one.")
    rng = np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence([seed, 0])))
    n = min(n, len(gain))
    order = np.argsort(gain, kind="stable")
    strata = np.array_split(order, min(STRATA, n)) if how == "stratified" else [order]
    sizes = np.full(len(strata), n // len(strata))
    sizes[rng.permutation(len(strata))[: n % len(strata)]] += 1
    # a fifth may be smaller than its share by one: the rest is drawn from what is left
    drawn = [rng.choice(each, min(size, len(each)), replace=False) for each, size in zip(strata, sizes, strict=True)]
    chosen = np.concatenate(drawn)
    if len(chosen) < n:
        left = np.setdiff1d(order, chosen)
        chosen = np.concatenate([chosen, rng.choice(left, n - len(chosen), replace=False)])
    return np.sort(chosen)


def segments_named(text: str) -> tuple[int, ...]:
    """Return the numbers that a text such as ``3, 7, 10-12`` names, each once, in order.

    Raises
    ------
    ValueError
        When an item is no number and no range.
    """
    numbers: set[int] = set()
    for item in re.split(r"[,;\s]+", re.sub(r"\s*[-–]\s*", "-", text.strip())):
        if not item:
            continue
        match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", item)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first or last - first > 100_000:
            raise ValueError(f"Segments are named by numbers and ranges, such as 3, 7, 10-12; not {item!r}.")
        numbers.update(range(first, last + 1))
    return tuple(sorted(numbers))


@dataclass(frozen=True)
class AnnotatedColumn:
    """Judgements in one column of a sheet; the segment is the unit, annotators are averaged first.

    Attributes
    ----------
    column : str
        ``adequacy``, ``fluency``, ``ranking`` (1 to the better output, 0.5 each for a tie), ``errors``.
    higher_is_better : bool
    n : int
        Segments judged on both sides.
    mean_a, mean_b : float
    wins_a, ties, wins_b : int
        Segments on which a, neither and b is better.
    win_rate : float or None
        Share of b's wins among segments that are no tie.
    low, high : float or None
        Its exact interval (Clopper and Pearson 1934).
    p : float or None
        Two-sided, of Wilcoxon's signed-rank test over segments; ties are left out.
    note : str
        Why there is no p; may be empty.
    """

    column: str
    higher_is_better: bool
    n: int
    mean_a: float
    mean_b: float
    wins_a: int
    ties: int
    wins_b: int
    win_rate: float | None
    low: float | None
    high: float | None
    p: float | None
    note: str = ""


@dataclass(frozen=True)
class ErrorCount:
    """How often one type of error was marked in the outputs of a and of b."""

    name: str
    a: int
    b: int


@dataclass(frozen=True)
class AnnotationResult(Result):
    """Two outputs as people judged them.

    Attributes
    ----------
    a, b : tuple of (str, str)
        System and replica; a is the baseline.
    level : float
        Of the intervals.
    columns : tuple of AnnotatedColumn
    errors : tuple of ErrorCount
    annotators : tuple of str
        Of the judgements that name one.
    n_segments : int
        Segments that anybody judged in any column.
    n_repeated : int
        Of them, those that two or more people judged.
    notes : tuple of str
        From reading the files.
    """

    a: Output
    b: Output
    level: float
    columns: tuple[AnnotatedColumn, ...]
    errors: tuple[ErrorCount, ...]
    annotators: tuple[str, ...]
    n_segments: int
    n_repeated: int
    notes: tuple[str, ...] = ()

    def to_frame(self) -> pd.DataFrame:
        """Return one row per column of the sheet, with headings for people."""
        a, b = names_of(self.a, self.b)
        columns = self.columns
        undefined = {
            f"wins of {b} without ties": [c.win_rate for c in columns],
            "low": [c.low for c in columns],
            "high": [c.high for c in columns],
            "Wilcoxon p": [c.p for c in columns],
        }
        return pd.DataFrame(
            {
                "column": [c.column for c in columns],
                "segments": [c.n for c in columns],
                f"mean of {a}": [c.mean_a for c in columns],
                f"mean of {b}": [c.mean_b for c in columns],
                f"{a} better": [c.wins_a for c in columns],
                "ties": [c.ties for c in columns],
                f"{b} better": [c.wins_b for c in columns],
                **{name: np.array(values, dtype=float) for name, values in undefined.items()},
            }
        )

    def error_frame(self) -> pd.DataFrame:
        """Return one row per type of error: how often it was marked in each output."""
        a, b = names_of(self.a, self.b)
        return pd.DataFrame([(e.name, e.a, e.b) for e in self.errors], columns=["error", a, b])


def names_of(a: Output, b: Output) -> tuple[str, str]:
    """Return what to call two outputs: by system, or with the replica where the system is the same."""
    return (a[0], b[0]) if a[0] != b[0] else ("/".join(a), "/".join(b))


def annotation_result(judgements: JudgementTable, a: Output, b: Output, *, alpha: float = 0.05) -> AnnotationResult:
    """Return the result of human judgements of two outputs.

    A person's two judgements of a segment count where both are there. Those of several people are averaged by
    segment, so that segments remain the unit, and compared side by side: no person is stricter to one side.

    Parameters
    ----------
    judgements : JudgementTable
        As `mtsig_core.loading.judgements.sheets.annotation_sheets.read_sheets` returns them.
    a, b : tuple of (str, str)
        System and replica.
    alpha : float
        1 - alpha is the level of the intervals.

    References
    ----------
    Wilcoxon 1945, "Individual comparisons by ranking methods"; Clopper and Pearson 1934, "The use of confidence or
    fiducial limits illustrated in the case of the binomial".
    """
    frame = _with_sides(judgements, a, b)
    columns, judged = [], []
    for name, higher in judgements.higher_is_better.items():
        pairs = _pairs(frame[frame["dimension"] == name])
        if not name.startswith(ERROR_PREFIX) and len(pairs):
            columns.append(_column(name, higher, pairs.groupby(level="segment").mean(), alpha))
            judged.append(pairs.index.to_frame(index=False))
    who = pd.concat(judged).drop_duplicates() if judged else pd.DataFrame({"segment": [], "annotator": []})
    sizes = who.groupby("segment").size()
    errors = [_error(name.removeprefix(ERROR_PREFIX), _pairs(frame[frame["dimension"] == name]))
              for name in judgements.higher_is_better if name.startswith(ERROR_PREFIX)]  # fmt: skip
    return AnnotationResult(a, b, 1 - alpha, tuple(columns), tuple(errors), judgements.annotators, len(sizes),
                            int((sizes > 1).sum()), judgements.notes)  # fmt: skip


def _with_sides(judgements: JudgementTable, a: Output, b: Output) -> pd.DataFrame:
    """Return the judgements of the two outputs, with the side that each belongs to."""
    frame = judgements.to_frame()
    frame["side"] = np.select([_is(frame, a), _is(frame, b)], ["a", "b"], default="")
    frame["annotator"] = frame["annotator"].fillna("")
    return frame[(frame["side"] != "") & frame["score"].notna()]


def _is(frame: pd.DataFrame, output: Output) -> pd.Series:
    return (frame["system"] == output[0]) & (frame["replica"].fillna("") == output[1])


def _pairs(frame: pd.DataFrame) -> pd.DataFrame:
    """Return values of a and b where one person gave both; one row per segment and annotator."""
    table = frame.pivot_table(index=["segment", "annotator"], columns="side", values="score", aggfunc="mean")
    return table.reindex(columns=["a", "b"]).dropna()


def _error(name: str, pairs: pd.DataFrame) -> ErrorCount:
    return ErrorCount(name, int(pairs["a"].sum()), int(pairs["b"].sum()))


def _column(name: str, higher: bool, values: pd.DataFrame, alpha: float) -> AnnotatedColumn:
    from scipy.stats import binomtest, wilcoxon  # takes a second: only where sheets are read

    a, b = values["a"].to_numpy(), values["b"].to_numpy()
    # means of the same ratings may differ in the last digit
    difference = np.round((b - a) * (1 if higher else -1), 9)
    wins_a, wins_b = int((difference < 0).sum()), int((difference > 0).sum())
    decided = wins_a + wins_b
    rate = low = high = p = None
    note = f"{name}: no segment on which one is better, so there is nothing to test."
    if decided:
        interval = binomtest(wins_b, decided).proportion_ci(1 - alpha, method="exact")
        rate, low, high = wins_b / decided, float(interval.low), float(interval.high)
        # a rank of tiny probability underflows to 0, which no p can be
        p = max(float(wilcoxon(difference[difference != 0]).pvalue), float(np.finfo(float).tiny))
        note = ""
    return AnnotatedColumn(name, higher, len(values), float(a.mean()), float(b.mean()), wins_a, len(values) - decided,
                           wins_b, rate, low, high, p, note)  # fmt: skip


def mean_digits(values: Iterable[float]) -> int:
    """Return how many decimals means of ratings deserve: one on a scale of 100, two on one of 5."""
    return 1 if max((abs(v) for v in values), default=0.0) > 20 else 2



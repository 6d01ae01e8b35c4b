"""Where do the two systems differ? By segment, edit and word, over all replicas."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from mtsig_core.analysis.differences.buckets import BucketTable, By
from mtsig_core.analysis.differences.edits import EditTable
from mtsig_core.figures import differences as figures
from mtsig_core.metrics import Metric
from mtsig_core.workbench import Pair
from pages.parts import address, explanations, sections
from pages.parts.background import answer
from pages.parts.read import word_differences as differ_words
from pages.parts.text import keep_together, literal
from pages.parts.view import View

KINDS: dict[By, str] = {
    "length": "Length", "document": "Document", "frequency": "Frequent or rare words", "difficulty": "Difficulty",
}


def show(now: View, metric: Metric, a: tuple[str, str], b: tuple[str, str]) -> None:
    """Show where two systems differ.

    Parameters
    ----------
    now : View
    metric : Metric
    a, b : tuple of (str, str)
        System and median replica of each side; all replicas count here.
    """
    pair = now.bench.pair(now.test_set, metric, a[0], b[0])
    if not now.one_each:
        st.caption("Over all replicas of both systems, not only those that are read.")
    views: dict[str, tuple[str, Callable[[View, Pair], None]]] = {
        "kinds": ("Kinds of segments", _segments), "edits": ("Edits", _edits), "words": ("Words", differ_words.words),
        "lengths": ("Output length", differ_words.lengths), "n-grams": ("n-grams", differ_words.ngrams),
        "stable": ("Stable errors", differ_words.stability),
    }
    chosen = sections.topic("Look at", "differ view", {slug: title for slug, (title, _) in views.items()})
    views[chosen][1](now, pair)


def _key(now: View, pair: Pair, *more: str) -> tuple:
    return (*now.key, pair.metric.key, pair.a, pair.b, *more)


def _segments(now: View, pair: Pair) -> None:
    possible: list[By] = [by for by in KINDS if not pair.why_no_differences(by)]
    by = st.segmented_control(
        "Segments by", possible, required=True, format_func=KINDS.__getitem__,
        **address.choice("by", f"differ by {len(possible)}", {kind: KINDS[kind] for kind in possible}),
    ) or possible[0]
    missing = [f"{KINDS[k]}: {why}" for k in KINDS if (why := pair.why_no_differences(k))]
    if missing:
        st.caption(literal(" ".join(missing)))
    table: BucketTable | None = answer(
        "buckets", _key(now, pair, by),
        lambda progress, publish: pair.differences(by, settings=now.settings, progress=progress))
    if table is None:
        return
    differ_words.two_figures(
        now,
        (figures.bucket_scores(table, now.colours), f"bucket-scores-{by}", f"{table.label} of both systems by {by}"),
        (figures.bucket_differences(table, now.colours), f"bucket-differences-{by}",
         f"Difference in {table.label} by {by}, with intervals"),
    )  # fmt: skip
    if len(table.rows) > figures.MOST_ROWS:
        st.caption(keep_together(f"Drawn: the {figures.MOST_ROWS} of {len(table.rows)} with the largest differences."))
    differ_words.answer_table(now, table, f"buckets-{by}", f"{table.label} on {now.test_set} by {by}")
    explanations.explain("buckets")


def _edits(now: View, pair: Pair) -> None:
    table: EditTable | None = differ_words.asked(now, pair, "edits")
    if table is None:
        return
    differ_words.two_figures(
        now,
        (figures.edit_rates(table, now.colours), "edits", "Edits of both systems by kind"),
        (figures.edit_differences(table, now.colours), "edit-differences",
         "Difference in edits by kind, with intervals"),
    )  # fmt: skip
    differ_words.answer_table(now, table, "edits", f"Edits per 100 words of reference on {now.test_set}")
    explanations.explain("edits")

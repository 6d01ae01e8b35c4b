"""One segment in full: source, references and two outputs, with the words marked that differ."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence

from mtsig_core.analysis.reading.segments import Marked, SegmentTable, closest_reference, marked_sides, word_diff
from mtsig_core.formatting import number

NAME_CELL = "width:9rem;text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;font-weight:600;" \
    "overflow-wrap:anywhere"
TEXT_CELL = "padding:.3rem 0;vertical-align:top;text-align:start;overflow-wrap:anywhere;white-space:pre-wrap;" \
    "font-size:1.05rem"
MARKED = {
    "a": "background:#d55e0040;font-weight:600",
    "b": "background:#0072b240;font-weight:600;text-decoration:underline",
}
MISSING = "opacity:.7;text-decoration:line-through"
MANY = 3  # references of a segment from which on only the closest ones are shown at once


def card(table: SegmentTable, place: int, *, against_reference: bool, decimals: int) -> str:
    """Return the HTML of one segment; whatever a file holds is text in it.

    Parameters
    ----------
    table : SegmentTable
    place : int
        From 0.
    against_reference : bool
        Mark what differs from the closest reference; else what differs between the outputs.
    decimals : int
        Of scores.
    """
    rows = [("Source", html.escape(table.source[place]))] if table.source else []
    references = table.references[place]
    closest = {side: closest_reference(_output(table, side, place), references) for side in "ab" if references}
    rows += _references(references, closest)
    sides = marked_sides(table.output_a[place], table.output_b[place])
    for side, system, score, pieces in zip(
        "ab", (table.a, table.b), (table.score_a[place], table.score_b[place]), sides, strict=True
    ):
        if against_reference and references:
            text = _against_reference(references[closest[side]], _output(table, side, place), side)
        else:
            text = _against_other(pieces, side)
        name = f"{side.upper()}: {html.escape(system[0])}"
        replica = "" if system[1] == system[0] else f"{html.escape(system[1])} · "
        line = f"{replica}{html.escape(table.label)} {number(float(score), decimals)}"
        rows.append((f"{name}<br><small>{line}</small>", text or "<i>empty</i>"))
    body = "".join(
        f'<tr><th scope="row" style="{NAME_CELL}">{name}</th><td dir="auto" style="{TEXT_CELL}">{text}</td></tr>'
        for name, text in rows
    )
    return f'<table style="width:100%;border-collapse:collapse">{body}</table>'


def _references(references: Sequence[str], closest: Mapping[str, int]) -> list[tuple[str, str]]:
    """Return one row per reference; of many, those far from both outputs are folded away."""
    rows, folded = [], []
    for i, text in enumerate(references):
        nearest = " and ".join(side.upper() for side in closest if closest[side] == i and len(references) > 1)
        name = "Reference" if len(references) == 1 else f"Reference {i + 1}"
        if not nearest and len(references) > MANY:
            folded.append(f'<div dir="auto" style="padding:.15rem 0">{i + 1}. {html.escape(text)}</div>')
        else:
            rows.append((f"{name}<br><small>closest to {nearest}</small>" if nearest else name, html.escape(text)))
    if folded:
        line = f"<summary>{len(folded)} more, less like both outputs</summary>"
        rows.append(("Others", f"<details>{line}{''.join(folded)}</details>"))
    return rows


def legend(table: SegmentTable, place: int, *, against_reference: bool) -> str:
    """Return what the marks mean, in words."""
    if table.output_a[place] == table.output_b[place] and not against_reference:
        return "Both outputs are the same."
    if against_reference and table.references[place]:
        several = len(table.references[place]) > 1
        which = "the closest reference" if several else "the reference"
        return f"Marked: words that are not in {which}. Struck through: words of {which} that are missing."
    return "Marked: words that only one of the outputs has."


def _output(table: SegmentTable, side: str, place: int) -> str:
    return (table.output_a if side == "a" else table.output_b)[place]


def _against_other(pieces: Marked, side: str) -> str:
    style = f"color:inherit;{MARKED[side]}"
    return "".join(_marked(words, "mark", style) if only else html.escape(words) for words, only in pieces)


def _against_reference(reference: str, output: str, side: str) -> str:
    """Mark what only the output has, and strike through what only the reference has."""
    parts = []
    spaced = any(c.isspace() for c in reference.strip())
    shown = ""
    for words, kind in word_diff(reference, output):
        if kind == "only a":
            # the last word of a text has no white space to part it from what is put in
            if spaced and shown and not shown[-1].isspace():
                parts.append(" ")
            words = words if words[-1:].isspace() or not spaced else f"{words} "
            parts.append(_marked(words, "del", MISSING))
        else:
            style = f"color:inherit;{MARKED[side]}"
            parts.append(html.escape(words) if kind == "same" else _marked(words, "mark", style))
        shown = words
    return "".join(parts)


def _marked(words: str, tag: str, style: str) -> str:
    """Return words in a tag, the white space at their end outside of it."""
    bare = words.rstrip()
    return f'<{tag} style="{style}">{html.escape(bare)}</{tag}>{html.escape(words[len(bare):])}'

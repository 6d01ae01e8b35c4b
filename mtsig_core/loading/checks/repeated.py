"""Warnings about what many lines of an output repeat and references do not: labels, scores, notes, whole lines.

And about outputs that have nothing in common with the references, where others have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from mtsig_core.formatting import visible
from mtsig_core.loading.checks.leftovers import kinds_in
from mtsig_core.loading.checks.line_ids import holds_ids
from mtsig_core.loading.checks.outputs import Output, Outputs
from mtsig_core.loading.checks.writing import script_of
from mtsig_core.loading.report import ReportLine, some

#: Lines that must have the same edge.
FEWEST = 3
#: How many times the references' share of an edge is worth a word.
TIMES = 4
#: Share of distinct lines of an output below which it repeats itself, and of references that do not.
FEW_DISTINCT, MANY_DISTINCT, FEWEST_SEGMENTS = 0.1, 0.5, 20
#: Likeness with the references below which an output is suspect, and that of half of the outputs beside it.
UNLIKE, LIKE = 0.1, 0.3

_LABEL = re.compile(r"\s*(\S[^:：]{0,59}?)\s?[:：]")
_LATE_LABEL = re.compile(r".*[.!?。！？\"”」*)\]]\s*[(\[*]*(?P<label>[^\W\d_]\w*(?: \w+){0,2}) ?[:：]")
_DIGITS = re.compile(r"\d+")
#: What a word of text has not: brackets, operators, digits.
_SIGN = re.compile(r"[<>\[\](){}|=_#*%/\\\d]")


def _label(line: str) -> str:
    """Return what stands before a colon near the beginning of a line: ``Here is it:``; "" without one."""
    match = _LABEL.match(line)
    return _DIGITS.sub("#", match[1]) if match else ""


def _first_sign(line: str) -> str:
    """Return the first word of a line where it is none: ``[EN]``, ``-0.52``."""
    return _sign(line.split(None, 1)[0]) if line.strip() else ""


def _last_sign(line: str) -> str:
    """Return the last word of a line where it is none: ``<EOS>``, ``(99%)``."""
    return _sign(line.rsplit(None, 1)[-1]) if line.strip() else ""


def _sign(word: str) -> str:
    return _DIGITS.sub("#", word) if len(word) > 1 and _SIGN.search(word) else ""


def _late_label(line: str) -> str:
    """Return what stands before a colon behind the first sentence of a line: ``Note:``; "" without one."""
    match = _LATE_LABEL.match(line) if ":" in line or "：" in line else None
    return match["label"] if match else ""


@dataclass(frozen=True)
class _Edge:
    """A kind of beginning or end, what to call it, and the share of lines from which it is worth a warning."""

    of: Callable[[str], str]
    verb: str
    least: float


_EDGES = (
    _Edge(_label, "begin", 0.05),
    _Edge(_first_sign, "begin", 0.5),
    _Edge(_last_sign, "end", 0.6),
    _Edge(_late_label, "end", 0.05),
)


def repeated_edges(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs of which many lines begin or end with the same, and references do not."""
    for test_set in outputs.experiment.test_sets:
        own = outputs.on(test_set.name)
        if not own or not test_set.references:
            continue
        places = outputs.compared(test_set.name)
        streams = [[line for i in places if (line := stream[i])] for stream in test_set.references]
        said: set[int] = set()
        for edge in _EDGES:
            of = cache(edge.of)  # replicas repeat one another
            usual = [Counter(map(of, stream)) for stream in streams]
            suspects: dict[str, list[tuple[Output, int]]] = {}
            for output in own:
                key, n = _most_odd(Counter(of(output.lines[i]) for i in places), usual, len(places), edge)
                if key and output.row not in said and not _is_known(output, edge, key):
                    said.add(output.row)
                    suspects.setdefault(key, []).append((output, n))
            for key, found in suspects.items():
                yield _warning(edge, key, found, len(places))


def _most_odd(counted: Counter[str], usual: Sequence[Counter[str]], n_lines: int, edge: _Edge) -> tuple[str, int]:
    for key, n in counted.most_common(3):
        shares = (stream[key] / max(1, stream.total()) for stream in usual)
        if key and n >= max(FEWEST, edge.least * n_lines) and n / n_lines >= TIMES * max(shares):
            return key, n
    return "", 0


def _is_known(output: Output, edge: _Edge, key: str) -> bool:
    """Say whether most of these lines are warned of for what they hold."""
    if holds_ids(output.lines):
        return True
    lines = [line for line in output.lines if edge.of(line) == key]
    return 2 * sum(bool(kinds_in(line)) for line in lines) > len(lines)


def _warning(edge: _Edge, key: str, found: Sequence[tuple[Output, int]], n_lines: int) -> ReportLine:
    output, _ = found[0]
    number, line = next((i, x) for i, x in enumerate(output.lines, 1) if edge.of(x) == key)
    shown = line[:60] if edge.verb == "begin" else line[-60:]
    listed = some([f"{o.label} ({n:,} of {n_lines:,} lines)" for o, n in found])
    message = (
        f"Lines {edge.verb} the same way in {listed}, in references hardly any; {output.label}, line {number}: "
        f"{visible(shown)!r}. Remove what is no part of the text; it was scored unchanged."
    )
    return ReportLine("warning", message, tuple(o.file for o, _ in found if o.file), "repeated-edges")


def few_distinct_lines(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs that repeat a few lines where references do not: labels, or a decoder that failed."""
    for test_set in outputs.experiment.test_sets:
        lines = [line for line in (test_set.references[0] if test_set.references else ()) if line]
        if len(lines) < FEWEST_SEGMENTS or len(set(lines)) < MANY_DISTINCT * len(lines):
            continue
        for output in outputs.on(test_set.name):
            n_distinct = len(set(output.lines))
            if n_distinct <= FEW_DISTINCT * len(output.lines) and outputs.n_empty(output) < len(output.lines):
                yield _warn(
                    "few-distinct-lines",
                    f"{output.label} on {test_set.name} has only {n_distinct:,} different lines in "
                    f"{len(output.lines):,}, the reference {len(set(lines)):,}. Did the decoder fail, or are these "
                    "labels?",
                    [output],
                )


def unlike_references(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs that share hardly a word with the references where others share many: a source, or another language."""
    for test_set in outputs.experiment.test_sets:
        own = outputs.on(test_set.name)
        if len(own) < 2:
            continue
        likeness = outputs.likeness(test_set.name).mean(axis=1)
        usual = float(np.median(likeness))
        if usual < LIKE:
            continue
        script = script_of(line for line in test_set.references[0][:40] if line)
        odd = [o for o in own if likeness[o.row] < UNLIKE and not _is_explained(o, outputs, script)]
        if odd:
            yield _warn(
                "unlike-references",
                f"{some([f'{o.label} ({100 * likeness[o.row]:.0f}%)' for o in odd])} on {test_set.name}: hardly a word "
                f"in common with the references; half of the outputs have {100 * usual:.0f}% or more. Is it the "
                "source, an output in another language, or of another test set? Then leave it out.",
                odd,
            )


def _is_explained(output: Output, outputs: Outputs, script: str) -> bool:
    """Say whether another check tells why an output is unlike the references."""
    head = output.lines[:40]
    if outputs.n_empty(output) > len(output.lines) / 2 or script_of(head) != script:
        return True
    return 2 * sum(bool(kinds_in(line)) for line in head) > len(head)


def _warn(code: str, message: str, outputs: Sequence[Output]) -> ReportLine:
    return ReportLine("warning", message, tuple(o.file for o in outputs if o.file), code)

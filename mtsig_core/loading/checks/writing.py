"""Warnings about outputs written otherwise than the references: another script, another case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from mtsig_core.loading.checks.outputs import Output, Outputs
from mtsig_core.loading.report import ReportLine, some

#: Segments of a text that are looked at for its script, and for its case.
N_FOR_SCRIPT, N_FOR_CASE = 40, 300
#: Share of the letters that makes a script the one of a text.
MOSTLY = 0.6
#: Share of the letters of references below which a script is another one than theirs.
HARDLY = 0.05
#: Shares of lines with capitals: of text with its case, and of text that was lowercased; of capitals only.
CASED, LOWERCASED, UPPERCASED = 0.3, 0.02, 0.9

#: Letters of each script; what is not listed is not recognised.
SCRIPTS = {
    "Latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
    "Cyrillic": "\u0400-\u052f",
    "Greek": "\u0370-\u03ff\u1f00-\u1fff",
    "Arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "Hebrew": "\u0590-\u05ff",
    "Devanagari": "\u0900-\u097f",
    "Bengali": "\u0980-\u09ff",
    "Tamil": "\u0b80-\u0bff",
    "Telugu": "\u0c00-\u0c7f",
    "Thai": "\u0e00-\u0e7f",
    "Georgian": "\u10a0-\u10ff",
    "Armenian": "\u0530-\u058f",
    "Ethiopic": "\u1200-\u137f",
    "Khmer": "\u1780-\u17ff",
    "Hangul": "\uac00-\ud7af\u1100-\u11ff",
    "Chinese or Japanese": "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
}
_PATTERNS = {name: re.compile(f"[{letters}]") for name, letters in SCRIPTS.items()}


def scripts_of(lines: Iterable[str]) -> dict[str, float]:
    """Return the share of the letters of a text that are in each script; without letters nothing."""
    text = "".join(lines)
    letters = sum(map(str.isalpha, text))
    if not letters:
        return {}
    if text.isascii():
        return {"Latin": 1.0}
    return {name: len(pattern.findall(text)) / letters for name, pattern in _PATTERNS.items()}


def script_of(lines: Iterable[str]) -> str:
    """Return the script in which most letters of a text are written; "" where none has most of them."""
    return next((name for name, share in scripts_of(lines).items() if share >= MOSTLY), "")


def other_script(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs in another script than the references."""
    for test_set in outputs.experiment.test_sets:
        lines = [x for stream in test_set.references for x in stream[:N_FOR_SCRIPT] if x is not None]
        shares = scripts_of(lines)
        expected = next((name for name, share in shares.items() if share >= MOSTLY), "")
        if not expected:
            continue
        by_script: dict[str, list[Output]] = {}
        for output in outputs.on(test_set.name):
            script = script_of(output.lines[:N_FOR_SCRIPT])
            if script and shares.get(script, 0.0) < HARDLY:
                by_script.setdefault(script, []).append(output)
        for script, own in by_script.items():
            message = (
                f"{some([o.label for o in own])}: written in {script} letters, the references of {test_set.name} in "
                f"{expected}. Is it the source, or an output for another language?"
            )
            yield _warn("other-script", message, own)


def other_case(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs that are lowercased, or in capitals, where references are not; and the other way."""
    for test_set in outputs.experiment.test_sets:
        own = outputs.on(test_set.name)
        lines = [x for stream in test_set.references for x in stream[:N_FOR_CASE] if x is not None]
        if not own or not lines or not any(map(_has_case, lines)):
            continue
        n_cased = sum(map(_has_case, lines))
        references = sum(map(_has_capital, lines)) / n_cased
        cased = np.maximum(1, outputs.sums(test_set.name, _has_case, N_FOR_CASE))
        shares = outputs.sums(test_set.name, _has_capital, N_FOR_CASE) / cased
        capitals = outputs.sums(test_set.name, _is_capitals, N_FOR_CASE) / cased
        enough = [o for o in own if cased[o.row] >= min(10, n_cased)]
        if references >= CASED:
            lower = [o for o in enough if shares[o.row] <= LOWERCASED]
            yield from _case(lower, "lowercased", f"the references of {test_set.name} are not")
        elif references <= LOWERCASED:
            upper = [o for o in enough if shares[o.row] >= CASED]
            yield from _case(upper, "not lowercased", f"the references of {test_set.name} are")
        if sum(map(_is_capitals, lines)) < 0.5 * n_cased:
            shouted = [o for o in enough if capitals[o.row] >= UPPERCASED]
            yield from _case(shouted, "in capitals", f"the references of {test_set.name} are not")


def _case(own: Sequence[Output], what: str, references: str) -> Iterator[ReportLine]:
    if own:
        message = (
            f"{some([o.label for o in own])}: the text is {what}, {references}. BLEU and chrF count case: restore it, "
            "or score without regard to case (--lowercase)."
        )
        yield _warn("other-case", message, own)


def _has_case(line: str) -> bool:
    return line.lower() != line.upper()


def _has_capital(line: str) -> bool:
    return line != line.lower()


def _is_capitals(line: str) -> bool:
    return line == line.upper() and line != line.lower()


def _warn(code: str, message: str, outputs: Sequence[Output]) -> ReportLine:
    return ReportLine("warning", message, tuple(o.file for o in outputs if o.file), code)

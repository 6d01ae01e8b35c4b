"""Warnings about what decoding, chat models, crashes and joined files leave in text: with its share and an example."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mtsig_core.experiment import TestSet
from mtsig_core.formatting import count, visible
from mtsig_core.loading.checks.outputs import Output, Outputs
from mtsig_core.loading.report import ReportLine, some

#: Share of an output's segments with leftovers of subword units from which it is suspect.
MANY_MARKS = 0.01
#: Share of lines with a number before their text from which it is none of it, and with signs of columns or quotes.
MOST_NUMBERED, MOST_LINES = 0.9, 0.5
#: Characters of the example that a warning shows.
EXAMPLE = 60


@dataclass(frozen=True)
class Leftover:
    """Something that is no part of a translation.

    Parameters
    ----------
    code : str
        Of the report line.
    what, remedy : str
        A plural noun, and a sentence.
    pattern : re.Pattern
        Searched for in a line.
    opens : bool
        It stands at the start of a line, where it is looked for only.
    least : float
        Share of an output's lines from which it is worth a warning.
    """

    code: str
    what: str
    remedy: str
    pattern: re.Pattern[str]
    opens: bool = False
    least: float = 0.0


def _of(code: str, what: str, remedy: str, pattern: str, *, opens: bool = False, least: float = 0.0) -> Leftover:
    return Leftover(code, what, remedy, re.compile(pattern), opens, least)


_JOIN = "Join the subwords first."
LEFTOVERS: tuple[Leftover, ...] = (
    _of("bpe-marks", "Subword marks @@", _JOIN, r"\S@@(?= |$)", least=MANY_MARKS),
    _of("bpe-marks", "Subword marks ▁ (U+2581) of SentencePiece", _JOIN, "▁", least=MANY_MARKS),
    _of("bpe-marks", "Subword marks ## of WordPiece", _JOIN, r"(?<!\S)##\w", least=MANY_MARKS),
    _of("bpe-marks", "Marks Ġ or Ċ (U+0120, U+010A) of byte-level BPE", "Decode the tokens to text.", r"Ġ\w|Ċ(?!\w)",
        least=MANY_MARKS),
    _of("bpe-marks", "Marks of split hyphens @-@", "Detokenize the text.", r"(?:^|\s)@[-/]@(?:\s|$)", least=MANY_MARKS),
    _of("bpe-marks", "Marks </w> of word ends", _JOIN, r"</w>"),
    _of("bpe-marks", "Joiners ￭ (U+FFED) of OpenNMT", _JOIN, "￭", least=MANY_MARKS),
    _of("byte-tokens", "Byte tokens such as <0xE2>", "Decode the tokens to text.", r"<0x[0-9A-Fa-f]{2}>"),
    _of(
        "special-tokens", "Special tokens of a decoder", "Skip special tokens when decoding.",
        r"</?s>|<(?:(?i:pad|eos|bos|sep|cls|blank)|mask(?:_\d+)?|extra_id_\d+|start_of_turn|end_of_turn|turn)>"
        r"|<\|[\w-]+\|>"
        r"|\[(?:CLS|SEP|PAD|MASK|EOS|BOS)\]|\[/?INST\]",
    ),
    _of(
        "unk", "Placeholders of unknown words (<unk>)", "Use a vocabulary without them, or say so.",
        r"<unk>|<UNK>|⁇|\[UNK\]|\$UNK\$|__(?i:unk)__|(?<!\S)(?:UNK|xxunk)(?!\S)",
    ),
    _of(
        "language-tokens", "Language tokens", "Remove them.",
        r"(?:^|\s)(?:__(?!unk)[a-z]{2,3}(?:_[A-Za-z]+)?__|<2[a-z]{2,3}>|>>[a-z]{2,3}(?:_[A-Za-z]+)?<<|\[[a-z]{2}_[A-Z]{2}\]"
        r"|[a-z]{2}_[A-Z]{2}|[a-z]{3}_(?:Latn|Cyrl|Arab|Hans|Hant|Deva|Grek|Hebr|Hang|Jpan|Thai|Beng|Geor|Ethi))"
        r"(?:\s|$)",
    ),
    _of("code-fences", "Code fences (```)", "Take the translation out of the model's answer.", "```"),
    _of(
        "chat-answers", "Words of a chat model around its translation", "Keep the translation only.",
        r"\s*\W{0,3}(?:(?:Sure|Certainly|Of course|Absolutely)[,!.][^:]{0,60}"
        r"\b(?:translat|version)[^:]{0,60}:|Here(?: is|'s|’s| are) (?:the|a|your|my|an)\b"
        r"[^:]{0,60}\b(?:translat|version|text|sentence|answer)[^:]{0,60}:"
        r"|(?:The |My )?(?:\w+ )?[Tt]ranslation(?: \w+){0,4} ?:"
        r"|As an AI\b|(?:I'?m )?[Ss]orry, (?:but )?I\b|I (?:cannot|can['’]t|am unable to) "
        r"(?:help|assist|translate|provide|fulfill|comply)\b|<think>)",
        opens=True,
    ),
    _of(
        "nan-lines", "Lines that are nan, None or null", "A program wrote missing outputs as words: decode them again.",
        r"\s*(?:nan|NaN|None|null|NULL|<NA>|N/?A|#N/A|undefined|\[\]|\{\}|\[object Object\]|\"\"|''|"
        r"\[?(?:ERROR|FAILED)\b.*|Error code: \d+.*)\s*$", opens=True,
    ),
    _of(
        "tracebacks", "Lines of an error message or a log",
        "The decoder crashed, or its log was written into the output.",
        r"Traceback \(most recent call last\)|\s+File \"[^\"]+\", line \d+|[\w.]*(?:Error|Exception): "
        r"|Segmentation fault|(?:torch\.)?(?:cuda\.)?OutOfMemoryError|CUDA out of memory|slurmstepd: |(?:ba|z)?sh: "
        r"|\S+: \w*Warning: |\[?\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?\S* .{0,20}\b(?i:info|warn|warning|error|debug)\b"
        r"|(?:INFO|WARNING|WARN|DEBUG)(?:[: ]|\])",
        opens=True,
    ),
    _of(
        "progress-bars", "Progress bars", "Write messages and output to different files.",
        r"\d+%\|[ █▏▎▍▌▋▊▉#]*\||\[\d\d:\d\d<(?:\d\d:\d\d|\?)|\d(?:it/s|s/it)\]",
    ),
    _of(
        "line-numbers", "Numbers before the text of nearly every line", "Keep the text only.",
        r"\s*\(?\d{1,6}[.):]\s", opens=True, least=MOST_NUMBERED,
    ),
    _of(
        "columns", "Tabs in most lines", "They may separate columns: keep the text alone, for example with cut -f2.",
        r"\S *\t\s*\S", least=MOST_LINES,
    ),
    _of(
        "columns", "Bars ||| in most lines", "They may separate a text from its score: keep the text alone.",
        r"\|\|\|", least=MOST_LINES,
    ),
    _of(
        "factors", "Factors joined by bars (word|tag) in most lines", "Keep the words only.",
        r"\s*(?:[^\s|]+\|[^\s|]\S*(?:\s+|$)){3}", opens=True, least=MOST_LINES,
    ),
    _of("json-objects", "JSON objects", "Write the text only.", r"\s*\{\s*\"\w+\"\s*:.*\}\s*$", opens=True),
    _of(
        "quotes", "Quotes around most lines", "Remove them, and read JSON as such.",
        r"\s*(?:\[?\"[^\"]*\"\]?|['‘][^'‘’]{9,}['’]|[“„][^“”„]*[“”]|«[^«»]*»|「[^「」]*」|\{'.*\})\s*$", opens=True,
        least=MOST_LINES,
    ),
    _of(
        "escapes", "Escapes such as \\n or \\u00e9", "Read JSON as such before its texts are written.",
        r"\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[nt]|\\\"", least=MANY_MARKS,
    ),
    _of("html", "HTML pages", "Download the file again.", r"\s*<(?:!DOCTYPE html|html|head|body)\b", opens=True),
    _of(
        "invisible-characters", "Invisible characters", "Remove them, or words that look equal count as different.",
        "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb"
        "\x01-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]",
    ),
    _of(
        "replacement-characters", "Characters that were lost (U+FFFD)",
        "A text was read in a wrong encoding before: write it again.", "\ufffd",
    ),
)  # fmt: skip

#: A printable line without any of these holds nothing that is searched for; looking for them is far quicker.
_RARE_ASCII = (*"@#<[_`|>\\", "UNK", "xxunk")
_RARE = (*_RARE_ASCII, *"▁ĠĊ￭⁇\ufffd")
_OPENINGS = [i for i, leftover in enumerate(LEFTOVERS) if leftover.opens]
_ANYWHERE = [i for i, leftover in enumerate(LEFTOVERS) if not leftover.opens]
_STARTS = re.compile("|".join(f"(?:{LEFTOVERS[i].pattern.pattern})" for i in _OPENINGS))


def kinds_in(line: str) -> list[int]:
    """Return which of `LEFTOVERS` a line holds, by place."""
    kinds = []
    if _STARTS.match(line):
        kinds = [i for i in _OPENINGS if LEFTOVERS[i].pattern.match(line)]
    if not line.isprintable() or any(rare in line for rare in (_RARE_ASCII if line.isascii() else _RARE)):
        kinds += [i for i in _ANYWHERE if LEFTOVERS[i].pattern.search(line)]
    return kinds


def leftovers(outputs: Outputs) -> Iterator[ReportLine]:
    """What outputs hold and references do not, or the other way."""
    for test_set in outputs.experiment.test_sets:
        own = outputs.on(test_set.name)
        shares = _shares_in_references(test_set)
        counts = outputs.tallies(test_set.name, kinds_in, len(LEFTOVERS))
        for i, leftover in enumerate(LEFTOVERS):
            n_lines = test_set.n_segments
            suspects = [
                (o, int(counts[o.row, i])) for o in own
                if counts[o.row, i] > max(2 * shares[i], leftover.least) * n_lines
                or counts[o.row, i] == leftover.least * n_lines > 2 * shares[i] * n_lines
            ]
            if suspects:
                yield _warning(leftover, suspects)
            elif shares[i] > leftover.least and own and not counts[:, i].any():
                yield _warning_of_references(leftover, test_set)


def _shares_in_references(test_set: TestSet) -> np.ndarray:
    """Return the share of reference lines with each leftover: (kinds,)."""
    n_with = np.zeros(len(LEFTOVERS))
    lines = [line for stream in test_set.references for line in stream if line is not None]
    for line in lines:
        n_with[kinds_in(line)] += 1
    return n_with / max(1, len(lines))


def _warning(leftover: Leftover, suspects: Sequence[tuple[Output, int]]) -> ReportLine:
    output, _ = suspects[0]
    number, line = next((i, x) for i, x in enumerate(output.lines, 1) if _holds(leftover, x))
    listed = some([f"{o.label} ({_share(n, len(o.lines))})" for o, n in suspects])
    files = tuple(o.file for o, _ in suspects if o.file)
    message = (
        f"{leftover.what} are left in {listed}; {output.label}, line {number}: {_example(leftover, line)}. "
        f"{leftover.remedy} They were scored unchanged."
    )
    return ReportLine("warning", message, files, leftover.code)


def _warning_of_references(leftover: Leftover, test_set: TestSet) -> ReportLine:
    lines = [(i, x) for stream in test_set.references for i, x in enumerate(stream, 1) if x and _holds(leftover, x)]
    number, line = lines[0]
    message = (
        f"{leftover.what} are left in the references of {test_set.name} ({count(len(lines), 'line')}), not in outputs; "
        f"line {number}: {_example(leftover, line)}. {leftover.remedy}"
    )
    return ReportLine("warning", message, (), leftover.code)


def _holds(leftover: Leftover, line: str) -> bool:
    return (leftover.pattern.match if leftover.opens else leftover.pattern.search)(line) is not None


def _share(n: int, n_lines: int) -> str:
    return f"{n:,} of {n_lines:,} lines{f', {100 * n / n_lines:.0f}%' if n * 100 >= n_lines else ''}"


def _example(leftover: Leftover, line: str) -> str:
    match = (leftover.pattern.match if leftover.opens else leftover.pattern.search)(line)
    middle = match.start() if match else 0
    start = max(0, middle - EXAMPLE // 3)
    return repr(visible(line[start : start + EXAMPLE]))

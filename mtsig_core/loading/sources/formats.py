"""What a file holds, by its content and not by its name or place."""

from __future__ import annotations

import codecs
import re
import zlib
from typing import Literal

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
#: Bytes at the start of a file from which its format is recognised.
HEAD = 64 * 1024
Format = Literal[
    "", "fairseq", "n-best", "nist", "wmt-xml", "json lines", "git-lfs", "annex", "html", "rtf", "score-tab",
    "score-bars", "subtitles",
]
#: What is no text of segments, although it has lines: what it is, and what to do.
NO_TEXT: dict[Format, str] = {
    "git-lfs": "is a Git LFS pointer, not the file itself. Run: git lfs pull",
    "annex": "is a link of git-annex or DVC, not the file itself. Run: git annex get, or dvc pull",
    "html": "is an HTML page, perhaps the error page of a download, not text. Download the file itself",
    "rtf": "is an RTF document, not text. Save it as plain text (UTF-8), one segment per line",
    "score-tab": (
        "begins every line with a number and a tab: a score or an id before the text, not the text alone. Keep the "
        "text only, for example: cut -f2- FILE"
    ),
    "score-bars": (
        'begins every line with a number and "|||": a score or an id before the text, not the text alone. Keep the '
        "text only, for example: sed 's/^[^|]*||| //' FILE"
    ),
    "subtitles": (
        "holds subtitles with their times, not one segment per line. Write the text of each subtitle on a line of its "
        "own"
    ),
    "json lines": (
        "holds one JSON object per line, not text, and no key of it is known to be the output. Write the text of each "
        "object on a line of its own, for example: jq -r .KEY FILE"
    ),
}

_LOG_LINE = re.compile(r"[A-Z]-\d+(?:_\d+)?\t")
_LOG_OUTPUT = re.compile(r"[HD]-\d+\t-?(?:\d|inf|nan)[^\t]*(?:\t|$)")
_LOG_CHATTER = re.compile(r"\d{4}-\d\d-\d\d |\| |INFO|Namespace|Generate |Translated |\s*\d+%\||$")
_NBEST = re.compile(r"\s*\d+\s*\|\|\|.*\|\|\|")
_NIST = re.compile(r"<(?:srcset|refset|tstset)\b", re.IGNORECASE)
_WMT = re.compile(r"<(?:dataset|collection)\b")
_WMT_DOC = re.compile(r"<doc\b")
_HTML = re.compile(r"<!doctype html|<html\b|<head\b|<\?xml[^>]*>\s*<(?:!doctype html|html\b|Error>)", re.IGNORECASE)
_NUMBER = r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_SCORE_TAB = re.compile(_NUMBER + r"\t(?!\s*$|" + _NUMBER + r"\s*$)")
_SCORE_BARS = re.compile(_NUMBER + r"\s*\|\|\|")
_POINTER = re.compile(r"version https://git-lfs\.github\.com/spec/")
_ANNEX = re.compile(r"(?:\.\./)*(?:/annex/objects/|\.git/annex/objects/)\S+\s*$|outs:\n- md5: [0-9a-f]{32}")
_CUE = re.compile(r"(?:\d+:)?\d\d:\d\d[,.]\d{3} --> (?:\d+:)?\d\d:\d\d[,.]\d{3}")
#: Lines that are looked at, and the share of them that decides.
N_LOOKED_AT, MOST = 50, 0.9


def head_of(data: bytes) -> str:
    """Return the beginning of a file as text, never failing: to recognise what the file holds, not to use it."""
    if data.startswith(GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, HEAD)
        except zlib.error:
            return ""
    elif data.startswith(ZSTD):
        data = start_of_zstd(data)
    for bom, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(bom):
            return data.decode(encoding, "replace")
    return data.decode("utf-8", "replace").lstrip("\ufeff")


def start_of_zstd(data: bytes) -> bytes:
    """Return the first bytes of what was packed with zstd; nothing where it is damaged or cannot be unpacked here."""
    try:
        import pyarrow

        return bytes(pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd").read(HEAD))
    except (ImportError, OSError):
        return b""


def format_of(head: str) -> Format:
    """Return the format of a file from its first characters.

    Returns
    -------
    Format
        The log of fairseq-generate, a Moses or cdec n-best list, NIST SGML or XML, the WMT XML, one JSON object per
        line, or one of the things in `NO_TEXT`; "" for plain text and everything else.
    """
    start = head[:1024].lstrip()
    if start.startswith("<"):
        if _NIST.search(head):
            return "nist"
        if _WMT.search(head) and _WMT_DOC.search(head):
            return "wmt-xml"
        return "html" if _HTML.match(start) else ""
    if _POINTER.match(start):
        return "git-lfs"
    if len(head) < 1024 and _ANNEX.match(start):
        return "annex"
    lines = head.split("\n")
    whole = [line for line in (lines[:-1] or lines)[:N_LOOKED_AT] if line.strip()]  # the last one may be cut
    if start.startswith("{\\rtf"):
        return "rtf"
    if start.startswith("{"):
        return "json lines" if all(line.lstrip()[:1] == "{" and line.rstrip()[-1:] == "}" for line in whole) else ""
    if "|||" in head:
        if _mostly(_NBEST, whole, 0.8):
            return "n-best"
        return "score-bars" if _mostly(_SCORE_BARS, whole, MOST) else ""
    if " --> " in head and sum(map(bool, map(_CUE.match, whole))) > 1:
        return "subtitles"
    if "\t" not in head:
        return ""
    if _is_log(head):
        return "fairseq"
    return "score-tab" if len(whole) > 2 and _mostly(_SCORE_TAB, whole, MOST) else ""


def _mostly(pattern: re.Pattern[str], lines: list[str], share: float) -> bool:
    return sum(pattern.match(line) is not None for line in lines) > share * len(lines)


def _is_log(head: str) -> bool:
    lines = head.split("\n")
    whole = lines[:-1] or lines  # the last one may be cut
    tagged = sum(_LOG_LINE.match(line) is not None for line in whole)
    chatter = sum(_LOG_CHATTER.match(line) is not None for line in whole)
    outputs = any(_LOG_OUTPUT.match(line) for line in whole)
    return outputs and tagged > 0.8 * (len(whole) - chatter)

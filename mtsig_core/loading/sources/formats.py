"""What a file holds, by its content and not by its name or place."""

from __future__ import annotations

import codecs
import re
import zlib
from typing import Literal

GZIP = b"\x1f\x8b"
#: Bytes at the start of a file from which its format is recognised.
HEAD = 64 * 1024
Format = Literal["", "fairseq", "n-best", "nist", "wmt-xml"]

_LOG_LINE = re.compile(r"[A-Z]-\d+(?:_\d+)?\t")
_LOG_OUTPUT = re.compile(r"[HD]-\d+\t-?(?:\d|inf|nan)[^\t]*(?:\t|$)")
_LOG_SOURCE = re.compile(r"[STP]-\d+\t|$")
_LOG_CHATTER = re.compile(r"\d{4}-\d\d-\d\d |\| |INFO|Namespace|Generate |Translated |\s*\d+%\||$")
_NBEST = re.compile(r"\s*\d+\s*\|\|\|.*\|\|\|")
_NIST = re.compile(r"<(?:srcset|refset|tstset)\b", re.IGNORECASE)
_WMT = re.compile(r"<(?:dataset|collection)\b")
_WMT_DOC = re.compile(r"<doc\b")


def head_of(data: bytes) -> str:
    """Return the beginning of a file as text, never failing: to recognise what the file holds, not to use it."""
    if data.startswith(GZIP):
        try:
            data = zlib.decompressobj(wbits=31).decompress(data, HEAD)
        except zlib.error:
            return ""
    for bom, encoding in ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if data.startswith(bom):
            return data.decode(encoding, "replace")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")


def format_of(head: str) -> Format:
    """Return the format of a file from its first characters.

    Returns
    -------
    {"fairseq", "n-best", "nist", "wmt-xml", ""}
        The log of fairseq-generate, a Moses or cdec n-best list, NIST SGML or XML, the WMT XML; "" for
        everything else.
    """
    start = head[:1024].lstrip()
    if start.startswith("<"):
        if _NIST.search(head):
            return "nist"
        return "wmt-xml" if _WMT.search(head) and _WMT_DOC.search(head) else ""
    if "|||" in head:
        return "n-best" if _mostly(_NBEST, head.split("\n")[:50]) else ""
    return "fairseq" if "\t" in head and _is_log(head) else ""


def _mostly(pattern: re.Pattern[str], lines: list[str]) -> bool:
    filled = [line for line in lines if line.strip()]
    return sum(pattern.match(line) is not None for line in filled) > 0.8 * len(filled)


def _is_log(head: str) -> bool:
    lines = head.split("\n")
    whole = lines[:-1] or lines  # the last one may be cut
    tagged = sum(_LOG_LINE.match(line) is not None for line in whole)
    chatter = sum(_LOG_CHATTER.match(line) is not None for line in whole)
    outputs = any(_LOG_OUTPUT.match(line) for line in whole)
    return outputs and tagged > 0.8 * (len(whole) - chatter)

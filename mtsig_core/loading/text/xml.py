"""XML files, read so that a hostile one can do no harm."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from mtsig_core.loading.report import LoadError

#: Bytes of an XML file, and its tags and attributes: each element becomes an object.
MOST_BYTES, MOST_TAGS = 128 * 2**20, 2_000_000
_BREAKS = re.compile(r"[ \t\n\r]*[\n\r][ \t\n\r]*")


def parse_xml(data: bytes, file: str) -> Element:
    """Return the root element.

    Raises
    ------
    LoadError
        When it is not well-formed, with line and column, or declares entities.
    """
    _check_size(data, file)
    try:
        root: Element = fromstring(data)
    except ParseError as error:
        line, column = error.position
        raise LoadError(
            f"{file}, line {line}, column {column + 1}: is not well-formed XML ({error.msg}). Correct it there, or "
            "write it again.",
            file,
        ) from error
    except DefusedXmlException as error:
        raise LoadError(
            f"{file}: declares entities or refers to other files, which is not read: {error}. Remove the declarations.",
            file,
        ) from error
    except (ValueError, LookupError) as error:
        raise LoadError(f"{file}: cannot be read as XML ({error}). Save it as UTF-8.", file) from error
    return root


def _check_size(data: bytes, file: str) -> None:
    """Refuse what would take many times its size in memory."""
    counted = ((len(data), MOST_BYTES, "bytes"), (data.count(b"<"), MOST_TAGS, "tags"),
               (data.count(b"="), MOST_TAGS, "attributes"))  # fmt: skip
    for n, most, what in counted:
        if n > most:
            raise LoadError(f"{file}: {n:,} {what} of XML; the limit is {most:,}. Split the file.", file)


def segment_text(element: Element) -> str:
    """Return all text of an element on one line, without blanks around it."""
    return one_line("".join(element.itertext()))


def one_line(text: str) -> str:
    """Join lines with a blank and take the blanks around them off."""
    return _BREAKS.sub(" ", text).strip(" \t\n\r")

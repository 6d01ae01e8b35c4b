"""The formats of human judgements, and which of them a file is in."""

from __future__ import annotations

from mtsig_core.loading.judgements.model import Judgements
from mtsig_core.loading.judgements.score_lines import is_score_lines, read_score_lines
from mtsig_core.loading.judgements.table import read_table
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.text.decoding import read_text


def read_judgements(name: str, data: bytes, *, encoding: str | None = None) -> Judgements:
    """Read a file of human judgements.

    `mtsig_core.loading.judgements.sheets.annotation_sheets` reads filled annotation sheets, since only their key says
    which output is whose.

    Parameters
    ----------
    name : str
        File name, for messages; it may name the dimension (``quality.tsv``), and ``stnd`` in it says that scores
        are standardised.
    data : bytes
        Separated values with a heading (tab, semicolon, comma, bar or blanks), JSON lines or a JSON list of
        objects, or the scores of mt-metrics-eval; packed with gzip or not.
    encoding : str, optional
        Of a file that is not UTF-8.

    Raises
    ------
    LoadError
        When the file is in none of these formats, or a cell is wrong; names file, line, column and remedy.
    """
    report = Reporter()
    text = read_text(data, name, encoding=encoding)
    text.report_notes(name, report)
    if is_score_lines(name):
        return read_score_lines(name, text.lines, report)
    return read_table(text.lines, name, report)

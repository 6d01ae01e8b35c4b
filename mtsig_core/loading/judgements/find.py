"""Files of human judgements in a folder, archive or upload: which files they are, in what format, and what they hold.

A file is one of judgements by its folder, its format, or its heading.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import pandas as pd

from mtsig_core.loading.judgements.columns import columns_of_people
from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.judgements.joining import grouped, with_notes
from mtsig_core.loading.judgements.readers import appraise, mqm, mqm_json, pearmut, rankings, score_lines, wmt_json
from mtsig_core.loading.judgements.readers import tables as general
from mtsig_core.loading.judgements.readers.metric_scores import COLUMNS, read_metric_scores
from mtsig_core.loading.judgements.readers.post_edit_files import PostEditFile, is_post_edit_file
from mtsig_core.loading.judgements.readers.post_edits import holds_post_edits, read_post_edits
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import Source, open_source
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import Decoder, read_text

#: Formats that hold nothing but judgements; the first that recognises a file reads it.
OWN_FORMATS: tuple[ModuleType, ...] = (score_lines, appraise, pearmut, wmt_json, mqm, mqm_json, rankings)
#: All formats; the last takes any table.
FORMATS: tuple[ModuleType, ...] = (*OWN_FORMATS, general)
#: Folders whose tables are human judgements.
FOLDERS = frozenset(("judgements", "judgments", "human-scores", "human"))
JUDGEMENTS, POST_EDITS = "judgements", "post-edits"
_ENDINGS = ("csv", "tsv", "jsonl", "ndjson", "json", "score", "txt", "tab")
#: Folders of other numbers: scores of metrics, published results.
_OTHERS = frozenset(("scores", "metric-scores", "known", "refs", "references", "sources"))


@dataclass(frozen=True, eq=False)
class HumanJudgements:
    """All human judgements of one upload.

    Attributes
    ----------
    tables : tuple of JudgementTable
        Files of one format with the same dimensions are one table.
    post_edits : mapping of file to DataFrame
        As `read_post_edits` returns them.
    post_edit_files : tuple of PostEditFile
        Post-edits as lines, which only the outputs can be matched with.
    refused : mapping of file to str
        Files that look like judgements and cannot be read, with the reason.
    metric_scores : DataFrame
        Scores of metrics that stand beside judgements in one table, as `read_metric_scores` returns them.
    """

    tables: tuple[JudgementTable, ...]
    post_edits: dict[str, pd.DataFrame]
    post_edit_files: tuple[PostEditFile, ...]
    refused: dict[str, str]
    metric_scores: pd.DataFrame


def has_own_format(path: str, files: FileTree) -> bool:
    """Say whether a file is in a format that holds nothing but judgements, by its first lines."""
    if _ending(path) not in _ENDINGS:
        return False
    lines = files.head(path).split("\n")
    return any(each.recognises(path, lines) for each in OWN_FORMATS)


def kind_of(path: str, files: FileTree) -> str:
    """Return what a file holds by its folder and first lines: judgements, post-edits, or "" for neither."""
    if is_post_edit_file(path):
        return POST_EDITS
    folders = set(path.casefold().split("/")[:-1])
    if _ending(path) not in _ENDINGS or folders & _OTHERS:
        return ""
    if has_own_format(path, files):
        return JUDGEMENTS
    header = header_of(path, files)
    if holds_post_edits(header):
        return POST_EDITS
    columns = columns_of_people(header)
    if "system" not in columns.places or not columns.values:
        return ""
    by_name = base_name(path).casefold().startswith(("human", "judgement", "judgment"))
    of_people = columns.is_of_people or columns.repeats_by_metric
    return JUDGEMENTS if of_people or by_name or folders & FOLDERS else ""


def header_of(path: str, files: FileTree) -> tuple[str, ...]:
    """Return the first line of a file as the heading of a table; empty where it is none."""
    first = files.head(path).split("\n", 1)[0].rstrip("\r")
    try:
        return delimited([first], path).header
    except LoadError:
        return ()


def _ending(path: str) -> str:
    return base_name(path).casefold().removesuffix(".gz").rsplit(".", 1)[-1]


def read_judgement_table(name: str, data: bytes, *, encoding: str | None = None) -> JudgementTable:
    """Read one file of human judgements.

    Filled annotation sheets need their key: `mtsig_core.loading.judgements.sheets.annotation_sheets` reads them.

    Parameters
    ----------
    name : str
        File name, for messages; ``LP.NAME.seg.score`` and the like are read as mt-metrics-eval's.
    data : bytes
        Packed with gzip or not.
    encoding : str, optional
        Of a file that is not UTF-8.

    Raises
    ------
    LoadError
        When it is no such file, or something in it is wrong; names file, place and remedy.
    """
    report = Reporter()
    text = read_text(data, name, encoding=encoding)
    text.report_notes(name, report)
    chosen = next(each for each in FORMATS if each.recognises(name, text.lines))
    return with_notes(chosen.read(name, text.lines, report), report)


def find_judgements(
    source: Source, *, encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> HumanJudgements:  # fmt: skip
    """Return the human judgements of a source; everything else in it is passed over.

    Raises
    ------
    LoadError
        When the source cannot be opened, or holds no judgement that can be read.
    """
    return judgements_in(open_source(source, None, Reporter(), Decoder(encoding, limits)))


def judgements_in(files: FileTree) -> HumanJudgements:
    """Return the human judgements among the files of an upload; a file that is alone is taken for one of judgements.

    Raises
    ------
    LoadError
        When there is no judgement that can be read.
    """
    tables: list[JudgementTable] = []
    edits: dict[str, pd.DataFrame] = {}
    lines: list[PostEditFile] = []
    refused: dict[str, str] = {}
    scores: list[pd.DataFrame] = []
    alone = len(files) == 1
    for path in files:
        kind = kind_of(path, files) or (JUDGEMENTS if alone else "")
        if not kind:
            continue
        try:
            data = files.decoder.unpacked(files[path], path)
            encoding = files.decoder.encoding
            if is_post_edit_file(path):
                lines.append(PostEditFile(path, files.text(path).lines))
            elif kind == POST_EDITS or (alone and holds_post_edits(header_of(path, files))):
                edits[path] = read_post_edits(path, data, encoding=encoding)
            else:
                table = read_judgement_table(path, data, encoding=encoding)
                tables.append(table)
                if table.format == general.NAME:
                    scores.append(read_metric_scores(read_text(data, path, encoding=encoding).lines, path))
        except LoadError as error:
            if alone:
                raise
            refused[path] = str(error)
    if not tables and not edits and not lines:
        raise _nothing(files, refused)
    joint = pd.concat(scores, ignore_index=True) if scores else pd.DataFrame(columns=list(COLUMNS))
    return HumanJudgements(grouped(tables), edits, tuple(lines), refused, joint)


def _nothing(files: FileTree, refused: dict[str, str]) -> LoadError:
    if refused:
        path, reason = next(iter(refused.items()))
        return LoadError(reason, path)
    return LoadError(
        f"{files.name}: no file of human judgements among {some(files)}. Add a table with the columns system, segment, "
        "annotator and score to a folder judgements/, or an export of Appraise, Pearmut or MQM.",
        files.name,
    )


def judgements_of(recognition: Recognition) -> HumanJudgements | None:
    """Return the human judgements of an upload that was loaded, or None where there are none.

    Raises
    ------
    LoadError
        When no file of judgements can be read.
    """
    return judgements_in(recognition.files.only(recognition.judged)) if recognition.judged else None

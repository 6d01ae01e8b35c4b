"""Files of human judgements in a folder, archive or upload, beside text or alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.judgements.kinds import JUDGEMENTS, POST_EDITS, header_of, kind_of
from mtsig_core.loading.judgements.reader import joined, read_judgement_table
from mtsig_core.loading.judgements.readers import tables as general
from mtsig_core.loading.judgements.readers.metric_scores import COLUMNS, read_metric_scores
from mtsig_core.loading.judgements.readers.post_edits import holds_post_edits, read_post_edits
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.sources.limits import DEFAULT_LIMITS, Limits
from mtsig_core.loading.sources.source import open_source
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.decoding import Decoder, read_text


@dataclass(frozen=True, eq=False)
class FoundJudgements:
    """All human judgements of one upload.

    Attributes
    ----------
    tables : tuple of JudgementTable
        Files of one format with the same dimensions are one table.
    post_edits : mapping of file to DataFrame
        As `read_post_edits` returns them.
    refused : mapping of file to str
        Files that look like judgements and cannot be read, with the reason.
    metric_scores : DataFrame
        Scores of metrics that stand beside judgements in one table, as `read_metric_scores` returns them.
    """

    tables: tuple[JudgementTable, ...]
    post_edits: dict[str, pd.DataFrame]
    refused: dict[str, str]
    metric_scores: pd.DataFrame


def find_judgements(
    source: str | os.PathLike[str] | bytes | Iterable[tuple[str, bytes]], *, encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> FoundJudgements:  # fmt: skip
    """Return the human judgements of a source; everything else in it is passed over.

    Raises
    ------
    LoadError
        When the source cannot be opened, or holds no judgement that can be read.
    """
    return judgements_in(open_source(source, None, Reporter(), Decoder(encoding, limits)))


def judgements_in(files: FileTree) -> FoundJudgements:
    """Return the human judgements among the files of an upload; a file that is alone is taken for one of judgements.

    Raises
    ------
    LoadError
        When there is no judgement that can be read.
    """
    tables: list[JudgementTable] = []
    edits: dict[str, pd.DataFrame] = {}
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
            if kind == POST_EDITS or (alone and holds_post_edits(header_of(path, files))):
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
    if not tables and not edits:
        raise _nothing(files, refused)
    joint = pd.concat(scores, ignore_index=True) if scores else pd.DataFrame(columns=list(COLUMNS))
    return FoundJudgements(_grouped(tables), edits, refused, joint)


def _nothing(files: FileTree, refused: dict[str, str]) -> LoadError:
    if refused:
        path, reason = next(iter(refused.items()))
        return LoadError(reason, path)
    return LoadError(
        f"{files.name}: no file of human judgements among {some(files)}. Add a table with the columns system, segment, "
        "annotator and score to a folder judgements/, or an export of Appraise, Pearmut or MQM.",
        files.name,
    )


def _grouped(tables: list[JudgementTable]) -> tuple[JudgementTable, ...]:
    groups: dict[tuple[object, ...], list[JudgementTable]] = {}
    for table in tables:
        key = (table.format, table.dimensions, table.standardised, tuple(table.higher_is_better.items()))
        groups.setdefault(key, []).append(table)
    return tuple(joined(own) for own in groups.values())

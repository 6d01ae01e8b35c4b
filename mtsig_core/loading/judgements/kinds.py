"""Which files hold human judgements: by their folder, their format, or their heading."""

from __future__ import annotations

from mtsig_core.loading.judgements.columns import columns_of_people
from mtsig_core.loading.judgements.readers import appraise, mqm, mqm_json, pearmut, rankings
from mtsig_core.loading.judgements.readers.post_edits import holds_post_edits
from mtsig_core.loading.judgements.score_lines import is_score_lines
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.report import LoadError
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.sources.tree import FileTree

#: Folders whose tables are human judgements.
FOLDERS = frozenset(("judgements", "judgments", "human-scores", "human"))
JUDGEMENTS, POST_EDITS = "judgements", "post-edits"
_ENDINGS = ("csv", "tsv", "jsonl", "ndjson", "json", "score", "txt", "tab")
#: Folders of other numbers: scores of metrics, published results.
_OTHERS = frozenset(("scores", "metric-scores", "known", "refs", "references", "sources"))
_OWN_FORMATS = (appraise, pearmut, mqm, mqm_json, rankings)


def has_own_format(path: str, files: FileTree) -> bool:
    """Say whether a file is in a format that holds nothing but judgements, by its first lines."""
    if _ending(path) not in _ENDINGS:
        return False
    lines = files.head(path).split("\n")
    return any(each.recognises(path, lines) for each in _OWN_FORMATS)


def kind_of(path: str, files: FileTree) -> str:
    """Return what a file holds by its folder and first lines: judgements, post-edits, or "" for neither."""
    folders = set(path.casefold().split("/")[:-1])
    if _ending(path) not in _ENDINGS or folders & _OTHERS:
        return ""
    if is_score_lines(path) or has_own_format(path, files):
        return JUDGEMENTS
    header = header_of(path, files)
    if holds_post_edits(header):
        return POST_EDITS
    columns = columns_of_people(header)
    if "system" not in columns.places or not columns.values:
        return ""
    by_name = base_name(path).casefold().startswith(("human", "judgement", "judgment"))
    return JUDGEMENTS if columns.is_of_people or by_name or folders & FOLDERS else ""


def header_of(path: str, files: FileTree) -> tuple[str, ...]:
    """Return the first line of a file as the heading of a table; empty where it is none."""
    first = files.head(path).split("\n", 1)[0].rstrip("\r")
    try:
        return delimited([first], path).header
    except LoadError:
        return ()


def _ending(path: str) -> str:
    return base_name(path).casefold().removesuffix(".gz").rsplit(".", 1)[-1]

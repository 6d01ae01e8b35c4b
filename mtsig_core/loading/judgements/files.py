"""Which files of an upload hold human judgements: by their folder, and by their heading.

They are read to be checked, listed, and shown on pages of their own; whatever their layout, they are no outputs and
no scores of a metric. A file in a folder of scores (``scores/``) is left to `mtsig_core.loading.scores`: there,
people's scores can be tested like those of a metric. Without outputs, judgements become scores by
`mtsig_core.loading.layouts.judgements`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from mtsig_core.formatting import count
from mtsig_core.loading.judgements.columns import JudgementColumns, columns_of_people
from mtsig_core.loading.judgements.find import (
    FOLDERS,
    POST_EDITS,
    has_own_format,
    judgements_in,
    kind_of,
    read_judgement_table,
)
from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.judgements.readers import score_lines
from mtsig_core.loading.judgements.readers.post_edit_files import is_post_edit_file
from mtsig_core.loading.judgements.readers.post_edits import read_post_edits
from mtsig_core.loading.layouts import judgements as judgements_alone
from mtsig_core.loading.layouts.common.layout import Layout
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import SHOWN, FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.find import FOLDERS as SCORE_FOLDERS
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.sources.tree import FileTree

#: Folders whose tables are something else: scores of metrics, published numbers.
_OTHERS = SCORE_FOLDERS | {"known"}
_TABLES = ("csv", "tsv", "jsonl", "ndjson")
_MAYBE = (*_TABLES, "txt", "tab")
_NAME = re.compile(r"(human|judge?ments?)(?![a-z])")
#: Columns that may stand beside judgements without being scores of a metric: how many were averaged.
_COUNTS = frozenset(("n", "count"))


def read_layout(layout: Layout, files: FileTree, report: Reporter) -> Plan:
    """Return what a layout says of all files but post-edits, which look like outputs and are left out."""
    edits = [path for path in files if is_post_edit_file(path)]
    if not edits or len(edits) == len(files):
        return layout.read(files, report)
    plan = layout.read(files.only(path for path in files if path not in set(edits)), report)
    return replace(plan, roles=(*plan.roles, *(FileRole(path, "ignored", reason="post-edits") for path in edits)))


def mark_judgements(files: FileTree, plan: Plan, report: Reporter) -> Plan:
    """Return the plan with files of human judgements read, checked and left out, with the reason.

    Without text, a table of scores stays one unless it names annotators, whose judgements no table of scores can hold.

    Judgements alone are the scores of the experiment.

    Raises
    ------
    LoadError
        When nothing is there but judgements that cannot be read.
    """
    has_text = any(role.kind == "output" for role in plan.roles)
    if not has_text and _are_several_sets(files, plan):
        report.layout = judgements_alone.NAME
        return judgements_alone.read(files, report)
    reasons: dict[str, str] = {}
    for role in plan.roles:
        usable = role.kind in ("ignored", "scores") and role.path in files and role.path not in plan.blocks
        if usable and _holds_judgements(role, files, has_text):
            reasons[role.path] = _checked(role.path, files, report, plan)
            if role.kind == "scores" and has_text:
                reasons[role.path] += "; to test on it as on the scores of a metric, put the file into a folder scores/"
    if not reasons:
        return plan
    roles = [
        FileRole(role.path, "ignored", role.test_set, reason=reasons[role.path]) if role.path in reasons else role
        for role in plan.roles
    ]
    if all(role.kind == "ignored" for role in roles):
        report.layout = judgements_alone.NAME
        return judgements_alone.read(files, report)
    return replace(plan, roles=tuple(roles))


def _are_several_sets(files: FileTree, plan: Plan) -> bool:
    """Say whether tables of scores are of people alone, and each of a test set of its own that it does not name."""
    scores = [role.path for role in plan.roles if role.kind == "scores" and role.path not in plan.blocks]
    headings = (_columns(path, files) for path in scores if path in files)
    if len(scores) < 2 or not all(own and own.is_of_people and not own.unused for own in headings):
        return False
    try:
        tables = judgements_in(files.only(scores)).tables
    except LoadError:
        return False
    return len({(each.format, each.dimensions) for each in tables}) < len(tables)


def explain_judgements(files: FileTree, error: LoadError) -> LoadError:
    """Return what to say of files in which no layout was recognised: of human judgements, if that is what they are."""
    for path in files:
        columns = _columns(path, files)
        if columns is not None and columns.is_of_people:
            try:
                return _alone(path, _checked(path, files, Reporter(), Plan(())))
            except LoadError as own:
                return own
    return error


def _alone(path: str, reason: str) -> LoadError:
    return LoadError(
        f"{path}: {reason}. Add what was judged, for example systems/SYSTEM/REPLICA.txt with refs/ref.txt.", path
    )


def _holds_judgements(role: FileRole, files: FileTree, has_text: bool) -> bool:
    folders = set(role.path.casefold().split("/")[:-1])
    if folders & FOLDERS and (_ending(role.path) in _TABLES or score_lines.recognises(role.path, ())):
        return True
    if folders & _OTHERS:
        return False
    if has_own_format(role.path, files) or kind_of(role.path, files) == POST_EDITS:
        return True
    columns = _columns(role.path, files)
    if columns is None or "system" not in columns.places or not columns.values:
        return False
    if "annotator" in columns.places:
        return True
    by_name = bool(_NAME.match(base_name(role.path).casefold()) or folders & FOLDERS)
    with_metrics = role.kind == "scores" and any(name.casefold() not in _COUNTS for name in columns.unused)
    return has_text and not with_metrics and (by_name or columns.is_of_people)


def _ending(path: str) -> str:
    return base_name(path).casefold().rsplit(".", 1)[-1]


def _columns(path: str, files: FileTree) -> JudgementColumns | None:
    """Return what the first line says as the heading of a table, or None when the file is no table by its name."""
    if _ending(path) not in _MAYBE:
        return None
    first = files.head(path).split("\n", 1)[0].rstrip("\r")
    try:
        return columns_of_people(delimited([first], path).header)
    except LoadError:
        return None


def _checked(path: str, files: FileTree, report: Reporter, plan: Plan) -> str:
    """Read one file and return what to say of it; a damaged one is refused, and the others are used."""
    try:
        data, encoding = files.decoder.unpacked(files[path], path), files.decoder.encoding
        if is_post_edit_file(path):
            return f"post-edits: {count(len(files.text(path).lines), 'line')}, {SHOWN}"
        if kind_of(path, files) == POST_EDITS:
            return f"post-edits: {count(len(read_post_edits(path, data, encoding=encoding)), 'output')}, {SHOWN}"
        table = read_judgement_table(path, data, encoding=encoding)
        if table.format == score_lines.NAME:
            _check_length(table, files, plan)
    except LoadError as error:
        report.add("refused", "judgements", f"{error} These human judgements are left out.", [path])
        return "human judgements that cannot be read"
    what = f"human judgements ({table.format})" if has_own_format(path, files) else "human judgements"
    return f"{what}, read and checked: {table.summary}; {SHOWN}"


def _check_length(table: JudgementTable, files: FileTree, plan: Plan) -> None:
    """Raise LoadError when scores that go by the order of segments are not as many as those of the references."""
    test_set = table.frame["test_set"].iloc[0]
    n = max(map(int, table.frame["segment"].dropna()), default=0)
    for role in plan.roles:
        if n and role.kind == "reference" and role.test_set == test_set and role.path not in plan.texts:
            lines = len(files.lines(role.path, Reporter()))
            if lines != n:
                message = f"{table.file}: {n:,} scores per system, but {role.path} has {lines:,} lines."
                raise LoadError(message, table.file)

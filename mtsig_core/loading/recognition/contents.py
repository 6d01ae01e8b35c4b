"""Files whose content is no plain text: logs put in order, JSON lines unpacked, all else refused with advice.

Any layout may hold them, so this comes after a layout has said what each file is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.formats import NO_TEXT, Format
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.fairseq import Log, parse_log
from mtsig_core.loading.text.records import fields_of, first_records, read_records
from mtsig_core.loading.text.xml import one_line

NBEST_ADVICE = (
    "is an n-best list, for tuning, not an output of a system. Upload the translations instead: the best "
    "hypothesis of each segment, one segment per line"
)


_TEXTS = frozenset(("output", "reference", "source"))


def unpack(files: FileTree, plan: Plan, report: Reporter) -> Plan:
    """Return the plan with fairseq logs and JSON lines parsed, and with what is no text of segments left out.

    Where a test set has no reference, the ``T-`` lines of its logs are taken, and the ``S-`` lines as source.

    Raises
    ------
    LoadError
        When logs of one test set hold different references, and when the references of all test sets are no text.
    """
    roles = list(plan.roles)
    texts: dict[str, Sequence[str]] = dict(plan.texts)
    logs: dict[str, list[tuple[str, Log]]] = {}
    for i, role in enumerate(plan.roles):
        if roles[i].kind == "ignored":
            continue
        form = files.format(role.path) if role.kind in _TEXTS and role.path in files else ""
        if form == "json lines" and role.path not in texts and role.kind in ("output", "reference"):
            form = _take_json(role, files, texts, report)
        if form in NO_TEXT and role.path not in texts:
            if role.kind != "output":
                _leave_out(role, f"{role.path}: {NO_TEXT[form]}.", roles, report)
                continue
            report.gather("refused", "no-text", NO_TEXT[form][0].upper() + NO_TEXT[form][1:], role.path)
            roles[i] = replace(role, kind="ignored", reason="not the text of an output")
        elif role.kind != "output":
            continue
        elif form == "n-best":
            report.add("refused", "n-best-list", f"{role.path} {NBEST_ADVICE}.", [role.path])
            roles[i] = replace(role, kind="ignored", reason="an n-best list")
        elif form == "fairseq":
            log = _read_log(role.path, files, report)
            if log is None:
                roles[i] = replace(role, kind="ignored", reason="segment ids are damaged")
                continue
            texts[role.path] = [log.outputs[index] for index in sorted(log.outputs)]
            logs.setdefault(role.test_set, []).append((role.path, log))
    _take_references(logs, roles, texts, report)
    return replace(plan, roles=tuple(roles), texts=texts)


def _read_log(path: str, files: FileTree, report: Reporter) -> Log | None:
    """Return a log of fairseq; None where its ids of segments are damaged, which is said."""
    log = parse_log(files.lines(path, report))
    if log.flaw:
        report.add("refused", "segment-ids", f"{path}: {log.flaw}. The output is left out.", [path])
        return None
    _remark(log, path, report)
    return log


def _leave_out(role: FileRole, message: str, roles: list[FileRole], report: Reporter) -> None:
    """Leave out a source that is no text, and with a reference its whole test set where there are others.

    Raises
    ------
    LoadError
        When nothing would be left.
    """
    if role.kind == "reference" and all(r.test_set == role.test_set for r in roles if r.kind == "reference"):
        raise LoadError(message, role.path)
    rest = f"Test set {role.test_set!r}" if role.kind == "reference" else f"The {role.kind}"
    report.add("refused", "no-text", f"{message} {rest} is left out.", [role.path])
    for i, other in enumerate(roles):
        if other == role or (role.kind == "reference" and other.test_set == role.test_set and other.kind != "ignored"):
            roles[i] = replace(other, kind="ignored", reason=f"{role.path} is not the text itself")


def _take_references(
    logs: dict[str, list[tuple[str, Log]]], roles: list[FileRole], texts: dict[str, Sequence[str]], report: Reporter
) -> None:
    """Add the references that logs hold to test sets without any."""
    for test_set, own in logs.items():
        if not any(role.kind == "reference" and role.test_set == test_set for role in roles):
            new_references = _references(test_set, own, roles, report)
            roles += [role for role, _ in new_references]
            texts |= {role.path: lines for role, lines in new_references}


def _take_json(role: FileRole, files: FileTree, texts: dict[str, Sequence[str]], report: Reporter) -> Format:
    """Take the text of JSON lines where a key is known for it; else return their format."""
    fields = fields_of(first_records(files.head(role.path)))
    if role.kind not in fields:
        return "json lines"
    key = fields.keys[role.kind]
    records = read_records(files.lines(role.path, report), role.path)
    values = [(number, record.get(key)) for number, record in records]
    wrong = next((number for number, value in values if not isinstance(value, str)), None)
    if wrong is not None:
        raise LoadError(f"{role.path}, line {wrong}: {key!r} holds no text. Correct the line.", role.path)
    texts[role.path] = [one_line(str(value)) for _, value in values]
    sentence = f"One JSON object per line: {key!r} is read as the text"
    report.gather_guess("json-key", sentence, "To use another key, write its texts to a file of lines.", role.path)
    return ""


def _remark(log: Log, path: str, report: Reporter) -> None:
    report.gather("recognised", "fairseq-log", "A log of fairseq-generate: put in the order of segment ids", path)
    if log.n_repeated:
        sentence = "Several outputs of a segment (n-best): the first of each is used"
        report.gather_guess("fairseq-nbest", sentence, "To use others, decode with --nbest 1.", path)
    if log.n_detokenized < len(log.outputs):
        sentence = "Segments without a D line (detokenized output): their H line is used, which is tokenized"
        remedy = "For detokenized output, decode with --remove-bpe and --tokenizer."
        report.gather_guess("fairseq-tokenized", sentence, remedy, path)


def _references(
    test_set: str, logs: Sequence[tuple[str, Log]], roles: Sequence[FileRole], report: Reporter
) -> list[tuple[FileRole, list[str]]]:
    complete = {path: lines for path, log in logs if (lines := log.in_order(log.references)) is not None}
    if not complete:
        return []
    (first, reference), *others = complete.items()
    for path, lines in others:
        if lines != reference:
            raise LoadError(
                f"{path}: its references (T lines) differ from those of {first}, and there is no reference file. Are "
                "these outputs of different test sets? Put them in a folder each, or add the reference.",
                path,
            )
    report.assume(
        "fairseq-reference",
        f"Test set {test_set!r} has no reference file: the T lines of {first} are used. They are the text as the model "
        "saw it, perhaps tokenized.",
        "For scores to publish, add the original reference.",
        [first],
    )
    references_added = [(FileRole(f"{first}#T", "reference", test_set, stream="T"), reference)]
    source = _source(logs)
    if source is not None and not any(role.kind == "source" and role.test_set == test_set for role in roles):
        references_added.append((FileRole(f"{first}#S", "source", test_set), source))
    return references_added


def _source(logs: Sequence[tuple[str, Log]]) -> list[str] | None:
    sources: Mapping[int, list[str] | None] = {i: log.in_order(log.sources) for i, (_, log) in enumerate(logs)}
    return next((lines for lines in sources.values() if lines is not None), None)

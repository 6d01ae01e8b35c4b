"""Roles of files -> a validated Experiment; shared by all layouts and by corrections of the user.

Rules: an output of the wrong length is refused and never cut or padded; references, source and document
list must agree; an empty reference line is a missing reference; a segment without any reference is left
out of its test set for every system.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mtsig_core.experiment import Experiment, TestSet, natural_key
from mtsig_core.formatting import count
from mtsig_core.loading.composition import compose
from mtsig_core.loading.left_out import before_loading, lines_left_out, with_reference
from mtsig_core.loading.recognition.names import is_no_output, stems
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import SHOWN, FileRole, OutputKey
from mtsig_core.loading.recognition.settings import MANIFEST, Settings
from mtsig_core.loading.recognition.systems import scored_sets
from mtsig_core.loading.recognition.unread import why_unread
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.attach import Attached, attach
from mtsig_core.loading.scores.blocks import ScoreBlock, TextSet
from mtsig_core.loading.scores.columns import SCORES
from mtsig_core.loading.scores.find import read_scores
from mtsig_core.loading.scores.non_metrics import only_metrics
from mtsig_core.loading.scores.placing import renamed
from mtsig_core.loading.sources.limits import TextTooLarge
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.alignment import describe_mismatch
from mtsig_core.loading.text.line_reader import LineNumbers, LineReader
from mtsig_core.runtime.jobs import Progress, no_progress

#: Codes of report lines that say why an output was left out.
_REFUSED_OUTPUT = frozenset(
    (
        "line-count",
        "no-text",
        "unreadable-text",
        "n-best-list",
        "segment-ids",
        "missing-segments",
        "no-score",
        "score-count",
    )
)


@dataclass(frozen=True)
class Assembled:
    """An experiment, the file of each output, and the lines of every file of text that was read, also by number."""

    experiment: Experiment
    files: dict[OutputKey, str]
    texts: dict[str, list[str]] = field(default_factory=dict)
    numbers: LineNumbers = field(default_factory=LineNumbers)


@dataclass(frozen=True)
class _Set:
    """A test set while loading: its full length and which of its segments are used."""

    test_set: TestSet
    full: tuple[tuple[str | None, ...], ...]
    used: tuple[int, ...] | None
    reference_file: str

    @property
    def length(self) -> int:
        return len(self.full[0])

    def keep(self, lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(lines) if self.used is None else tuple(lines[i] for i in self.used)


def assemble(
    files: FileTree, plan: Plan, settings: Settings, report: Reporter, *, progress: Progress = no_progress
) -> Assembled:
    """Read all files of a plan and build the experiment.

    Raises
    ------
    LoadError
        When references or source disagree, two files are the same output, or nothing is left.
    """
    reader = LineReader(files, plan, report, progress=progress)
    report.roles = plan.roles
    _report_ignored(plan.roles, report)
    sets = _read_sets(plan.roles, settings, reader, report)
    outputs, paths = _read_outputs(plan.roles, sets, reader, report)
    scored = _read_scores(files, plan, sets, paths, settings, report)
    names_with_output = {key[2] for key in (*outputs, *scored.scores)}
    used = [s.test_set for name, s in sets.items() if name in names_with_output]
    for name in [each for each in sets if each not in names_with_output]:
        report.add("ignored", "set-without-output", f"Test set {name!r}: no usable output, so it is left out.")
    for name in settings.roles.keys() - sets.keys() - scored.sets.keys():
        message = f"{MANIFEST} names the test set {name!r}, which is not there."
        report.add("warning", "unknown-test-set", message, [MANIFEST])
    if not names_with_output:
        raise _nothing_left(plan.roles, report, files.name)
    used += scored_sets(scored.sets, settings, report, scored.whole_runs)
    experiment = compose(used, outputs, scored, settings, files.name, report)
    progress(1.0, "reading files")
    reader.numbers.release()
    return Assembled(experiment, paths, reader.texts, reader.numbers)


def _report_ignored(roles: Iterable[FileRole], report: Reporter) -> None:
    for role in roles:
        if SHOWN in role.reason:
            report.gather("recognised", "judgements", f"{role.reason[:1].upper()}{role.reason[1:]}", role.path)
        elif role.kind == "ignored" and role.path != MANIFEST:
            report.gather("ignored", "not-used", f"Not used: {role.reason}", role.path)


# Test sets


def _read_sets(roles: Sequence[FileRole], settings: Settings, reader: LineReader, report: Reporter) -> dict[str, _Set]:
    names = sorted({role.test_set for role in roles if role.kind not in ("ignored", "scores")}, key=natural_key)
    sets = {}
    refused: list[LoadError] = []
    for name in names:
        own = [role for role in roles if role.test_set == name]
        references = [role for role in own if role.kind == "reference"]
        if references:
            try:
                sets[name] = _read_set(name, own, references, settings, reader, report)
            except TextTooLarge:
                raise
            except LoadError as error:
                refused.append(error)
                report.add("refused", "test-set", f"{error} Test set {name!r} is left out.", [error.file])
            continue
        files = [role.path for role in own if role.kind != "ignored"]
        message = f"Test set {name!r}: no reference, so its outputs cannot be scored."
        report.add("refused", "no-reference", message, files)
    if refused and not sets:
        raise refused[0]
    if not sets and not any(role.kind == "scores" for role in roles):
        named = [role.path for role in roles if role.kind != "ignored"] or [role.path for role in roles] or [MANIFEST]
        first = named[0]
        raise LoadError(
            f"{first}: no reference was found to score it with. Add one, for example refs/ref.txt or reference.txt.",
            first,
        )
    return sets


def _read_set(
    name: str, own: Sequence[FileRole], references: Sequence[FileRole], settings: Settings, reader: LineReader,
    report: Reporter,
) -> _Set:  # fmt: skip
    streams = {role.path: reader.lines(role.path, blank_is_missing=True) for role in references}
    first = references[0].path
    for path, lines in streams.items():
        if not lines:
            raise LoadError(f"{path}: the reference is empty (no lines). Add its text or remove the file.", path)
        _same_length(path, lines, first, streams[first])
    source = _readable(own, "source", reader, report)
    documents = _readable(own, "documents", reader, report)
    for column in (source, documents):
        if column is not None:
            _same_length(*column, first, streams[first])
    full = tuple(tuple(line if line.strip() else None for line in lines) for lines in streams.values())
    used = with_reference(name, full, streams, report)
    numbered = None if documents is None else documents[1]

    def keep(lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(lines) if used is None else tuple(lines[i] for i in used)

    test_set = TestSet(
        name=name,
        role=settings.role(name),
        references=tuple(s if used is None else tuple(s[i] for i in used) for s in full),
        reference_names=_stream_names(references),
        source=None if source is None else keep(source[1]),
        documents=None if numbered is None else keep(numbered),
        left_out=lines_left_out(before_loading(name, settings, len(full[0])), used, numbered, len(full[0])),
    )
    _report_set(test_set, report, streams)
    return _Set(test_set, full, used, first)


def _readable(
    own: Sequence[FileRole], kind: str, reader: LineReader, report: Reporter
) -> tuple[str, list[str]] | None:
    """Return the lines of the source or of document ids; a file that is no text costs itself alone."""
    path = _single(own, kind, report)
    if path is None:
        return None
    try:
        lines = reader.lines(path)
    except TextTooLarge:
        raise
    except LoadError as error:
        report.add("refused", "unreadable-text", f"{error} The {kind} is left out.", [path])
        return None
    if kind == "documents" and not reader.is_parsed(path):
        lines = reader.replace(path, [line.split("\t", 1)[0] for line in lines])
    return path, lines


def _single(own: Sequence[FileRole], kind: str, report: Reporter) -> str | None:
    """Return the one file of a kind; no score depends on a source, so that of the shortest name is taken of several."""
    paths = sorted((role.path for role in own if role.kind == kind), key=lambda path: (len(path), path))
    if len(paths) > 1 and kind != "source":
        raise LoadError(
            f"{paths[1]}: a second {kind} file beside {paths[0]} for test set {own[0].test_set!r}. Remove one.",
            paths[1],
        )
    for path in paths[1:]:
        message = f"{path}: a second source beside {paths[0]} for test set {own[0].test_set!r}. It is left out."
        report.add("refused", "second-source", message, [path])
    return paths[0] if paths else None


def _same_length(path: str, lines: Sequence[str], first: str, reference: Sequence[str]) -> None:
    if len(lines) != len(reference):
        raise LoadError(
            f"{path}: {count(len(lines), 'line')}, but {first} has {len(reference):,}. References, source and "
            f"documents of a test set need equal numbers of lines. {describe_mismatch(lines, [reference])}".rstrip(),
            path,
        )


def _stream_names(references: Sequence[FileRole]) -> tuple[str, ...]:
    named = stems([role.path for role in references])
    names = [role.stream or named[role.path] for role in references]
    return tuple(names if len(set(names)) == len(names) else [role.path for role in references])


def _report_set(test_set: TestSet, report: Reporter, files: Iterable[str]) -> None:
    gaps = sum(line is None for stream in test_set.references for line in stream)
    extra = [word for word in ("source", "documents") if getattr(test_set, word) is not None]
    parts = [
        f"Test set {test_set.name!r} ({test_set.role}): {count(test_set.n_segments, 'segment')}",
        count(len(test_set.references), "reference"),
        *extra,
    ]
    report.add("recognised", "test-set", ", ".join(parts) + ".", files)
    if gaps:
        report.assume(
            "missing-references",
            f"Test set {test_set.name!r}: {count(gaps, 'blank reference line')} read as missing references.",
            "If one is a reference, fill it in.",
            files,
        )


# Outputs


def _read_outputs(
    roles: Sequence[FileRole], sets: dict[str, _Set], reader: LineReader, report: Reporter
) -> tuple[dict[OutputKey, tuple[str, ...]], dict[OutputKey, str]]:
    outputs: dict[OutputKey, tuple[str, ...]] = {}
    paths: dict[OutputKey, str] = {}
    wrong: list[tuple[FileRole, list[str]]] = []
    for role in roles:
        if role.kind != "output" or role.test_set not in sets:
            continue
        key = (role.system, role.replica, role.test_set)
        if key in paths:
            raise LoadError(
                f"{role.path}: is the same output as {paths[key]} (system {role.system!r}, replica {role.replica!r}, "
                f"test set {role.test_set!r}). Rename or remove one.",
                role.path,
            )
        try:
            lines = reader.lines(role.path)
        except TextTooLarge:
            raise
        except LoadError as error:
            message = f"{error} Output {role.system}/{role.replica} is left out."
            report.add("refused", "unreadable-text", message, [role.path])
            continue
        paths[key] = role.path
        if len(lines) == sets[role.test_set].length:
            outputs[key] = sets[role.test_set].keep(lines)
        else:
            wrong.append((role, lines))
    for role, lines in wrong:
        _refuse(role, lines, sets[role.test_set], outputs, report)
    return outputs, {key: paths[key] for key in outputs}


def _refuse(
    role: FileRole, lines: list[str], test_set: _Set, outputs: dict[OutputKey, tuple[str, ...]], report: Reporter
) -> None:
    expected: list[Sequence[str | None]] = list(test_set.full)
    if test_set.used is None:
        # Another replica of the system resembles it more than a reference does.
        others = (o for (system, _, name), o in outputs.items() if (system, name) == (role.system, role.test_set))
        expected += [other for other in [next(others, None)] if other is not None]
    report.add(
        "refused",
        "line-count",
        f"{role.path}: {count(len(lines), 'line')}, but {test_set.reference_file} has {test_set.length:,}. Output "
        f"{role.system}/{role.replica} is left out, not cut or padded. {describe_mismatch(lines, expected)}".rstrip(),
        (role.path,),
    )


def _nothing_left(roles: Sequence[FileRole], report: Reporter, name: str) -> LoadError:
    refused = [line for line in report.report().refused if line.code in _REFUSED_OUTPUT]
    if refused:
        return LoadError(f"No output is usable. {refused[0].message}", refused[0].files[0])
    first = next((role.path for role in roles if role.kind == "reference"), name)
    unused = [role for role in roles if role.kind == "ignored" and not is_no_output(role.path)]
    why = f" {unused[0].path} is not used: {unused[0].reason}." if unused else ""
    return LoadError(
        f"{first}: there is a reference, but no output of any system.{why} Add outputs, for example "
        f"systems/SYSTEM/REPLICA.txt.{why_unread(role.path for role in roles)}",
        first,
    )


# Scores of outside metrics


def _read_scores(
    files: FileTree, plan: Plan, sets: dict[str, _Set], paths: dict[OutputKey, str], settings: Settings,
    report: Reporter,
) -> Attached:  # fmt: skip
    """Read and attach all score files; a damaged one is refused where text or other scores are left.

    Without text, scores that contradict those of another file are an error: nothing says which are right.
    """
    text_sets = {name: TextSet(s.length, s.used) for name, s in sets.items()}
    usable = {role.path: dict(role.columns) for role in plan.roles if role.kind == "scores"}
    while True:
        lines = Reporter()
        is_reading = True
        try:
            blocks = [
                block
                for path, columns in usable.items()
                for block in _blocks_of(path, columns, files, plan, settings, lines)
            ]
            is_reading = False
            blocks = renamed(blocks, plan.renamed)
            attached = attach(blocks, text_sets, paths, settings, lines, plan.scored)
        except LoadError as error:
            if error.file not in usable or not (paths or (is_reading and len(usable) > 1)):
                raise
            del usable[error.file]
            report.add("refused", "score-file", f"{error} Its scores are left out.", [error.file])
            continue
        report.extend(lines.report().lines)
        return attached


def _blocks_of(
    path: str, columns: Mapping[str, str], files: FileTree, plan: Plan, settings: Settings, report: Reporter
) -> Sequence[ScoreBlock]:
    """Read a file of scores; columns that a person takes for scores are metrics, whatever their names."""
    is_read = path in plan.blocks and not columns
    outputs = {(block.system, block.replica) for block in plan.blocks.get(path, ())}
    output = min(outputs) if len(outputs) == 1 else None
    blocks = plan.blocks[path] if is_read else read_scores(path, files, report, columns, output)
    chosen = {name: True for name, role in columns.items() if role == SCORES}
    return only_metrics(blocks, {**settings.metrics, **chosen}, report)


# The whole

"""Outputs of joeynmt, one per checkpoint and test set in the folder of a training: ``MODEL/00001000.hyps.test``.

References are called so and name the set, or they are one side of the data: ``test.en`` or ``data/test.en``. Of two
sides the settings of the training say which is the target, or else the outputs, by the words that they share with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mtsig_core.loading.layouts.common.run_folders import folders_of, outputs_of_runs, report_sweeps
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET, find_sets
from mtsig_core.loading.recognition.names import REFERENCES, base_name, is_no_output, language_of, special
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.replicas import OutputName, report_names
from mtsig_core.loading.recognition.roles import FileRole, Kind
from mtsig_core.loading.report import Reporter, some
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.alignment import likeness, words_of

NAME = "joeynmt"
_OUTPUT = re.compile(r"(?P<step>\d{4,}|best|latest|avg\w*)\.hyps(?:\.(?P<set>[A-Za-z]\w*))?")
_TARGET = re.compile(
    r"^\s*trg:[ \t]*(?:[\"']?(?P<old>[a-z]{2,3})\b|(?:\n[^\n]*){0,3}?\n\s+lang:\s*[\"']?(?P<new>[a-z]{2,3})\b)",
    re.MULTILINE,
)
#: Lines of outputs and of the sides of the data that are compared.
N_COMPARED = 50


def recognise(files: FileTree) -> int:
    """Return 66 when outputs of checkpoints are there and a reference of each of their test sets, else 0."""
    sets = set() if find_sets(files) else {test_set for _, test_set in _outputs(files).values()}
    return 66 if sets and sets <= {role.test_set for role in _sides(files).values() if role.kind == "reference"} else 0


def _outputs(files: FileTree) -> dict[str, tuple[str, str]]:
    """Return checkpoint and test set of each output; what names no set is of the one that trainings validate on."""
    matches = {path: match for path in files if (match := _OUTPUT.fullmatch(base_name(path)))}
    if not any(match["step"].isdecimal() for match in matches.values()):
        return {}
    named = {match["set"] for match in matches.values()} - {None}
    return {path: (match["step"], match["set"] or ("dev" if named else DEFAULT_SET)) for path, match in matches.items()}


def _sides(files: FileTree) -> dict[str, FileRole]:
    """Return the references and sources of each test set."""
    outputs = _outputs(files)
    texts = [path for path in files if path not in outputs and not is_no_output(path)]
    roles: dict[str, FileRole] = {}
    sets = list(dict.fromkeys(test_set for _, test_set in outputs.values()))
    for test_set in sets:
        own = [path for path in texts if len(sets) == 1 or _names(path, test_set)]
        called = {path: kind for path in own if (kind := _kind(path))}
        if "reference" not in called.values():
            called |= _by_language(test_set, own, files)
        roles |= {path: FileRole(path, kind, test_set) for path, kind in called.items()}
    return roles


def _names(path: str, test_set: str) -> bool:
    return test_set in re.split(r"[./_-]", path)


def _kind(path: str) -> Kind | None:
    folders = {part.casefold() for part in path.split("/")[:-1]}
    kind = special(path)
    return kind if kind in ("reference", "source") else "reference" if folders & REFERENCES else None


def _by_language(test_set: str, paths: Sequence[str], files: FileTree) -> dict[str, Kind]:
    """Return the sides of ``test.de`` and ``test.en``; one alone is the reference."""
    name = re.compile(rf"{re.escape(test_set)}\.(?P<language>[a-z]{{2,3}})(?:\.txt)?")
    sides = {path: match["language"] for path in paths if (match := name.fullmatch(base_name(path)))
             and language_of(match["language"])}  # fmt: skip
    if len(sides) == 1:
        return {next(iter(sides)): "reference"}
    target = _target(sides, test_set, files) if len(sides) == 2 else ""
    return {path: "reference" if path == target else "source" for path in sides} if target else {}


def _target(sides: Mapping[str, str], test_set: str, files: FileTree) -> str:
    """Return which side of the data the outputs are in; "" where that is not clear."""
    said = {match["old"] or match["new"] for path in files if path.endswith(("config.yaml", "config.yml"))
            if (match := _TARGET.search(files.head(path)))}  # fmt: skip
    by_settings = [path for path, language in sides.items() if language in said]
    if len(said) == 1 and len(by_settings) == 1:
        return by_settings[0]
    output = next(path for path, (_, own) in _outputs(files).items() if own == test_set)
    shared = {path: _likeness(files.head(output), files.head(path)) for path in sides}
    best, other = sorted(shared, key=lambda path: -shared[path])
    return best if shared[best] > 2 * shared[other] else ""


def _likeness(a: str, b: str) -> float:
    pairs = zip(a.split("\n")[:N_COMPARED], b.split("\n")[:N_COMPARED], strict=False)
    return sum(likeness(words_of(x), words_of(y)) for x, y in pairs)


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    outputs = _outputs(files)
    runs = outputs_of_runs(folders_of(outputs, files), {path: step for path, (step, _) in outputs.items()})
    report_names(runs, report)
    report_sweeps(files, report)
    listed = some(sorted({test_set for _, test_set in outputs.values()}))
    report.assume(
        "joeynmt", f"Names of joeynmt: what stands before .hyps was read as a checkpoint, what stands behind it as the "
        f"test set ({listed}).",
        "To change this, give the test set of a file in experiment.toml ([[files]] path, kind, test_set).", outputs,
    )  # fmt: skip
    roles = _sides(files) | {role.path: role for role in _roles(outputs, runs)}
    unused = {path: FileRole(path, "ignored", reason="not part of this layout") for path in files}
    return Plan(tuple((unused | roles).values()))


def _roles(outputs: Mapping[str, tuple[str, str]], runs: Mapping[str, OutputName]) -> Iterator[FileRole]:
    for path, (step, test_set) in outputs.items():
        run = runs[path]
        yield FileRole(path, "output", test_set, run.system, run.replica, checkpoint=step)

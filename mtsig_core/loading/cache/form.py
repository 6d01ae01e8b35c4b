"""A load result as the bytes of one file: sections of text and numbers, and the rest as JSON. No pickle."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, replace
from functools import partial
from typing import Any, cast

import numpy as np

from mtsig_core.experiment import Assumption, Experiment, LazyOutputs, Replica, Scores, System, TestSet
from mtsig_core.loading.cache.lines import LinesWriter, StoredLines
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole, OutputKey
from mtsig_core.loading.recognition.settings import DeclaredFile, Settings
from mtsig_core.loading.report import LoadReport, ReportLine
from mtsig_core.loading.result import LoadResult, Recognition
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.text.line_reader import LineNumbers

_SCORE = np.dtype("<f8")
_SIZE_BYTES = 8  # at the end: the size of the JSON text before it
#: Texts may hold half of a surrogate pair.
_CODEC = "utf-8", "surrogatepass"
#: Texts of a test set besides its references.
_OPTIONAL = "source", "documents"

Json = dict[str, Any]
#: Returns files that were not read as text, given their paths.
Files = Callable[[Sequence[str]], FileTree]


def parts_of(result: LoadResult, numbers: LineNumbers) -> Iterator[bytes]:
    """Yield the parts of a file that stores a result; lines that `numbers` lacks are added to it."""
    writer = _Writer(numbers)
    head = {
        "report": {"layout": result.report.layout, "lines": list(map(astuple, result.report.lines))},
        "recognition": writer.recognition(result.recognition),
        "experiment": writer.experiment(result.experiment),
    }
    sizes: dict[str, int] = {}
    for name, parts in {**writer.lines.sections(), "scores": writer.scores}.items():
        sizes[name] = 0
        for part in parts:
            sizes[name] += len(part)
            yield part
    footer = json.dumps([sizes, head], ensure_ascii=False).encode(*_CODEC)
    yield footer + len(footer).to_bytes(_SIZE_BYTES, "big")


class _Writer:
    """Puts text and scores into sections, and records where they are."""

    def __init__(self, numbers: LineNumbers) -> None:
        self.lines = LinesWriter(numbers)
        self.scores: list[bytes] = []
        self._n_scores = 0
        # lines and places of what was read, for an output or for the rest of a test set
        self._files: dict[OutputKey, list[tuple[Sequence[str], int]]] = {}

    def experiment(self, experiment: Experiment) -> Json:
        return {
            "name": experiment.name,
            "test_sets": [self._test_set(test_set) for test_set in experiment.test_sets],
            "systems": [[s.name, [self._replica(s.name, r) for r in s.replicas]] for s in experiment.systems],
            "baseline": experiment.baseline,
            "target_language": experiment.target_language,
            "tokenizer": experiment.tokenizer,
            "paired": experiment.paired,
            "outside_metrics": dict(experiment.outside_metrics),
            "assumptions": list(map(astuple, experiment.assumptions)),
            "replicas_are": experiment.replicas_are,
        }

    def _test_set(self, test_set: TestSet) -> Json:
        place = partial(self._place, _of_set(test_set.name))
        return {
            "name": test_set.name,
            "role": test_set.role,
            "references": list(map(place, test_set.references)),
            "reference_names": test_set.reference_names,
            "source": None if test_set.source is None else place(test_set.source),
            "documents": None if test_set.documents is None else place(test_set.documents),
            "size": test_set.size,
            "has_segments": test_set.has_segments,
            "left_out": test_set.left_out,
        }

    def _replica(self, system: str, replica: Replica) -> tuple:
        outputs = {
            name: (self._place((system, replica.name, name), lines), replica.output_digests[name])
            for name, lines in replica.outputs.items()
        }
        scores = {
            test_set: {metric: self._place_of_scores(values) for metric, values in of_set.items()}
            for test_set, of_set in replica.scores.items()
        }
        return replica.name, outputs, scores

    def _place(self, key: OutputKey, lines: Sequence[str | None]) -> int:
        """Return where lines are: where those of their file are, unless segments were left out or are missing."""
        text = list(lines)
        place = next((place for read, place in self._files.get(key, ()) if read == text), None)
        return self.lines.place(lines) if place is None else place

    def _place_of_scores(self, values: Scores) -> tuple[int, int]:
        # a score is finite, so there is a number left for a missing one
        self.scores.append(np.array([np.nan if value is None else value for value in values], _SCORE).tobytes())
        self._n_scores += len(values)
        return self._n_scores - len(values), self._n_scores

    def recognition(self, recognition: Recognition) -> Json:
        plan = recognition.plan
        texts = {path: self.lines.place(lines, path) for path, lines in plan.texts.items()}
        for role in plan.roles:
            if role.path in texts:
                key = (role.system, role.replica, role.test_set) if role.kind == "output" else _of_set(role.test_set)
                self._files.setdefault(key, []).append((plan.texts[role.path], texts[role.path]))
        return {
            "files": list(recognition.files),
            "roles": list(map(astuple, plan.roles)),
            "texts": texts,
            "blocks": {path: list(map(asdict, blocks)) for path, blocks in plan.blocks.items()},
            "settings": asdict(recognition.settings),
            "layout": recognition.layout,
            "lines": list(map(astuple, recognition.lines)),
            "judged": recognition.judged,
        }


def _of_set(test_set: str) -> OutputKey:
    """Return the key of texts of a test set that are no outputs."""
    return "", "", test_set


def result_of(data: memoryview, files: Files) -> LoadResult:
    """Return the result that a file stores, with lazy outputs.

    Parameters
    ----------
    data : memoryview
        The parts of `parts_of`, joined. It stays in memory as long as the result does, so the file may be removed.
    files : callable

    Raises
    ------
    ValueError, KeyError, TypeError, IndexError
        When it stores something else.
    """
    end = len(data) - _SIZE_BYTES
    start = end - int.from_bytes(data[end:], "big")
    sizes, head = json.loads(str(data[start:end], *_CODEC))
    sections, place = {}, 0
    for name, size in sizes.items():
        sections[name] = data[place : place + size]
        place += size
    reader = _Reader(sections)
    recognition = reader.recognition(head["recognition"], files)
    report = LoadReport(head["report"]["layout"], _report_lines(head["report"]["lines"]), recognition.plan.roles)
    return LoadResult(reader.experiment(head["experiment"]), report, recognition)


def _report_lines(stored: Iterable[Sequence]) -> tuple[ReportLine, ...]:
    return tuple(ReportLine(kind, message, tuple(files), *rest) for kind, message, files, *rest in stored)


class _Reader:
    """Rebuilds the experiment, and what corrections need, from the sections of a file."""

    def __init__(self, sections: Mapping[str, memoryview]) -> None:
        self._lines = StoredLines(sections)
        self._scores = np.frombuffer(sections["scores"], _SCORE)

    def experiment(self, stored: Json) -> Experiment:
        systems = tuple(System(name, tuple(map(self._replica, replicas))) for name, replicas in stored["systems"])
        return Experiment(
            **{
                **stored,
                "test_sets": tuple(map(self._test_set, stored["test_sets"])),
                "systems": systems,
                "assumptions": tuple(Assumption(code, message, remedy, subject, tuple(files))
                    for code, message, remedy, subject, files in stored["assumptions"]),
            }
        )

    def _test_set(self, stored: Json) -> TestSet:
        texts = {name: stored[name] if stored[name] is None else self._lines.text(stored[name]) for name in _OPTIONAL}
        references = tuple(map(self._lines.text, stored["references"]))
        return TestSet(**{**stored, **texts, "references": references})

    def _replica(self, stored: Sequence) -> Replica:
        name, outputs, scores = stored
        places = {test_set: place for test_set, (place, _) in outputs.items()}
        unread = LazyOutputs(
            lambda test_set: cast(tuple[str, ...], self._lines.text(places[test_set])),
            {test_set: self._lines.length(place) for test_set, place in places.items()},
            {test_set: digest for test_set, (_, digest) in outputs.items()},
        )
        of_sets = {
            test_set: {metric: self._of_scores(*place) for metric, place in of_set.items()}
            for test_set, of_set in scores.items()
        }
        return Replica(name, unread, of_sets)

    def _of_scores(self, start: int, end: int) -> Scores:
        return tuple(None if value != value else value for value in self._scores[start:end].tolist())

    def recognition(self, stored: Json, files: Files) -> Recognition:
        plan = Plan(
            roles=tuple(_role(*role) for role in stored["roles"]),
            texts=_Texts(self._lines, stored["texts"]),
            blocks={path: [_block(block) for block in blocks] for path, blocks in stored["blocks"].items()},
        )
        lines = _report_lines(stored["lines"])
        settings, judged = _settings(stored["settings"]), tuple(stored["judged"])
        return Recognition(files(stored["files"]), plan, settings, stored["layout"], lines, judged)


class _Texts(Mapping[str, Sequence[str]]):
    """Texts by path, decoded on access: only corrections need them."""

    def __init__(self, lines: StoredLines, places: Mapping[str, int]) -> None:
        self._lines = lines
        self._places = places

    def __getitem__(self, path: str) -> Sequence[str]:
        return cast(Sequence[str], list(self._lines.text(self._places[path])))

    def __contains__(self, path: object) -> bool:
        return path in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _block(stored: Json) -> ScoreBlock:
    scores = stored["in_order"]
    return ScoreBlock(**{**stored, "in_order": None if scores is None else tuple(scores)})


def _role(*values: Any, **named: Any) -> FileRole:
    role = FileRole(*values, **named)
    return replace(role, columns=tuple((column, meaning) for column, meaning in role.columns))


def _settings(stored: Json) -> Settings:
    files = tuple(DeclaredFile(_role(**file["role"]), file["form"]) for file in stored["files"])
    lists = {name: tuple(value) for name, value in stored.items() if isinstance(value, list)}
    left_out = {name: tuple((line, document) for line, document in own) for name, own in stored["left_out"].items()}
    return Settings(**{**stored, **lists, "files": files, "left_out": left_out})

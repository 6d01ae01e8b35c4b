"""Results of promptfoo as CSV: one row per test, with the answer of each provider to each prompt, and its grade.

::

    question,[openai:gpt-4] Prompt 1,Status,Score,Named Scores,Grader Reason,Comment
    question,[openai:gpt-4] Prompt 1             with answers that begin [PASS] or [FAIL] (0.50)

A provider is a system, with its prompt where there are several; each test is a segment. Tests that were repeated
(``--repeat``) are replicas.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mtsig_core.formatting import count, visible
from mtsig_core.loading.layouts.common.set_folders import DEFAULT_SET
from mtsig_core.loading.layouts.records.whole_runs import plan_of
from mtsig_core.loading.recognition.names import base_name
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import checked_rows
from mtsig_core.loading.scores.grids import delimited
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.sources.tree import FileTree

NAME = "promptfoo"
_OUTPUT = re.compile(r"\[(?P<provider>[^\]]+)\] (?P<prompt>.*)", re.DOTALL)
_GRADED = re.compile(r"\[(?P<status>PASS|FAIL|ERROR)\](?:\s*\((?P<score>-?\d+(?:\.\d+)?)\))?", re.IGNORECASE)
#: Columns behind that of an answer.
_BEHIND = frozenset(("status", "score", "named scores", "grader reason", "comment"))
_LONGEST = 80


@dataclass(frozen=True)
class _Output:
    """Where the answers of one system stand, and their status and score, where these have columns."""

    answer: int
    status: int | None
    score: int | None


def recognise(files: FileTree) -> int:
    """Return 46 when a table has the columns of promptfoo, else 0."""
    return 46 if any(_is_table(path, files) for path in files) else 0


def _is_table(path: str, files: FileTree) -> bool:
    if not base_name(path).casefold().endswith(".csv"):
        return False
    try:
        table = delimited([line.rstrip("\r") for line in files.head(path).split("\n")], path)
        outputs = _outputs(table.header)
        row = next(iter(table.rows), (0, []))[1]
    except LoadError:
        return False
    return bool(outputs) and all(
        own.status is not None or (own.answer < len(row) and _GRADED.match(str(row[own.answer])))
        for own in outputs.values()
    )


def _outputs(header: Sequence[str]) -> dict[str, _Output]:
    """Return the systems of a table, by what providers and prompts tell apart."""
    matches = {i: match for i, name in enumerate(header) if (match := _OUTPUT.fullmatch(name.strip()))}
    providers = Counter(match["provider"] for match in matches.values())
    prompts = Counter(" ".join(match["prompt"].split()) for match in matches.values())
    outputs = {}
    for i, match in matches.items():
        behind: dict[str, int] = {}
        for k in range(i + 1, len(header)):
            name = header[k].strip().casefold()
            if name not in _BEHIND and not name.startswith("metric:"):
                break
            behind.setdefault(name, k)
        prompt = " ".join(match["prompt"].split())[:_LONGEST]
        by_prompt = [prompt] if len(prompts) > 1 else []
        by_provider = [match["provider"]] if len(providers) > 1 or not by_prompt else []
        name = visible(" ".join([*by_provider, *by_prompt]))
        own = _Output(i, behind.get("status"), behind.get("score"))
        outputs[name if name not in outputs else f"{name} {i + 1}"] = own
    return outputs


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is, and read the scores.

    Raises
    ------
    LoadError
        For a damaged table.
    """
    blocks = {path: list(_blocks(path, files, report)) for path in files if _is_table(path, files)}
    return plan_of(files, blocks, {}, report)


def _blocks(path: str, files: FileTree, report: Reporter) -> Iterator[ScoreBlock]:
    table = delimited(files.lines(path, report), path)
    outputs = _outputs(table.header)
    rows = [(line, [str(cell) for cell in cells]) for line, cells in checked_rows(table.header, table.rows, path)]
    first = min(own.answer for own in outputs.values())
    tests = [tuple(cells[:first]) for _, cells in rows]
    replicas = _replicas(tests, path, report)
    ids = {test: str(i) for i, test in enumerate(dict.fromkeys(tests), 1)} if any(replicas) else {}
    report.assume(
        "promptfoo", f"{path}: results of promptfoo: providers and prompts were read as systems ({some(outputs, 4)}), "
        "rows as segments, PASS as 1 and FAIL as 0.",
        "To change this, write a table with columns system, segment and score.", [path],
    )  # fmt: skip
    numbers = NumberReader(path)
    for system, own in outputs.items():
        scores: dict[tuple[str, str], dict[str, float | None]] = {}
        for i, (line, cells) in enumerate(rows):
            segment = ids.get(tests[i], str(i + 1))
            for metric, value in _graded(own, cells, line, numbers).items():
                scores.setdefault((metric, replicas[i] or "1"), {})[segment] = value
        for (metric, replica), by_id in scores.items():
            if any(value is not None for value in by_id.values()):
                yield ScoreBlock(path, metric, system, replica, DEFAULT_SET, by_id=by_id, higher_is_better=True)
    numbers.finish(report)


def _replicas(tests: Sequence[tuple[str, ...]], path: str, report: Reporter) -> list[str]:
    """Return which repetition each row is of, where every test is there equally often; else "" for each."""
    times = set(Counter(tests).values())
    if len(times) != 1 or times == {1} or not tests[0]:
        return [""] * len(tests)
    message = f"{path}: every test is there {count(max(times), 'time')}: repetitions were read as replicas."
    report.assume("repeated-tests", message, "If not, give each test a variable of its own.", [path])
    seen: Counter[tuple[str, ...]] = Counter()
    replicas = []
    for test in tests:
        seen[test] += 1
        replicas.append(f"repeat{seen[test]}")
    return replicas


def _graded(own: _Output, cells: Sequence[str], line: int, numbers: NumberReader) -> Mapping[str, float | None]:
    """Return whether an answer passed, and its score; neither where the provider failed."""
    match = _GRADED.match(cells[own.answer])
    status = cells[own.status].strip().upper() if own.status is not None else match["status"].upper() if match else ""
    failed = status not in ("PASS", "FAIL")
    score = cells[own.score] if own.score is not None else (match["score"] or "") if match else ""
    return {
        "pass": None if failed else float(status == "PASS"),
        "score": None if failed or not score.strip() else numbers.read(score, line, "Score"),
    }

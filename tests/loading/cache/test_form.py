"""Any reading comes back from its file as it was, whatever the text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading import FileRole, LoadReport, Plan, ReportLine
from mtsig_core.loading.cache.form import parts_of, result_of
from mtsig_core.loading.recognition.settings import DeclaredFile, Settings
from mtsig_core.loading.result import LoadResult, Recognition
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.sources.tree import Entry, FileTree
from mtsig_core.loading.text.decoding import Decoder
from mtsig_core.loading.text.line_reader import LineNumbers

# halves of surrogate pairs alone and beside each other, ends of lines of all kinds, and text beyond the BMP
CHARACTERS = st.sampled_from("ab \n\r\x0b\x0c\x85\u2028\t\u00e9\u4e2d\U0001f600\ud83d\ude00\udcff\x00\"\\\u0301")
LINE = st.one_of(st.text(CHARACTERS, max_size=6), st.sampled_from(["", " ", "one", "two words"]))
NAME = st.text(CHARACTERS, min_size=1, max_size=3)
NUMBER = st.one_of(st.none(), st.floats(-1e50, 1e50))  # larger scores are refused
FLAG = st.booleans()


def lines(n: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(LINE, min_size=n, max_size=n).map(tuple)


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    names = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    has_text = draw(FLAG)
    sets, sizes = [], {}
    for name in names:
        n = sizes[name] = draw(st.integers(1, 4))
        role = draw(st.sampled_from(["test", "dev", "other"]))
        if not has_text:
            sets.append(TestSet(name, role, (), size=n))
            continue
        second = [draw(st.one_of(st.none(), LINE)) for _ in range(n)]
        references = (draw(lines(n)), tuple(second)) if draw(FLAG) else (draw(lines(n)),)
        source = draw(st.one_of(st.none(), lines(n)))
        left_out = tuple((line, draw(LINE)) for line in draw(st.sets(st.integers(1, n), max_size=n)))
        sets.append(TestSet(name, role, references, source=source, documents=draw(st.one_of(st.none(), lines(n))),
                            left_out=left_out))  # fmt: skip
    systems = []
    for system in draw(st.lists(NAME, min_size=1, max_size=2, unique=True)):
        replicas = []
        for replica in draw(st.lists(NAME, min_size=1, max_size=3, unique=True)):
            own = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
            outputs = {name: draw(lines(sizes[name])) for name in own} if has_text else {}
            scores = {
                name: {"m\ud800": (0.5, *(draw(NUMBER) for _ in range(sizes[name] - 1)))}
                for name in own if not has_text or draw(FLAG)
            }  # fmt: skip
            replicas.append(Replica(replica, outputs, scores))
        systems.append(System(system, tuple(replicas)))
    made = Experiment(draw(LINE), tuple(sets), tuple(systems), target_language=draw(st.one_of(st.none(), NAME)))
    told = {name: draw(FLAG) for name in made.outside_metrics}
    return replace(made, outside_metrics=told, paired=draw(FLAG), baseline=draw(st.sampled_from(made.systems)).name)


@st.composite
def results(draw: st.DrawFn) -> tuple[LoadResult, LineNumbers]:
    """A reading as loading makes it: the numbers of some files are known, and equal lines are mostly one object."""
    experiment, numbers = draw(experiments()), LineNumbers()
    roles, texts = [], {}
    for system in experiment.systems:
        for replica in system.replicas:
            for name, output in replica.outputs.items():
                path = f"{len(roles)}"
                roles.append(FileRole(path, "output", name, system.name, replica.name, reason=draw(LINE)))
                of_file = [*output, *draw(st.lists(LINE, max_size=1))]  # perhaps a segment that was left out
                texts[path] = of_file
                if draw(FLAG):
                    numbers.of_file[path] = numbers.of(of_file)
    numbers.of_file = {path: np.array(known, dtype=np.uint32) for path, known in numbers.of_file.items()}
    block = ScoreBlock(
        draw(NAME), draw(NAME), in_order=draw(st.one_of(st.none(), st.lists(NUMBER, max_size=3).map(tuple))),
        by_id=draw(st.one_of(st.none(), st.dictionaries(NAME, NUMBER, max_size=3))),
        higher_is_better=draw(st.one_of(st.none(), FLAG)), documents=draw(st.dictionaries(NAME, NAME, max_size=2)),
    )  # fmt: skip
    told = Settings(
        name=draw(LINE), tokenizer=draw(st.one_of(st.none(), NAME)), paired=draw(FLAG), paired_systems=(draw(NAME),),
        roles={draw(NAME): "dev"}, directions={draw(NAME): draw(FLAG)},
        files=(DeclaredFile(FileRole(draw(NAME), "scores", system=draw(NAME)), "json"),),
    )  # fmt: skip
    line = ReportLine("warning", draw(LINE), tuple(draw(st.lists(NAME, max_size=2))), "code")
    plan = Plan(tuple(roles), texts, {draw(NAME): [block]})
    files = FileTree({"left": Entry("left", lambda: b"left")}, Decoder())
    recognition = Recognition(files, plan, told, draw(NAME), (line,))
    return LoadResult(experiment, LoadReport(draw(NAME), (line, line), plan.roles), recognition), numbers


@pytest.mark.slow
@settings(max_examples=80)
@given(results())
def test_a_reading_comes_back_as_it_was(made):
    given, numbers = made
    data = memoryview(b"".join(parts_of(given, numbers)))
    asked = []
    found = result_of(data, lambda paths: asked.append(list(paths)) or given.recognition.files)
    assert asked == [["left"]]
    assert found.experiment.digest == given.experiment.digest
    assert [own.left_out for own in found.experiment.test_sets] == [own.left_out for own in given.experiment.test_sets]
    assert found.experiment == given.experiment
    for a, b in zip(found.experiment.systems, given.experiment.systems, strict=True):
        for x, y in zip(a.replicas, b.replicas, strict=True):
            assert dict(x.outputs) == dict(y.outputs)
            assert dict(x.output_digests) == dict(y.output_digests)
            assert x.scores == y.scores
    assert found.report == given.report
    plan = found.recognition.plan
    assert {path: plan.texts[path] for path in plan.texts} == dict(given.recognition.plan.texts)
    assert "no path" not in plan.texts
    assert replace(plan, texts={}) == replace(given.recognition.plan, texts={})
    assert replace(found.recognition, plan=plan) == replace(given.recognition, plan=plan)

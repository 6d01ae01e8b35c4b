"""Corrections of what only scores tell of: systems and test sets without any text."""

from __future__ import annotations

import pytest

from mtsig_core.loading import LoadError, LoadResult, load, read
from mtsig_core.loading import corrections as mapping
from mtsig_core.loading.corrections import Corrections
from mtsig_core.loading.writing import native_zip

Files = dict[str, bytes]
N = 6


def _table(systems: tuple[str, ...] = ("a", "b", "c"), sets: tuple[str, ...] = ("s", "t")) -> Files:
    rows = [
        f"{name},seed{k},{test_set},{i},{ord(name[0]) + k / 8 + i / 7}"
        for name in systems
        for test_set in sets
        for k in (1, 2)
        for i in range(N)
    ]
    return {"scores.csv": "\n".join(["system,replica,test set,segment,accuracy", *rows, ""]).encode()}


def _lines() -> Files:
    names = ("a/1", "a/2", "bb/1", "bb/2")
    return {
        f"scores/COMET/{name}.txt": b"".join(b"%d\n" % (sum(name.encode()) + i * i) for i in range(N)) for name in names
    }


def _seg_score() -> Files:
    lines = [f"{name}.seed{k}\t{ord(name) + k * i}" for name in "abc" for k in (1, 2) for i in range(N)]
    return {"metric-scores/en-de/chrf.seg.score": "\n".join([*lines, ""]).encode()}


def _comet() -> Files:
    lines = [f"{s}/seed{k}.txt\tSegment {i}\tscore: 0.{k}{i}{ord(s)}" for s in "abc" for k in (1, 2) for i in range(N)]
    return {"comet.txt": "\n".join([*lines, ""]).encode()}


FORMS = {"table": _table, "a number a line": _lines, "mt-metrics-eval": _seg_score, "comet": _comet}


@pytest.fixture(params=FORMS)
def reading(request: pytest.FixtureRequest) -> LoadResult:
    return read(FORMS[request.param]().items(), name="mine")


def _first(reading: LoadResult) -> Corrections:
    return mapping.recognised(reading.recognition, reading.experiment)


def test_correcting_nothing_changes_nothing(reading: LoadResult) -> None:
    first = _first(reading)
    assert mapping.names_of_systems(first) == [system.name for system in reading.experiment.systems]
    assert mapping.names_of_sets(first) == [test_set.name for test_set in reading.experiment.test_sets]
    assert mapping.apply(reading.recognition, first)[0] == reading.experiment


def test_a_renamed_system_keeps_its_scores(reading: LoadResult) -> None:
    draft = mapping.rename_systems(_first(reading), {"a": "new $name"})
    experiment, report = mapping.apply(reading.recognition, draft)
    assert experiment.system("new $name").replicas == reading.experiment.system("a").replicas
    others = {system.name for system in reading.experiment.systems} - {"a"}
    assert {system.name for system in experiment.systems} == {*others, "new $name"}
    assert all(experiment.system(name) == reading.experiment.system(name) for name in others)
    assert experiment.baseline == "new $name"  # a was
    assert {line.code for line in report.warnings} <= {"short-test-set"}
    assert load(native_zip(experiment), name="x.zip")[0].digest == experiment.digest
    # and back again
    back = mapping.rename_systems(draft, {"new $name": "a"})
    assert mapping.apply(reading.recognition, back)[0] == reading.experiment


def test_a_system_is_left_out_and_the_baseline_moves(reading: LoadResult) -> None:
    draft = mapping.without_system(_first(reading), "a")
    experiment, _ = mapping.apply(reading.recognition, draft)
    assert experiment.systems == tuple(s for s in reading.experiment.systems if s.name != "a")
    assert experiment.baseline == experiment.systems[0].name
    assert load(native_zip(experiment), name="x.zip")[0].digest == experiment.digest
    assert mapping.apply(reading.recognition, _first(reading))[0] == reading.experiment  # undone


def test_the_baseline_is_chosen(reading: LoadResult) -> None:
    last = reading.experiment.systems[-1].name
    draft = Corrections(**{**vars(_first(reading)), "baseline": last})
    experiment, _ = mapping.apply(reading.recognition, draft)
    assert experiment.baseline == last
    assert load(native_zip(experiment), name="x.zip")[0].baseline == last


def test_a_test_set_is_renamed_given_a_role_or_left_out(reading: LoadResult) -> None:
    name = reading.experiment.test_sets[0].name
    others = reading.experiment.test_sets[1:]
    draft = mapping.change_sets(_first(reading), {name: "news"}, {name: "dev"})
    experiment, _ = mapping.apply(reading.recognition, draft)
    assert {(t.name, t.role) for t in experiment.test_sets} == {("news", "dev"), *((t.name, t.role) for t in others)}
    scores = [replica.scores["news"] for replica in experiment.system("a").replicas]
    assert scores == [replica.scores[name] for replica in reading.experiment.system("a").replicas]
    assert load(native_zip(experiment), name="x.zip")[0].digest == experiment.digest
    if others:
        experiment, _ = mapping.apply(reading.recognition, mapping.without_set(draft, "news"))
        assert experiment.test_sets == others


def test_the_last_system_cannot_be_left_out() -> None:
    reading = read(_table(("a", "b")).items(), name="mine")
    draft = mapping.without_system(mapping.without_system(_first(reading), "a"), "b")
    with pytest.raises(LoadError, match="no system is left") as caught:
        mapping.apply(reading.recognition, draft)
    assert caught.value.file == "scores.csv"


def test_two_systems_of_one_name_and_other_scores_are_refused() -> None:
    reading = read(_table().items(), name="mine")
    with pytest.raises(LoadError, match="has other scores.*rename") as caught:
        mapping.apply(reading.recognition, mapping.rename_systems(_first(reading), {"b": "a"}))
    assert caught.value.file == "scores.csv"


def test_scores_of_a_misspelt_system_are_given_to_the_one_with_text(files: Files) -> None:
    rows = [f"{s},seed{k},{i},{i / 7}" for s in ("Alpha", "beta") for k in (1, 2) for i in range(12)]
    more = "\n".join(["system,replica,segment,accuracy", *rows, ""]).encode()
    reading = read({**files, "scores.csv": more}.items(), name="mine")
    assert reading.report.with_code("scores-without-output")
    draft = mapping.rename_systems(_first(reading), {"Alpha": "alpha"})
    experiment, report = mapping.apply(reading.recognition, draft)
    assert [system.name for system in experiment.systems] == ["alpha", "beta"]
    assert all(r.scores["test"]["accuracy"] and r.outputs["test"] for s in experiment.systems for r in s.replicas)
    assert not report.with_code("scores-without-output")


def test_a_system_with_text_for_some_replicas_is_renamed_whole(files: Files) -> None:
    rows = [f"{s},seed{k},test,{i},{i / 7}" for s in ("alpha", "beta") for k in (1, 2, 3) for i in range(12)]
    table = "\n".join(["system,replica,test set,segment,accuracy", *rows, ""]).encode()
    reading = read({**files, "scores.csv": table}.items(), name="mine")
    draft = mapping.change_sets(mapping.rename_systems(_first(reading), {"beta": "B"}), {"test": "news"}, {})
    experiment, _ = mapping.apply(reading.recognition, draft)
    assert [(s.name, len(s.replicas)) for s in experiment.systems] == [("alpha", 3), ("B", 3)]
    assert [t.name for t in experiment.test_sets] == ["news"]
    without, _ = mapping.apply(reading.recognition, mapping.without_system(draft, "B"))
    assert [s.name for s in without.systems] == ["alpha"]

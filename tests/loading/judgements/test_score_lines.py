"""People's scores as mt-metrics-eval keeps them."""

from __future__ import annotations

import gzip

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.judgements.find import read_judgement_table
from mtsig_core.loading.judgements.frame import JudgementTable
from mtsig_core.loading.judgements.readers.score_lines import NAME


def read(name: str, text: str) -> JudgementTable:
    return read_judgement_table(name, text.encode())


def values(found: JudgementTable, *names: str) -> list[tuple]:
    columns = found.frame[list(names)].astype(object)
    return list(columns.where(columns.notna(), None).itertuples(index=False, name=None))


def test_segments_go_by_their_order_within_a_system() -> None:
    found = read("human-scores/en-de.mqm.seg.score", "x\t-1.5\ny\tNone\nx\t-0.0\ny\t-25\n")
    assert values(found, "system", "segment", "score") == [
        ("x", "1", -1.5), ("y", "1", None), ("x", "2", 0.0), ("y", "2", -25.0),
    ]  # fmt: skip
    assert str(found.frame["score"][2]) == "0.0"
    assert set(values(found, "dimension", "test_set", "annotator", "document")) == {
        ("mqm", "en-de", None, None)
    }
    assert found.higher_is_better == {"mqm": True}  # errors counted below 0
    assert found.summary == "3 judgements of 2 systems (1 missing)"
    assert found.standardised == ()


def test_errors_above_0_are_better_when_fewer() -> None:
    assert read("en-de.mqm.sys.score", "x 1.5\ny 2\n").higher_is_better == {"mqm": False}


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("en-de.wmt-z.sys.score", "x 0.5\ny -1\n", [("x", None, None, "wmt-z", 0.5), ("y", None, None, "wmt-z", -1)]),
        ("en-de.a.doc.score", "x 1\nx 2\n", [("x", None, "1", "a", 1.0), ("x", None, "2", "a", 2.0)]),
        ("en-de.a.b.domain.score", "news x 1\nchat x 2\n", [("x", None, None, "a.b (news)", 1.0),
                                                            ("x", None, None, "a.b (chat)", 2.0)]),
    ],
)  # fmt: skip
def test_other_levels(name: str, text: str, expected: list[tuple]) -> None:
    found = read(name, text)
    assert values(found, "system", "segment", "document", "dimension", "score") == expected
    assert found.standardised == (("wmt-z",) if "-z" in name else ())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("en-de.mqm.seg.score", "x 1\nx\n", "line 2: expected system, score"),
        ("en-de.mqm.seg.score", "x 1\ny 2\nx 3\n", "1 scores of 'y', but 2 of 'x'"),
        ("en-de.mqm.seg.score", "x 1\nx good\n", "line 2: expected a finite number"),
        ("en-de.mqm.sys.score", "x 1\ny 1\nx 2\n", "line 3: 'x' has a score in an earlier line"),
        ("en-de.mqm.domain.score", "x 1\n", "line 1: expected domain, system, score"),
        ("en-de.mqm.domain.score", "a x 1\na x 1\n", "line 2: 'a x' has a score in an earlier line"),
        ("en-de.mqm.sys.score", "", "is empty"),
    ],
)
def test_damage_is_named(name: str, text: str, said: str) -> None:
    with pytest.raises(LoadError) as error:
        read(name, text)
    assert said in str(error.value)
    assert error.value.file == name


def _tree() -> dict[str, bytes]:
    lines = [f"{word} number {i} of {i * i}".encode() for i in range(4) for word in ("one",)]
    text = b"\n".join(lines) + b"\n"
    return {
        "sources/en-de.txt": text.replace(b"one", b"source"),
        "references/en-de.refA.txt": text,
        "system-outputs/en-de/x.txt": text.replace(b"one", b"two"),
        "system-outputs/en-de/y.txt": text.replace(b"one", b"three"),
    }


@pytest.mark.parametrize("level", ["seg", "doc", "domain", "sys"])
@pytest.mark.parametrize("packed", [False, True])
def test_beside_text_they_are_checked_and_listed(level: str, packed: bool) -> None:
    n = {"seg": 4, "doc": 2}.get(level, 1)
    content = "".join(f"{'news ' if level == 'domain' else ''}{s} {i}\n" for i in range(n) for s in "xy").encode()
    path = f"human-scores/en-de.esa.{level}.score" + (".gz" if packed else "")
    before, _ = load(_tree().items())
    experiment, report = load({**_tree(), path: gzip.compress(content) if packed else content}.items())
    assert experiment.digest == before.digest
    (role,) = [role for role in report.roles if role.path == path]
    assert role.kind == "ignored"
    assert role.reason.startswith(f"human judgements ({NAME}), read and checked: {2 * n} judgements of 2 systems")


def test_scores_of_other_segments_are_refused_and_the_rest_is_loaded() -> None:
    path = "human-scores/en-de.esa.seg.score"
    _, report = load({**_tree(), path: b"x 1\nx 2\nx 3\n"}.items())
    (line,) = report.refused
    assert line.files == (path,)
    assert "3 scores per system, but references/en-de.refA.txt has 4 lines" in line.message

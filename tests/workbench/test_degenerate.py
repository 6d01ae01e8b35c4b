"""Data without variation, as people bring it: every command answers in words and numbers, never NaN, never p = 0."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

import mtsig_core
from mtsig_core.cli.main import main

N = 12
REFERENCE = [f"the {i} th sentence of {i * i} is a plain one ." for i in range(N)]
WORSE = [line.replace("plain", f"bad{i}") for i, line in enumerate(REFERENCE)]
CONSTANT = [f"word{i} word{i} word{i} one two three" for i in range(N)]  # every segment: three of six words


def write(folder: Path, systems: dict[str, list[list[str]]], reference: list[str] = REFERENCE, **more: str) -> Path:
    files = {"refs/ref.txt": reference}
    files |= {f"systems/{s}/seed{k}.txt": lines for s, own in systems.items() for k, lines in enumerate(own, 1)}
    for path, lines in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("\n".join(lines) + "\n", "utf-8")
    for name, content in more.items():
        (folder / "scores").mkdir(exist_ok=True)
        (folder / "scores" / f"{name}.tsv").write_text(content, "utf-8")
    return folder


def odd(value: object, place: str = "") -> Iterator[str]:
    """Yield what no reader should meet: infinite numbers, and p-values out of (0, 1]."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from odd(inner, f"{place}.{key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from odd(inner, f"{place}[{i}]")
    elif isinstance(value, float) and not math.isfinite(value):
        yield place
    elif place.endswith(".p") and isinstance(value, int | float) and not 0 < value <= 1:
        yield f"{place} = {value}"


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict:
    code = main([*map(str, arguments), "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    found = json.loads(out)
    assert list(odd(found)) == []
    return found


def compare(capsys: pytest.CaptureFixture[str], folder: Path, *more: object) -> dict:
    pair = ("--baseline", "a", "--system", "b")
    found = told(capsys, "compare", folder, *pair, "--resamples", 60, "--shuffles", 40, *more)
    (one,) = found.get("comparisons", [found])
    return one


def p_values(found: object) -> list[float]:
    if isinstance(found, dict):
        own = [found["p"]] if isinstance(found.get("p"), int | float) else []
        return own + [p for inner in found.values() for p in p_values(inner)]
    return [p for inner in found for p in p_values(inner)] if isinstance(found, list) else []


KINDS = {
    "a renamed copy": ({"a": [REFERENCE, WORSE], "b": [REFERENCE, WORSE]}, REFERENCE),
    "a copy whose replicas have other numbers": ({"a": [REFERENCE, WORSE], "b": [WORSE, REFERENCE]}, REFERENCE),
    "perfect against bad": ({"a": [WORSE, WORSE], "b": [REFERENCE, REFERENCE]}, REFERENCE),
    "perfect against empty": ({"a": [[""] * N, [" "] * N], "b": [REFERENCE, REFERENCE]}, REFERENCE),
    "every segment alike": ({"a": [CONSTANT, CONSTANT], "b": [WORSE, REFERENCE]}, CONSTANT),
    "one replica that is the reference": ({"a": [REFERENCE], "b": [REFERENCE]}, REFERENCE),
    "one-word references": ({"a": [["one two three"] * N, ["x"] * N], "b": [["one"] * N, ["two"] * N]}, ["one"] * N),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", ["bleu", "ter"])
def test_text_without_variation(kind: str, metric: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    systems, reference = KINDS[kind]
    folder = write(tmp_path, systems, reference)
    found = compare(capsys, folder, "--metric", metric)
    told(capsys, "table", folder, "--metric", metric, "--resamples", 60)
    told(capsys, "pairs", folder, "--metric", metric, "--resamples", 60, "--shuffles", 40)
    if "copy" in kind:
        assert p_values(found)
        assert set(p_values(found)) == {1}


@pytest.mark.parametrize(
    ("score", "verdict_p"),
    [
        (lambda system, i: 70, 1.0),  # everything equal
        (lambda system, i: 4 + (system == "b" and i == 3), 1.0),  # one difference: as likely the other way round
        (lambda system, i: -0.0 if system == "a" else 0, 1.0),
    ],
)
def test_scores_of_people_that_hardly_differ(score, verdict_p, tmp_path, capsys) -> None:
    rows = [f"{s}\t{i}\t{score(s, i)}" for s in "ab" for i in range(1, N + 1)]
    folder = write(tmp_path, {"a": [WORSE], "b": [WORSE]}, adequacy="\n".join(["system\tsegment\tadequacy", *rows, ""]))
    found = compare(capsys, folder, "--metric", "adequacy", "--preset", "ar-segment")
    assert p_values(found) == [verdict_p]


@pytest.mark.parametrize(("sign", "better"), [(-1, "a"), (1, "b")])
def test_scores_below_0_and_their_direction(sign: int, better: str, tmp_path: Path, capsys) -> None:
    """MQM as scores below 0 is better when higher, as weights of errors when lower; b has more errors when below 0."""
    rows = [f"{s}\t{i}\t{sign * ((i % 3) + (s == ('b' if sign < 0 else 'a')))}" for s in "ab" for i in range(1, N + 1)]
    folder = write(tmp_path, {"a": [WORSE], "b": [WORSE]}, mqm="\n".join(["system\tsegment\tmqm", *rows, ""]))
    found = compare(capsys, folder, "--metric", "mqm")
    assert f"b is {'worse' if better == 'a' else 'better'} than a" in json.dumps(found)


def short(tmp_path: Path) -> Path:
    """Write outputs of three words a line: BLEU is 0 whatever they say, and differs nowhere."""
    lines = [f"one{i} two three" for i in range(N)]
    systems = {
        s: [[f"one{i} two {s}" if i % 3 < k else lines[i] for i in range(N)] for k in range(3)] for s in "ab"
    }
    systems["b"][0][0] = "another word here"
    return write(tmp_path, systems, lines)


@pytest.mark.slow
def test_scores_that_are_0_everywhere_show_no_equivalence(tmp_path: Path, capsys) -> None:
    folder = short(tmp_path)
    arguments = ["compare", str(folder), "--baseline", "a", "--system", "b", "--margin", "1", "--resamples", "60"]
    assert main([*arguments, "--shuffles", "40", "--fail-unless-not-worse", "--json"]) == 3
    (found,) = json.loads(capsys.readouterr().out)["results"]
    assert (found["outcome"], found["not_worse"]) == ("undecided", None)
    rows = told(capsys, "pairs", folder, "--margin", 1, "--resamples", 60, "--shuffles", 40)
    assert "equivalent" not in json.dumps(rows["rows"][0]).replace("p_equivalent", "")


def test_scores_that_are_0_everywhere_give_no_plan(tmp_path: Path, capsys) -> None:
    assert main(["planner", str(short(tmp_path)), "--difference", "1"]) == 0
    assert "No plan. Planning takes scores that vary" in capsys.readouterr().out


def test_copies_count_as_one_run_in_the_effect_size_too(tmp_path: Path, capsys) -> None:
    folder = write(tmp_path, {"a": [WORSE, WORSE, WORSE], "b": [REFERENCE, REFERENCE]})
    main(["compare", str(folder), "--baseline", "a", "--system", "b", "--resamples", "60", "--shuffles", "40"])
    out = capsys.readouterr().out
    assert "taken at random" not in out
    assert "new runs" not in out


def test_copies_show_nothing_of_what_fewer_runs_would_have_shown(tmp_path: Path) -> None:
    other = [line.replace("sentence", f"sentence{i}") for i, line in enumerate(REFERENCE)]
    folder = write(tmp_path, {"a": [WORSE, WORSE, WORSE], "b": [REFERENCE, other, WORSE]})
    pair = mtsig_core.Workbench(mtsig_core.load(folder)[0]).pair()
    assert "one replica" in pair.by_n([1, 2]).rows[0].reason
    assert [row.low is None for row in pair.p_by_n([1, 2], draws=5, n_permutations=20).rows] == [False, True] * 2


def test_remarks_on_a_pair_name_its_systems(tmp_path: Path, capsys) -> None:
    other = [line.replace("sentence", f"sentence{i}") for i, line in enumerate(REFERENCE)]
    folder = write(tmp_path, {"first": [WORSE], "second": [REFERENCE, other, WORSE]})
    main(["pairs", str(folder), "--resamples", "60", "--shuffles", "40"])
    out = capsys.readouterr().out
    assert "second's training setup against this very output of first" in out
    assert "Unreliable: second has 3 replicas" in " ".join(out.split())  # lines are broken at 80 columns

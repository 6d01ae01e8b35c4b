"""The commands about people, in every format, with outputs, with scores, and with judgements alone."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
from types import SimpleNamespace

import numpy as np
import pytest

from mtsig_core.cli.main import main
from tests.conftest import document

COMMANDS = ("people", "agreement", "correlations")
FEW = ("--resamples", "40", "--shuffles", "40")
SYSTEMS = ("plain", "better", "worse", "a-system-with-a-rather-long-name")
WORDS = ("the", "cat", "sat", "on", "a", "mat", "while", "rain", "fell", "over", "old", "roofs")


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """A folder of four systems with two replicas each, and the judgements of two annotators, one without spread."""
    folder, random = tmp_path_factory.mktemp("judged"), np.random.default_rng(1)
    (folder / "refs").mkdir()
    (folder / "judgements").mkdir()
    lines = [list(random.choice(WORDS, 9)) for _ in range(24)]
    (folder / "refs/ref.txt").write_text("".join(" ".join(line) + "\n" for line in lines))
    rows = ["system,segment,annotator,adequacy,fluency\n"]
    for k, system in enumerate(SYSTEMS):
        (folder / "systems" / system).mkdir(parents=True)
        for seed in (1, 2):
            own = [[w if random.random() > 0.1 * (k + 1) else "x" for w in line] for line in lines]
            text = "".join(" ".join(line) + "\n" for line in own)
            (folder / "systems" / system / f"seed{seed}.txt").write_text(text)
        for segment, who in itertools.product(range(1, 25), ("ann", "bob")):
            score = 80 - 9 * k + int(random.integers(-15, 16)) if who == "ann" else 50
            rows.append(f"wmt23.{system},{segment},{who},{score},{min(100, score + segment % 3)}\n")
    (folder / "judgements/human.csv").write_text("".join(rows))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_text_is_at_most_80_columns_wide_and_says_no_nan(call, judged, command):
    code, out, err = call(command, judged, *FEW)
    assert code == 0, err
    assert [line for line in out.split("\n") if len(line) > 80] == []
    assert "nan" not in out.casefold().split()


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_every_format_holds_the_same_tables(call, judged, command):
    printed = {}
    for form in ("text", "markdown", "latex", "csv", "json"):
        code, printed[form], _ = call(command, judged, *FEW, "--format", form)
        assert code == 0
    tables = json.loads(printed["json"])["tables"]
    assert all(tables.values())
    shown = [name for name in tables if name in " ".join(printed["text"].split())]
    assert len(shown) == len(tables)
    assert printed["markdown"].count("| --- |") or printed["markdown"].count("|:") >= len(shown) - 1
    assert printed["latex"].count(r"\toprule") >= len(shown)
    blocks = [list(csv.reader(io.StringIO(block))) for block in printed["csv"].strip().split("\n\n")]
    assert len(blocks) >= len(shown)
    assert all(len({len(row) for row in block}) == 1 for block in blocks)


@pytest.mark.slow
def test_tables_of_people_have_few_columns_in_markdown(call, judged):
    _, out, _ = call("people", judged, *FEW, "--format", "markdown")
    assert max(line.count(" | ") for line in out.split("\n")) < 13


@pytest.mark.slow
def test_people_says_who_has_no_spread_and_which_dimension_decides(call, judged):
    found = document(call("people", judged, "--json", *FEW))
    assert "Not standardised, as all scores are equal or fewer than two: bob." in found["notes"]
    assert {row["decided by"] for row in found["tables"]["verdicts of people"]} <= {"adequacy", "fluency", None, ""}
    assert found["set_aside"] == {}
    rows = {row["system"]: row for row in found["tables"]["adequacy: systems"]}
    assert set(rows) == set(SYSTEMS)
    assert all(row["mean over judgements"] == pytest.approx(row["mean"]) for row in rows.values())


@pytest.mark.slow
def test_a_rank_that_is_not_defined_is_a_dash(call, tmp_path):
    table = tmp_path / "human.csv"
    table.write_text("system,segment,annotator,score\n" + "".join(
        f"{s},{k},{who},{v}\n" for k in range(4) for s, who, v in (("a", "ann", k), ("b", "bob", 70))))
    code, out, _ = call("people", table, *FEW)
    assert code == 0
    assert "bob" in out
    assert "<NA>" not in out


@pytest.mark.slow
def test_without_an_annotator(call, judged):
    found = document(call("people", judged, "--json", "--without", "bob", "--dimension", "adequacy", *FEW))
    assert "adequacy: with and without bob" in found["tables"]
    code, _, err = call("people", judged, "--without", "nobody", *FEW)
    assert code == 2
    assert "nobody" in err


@pytest.mark.slow
def test_the_app_keeps_the_judgements_of_the_path_it_opens(judged, tmp_path, monkeypatch):
    from mtsig_core.cli.start import app
    from mtsig_core.workbench.saved_experiments import default_saved_experiments

    monkeypatch.setenv("MTSIG_HOME", str(tmp_path))
    monkeypatch.setenv("MTSIG_EXPERIMENT", "")
    monkeypatch.setattr(app.os, "execv", lambda *_: None)
    monkeypatch.setattr(app.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=0))
    main(["app", str(judged)])
    _, back = default_saved_experiments().open(os.environ["MTSIG_EXPERIMENT"])
    assert list(back.recognition.judgement_files) == ["judgements/human.csv"]


@pytest.mark.slow
def test_scores_named_after_a_protocol_of_people_are_judgements(call, tmp_path):
    for name, sign in (("en-de.mqm", -1), ("en-de.esa.rater1", 1), ("en-de.BLEU", 1)):
        (tmp_path / f"{name}.seg.score").write_text("".join(
            f"{system}\t{sign * (k % 3 + skill)}\n" for skill, system in enumerate(("a", "b", "c")) for k in range(8)))
    found = document(call("people", tmp_path, "--json", *FEW))
    assert {"mqm", "esa.rater1"} <= set(found["dimensions"])
    (tmp_path / "en-de.BLEU.seg.score").unlink()
    told = document(call("check", tmp_path, "--json"))
    assert "human judgements" in json.dumps(told)


@pytest.mark.slow
def test_judgements_alone_are_compared_with_each_other_and_with_no_test(call, tmp_path):
    for name, sign in (("en-de.mqm", -1), ("en-de.esa", 1), ("en-de.wmt", 2)):
        (tmp_path / f"{name}.seg.score").write_text("".join(
            f"{system}\t{sign * (k % 3 + skill)}\n" for skill, system in enumerate("abcd") for k in range(8)))
    found = document(call("correlations", tmp_path, "--json", "--dimension", "mqm", *FEW))
    pearson = {row["metric"]: row["value"] for row in found["tables"]["systems: metric against people"]
               if (row["coefficient"], row["points"]) == ("Pearson's r", "all")}
    assert pearson == {"esa": pytest.approx(-1), "wmt": pytest.approx(-1)}
    assert "judgements only" in " ".join(found["notes"])
    code, _, err = call("agreement", tmp_path, *FEW)
    assert code == 2
    assert "judgements only" in err


@pytest.mark.slow
def test_pairs_can_be_tested_on_standardised_scores(call, tmp_path):
    # the strict annotator judged A only: raw scores say that B is better, standardised ones that A is
    rows = ["system,segment,annotator,score\n"]
    for k in range(20):
        rows += [f"A,{k},strict,{20 + 5 * (k % 3)}\n", f"A,{k},mild,{85 + k % 4}\n", f"B,{k},mild,{70 + k % 3}\n"]
    table = tmp_path / "human.csv"
    table.write_text("".join(rows))
    raw = document(call("people", table, "--json", *FEW))["tables"]
    (pair,) = raw["score: pairs, by the rank-sum test and by others"]
    assert pair["A"] == "B"
    found = document(call("people", table, "--json", "--standardised", *FEW))["tables"]
    (pair,) = found["score: pairs on standardised scores, by the rank-sum test and by others"]
    assert (pair["A"], pair["B"]) == ("A", "B")
    assert pair["Wilcoxon rank-sum: p"] < 0.01


@pytest.mark.slow
def test_one_system_is_compared_with_none(call, tmp_path):
    table = tmp_path / "human.csv"
    table.write_text("system,segment,annotator,score\n" + "".join(f"A,{k},x,{k}\n" for k in range(5)))
    code, out, _ = call("people", table, *FEW)
    assert code == 0
    assert "One system was judged" in out
    assert "rank the systems in the same order" not in out

"""Directions of metrics that come in files: by documented whole words, else assumed and said."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mtsig_core.cli.main import main
from mtsig_core.experiment import Assumption
from mtsig_core.loading import load
from mtsig_core.loading.scores.directions import (
    EITHER_SIGN,
    HIGHER,
    HIGHER_ALONE,
    LOWER,
    LOWER_ALONE,
    TURNING,
    direction,
    directions,
)
from mtsig_core.loading.writing import native_zip
from mtsig_core.workbench import Workbench


@pytest.mark.parametrize(
    ("name", "higher"),
    [
        ("bits_per_byte", False), ("brier_score", False), ("ece", False), ("error_free", True),
        ("character_f1", True), ("accuracy_per_item", True), ("PER", False), ("word-error-rate", False),
        ("wordErrorRate", False), ("BERTScore_F1", True), ("ROUGE-1", True), ("chrF++", True), ("COMET-22-refA", True),
        ("sacrebleu_ter", False), ("eval_loss", False), ("exact_match", True), ("false_negative_rate", False),
        ("log_likelihood", True), ("negative_log_likelihood", False), ("Metrics-F1", True), ("Fehlerrate", False),
        ("Taux d'erreur", False), ("tasa de error", False), ("Perplexité", False), ("Genauigkeit", True),
        ("Précision", True), ("CharacTER", False), ("sacreBLEU_score", True), ("omission_rate", False), ("SQM", True),
        ("answer_relevancy", True), ("fpr", False),
        ("Foo ↓", False), ("brevity_penalty", True), ("Foo (higher is better)", True),
        ("Exactitud", True), ("Wortfehlerrate (%)", False), ("is_correct", True),
    ],
)  # fmt: skip
def test_documented_names_have_a_direction(name, higher):
    assert direction(name, [0.5]) == (higher, "")


@pytest.mark.parametrize("name", [
    "accuracy_drop", "error_correction_rate", "non_toxicity",
    "interest", "water", "f1_loss", "1-TER", "one_minus_wer", "inverse_ter", "xyz", "sans erreur", "Fehlerfreiheit",
    "reducción de errores",
])  # fmt: skip
def test_other_names_are_assumed_to_be_better_when_higher(name):
    higher, reason = direction(name, [0.5])
    assert higher
    assert reason


@pytest.mark.parametrize("name", ["mqm", "MetricX-23", "metricx_24_hybrid-refA", "GEMBA-MQM", "AutoMQM"])
def test_the_sign_of_most_values_decides_where_both_are_published(name):
    assert direction(name, [-3.0, -2.0, 0.01]).higher
    assert not direction(name, [3.0, 2.0, -0.01]).higher
    assert direction(name, [-3.0, -2.0, 0.0, 0.0, 0.0]).reason


def test_a_family_has_one_direction():
    values = {"mqm-refA": [-3.0, -2.0, -1.0], "mqm-refB": [0.01], "mqm": [-1.0], "comet": [1.0]}
    assert {name: d.higher for name, d in directions(values).items()} == dict.fromkeys(values, True)


def test_the_documentation_lists_the_same_names():
    text = Path("docs/metrics.md").read_text().split("## Directions of metrics")[1].split("## Columns")[0]
    listed = {" ".join(name.split()) for name in re.findall(r"`([^`]+)`", text)}
    expected = LOWER | LOWER_ALONE | HIGHER | HIGHER_ALONE | EITHER_SIGN | TURNING
    assert expected <= listed
    others = {"NAME-refA", "NAME-refB", "NAME-src", "guesses", "experiment.toml"}
    assert {name for name in listed - expected if "[" not in name and "=" not in name} <= others


def _table(metric: str, sign: int = 1) -> bytes:
    rows = [f"{s},{r},{i},{sign * (i + r / 10 + (5 if s == 'b' else 0))}" for s in "ab" for r in (1, 2, 3)
            for i in range(20)]
    return "\n".join([f"system,replica,segment,{metric}", *rows, ""]).encode()


def test_an_assumed_direction_is_listed_with_its_remedy():
    experiment, report = load([("t.csv", _table("zeta"))], cache=False)
    (guess,) = [g for g in report.guesses if g.code == "direction"]
    assert isinstance(guess, Assumption)
    assert guess.subject == "zeta"
    assert "[metrics.zeta] higher_is_better = false" in guess.remedy
    assert guess.remedy in guess.message
    assert experiment.assumed_directions == {"zeta"}
    assert experiment.assumptions == report.guesses
    declared = experiment.with_directions({"zeta": False})
    assert not declared.assumed_directions
    assert declared.outside_metrics == {"zeta": False}
    assert Workbench(experiment).pair().direction_note == "if higher is better"
    assert Workbench(declared).pair().direction_note == ""


def test_an_assumption_survives_the_native_layout():
    experiment, _ = load([("t.csv", _table("zeta"))], cache=False)
    again, _ = load(native_zip(experiment), name="x.zip", cache=False)
    assert again.digest == experiment.digest
    assert again.assumed_directions == {"zeta"}


def _compare(tmp_path, capsys, metric: str, *options: str) -> tuple[int, str]:
    tmp_path.joinpath("t.csv").write_bytes(_table(metric, sign=-1))
    status = main(["compare", str(tmp_path), "--baseline", "a", "--system", "b", "--resamples", "50", "--shuffles",
                   "50", *options])
    return status, capsys.readouterr().out


@pytest.mark.slow
def test_no_exit_code_rests_on_an_assumed_direction(tmp_path, capsys):
    status, out = _compare(tmp_path, capsys, "zeta", "--fail-if-worse")
    assert status == 0
    assert "zeta (if higher is better): " in out
    status, out = _compare(tmp_path, capsys, "bleurt", "--fail-if-worse")
    assert status == 1
    assert "if higher" not in out


@pytest.mark.slow
def test_json_lists_the_guesses(tmp_path, capsys):
    _, out = _compare(tmp_path, capsys, "zeta", "--json")
    document = json.loads(out)
    assert [g["kind"] for g in document["guesses"] if g["subject"] == "zeta"] == ["direction"]
    assert document["results"][0]["direction_assumed"] is True
    for command in ("check", "table"):
        assert main([command, str(tmp_path), "--json"]) == 0
        assert "direction" in [g["kind"] for g in json.loads(capsys.readouterr().out)["guesses"]]


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("bugs-2/30-direction-of-a-metric/in",
         {"bits_per_byte": False, "brier_score": False, "ece": False, "error_free": True, "character_f1": True,
          "accuracy_per_item": True}),
        ("bugs-3/01-negative-scores-one-above-zero/in", {"mqm": True}),
        ("bugs-3/01-negative-scores-one-above-zero/in-one-above", {"mqm": True}),
    ],
)  # fmt: skip
def test_directions_of_real_files(real_data, folder, expected):
    assert dict(load(real_data / folder, cache=False)[0].outside_metrics) == expected


NAMES = [f"zorb {letters}" for letters in ("kappi", "lumo", "mirv", "nax", "opti", "pelv")]


def table_of_unknown_metrics() -> bytes:
    rows = ["system,seed,segment," + ",".join(NAMES)]
    rows += [f"{s},{k},{i},{','.join(str(0.1 * i + k) for _ in NAMES)}" for s in "ab" for k in (1, 2) for i in range(5)]
    return ("\n".join(rows) + "\n").encode()


@pytest.mark.slow
@pytest.mark.parametrize("command", [["check"], ["table"], ["compare"]])
def test_many_unknown_metrics_take_one_line_that_names_them(tmp_path, capsys, command):
    (tmp_path / "scores.csv").write_bytes(table_of_unknown_metrics())
    main([*command, str(tmp_path / "scores.csv")])
    said = capsys.readouterr()
    told = " ".join((said.out + said.err).split())
    assert told.count("assumed that higher is better") == 1
    assert f"6 metrics ({', '.join(NAMES)}): assumed that higher is better" in told
    main(["check", str(tmp_path / "scores.csv"), "--json"])
    guesses = json.loads(capsys.readouterr().out)["guesses"]
    assert [g["subject"] for g in guesses if g["kind"] == "direction"] == NAMES


def test_few_unknown_metrics_take_a_line_each():
    _, report = load([("scores.csv", table_of_unknown_metrics())], cache=False)
    lines = [line for line in report.in_few_lines if line.code == "direction"]
    assert len(lines) == 1
    three = type(report)(report.layout, tuple(line for line in report.lines if line.subject in NAMES[:3]))
    assert three.in_few_lines == three.lines


def test_a_stated_direction_is_said_as_stated(tmp_path, capsys):
    (tmp_path / "scores.csv").write_bytes(table_of_unknown_metrics())
    (tmp_path / "experiment.toml").write_text(f'[metrics."{NAMES[0]}"]\nhigher_is_better = false\n')
    main(["check", str(tmp_path)])
    told = " ".join(capsys.readouterr().out.split())
    assert f"scores of {NAMES[0]}: lower is better " in told
    assert f"scores of {NAMES[0]}: lower is better (assumed)" not in told
    assert f"5 metrics ({', '.join(NAMES[1:])}): assumed" in told
    main(["check", str(tmp_path), "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["outside_metrics"][NAMES[0]] == {"higher_is_better": False, "assumed": False}
    assert document["outside_metrics"][NAMES[1]] == {"higher_is_better": True, "assumed": True}
    assert NAMES[0] not in [guess["subject"] for guess in document["guesses"]]

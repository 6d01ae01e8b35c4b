"""A report: its numbers are those of the questions, and its words say what was done and nothing else."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pandas as pd
import pytest

from mtsig_core.loading import load
from mtsig_core.loading.scores.frames import load_scores
from mtsig_core.reports.documents import compare_document, table_document
from mtsig_core.reports.paper.bibliography import OF_METRIC, OF_PRESET, WORKS, bibtex
from mtsig_core.reports.paper.files import FORMATS, report_files, report_zip
from mtsig_core.reports.paper.html import to_html
from mtsig_core.reports.paper.latex import to_latex_report
from mtsig_core.reports.paper.markdown import to_markdown_report
from mtsig_core.reports.paper.model import PARTS, Claim, Prose, Table
from mtsig_core.reports.paper.results import ReportRequest
from mtsig_core.significance import PRESETS, applicable, valid_presets
from mtsig_core.workbench import Workbench
from mtsig_core.workbench.paper.make import make_report
from tests.conftest import small_experiment
from tests.workbench.conftest import FEW

HOSTILE = (
    "<script>alert(1)</script>", '=cmd|"/c calc"!A1', r"\input{/etc/passwd} 100% $x_1^2$ #&~", "系统 ⚠ *b* [a](b)",
)  # fmt: skip


@pytest.fixture(scope="module")
def hostile():
    """Return a report on systems whose names try to be something else than names."""
    own = small_experiment(20, dict.fromkeys(HOSTILE, 2), dict.fromkeys(HOSTILE, 0.3))
    bench = Workbench(own, settings=replace(FEW, n_bootstrap=20, n_permutations=20))
    return make_report(bench, ReportRequest(tuple(part for part in PARTS if part != "plan")))


def words(report) -> str:
    """Return the paragraphs on methods as one text."""
    section = next(s for s in report.sections if s.name == "methods")
    return " ".join(s.text for block in section.blocks if isinstance(block, Prose) for s in block.sentences)


@pytest.mark.slow
def test_numbers_are_those_of_the_questions(bench, report):
    metrics = [bench.metric("bleu"), bench.metric("ter")]
    table = table_document(bench.table(["test"], metrics), FEW, bench.experiment)
    assert report.document["results"]["table"]["rows"] == table["rows"]
    pairs = [bench.pair("test", m, "plain", "better") for m in metrics]
    chosen = [n for n in valid_presets() if n in applicable(pairs[0].statistics(), "plain", "better", FEW)]
    compared = compare_document([p.compare(presets=chosen) for p in pairs], FEW, bench.experiment)["results"]
    for own, asked in zip(report.document["results"]["compare"]["results"], compared, strict=True):
        assert {name: own[name] for name in asked} == asked
    assert report.document["settings"]["seed"] == FEW.seed
    assert report.document["digests"]["experiment"] == bench.experiment.digest
    assert report.document["environment"]["numpy"]


@pytest.mark.slow
def test_every_part_can_stand_alone(bench):
    for part in set(PARTS) - {"plan"}:
        (section,) = make_report(bench, ReportRequest((part,))).sections
        assert (section.name, section.title) == (part, PARTS[part])
        assert section.blocks
    with pytest.raises(ValueError, match="one or more of the parts data, verdict"):
        ReportRequest(("verdict", "poetry"))
    with pytest.raises(ValueError, match="No system 'third'"):
        make_report(bench, ReportRequest(systems=("third",)))
    with pytest.raises(ValueError, match="is the baseline"):
        make_report(bench, ReportRequest(systems=("plain",)))


@pytest.mark.slow
def test_a_plan_is_for_a_stated_difference(bench):
    report = make_report(bench, ReportRequest(("plan", "methods"), difference=1.0))
    assert "Power to find a difference of 1 point was" in words(report)
    assert any(table.name.startswith("plan-") for table in report.blocks(Table))
    without = make_report(bench, ReportRequest(("plan", "methods")))
    assert "Power" not in words(without)
    assert "No difference to plan for was stated" in to_markdown_report(without)


def test_the_table_of_scores_has_p_against_the_baseline(bench, report):
    table = next(t for t in report.blocks(Table) if t.name == "table1")
    assert list(table.shown) == ["metric", "system", "n", "avg", "s_sel", "s_dev", "s_test", "p"]
    p = bench.pair("test", "bleu", "plain", "better").compare().coherent.p
    row = table.numbers[(table.numbers["system"] == "better") & (table.numbers["metric"] == "BLEU")]
    assert row["p"].item() == p
    assert table.shown[table.shown["system"] == "plain"]["p"].tolist() == ["—", "—"]


def test_methods_say_what_was_done(report):
    text = words(report)
    for phrase in (
        "better (3 replicas) and plain (3 replicas)", "test (40 segments, 1 reference)", "100 bootstrap samples",
        "significance level is 0.05", "random seed 12345", "nrefs:1|case:mixed|eff:no|tok:",
        "What the replicas of a system differ by was not stated", "Holm", "2 comparisons with the baseline were not",
    ):  # fmt: skip
        assert phrase in text
    assert "all exchanges were enumerated" in text  # 20 assignments of whole outputs
    assert "200 random exchanges" in text  # of segments


def test_a_verdict_is_explained_whatever_tests_are_asked_for(bench):
    request = ReportRequest(("verdict", "tests", "methods", "checklist"), presets=("koehn",))
    report = make_report(bench, request)
    assert "rest on the coherent test" in words(report)
    assert "Koehn's win share" in words(report)
    assert "Crossed test" not in words(report)
    assert "**Which test decides, and what does it answer?** Coherent test" in to_markdown_report(report)
    assert len(next(t for t in report.blocks(Table) if t.name == "tests-1").shown) == 1
    alone = to_markdown_report(make_report(bench, replace(request, parts=("tests", "methods", "checklist"))))
    assert "rest on the coherent test" not in alone
    assert "None: no verdict is part of the report." in alone


def test_what_is_asked_for_twice_is_compared_once(bench):
    twice = make_report(bench, ReportRequest(("tests", "methods"), ("test", "test"), systems=("better", "better")))
    assert "one comparison needed no correction" in words(twice)


def test_every_verdict_names_its_systems():
    three = small_experiment(20, dict.fromkeys("abc", 1), dict.fromkeys("abc", 0.2))
    claims = [c.text for c in make_report(Workbench(three, settings=FEW), ReportRequest(("verdict",))).blocks(Claim)]
    assert [claim.split(": ")[0] for claim in claims] == ["b against a on test, BLEU", "c against a on test, BLEU"]


def test_methods_say_of_all_pairs_what_was_drawn(bench):
    own = small_experiment()
    copied = replace(own, systems=(*own.systems, replace(own.systems[0], name="copy")))
    request = ReportRequest(("tests", "methods"), baseline=own.systems[0].name)
    text = words(make_report(Workbench(copied, settings=FEW), request))
    assert "one block; 200 random exchanges; all exchanges were enumerated where they are fewer)" in text


def test_nothing_random_is_told_of_where_nothing_was_drawn():
    runs = load_scores(pd.DataFrame({"system": "only", "replica": ["1", "2", "3"], "accuracy": [0.5, 0.6, 0.7]}))
    report = make_report(Workbench(runs), ReportRequest(("table1", "methods", "checklist")))
    text = to_markdown_report(report)
    assert "It was scored on" in text
    assert "None: nothing was drawn at random." in text
    assert "None: nothing was tested." in text
    for phrase in ("seed 12345", "permutations", "bootstrap samples", "They were"):
        assert phrase not in text


def test_whole_runs_have_no_bootstrap_of_segments():
    rows = [(s, r, gain + r / 100) for s, gain in (("new", 0.6), ("old", 0.5)) for r in (1, 2, 3)]
    runs = load_scores(pd.DataFrame(rows, columns=["system", "replica", "accuracy"]))
    text = to_markdown_report(make_report(Workbench(runs), ReportRequest(("verdict", "methods", "checklist"))))
    assert "stands the t interval of the replicas' scores." in text
    assert "at most 10,000 permutations; seed 12345" in text
    assert "bootstrap samples" not in text


def test_methods_say_nothing_else(bench):
    plain = words(make_report(bench, ReportRequest(("data", "methods"))))
    for phrase in ("s_sel", "Power", "margin", "pairs of systems", "Newcombe", "drawn from those", "as pairs", "Holm"):
        assert phrase not in plain
    stated = words(make_report(bench, ReportRequest(("verdict", "methods")), settings=replace(
        FEW, margin=0.5, alpha=0.01, replicas_are="training-seed", paired=True)))  # fmt: skip
    for phrase in ("0.5 points", "98% interval", "level is 0.01", "training seed", "compared as pairs",
                   "one comparison needed no correction", "Wilson's"):  # fmt: skip
        assert phrase in stated
    assert "Koehn" not in stated
    assert "Crossed test" not in stated  # the verdict does not name it


def test_the_checklist_answers_and_says_what_is_not_stated(report, bench):
    (answers,) = next(s for s in report.sections if s.name == "checklist").blocks
    asked = dict(answers.pairs)
    assert asked["Which difference matters (margin)?"] == "Not stated."
    assert "kept apart" in " ".join(asked)
    assert asked["Was a tuning set kept apart?"] == "Yes: dev; no verdict here rests on it."
    assert "BLEU: " in asked["How was text tokenized for them?"]
    tuned = make_report(bench, ReportRequest(("checklist",), ("dev",)))
    assert dict(tuned.sections[0].blocks[0].pairs)["Was a tuning set kept apart?"].startswith("No: dev")


def test_only_works_that_exist_are_cited(report):
    assert set(report.cites) <= set(WORKS)
    assert set(OF_PRESET) <= set(PRESETS)
    assert {key for keys in (*OF_PRESET.values(), *OF_METRIC.values()) for key in keys} <= set(WORKS)
    entries = bibtex(report.cites)
    assert re.findall(r"^@\w+\{(.+),$", entries, re.MULTILINE) == list(report.cites)
    assert entries.count("{") == entries.count("}")


class _Page(HTMLParser):
    """Collects elements, what they load, and text outside scripts."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.shown = ""
        self._inside: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self._inside.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href", "data") and not value.startswith("#")]

    def handle_endtag(self, tag):
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data):
        if not self._inside or self._inside[-1] not in ("script", "style"):
            self.shown += data


@pytest.mark.slow
def test_the_page_loads_nothing_and_shows_names_as_they_are(hostile):
    text = to_html(hostile)
    page = _Page()
    page.feed(text)
    assert page.loads == []
    assert "default-src 'none'" in text
    figures = text.count('class="figure"')
    assert figures > 2
    assert page.tags.count("script") == figures + 2  # the figures, Plotly once, and what draws them
    for name in HOSTILE:
        assert name in page.shown
    assert "<script>alert" not in text


def test_without_plotly_the_page_says_so(report, monkeypatch):
    monkeypatch.setattr("mtsig_core.reports.paper.html.is_installed", lambda package: False)
    monkeypatch.setattr("mtsig_core.runtime.optional.is_installed", lambda package: False)
    text = to_html(report)
    assert "<script" not in text
    assert "Without figures: plotly is not installed" in text


@pytest.mark.slow
def test_names_stay_names_in_every_format(hostile):
    files = dict(report_files(hostile))
    assert {"report.html", "report.md", "report.tex", "references.bib", "report.json"} <= set(files)
    tables = [csv.reader(data.decode().splitlines()) for path, data in files.items() if path.endswith(".csv")]
    cells = [cell for table in tables for row in table for cell in row]
    assert any(cell.startswith("'=cmd") for cell in cells)
    assert not any(cell.startswith("=") for cell in cells)
    markdown = files["report.md"].decode()
    assert r"\<script\>alert\(1\)" in markdown.replace("(1)", r"\(1\)")
    assert r"\*b\* \[a\](b)" in markdown
    assert r"\input{" not in files["report.tex"].decode()
    assert json.loads(files["report.json"])["request"]["baseline"] in HOSTILE
    assert dict(report_files(hostile, ["csv"])).keys() == {path for path in files if path.endswith(".csv")}
    with pytest.raises(ValueError, match="written as html, markdown"):
        list(report_files(hostile, ["pdf"]))
    assert report_zip(hostile).startswith(b"PK")
    assert set(FORMATS) == {"html", "markdown", "latex", "csv", "json"}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX engine")
@pytest.mark.parametrize("which", ["report", "hostile"])
def test_latex_compiles(which, request, tmp_path):
    for path, data in report_files(request.getfixturevalue(which), ["latex"]):
        (tmp_path / path).write_bytes(data)
    for command in (["pdflatex"], ["bibtex"], ["pdflatex"], ["pdflatex"]):
        options = ["-interaction=nonstopmode", "-halt-on-error"] if command == ["pdflatex"] else []
        done = subprocess.run([*command, *options, "report"], cwd=tmp_path, capture_output=True, text=True,
                              errors="replace", check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:]
    assert "undefined" not in done.stdout
    assert (tmp_path / "report.pdf").stat().st_size > 10_000


def test_latex_has_booktabs_and_headings_with_subscripts(report):
    text = to_latex_report(report)
    assert r"\toprule" in text
    assert r"$s_{\mathrm{sel}}$" in text
    assert r"$s_{\mathrm{test}}$ & p" in text
    assert text.count(r"\begin{table}") == len(list(report.blocks(Table)))
    assert r"\cite{papineni-2002,post-2018}." in text


def test_a_table_that_is_higher_than_a_page_goes_on_in_another(report):
    frame = pd.DataFrame({"a_long_name": range(90), "p": 0.1})
    section = replace(report.sections[0], blocks=(Table("many", "Many rows", frame, frame, notes=("A note.",)),))
    text = to_latex_report(replace(report, sections=(section,)))
    assert text.count(r"\begin{table}") == 3
    assert text.count("Many rows (continued)") == 2
    assert text.count("A note.") == 1
    assert r"\label{tab:many-80}" in text
    assert [text.count(f"\n{row} & ") for row in range(90)] == [1] * 90


def test_software_is_named_once_and_only_what_was_used(report):
    scores = pd.DataFrame({"system": "only", "replica": ["1", "2"], "accuracy": [0.5, 0.6]})
    alone = to_markdown_report(make_report(Workbench(load_scores(scores)), ReportRequest(("table1", "methods"))))
    assert "(mtsig)" not in to_markdown_report(report)
    assert r"\cite{mtsig}" in to_latex_report(report)
    assert "sacrebleu" not in alone.split("```")[0]


def test_markdown_has_every_section(report):
    text = to_markdown_report(report)
    assert [line for line in text.split("\n") if line.startswith("## ")] == [f"## {s.title}" for s in report.sections]
    assert "(Papineni et al. 2002; Post 2018)." in text


@pytest.mark.slow
def test_single_runs_and_single_systems_and_scores_alone():
    one_each = Workbench(small_experiment(30, {"plain": 1, "better": 1}), settings=FEW)
    report = make_report(one_each)
    assert "no test can account for the variation between runs" in words(report)
    assert "s_test" not in words(report)
    table = next(t for t in report.blocks(Table) if t.name == "table1")
    assert "approximate randomization over segments" in table.notes[0]
    assert table.shown["p"].tolist()[1] == "—"
    assert "each system has one run" in table.notes[0]
    alone = make_report(Workbench(small_experiment(30, {"plain": 3}), settings=FEW))
    assert "The system is plain (3 replicas)." in words(alone)
    assert "compare" not in alone.document["results"]
    assert "p" not in next(t for t in alone.blocks(Table) if t.name == "table1").shown
    rows = [(s, r, i, s == "new" and r + i % 3) for s in ("old", "new") for r in (1, 2, 3) for i in range(12)]
    frame = pd.DataFrame(rows, columns=["system", "replica", "segment", "score"])
    scored = make_report(Workbench(load_scores(frame), settings=FEW))
    assert "came with the data and were averaged (higher is better" in words(scored)


@pytest.mark.parametrize(("metric", "way", "winner"), [
    ("TER", "(lower is better)", "old"), ("Fehlerrate", "(lower is better)", "old"),
    ("COMET", "(higher is better)", "new"), ("zeta", "(higher is better, which was assumed)", "new"),
])  # fmt: skip
def test_methods_state_the_direction_that_was_used(metric, way, winner):
    gain = {"old": 0, "new": 3}
    rows = [f"{s},{r},{i},{gain[s] + r / 10 + i % 3}" for s in gain for r in (1, 2) for i in range(9)]
    table = "\n".join([f"system,replica,segment,{metric}", *rows, ""]).encode()
    bench = Workbench(load([("t.csv", table)], cache=False)[0], settings=FEW)
    report = make_report(bench, ReportRequest(("verdict", "methods"), metrics=(bench.metric(metric),)))
    assert f"Scores of {metric} came with the data and were averaged {way}." in words(report)
    (found,) = report.document["results"]["compare"]["results"]
    assert max(("baseline", "system"), key=lambda side: found["wins"][side]) == (
        "baseline" if found["baseline"] == winner else "system"
    )
    assert found["higher_is_better"] == ("higher" in way)

from __future__ import annotations

from pathlib import Path

import pytest

from mtsig_core.loading import LoadError, LoadReport, load, read
from mtsig_core.loading.judgements.files import SHOWN
from mtsig_core.loading.judgements.find import judgements_of, read_judgement_table

Files = dict[str, bytes]
RATINGS = b"system,segment,annotator,adequacy\nalpha,1,ann,3\nbeta,1,ann,4\nbeta,1,bob,2\n"
SAID = f"human judgements, read and checked: 3 judgements of 2 systems; {SHOWN}"


def reason(report: LoadReport, path: str) -> str:
    (role,) = [role for role in report.roles if role.path == path]
    assert role.kind == "ignored"
    return role.reason


def loaded(files: Files, path: str, content: bytes) -> LoadReport:
    """Load with one more file, which must change nothing but the report."""
    before, _ = load(files.items())
    after, report = load({**files, path: content}.items())
    assert after.systems == before.systems
    assert after.outside_metrics == {}
    return report


@pytest.mark.parametrize(
    "path", ["judgements/sheet.csv", "human-scores/sheet.csv", "sheet.csv", "annotation/deep/sheet.csv", "human.csv"]
)
def test_judgements_beside_text_are_checked_and_listed(files: Files, path: str) -> None:
    report = loaded(files, path, RATINGS)
    assert reason(report, path).startswith(SAID)
    (line,) = [line for line in report.recognised if path in line.files]
    assert SAID[1:] in line.message
    assert not any(path in line.files for line in report.ignored)


def test_judgements_of_a_native_experiment(files: Files) -> None:
    native = {path.replace("refs/ref0", "reference"): content for path, content in files.items()}
    native = {f"news/{path}": content for path, content in native.items()}
    report = loaded(native, "news/judgements/sheet.csv", RATINGS)
    assert report.layout == "native"
    assert reason(report, "judgements/sheet.csv") == SAID  # the enclosing folder is taken off


@pytest.mark.parametrize(
    ("path", "content", "said"),
    [
        ("x.avg.tsv", b"system mqm_avg_score seg_id\nalpha\t-1 1\nalpha\tNone 2\n", "1 judgement of 1 system"),
        ("seg.csv", b"SYS SID RAW.SCR Z.SCR N \nalpha 1 70 .5 1 \n", "2 judgements of 1 system"),
        ("quality.tsv", b"mr_id\tsystem\trater\trating\n1\talpha\tr\t3\n", "1 judgement of 1 system"),
        ("human.tsv", b"system\tseg\tscore\nalpha\t1\t3\n", "1 judgement of 1 system"),
    ],
)
def test_known_headings_beside_text(files: Files, path: str, content: bytes, said: str) -> None:
    assert f"read and checked: {said}" in reason(loaded(files, path, content), path)


def test_damaged_judgements_are_refused_and_the_rest_is_loaded(files: Files) -> None:
    path = "judgements/sheet.csv"
    report = loaded(files, path, RATINGS.replace(b"ann,4", b"ann,four"))
    (line,) = report.refused
    assert "line 3, column 'adequacy'" in line.message
    assert reason(report, path) == "human judgements that cannot be read"


def test_notes_beside_judgements_are_no_judgements(files: Files) -> None:
    report = loaded(files, "judgements/README.txt", b"Who judged what, and when.\n")
    assert report.refused == ()
    assert reason(report, "judgements/README.txt") == "not part of this layout"


def _table(header: str, n: int = 12) -> bytes:
    rows = [f"{system},seed{k},{i},{i / 7}" for system in ("alpha", "beta") for k in (1, 2) for i in range(1, n + 1)]
    return "\n".join([header, *rows, ""]).encode()


def test_scores_of_metrics_stay_scores(files: Files) -> None:
    experiment, _ = load({**files, "comet.csv": _table("system,seed,segment,score")}.items())
    assert list(experiment.outside_metrics) == ["COMET"]


def test_peoples_scores_in_the_folder_of_scores_stay_scores(files: Files) -> None:
    table = _table("system,seed,segment,mqm")
    assert reason(loaded(files, "mqm.csv", table), "mqm.csv").endswith("put the file into a folder scores/")
    experiment, _ = load({**files, "scores/mqm.csv": table}.items())
    assert list(experiment.outside_metrics) == ["mqm"]


def test_a_table_with_metrics_beside_human_scores_stays_a_table_of_scores(files: Files) -> None:
    table = _table("system,seed,segment,mqm").decode().splitlines()
    wide = "\n".join([table[0] + ",comet", *(line + ",0.5" for line in table[1:]), ""]).encode()
    experiment, _ = load({**files, "table.csv": wide}.items())
    assert set(experiment.outside_metrics) == {"mqm", "comet"}


def test_human_scores_without_annotators_and_text_stay_a_table_of_scores() -> None:
    experiment, _ = load([("human.csv", _table("system,seed,segment,adequacy"))])
    assert list(experiment.outside_metrics) == ["adequacy"]


@pytest.mark.parametrize("path", ["sheet.csv", "quality.tsv"])
def test_judgements_alone_are_the_scores(path: str) -> None:
    content = RATINGS if path == "sheet.csv" else b"mr_id\tsystem\trater\trating\n1\ta\tr\t3\n1\tb\tr\t3\n2\tb\tr\t3\n"
    result = read([(path, content)], cache=False)
    assert result.report.layout == "human judgements"
    dimension = "adequacy" if path == "sheet.csv" else "quality"
    assert dict(result.experiment.outside_metrics) == {dimension: True}
    (target,) = result.experiment.test_sets
    scores = {s.name: s.replicas[0].scores[target.name][dimension] for s in result.experiment.systems}
    # beta's segment 1 has ratings 4 and 2, whose mean is 3
    assert scores == ({"alpha": (3.0,), "beta": (3.0,)} if path == "sheet.csv" else {"a": (3.0, None), "b": (3.0, 3.0)})
    assert dict(result.recognition.judgement_files) == {path: content}
    assert len(judgements_of(result.recognition).tables[0].frame) == 3


def test_damaged_judgements_alone_are_refused_by_name() -> None:
    with pytest.raises(LoadError, match=r"sheet\.csv, line 3, column 'adequacy'"):
        load([("sheet.csv", RATINGS.replace(b"ann,4", b"ann,four"))], cache=False)


APPRAISE = (
    b"ann,wmt23.alpha,1,TGT,eng,deu,80,doc#alpha,False,[],1.0,9.0\n"
    b"ann,wmt23.beta,2,BAD,eng,deu,9,doc#beta,False,[],9.0,19.0\n"
)


@pytest.mark.slow
def test_an_export_beside_text_is_listed_and_at_hand(files: Files) -> None:
    report = loaded(files, "campaign.csv", APPRAISE)
    said = "human judgements (Appraise export), read and checked: 1 judgement of 1 system, 1 more set aside;"
    assert said in reason(report, "campaign.csv")
    recognition = read({**files, "campaign.csv": APPRAISE}.items(), cache=False).recognition
    found = judgements_of(recognition)
    assert found is not None
    assert found.tables[0].set_aside == {"damaged": 1}
    assert recognition.judgements_digest
    without = read(files.items(), cache=False).recognition
    assert judgements_of(without) is None
    assert without.judgements_digest == ""


@pytest.mark.slow
def test_the_load_cache_gives_the_same_judgements(files: Files) -> None:
    source = list({**files, "campaign.csv": APPRAISE}.items())
    first, again = (read(source).recognition for _ in range(2))
    assert dict(first.judgement_files) == dict(again.judgement_files) == {"campaign.csv": APPRAISE}
    assert first.judgements_digest == again.judgements_digest


@pytest.mark.slow
def test_real_judgements_beside_their_outputs(realdata: Path) -> None:
    _, report = load(realdata / "human-e2e-adequacy-fluency")
    assert "8,798 judgements of 12 systems" in reason(report, "quality.tsv")
    assert "12,654 judgements of 12 systems" in reason(report, "naturalness.tsv")
    assert "human" not in reason(report, "mr_ids.tsv")


@pytest.mark.parametrize("case", ["33-constant-correlation", "49-human-negative-scale"])
def test_real_human_tables_beside_text(realdata: Path, case: str) -> None:
    experiment, report = load(realdata / "bugs" / case / "run")
    assert experiment.outside_metrics == {}
    assert "24 judgements of 2 systems" in reason(report, "human.tsv")


def test_two_files_that_spell_systems_apart_are_about_the_same_systems():
    export = "".join(f"ann,wmt23.{s},{k},TGT,eng,deu,{60 + k},doc#{s},False,[],1,2\n" for s in "AB" for k in range(3))
    lines = "".join(f"{s}\t{k}\n" for s in "AB" for k in range(3))
    experiment, report = load([("a.scores.csv", export.encode()), ("en-de.esa.seg.score", lines.encode())], cache=False)
    assert report.layout == "human judgements"
    assert [system.name for system in experiment.systems] == ["A", "B"]


ROWS = [(system, text, pair) for pair in ("en-de", "zh-en") for system in "AB" for text in ("one", "two", "three")]


def test_tables_of_several_languages_are_several_test_sets():
    lines = "".join(f"{pair},{system},{k % 3},{k}\n" for k, (system, _, pair) in enumerate(ROWS))
    table = read_judgement_table("da.csv", f"lp,system,segment,score\n{lines}".encode())
    assert table.frame.groupby("test_set").size().to_dict() == {"en-de": 6, "zh-en": 6}
    assert any("each shown separately: 'en-de', 'zh-en'" in note or "en-de, zh-en" in note for note in table.notes)


def test_source_texts_tell_segments_apart_where_nothing_else_does():
    lines = "".join(f"{system},{text},{k}\n" for k, (system, text, _) in enumerate(ROWS[:6]))
    table = read_judgement_table("mqm.csv", f"system,src,mqm\n{lines}".encode())
    assert table.frame["segment"].tolist() == ["1", "2", "3", "1", "2", "3"]
    one = read_judgement_table("mqm.csv", b"system,src,mqm\nA,en,-1\nB,en,-2\n")
    assert one.frame["segment"].isna().all()

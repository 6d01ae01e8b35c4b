from __future__ import annotations

from pathlib import Path

import pytest

from mtsig_core.loading import LoadError, LoadReport, load

Files = dict[str, bytes]
RATINGS = b"system,segment,annotator,adequacy\nalpha,1,ann,3\nbeta,1,ann,4\nbeta,1,bob,2\n"
SAID = "human judgements, read and checked: 3 judgements of 2 systems; no page shows them yet"


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
    (line,) = [line for line in report.ignored if path in line.files]
    assert SAID in line.message


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
def test_judgements_alone_say_what_they_are_and_what_to_add(path: str) -> None:
    content = RATINGS if path == "sheet.csv" else b"mr_id\tsystem\trater\trating\n1\ta\tr\t3\n1\tb\tr\t3\n2\tb\tr\t3\n"
    with pytest.raises(LoadError, match="human judgements, read and checked: 3 judgements of 2 systems") as error:
        load([(path, content)])
    assert "Add what was judged" in str(error.value)
    assert error.value.file == path


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

"""A person says what files and columns are of which nothing was recognised."""

from __future__ import annotations

import pytest

from mtsig_core.loading import LoadError, read
from mtsig_core.loading.corrections import READ_AS, Corrections, apply, edited, recognised
from mtsig_core.loading.scores.columns import DECLARABLE
from mtsig_core.loading.sources.tree import FileTree
from mtsig_core.loading.stored_corrections import manifest_of
from mtsig_core.loading.table_columns import ROLE_WORDS, likely_tables, table_columns, with_columns
from mtsig_core.loading.unrecognised import unrecognised

TABLE = "Engine,Lauf,Satz,Note,len\n" + "".join(
    f"{system},{run},{segment},{score},9\n"
    for system, run, segment, score in [
        ("a", 1, 1, 0.5), ("a", 1, 2, 0.6), ("a", 2, 1, 0.55), ("a", 2, 2, 0.66),
        ("b", 1, 1, 0.7), ("b", 1, 2, 0.8), ("b", 2, 1, 0.75), ("b", 2, 2, 0.82),
    ]
)  # fmt: skip
FILES = [("marks.csv", TABLE.encode()), ("notes.txt", b"nothing of use\n")]
TAKEN = {"Engine": "system", "Lauf": "replica", "Satz": "segment", "Note": "scores of a metric", "len": "not used"}


def test_every_role_of_a_column_has_its_words():
    assert ROLE_WORDS.keys() == set(DECLARABLE)


def test_what_nobody_recognises_is_said_by_hand():
    with pytest.raises(LoadError, match=r"marks\.csv"):
        read(FILES, cache=False)
    kept = unrecognised(FILES)
    first = Corrections(kept.plan.roles)
    draft = edited(first, {"marks.csv": {"kind": "scores"}})
    (table,) = [role for role in draft.roles if role.kind == "scores"]
    frame = table_columns(kept, table)
    assert list(frame.index) == ["Engine", "Lauf", "Satz", "Note", "len"]
    assert list(frame["first value"]) == ["a", "1", "1", "0.5", "9"]
    assert set(frame[READ_AS]) == {"not used", "scores of a metric", "replica", "segment"}
    experiment, report = apply(kept, with_columns(draft, "marks.csv", TAKEN))
    assert {s.name: len(s.replicas) for s in experiment.systems} == {"a": 2, "b": 2}
    assert list(experiment.system("b").replicas[0].scores["test"]["Note"]) == [0.7, 0.8]
    assert report.roles is not None


def test_outputs_and_references_of_any_name_are_said_by_hand():
    files = [("gold.dat", b"a b\nc d\n"), ("out1.dat", b"a b\nc e\n"), ("out2.dat", b"a x\nc d\n")]
    kept = unrecognised(files)
    draft = edited(Corrections(kept.plan.roles), {
        "gold.dat": {"kind": "reference"},
        "out1.dat": {"kind": "output", "system": "one"},
        "out2.dat": {"kind": "output", "system": "two"},
    })  # fmt: skip
    experiment, _ = apply(kept, draft)
    assert [s.name for s in experiment.systems] == ["one", "two"]
    assert list(experiment.system("two").replicas[0].outputs["test"]) == ["a x", "c d"]


def test_a_table_that_was_understood_shows_how_and_can_be_taken_otherwise():
    known = TABLE.replace("Engine,Lauf,Satz", "system,seed,segment").replace("len", "Other")
    result = read([("marks.csv", known.encode())], cache=False)
    corrections = recognised(result.recognition, result.experiment)
    (role,) = corrections.roles
    frame = table_columns(result.recognition, role)
    assert list(frame[READ_AS]) == ["system", "replica", "segment", "scores of a metric", "scores of a metric"]
    taken = dict(zip(frame.index, frame[READ_AS], strict=True)) | {"Note": "not used"}
    experiment, _ = apply(result.recognition, with_columns(corrections, "marks.csv", taken))
    assert list(experiment.system("a").replicas[0].scores["test"]) == ["Other"]


def test_two_columns_of_one_role_are_refused_by_name():
    kept = unrecognised(FILES)
    draft = edited(Corrections(kept.plan.roles), {"marks.csv": {"kind": "scores"}})
    twice = with_columns(draft, "marks.csv", TAKEN | {"len": "system"})
    with pytest.raises(LoadError, match=r"marks\.csv: two columns are chosen as 'system'"):
        apply(kept, twice)


def test_no_columns_are_shown_of_what_is_no_table():
    kept = unrecognised([("x.txt", b"one line of text\n"), ("y.csv", b"")])
    draft = edited(Corrections(kept.plan.roles), {"x.txt": {"kind": "scores"}, "y.csv": {"kind": "scores"}})
    assert [table_columns(kept, role) for role in draft.roles] == [None, None]


def test_of_a_large_table_only_the_beginning_is_read(monkeypatch):
    rows = "".join(f"a,1,{i},0.5,9\n" for i in range(20_000))
    kept = unrecognised([("marks.csv", (TABLE.split("\n")[0] + "\n" + rows).encode())])
    monkeypatch.setattr(FileTree, "lines", lambda *a: pytest.fail("the whole file was read"))
    assert likely_tables(kept) == ["marks.csv"]


def test_files_of_one_number_per_line_are_no_tables():
    numbers = [(f"scores/COMET/sys/{i}.txt", b"0.1\n0.2\n") for i in (1, 2)]
    assert likely_tables(unrecognised([*numbers, ("b.txt", b"The end.\nNo numbers, none.\n")])) == []


def test_a_column_of_systems_is_chosen_in_a_table_of_runs():
    table = "run,optimizer,MNLI\n" + "".join(f"seed{k},{['adam', 'sgd'][k % 2]},0.8{k}\n" for k in range(4))
    result = read([("runs.csv", table.encode())], cache=False)
    taken = {"run": "replica", "optimizer": "system", "MNLI": "scores of a metric"}
    chosen = with_columns(recognised(result.recognition, result.experiment), "runs.csv", taken)
    experiment, report = apply(result.recognition, chosen)
    assert [(s.name, len(s.replicas)) for s in experiment.systems] == [("adam", 2), ("sgd", 2)]
    assert not report.with_code("unknown-baseline")  # the one system of before was nobody's choice
    manifest = manifest_of(result.recognition, chosen, experiment).encode()
    again = read([("runs.csv", table.encode()), ("experiment.toml", manifest)], cache=False)
    assert again.experiment.systems == experiment.systems
    assert not again.report.with_code("one-system")


def test_columns_of_a_table_of_one_output_are_taken_otherwise():
    files = [(f"{s}-seed{k}/preds.csv", b"id,label,correct,zeta\n1,1,1,2\n2,0,0,3\n") for s in "ab" for k in (1, 2)]
    result = read(files, cache=False)
    taken = {"id": "segment", "label": "not used", "correct": "not used", "zeta": "scores of a metric"}
    chosen = with_columns(recognised(result.recognition, result.experiment), "a-seed1/preds.csv", taken)
    experiment, _ = apply(result.recognition, chosen)
    assert experiment.system("a").replicas[0].scores["test"] == {"zeta": (2.0, 3.0)}
    assert set(experiment.system("a").replicas[1].scores["test"]) == {"correct", "zeta"}


SYSTEMS = {"alt": "scores of a system", "neu": "scores of a system"}


@pytest.mark.parametrize(("table", "names"), [
    ("segment,alt,neu\n1,0.5,0.7\n2,0.6,0.8\n", {"segment": "segment"}),
    ("Stelle,alt,neu\nx,0.5,0.7\ny,0.6,0.8\n", {"Stelle": "segment"}),
    ("seed,alt,neu\n1,0.5,0.7\n2,0.6,0.8\n", {"seed": "replica"}),
])  # fmt: skip
def test_columns_of_systems_are_shown_and_said_as_such(table, names):
    kept = unrecognised([("marks.csv", table.encode())])
    (role,) = edited(Corrections(kept.plan.roles), {"marks.csv": {"kind": "scores"}}).roles
    if "Stelle" not in names:
        assert dict(table_columns(kept, role)[READ_AS]) == names | SYSTEMS
    chosen = with_columns(Corrections((role,)), "marks.csv", names | SYSTEMS)
    experiment, _ = apply(kept, chosen)
    scores = {s.name: [r.scores["test"]["score"] for r in s.replicas] for s in experiment.systems}
    by_run = {"alt": [(0.5,), (0.6,)], "neu": [(0.7,), (0.8,)]}
    assert scores == (by_run if "seed" in names else {"alt": [(0.5, 0.6)], "neu": [(0.7, 0.8)]})
    manifest = manifest_of(kept, chosen, experiment).encode()
    again = read([("marks.csv", table.encode()), ("experiment.toml", manifest)], cache=False)
    assert again.experiment.systems == experiment.systems

"""A person says what the columns of a table of texts are."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

from mtsig_core.loading import LoadError, load, read
from mtsig_core.loading.corrections import READ_AS, Corrections, change_sets, edited, recognised, rename_systems
from mtsig_core.loading.reshaping.named_columns import TEXT_ROLES
from mtsig_core.loading.stored_corrections import manifest_of, to_json
from mtsig_core.loading.table_columns import likely_tables
from mtsig_core.loading.text_columns import TEXT_WORDS, tables_of_texts, text_columns, with_text_columns
from mtsig_core.loading.unrecognised import unrecognised
from mtsig_core.workbench.corrected import correct, restored
from tests.loading.test_table_columns import TABLE

REFERENCE = ["a cat sat", "a dog ran", "it is so"]
OUTPUTS = {(system, run): [f"{line} {system}{run}" for line in REFERENCE] for system in "ab" for run in (1, 2)}
LONG = pd.DataFrame([
    {"Anlage": system, "Durchgang": run, "Stelle": i, "Resultat": line, "Muster": REFERENCE[i], "Laenge": len(line)}
    for (system, run), lines in OUTPUTS.items() for i, line in enumerate(lines)
])  # fmt: skip
TAKEN = {"Anlage": "system", "Durchgang": "replica", "Stelle": "segment", "Resultat": "output", "Muster": "reference",
         "Laenge": "not used"}  # fmt: skip
WIDE = pd.DataFrame({"Muster": REFERENCE, **{f"{s}_seed{run}": lines for (s, run), lines in OUTPUTS.items()}})
TAKEN_WIDE = {"Muster": "reference", **{f"{s}_seed{run}": "output" for s, run in OUTPUTS}}


def written(frame: pd.DataFrame, ending: str) -> bytes:
    stream = io.BytesIO()
    write = {"csv": frame.to_csv, "tsv": frame.to_csv, "xlsx": frame.to_excel, "parquet": frame.to_parquet}.get(ending)
    if ending in ("json", "jsonl"):
        return frame.to_json(orient="records", lines=ending == "jsonl", force_ascii=False).encode()
    write(stream, index=False, **({"sep": "\t"} if ending == "tsv" else {}))
    return stream.getvalue()


def assert_complete(experiment) -> None:
    assert {s.name: len(s.replicas) for s in experiment.systems} == {"a": 2, "b": 2}
    assert experiment.test_set("test").references == (tuple(REFERENCE),)
    assert list(experiment.system("b").replicas[1].outputs["test"]) == OUTPUTS["b", 2]


def by_hand(name: str, data: bytes, taken: dict[str, str], *more: tuple[str, bytes]):
    recognition = unrecognised([(name, data), *more])
    return recognition, with_text_columns(Corrections(recognition.plan.roles), name, taken)


def test_every_role_has_its_words():
    assert tuple(TEXT_WORDS) == TEXT_ROLES
    assert len(set(TEXT_WORDS.values())) == len(TEXT_ROLES)


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx", "parquet", "json", "jsonl"])
@pytest.mark.parametrize(("frame", "taken"), [(LONG, TAKEN), (WIDE, TAKEN_WIDE)], ids=["long", "wide"])
def test_columns_of_any_name_are_said_by_hand(ending, frame, taken):
    name = f"texte.{ending}"
    data = written(frame, ending)
    recognition, corrections = by_hand(name, data, taken)
    assert tables_of_texts(recognition.plan.roles, recognition) == [name]
    assert list(text_columns(recognition, name).index) == list(frame)
    corrected = correct(recognition, corrections)
    assert_complete(corrected.experiment)
    assert dict(text_columns(corrected.recognition, name)[READ_AS]) == taken
    assert "you named them" in corrected.report.with_code("named-columns")[0].message


def test_a_table_of_texts_is_not_proposed_as_scores():
    recognition = unrecognised([("texte.csv", written(LONG, "csv")), ("marks.csv", TABLE.encode())])
    assert likely_tables(recognition) == ["marks.csv"]


def test_the_manifest_and_the_stored_corrections_say_the_same_again():
    data = written(LONG, "csv")
    recognition, corrections = by_hand("texte.csv", data, TAKEN)
    corrected = correct(recognition, corrections)
    manifest = manifest_of(corrected.recognition, corrected.corrections, corrected.experiment)
    experiment, _ = load([("texte.csv", data), ("experiment.toml", manifest.encode())], cache=False)
    assert_complete(experiment)
    assert experiment.digest == corrected.experiment.digest
    assert corrected.recognition.digest == recognition.digest
    again = restored(to_json(corrected.corrections), unrecognised([("texte.csv", data)]))
    assert again.experiment.digest == corrected.experiment.digest
    assert again.corrections == corrected.corrections


def test_names_and_columns_that_are_corrected_in_one_survive_in_the_manifest():
    scores = b"system,seed,segment,quux\n" + b"".join(b"people,%d,%d,.5\n" % (k, i) for k in (1, 2) for i in range(3))
    files = [("texte.csv", written(LONG, "csv")), ("scores.csv", scores)]
    reading = read(files, cache=False)
    draft = rename_systems(recognised(reading.recognition, reading.experiment), {"people": "raters"})
    first = correct(reading.recognition, with_text_columns(draft, "texte.csv", TAKEN))
    assert {s.name for s in first.experiment.systems} == {"a", "b", "raters"}
    renamed = change_sets(rename_systems(first.corrections, {"a": "first"}), {"test": "wmt30"}, {})
    last = correct(first.recognition, renamed)
    assert "first" in {s.name for s in last.experiment.systems}
    manifest = manifest_of(last.recognition, last.corrections, last.experiment)
    experiment, _ = load([*files, ("experiment.toml", manifest.encode())], cache=False)
    assert {s.name for s in experiment.systems} == {s.name for s in last.experiment.systems}
    assert {t.name for t in experiment.test_sets} == {t.name for t in last.experiment.test_sets}


def test_a_table_that_was_understood_shows_how_and_can_be_taken_otherwise():
    known = LONG.rename(columns={"Anlage": "system", "Durchgang": "seed", "Stelle": "id", "Resultat": "hypothesis",
                                 "Muster": "reference", "Laenge": "Zweit"})  # fmt: skip
    known["Zweit"] = [f"{line} again" for line in known["reference"]]
    reading = read([("o.csv", written(known, "csv"))], cache=False)
    taken = dict(text_columns(reading.recognition, "o.csv")[READ_AS])
    assert taken == {"system": "system", "seed": "replica", "id": "segment", "hypothesis": "output",
                     "reference": "reference", "Zweit": "not used"}  # fmt: skip
    draft = recognised(reading.recognition, reading.experiment)
    assert correct(reading.recognition, draft).experiment.digest == reading.experiment.digest
    swapped = with_text_columns(draft, "o.csv", taken | {"reference": "not used", "Zweit": "reference"})
    corrected = correct(reading.recognition, swapped)
    assert corrected.experiment.test_set("test").references[0][0] == "a cat sat again"
    both = with_text_columns(draft, "o.csv", taken | {"Zweit": "reference"})
    assert len(correct(reading.recognition, both).experiment.test_set("test").references) == 2
    back = correct(corrected.recognition, with_text_columns(corrected.corrections, "o.csv", taken))
    assert back.experiment.test_set("test").references == (tuple(REFERENCE),)


def test_a_table_of_texts_with_scores_is_one_of_texts():
    frame = LONG.rename(columns={"Anlage": "system", "Durchgang": "seed", "Resultat": "hypothesis", "Muster": "ref"})
    frame = frame.drop(columns=["Stelle", "Laenge"])
    reading = read([("o.csv", written(frame.assign(quux=0.5), "csv"))], cache=False)
    assert any((role.path, role.kind) == ("o.csv", "scores") for role in reading.recognition.plan.roles)
    assert tables_of_texts(reading.recognition.plan.roles, reading.recognition) == ["o.csv"]
    taken = dict(text_columns(reading.recognition, "o.csv")[READ_AS])
    assert (taken["quux"], taken["ref"]) == ("scores of a metric", "reference")
    draft = recognised(reading.recognition, reading.experiment)
    without = correct(reading.recognition, with_text_columns(draft, "o.csv", taken | {"quux": "not used"}))
    assert not without.experiment.outside_metrics


def test_columns_of_texts_of_a_wide_table_can_be_left_out():
    reading = read([("w.csv", written(WIDE.rename(columns={"Muster": "ref"}), "csv"))], cache=False)
    taken = dict(text_columns(reading.recognition, "w.csv")[READ_AS])
    assert taken == {"ref": "reference", **{f"{s}_seed{run}": "output" for s, run in OUTPUTS}}
    draft = recognised(reading.recognition, reading.experiment)
    corrected = correct(reading.recognition, with_text_columns(draft, "w.csv", taken | {"b_seed1": "not used"}))
    assert {s.name: len(s.replicas) for s in corrected.experiment.systems} == {"a": 2, "b": 1}


def test_other_corrections_stay_when_columns_are_named():
    files = [("o.csv", written(LONG.drop(columns="Muster"), "csv")), ("ref.txt", "\n".join(REFERENCE).encode())]
    recognition, corrections = by_hand(*files[0], {k: v for k, v in TAKEN.items() if k != "Muster"}, files[1])
    corrected = correct(recognition, corrections)
    assert {s.name for s in corrected.experiment.systems} == {"a", "b"}
    first = next(role.path for role in corrected.corrections.roles if role.kind == "output")
    renamed = edited(corrected.corrections, {first: {"system": "first"}})
    renamed = with_text_columns(renamed, "o.csv", {**{k: v for k, v in TAKEN.items() if k != "Muster"},
                                                   "Laenge": "scores of a metric"})  # fmt: skip
    anew = correct(corrected.recognition, renamed)
    assert "first" in {s.name for s in anew.experiment.systems}
    assert list(anew.experiment.outside_metrics) == ["Laenge"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Resultat": "not used", "Muster": "not used"}, "no column is chosen as output or reference"),
        ({"Stelle": "system"}, "two columns are chosen as 'system', 'Anlage' and 'Stelle'"),
        ({"Laenge": "output"}, "several columns are chosen as output, and 'Anlage' as system"),
    ],
)
def test_what_cannot_be_is_refused_with_its_columns(change, message):
    recognition, corrections = by_hand("texte.csv", written(LONG, "csv"), TAKEN | change)
    with pytest.raises(LoadError, match=message):
        correct(recognition, corrections)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('columns = {Resultat = "best"}', "columns should give each column one of"),
        ('columns = {Nirgends = "output"}', "there is no column 'Nirgends'"),
        ('system = "a"', "a table of texts has a path, a kind and columns"),
    ],
)
def test_a_wrong_entry_of_the_manifest_is_named(entry, message):
    manifest = f'[[files]]\npath = "texte.csv"\nkind = "texts"\n{entry}\n'
    with pytest.raises(LoadError, match=message):
        load([("texte.csv", written(LONG, "csv")), ("experiment.toml", manifest.encode())], cache=False)


def test_lists_of_references_and_empty_cells_are_read():
    rows = [{"t": "a b", "r": ["a b", "a c"], "n": 0.5}, {"t": None, "r": ["x y", "x z"], "n": None}]
    data = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    recognition, corrections = by_hand("a-seed1.jsonl", data, {"t": "output", "r": "reference", "n": "not used"})
    experiment = correct(recognition, corrections).experiment
    assert experiment.test_set("test").references == (("a b", "x y"), ("a c", "x z"))
    assert [r.outputs["test"] for r in experiment.systems[0].replicas] == [("a b", "")]


def test_no_columns_are_shown_of_what_is_no_table():
    recognition = unrecognised([("a.csv", b"just one line"), ("b.json", b'{"x": 1}'), ("c.txt", b"x,y\n1,2\n")])
    assert tables_of_texts(recognition.plan.roles, recognition) == ["a.csv", "b.json"]
    assert text_columns(recognition, "a.csv") is None

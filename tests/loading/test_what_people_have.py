"""Files that real people have, which nothing reads or which lie beside what is read: each is named, with a remedy."""

from __future__ import annotations

import bz2
import io
import json

import pytest

from mtsig_core.loading import LAYOUTS, LoadError, Request, load
from mtsig_core.loading.cache.key import digest_of
from mtsig_core.loading.layouts.common.several import SeveralExperiments
from mtsig_core.loading.layouts.common.words import in_words
from mtsig_core.loading.sources.source import Part
from mtsig_core.runtime.jobs import no_progress
from tests.conftest import sentences

WORDS = sentences(3, 12)
REFERENCE = "\n".join(WORDS)
OUTPUTS = {f"systems/{system}/seed{k}.txt": REFERENCE for system in ("a", "b") for k in (1, 2)}


def _load(files: dict[str, str | bytes]):
    data = [(path, text if isinstance(text, bytes) else text.encode()) for path, text in files.items()]
    return load(data, name="mine", cache=False)


@pytest.mark.parametrize(("files", "words"), [
    ({"out.csv": "text,target,base\nx,y,z\nx,y,z\n"}, "columns are 'text', 'target', 'base'; none is called system or"),
    ({"c.csv": "Wall time,Step,Value\n1,2,3\n"}, "a curve of TensorBoard"),
    ({"w.csv": '"Step","a - bleu","a - bleu__MIN","a - bleu__MAX"\n"1","2","2","2"\n'}, "curves of Weights & Biases"),
    ({"m/STS.json": '{"dataset_revision": "x", "mteb_version": "1"}', "n/STS.json": "{}"}, "results of MTEB"),
    ({"a.json": json.dumps({"name": "BLEU", "score": 3.0, "signature": "x"}), "b.json": "{}"}, "report of sacreBLEU"),
    ({f"{s}/eval_results.txt": "acc = 0.81\nmcc: 62.5%\n" for s in ("a", "b")}, "scores by name; write them as JSON"),
    ({"a/result.txt": "| SPKR | # Snt |\n| Sum/Avg | 26 |\n", "b.txt": "| SPKR |\n"}, "a report of sclite"),
    ({"t.tsv": "system\tBLEU\nbase\t27.1 ± 0.3\nnew\t27.9 ± 0.4\n"}, r"column 'BLEU': '27\.1 ± 0\.3' is a mean"),
    ({"t.tsv": "system\tBLEU\tchrF\nbase\t27.1 (0.3)\t5 +/- .2\nnew\t27.9 (0.4)\t6 +- .1\n"}, "is a mean with its"),
    ({"dev.json": '{"data": [{"title": "x", "paragraphs": []}]}', "p.json": '{"q1": "a", "q2": "b"}'}, "no layout was"),
    ({"ref.txt": REFERENCE, "x.jsonl": '{"id": "b", "custom_id": "r-1", "response": {"body": {}}}\n'},
     "x.jsonl: the request 'r-1' has no answer"),
    ({"refs/ref.txt": REFERENCE, "systems/a/1.txt.bz2": bz2.compress(b"x\n")}, "packed with bzip2.*unpack it first"),
    ({"refs/ref.txt": REFERENCE, "systems/a.zip": b"PK"}, "an archive within the upload.*unpack it first"),
])  # fmt: skip
def test_what_cannot_be_read_is_named(files, words):
    with pytest.raises(LoadError, match=words):
        _load(files)


def test_packed_outputs_beside_others_are_warned_of():
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS, "systems/c/seed1.txt.xz": b"\xfd7zXZ"})
    assert [line.files for line in report.with_code("packed")] == [("systems/c/seed1.txt.xz",)]


def test_a_folder_with_an_experiment_of_its_own_is_warned_of():
    first = {f"one/{path}": text for path, text in {"refs/ref.txt": REFERENCE, **OUTPUTS}.items()}
    second = {f"two/a.seed{k}.txt": REFERENCE for k in (1, 2)} | {"two/ref.txt": REFERENCE}
    experiment, report = _load({**first, **second})
    assert [test_set.name for test_set in experiment.test_sets] == ["one"]
    assert "two/ is not used, and holds an experiment" in report.with_code("other-experiment")[0].message


def _two_experiments(first: str, second: str) -> list[tuple[str, bytes]]:
    files = {f"runs/{first}/{path}": text for path, text in {"refs/ref.txt": REFERENCE, **OUTPUTS}.items()}
    files |= {f"runs/{second}/{name}": REFERENCE for name in ("z.seed1.txt", "z.seed2.txt", "ref.txt")}
    return [(path, text.encode()) for path, text in (files | {"runs/notes/a.md": "x"}).items()]


@pytest.mark.slow
def test_one_of_several_experiments_is_chosen_by_its_folder():
    files = _two_experiments("a/one", "b/new")
    with pytest.raises(SeveralExperiments, match="holds 2 experiments: a/one .*--experiment 'a/one'") as caught:
        load(files, cache=False)
    assert [(one.folder, one.what.split("; ")[1]) for one in caught.value.experiments] == [
        ("a/one", "2 systems, 4 outputs"), ("b/new", "1 system, 2 outputs"),
    ]  # fmt: skip
    for folder, systems in (("new", ["z"]), ("one", ["a", "b"]), ("a/one/", ["a", "b"])):
        experiment, report = load(Part(files, folder), cache=False)
        assert [system.name for system in experiment.systems] == systems
        assert report.with_code("chosen-folder")[0].files[0].endswith(folder.strip("/"))
    with pytest.raises(LoadError, match="holds no folder 'three'. Choose one of its folders: a, a/one"):
        load(Part(files, "three"), cache=False)


def test_an_experiment_deeper_down_is_named_beside_the_one_that_is_taken():
    experiment, report = load(_two_experiments("one", "deep/er/new"), cache=False)
    assert [system.name for system in experiment.systems] == ["a", "b"]
    assert report.with_code("other-experiment")[0].files == ("deep/er/new",)


def test_tables_of_scores_never_hide_several_folders_of_text():
    table = b"system,segment,score\na,1,0.5\nb,1,0.6\n"
    with pytest.raises(SeveralExperiments) as caught:
        load([*_two_experiments("a/one", "b/new"), ("runs/s.csv", table)], cache=False)
    assert [one.folder for one in caught.value.experiments] == ["a/one", "b/new"]


def test_a_part_is_kept_under_a_key_of_its_own(tmp_path):
    for path, data in _two_experiments("one", "new"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    sources = (tmp_path, Part(tmp_path, "new"), Part(tmp_path, "one"), Part([("a/b", b"c")], "a"))
    digests = [digest_of(Request.of(source, None), no_progress) for source in sources]
    assert None not in digests
    assert len(set(digests)) == 4


def test_layouts_are_called_by_plain_words():
    assert all(in_words(layout.NAME) != "" for layout in LAYOUTS)
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS})
    assert report.layout == "plain"
    assert report.with_code("layout")[0].message.startswith("Recognised as systems/SYSTEM/REPLICA with refs/")


def test_no_warning_of_a_folder_that_is_used():
    sets = {f"{name}/{path}": text for name in ("one", "two") for path, text in OUTPUTS.items()}
    _, report = _load({**sets, "one/refs/ref.txt": REFERENCE, "two/refs/ref.txt": REFERENCE})
    assert not report.with_code("other-experiment")


def test_columns_of_runs_that_are_no_metric():
    table = "seed,model,bleu,Runtime,_step\n" + "".join(f"{k},{m},{20 + k},{k},9\n" for m in "ab" for k in range(3))
    experiment, report = _load({"export.csv": table})
    assert list(experiment.outside_metrics) == ["bleu"]
    assert "'Runtime', '_step'" in report.with_code("no-metric")[0].message
    assert not report.with_code("constant-scores")


def test_columns_of_runs_are_taken_on_request():
    table = "seed,model,bleu,Runtime\n" + "".join(f"{k},{m},{20 + k},{k}\n" for m in "ab" for k in range(3))
    experiment, _ = _load({"export.csv": table, "experiment.toml": "[metrics.Runtime]\nuse = true\n"})
    assert set(experiment.outside_metrics) == {"bleu", "Runtime"}


@pytest.mark.parametrize("start", [0, 1])
def test_json_lines_number_their_segments_from_zero_or_one(start):
    files = {
        f"{system}-seed1.jsonl": "".join(json.dumps({"sentence_id": i, "translation": word}) + "\n"
                                         for i, word in enumerate(WORDS, start))
        for system in ("a", "b")
    }  # fmt: skip
    experiment, report = _load({**files, "ref.txt": REFERENCE})
    assert experiment.systems[0].replicas[0].outputs["test"] == experiment.test_sets[0].references[0]
    assert bool(report.with_code("numbered-from")) == (start == 0)


def test_a_missing_segment_without_a_document_is_named_by_its_number():
    lines = [json.dumps({"sentence_id": i, "translation": word}) for i, word in enumerate(WORDS, 1)]
    good, bad = "\n".join(lines), "\n".join(lines[:-1])
    _, report = _load({"a-seed1.jsonl": good, "b-seed1.jsonl": bad, "ref.txt": REFERENCE})
    message = report.with_code("missing-segments")[0].message
    assert f"missing: {len(WORDS)}. The output" in message


def test_equal_guesses_about_two_sets_are_one_line():
    files = {f"{name}.{system}.eng": REFERENCE for name in ("ted", "news") for system in ("sys1", "sys2", "ref")}
    _, report = _load(files)
    messages = [line.message for line in report.lines]
    assert len(messages) == len(set(messages))


def test_json_lines_that_one_line_makes_useless_name_that_line():
    lines = [json.dumps({"system": "a", "hypothesis": word, "reference": word}) for word in WORDS]
    lines[4] = lines[4].replace('"a"', r'"\ud83d"')
    with pytest.raises(LoadError, match="o.jsonl, line 5: no usable JSON .half of a surrogate pair"):
        _load({"o.jsonl": "\n".join(lines)})


@pytest.mark.parametrize(("path", "words"), [
    ("runs/0/.hydra/config.yaml", "Settings of a run, written by hydra"),
    (".git/HEAD", "Files of git"),
    (".secret/x.txt", "Hidden files are not read"),
    (".DS_Store", "Left by the desktop or an editor"),
])  # fmt: skip
def test_hidden_files_are_called_what_they_are(path, words):
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS, path: "x\n"})
    assert [line.message.startswith(words) for line in report.with_code("junk")] == [True]


@pytest.mark.parametrize(("path", "text", "words"), [
    ("results.csv", "system,seed,bleu\na,1,20.1\na,2,20.2\n", "scores of whole runs, not of segments"),
    ("train.yaml", "lr: 1\n", "settings, which are not read"),
    ("run/.hydra/overrides.yaml", "- lr=1\n", "what a run of hydra was asked for"),
])  # fmt: skip
def test_files_beside_text_are_left_out_for_their_own_reason(path, text, words):
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS, path: text})
    (line,) = [line for line in report.ignored if path in line.files]
    assert words in line.message


def test_references_are_listed_as_a_guess_unless_named_as_documented():
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS})
    assert "refs/ref.txt" in report.with_code("reference-by-name")[0].message
    _, report = _load({"reference.txt": REFERENCE, **OUTPUTS})
    assert not report.with_code("reference-by-name")
    manifest = '[[files]]\npath = "refs/ref.txt"\nkind = "reference"\n'
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS, "experiment.toml": manifest})
    assert not report.with_code("reference-by-name")


def test_columns_of_references_are_listed_as_a_guess():
    rows = "".join(f"{word}\t{word}\t{word} x\n" for word in WORDS)
    _, report = _load({"t.tsv": f"ref1\tref2\tbase\n{rows}"})
    assert "reference: ref1, ref2; outputs: base" in report.with_code("texts-in-columns")[0].message


def test_texts_in_the_json_of_comet_are_named():
    segments = [{"src": "a", "mt": "b", "ref": "c", "COMET": 0.5 + k / 10} for k in range(3)]
    _, report = _load({"comet.json": json.dumps({"a.txt": segments, "b.txt": segments})})
    assert "(src, mt, ref) are not read" in report.with_code("texts-beside-scores")[0].message


def test_many_metrics_are_one_line_for_people_and_all_for_programs():
    header = ",".join(["run", *(f"task{k}" for k in range(6))])
    _, report = _load({"r.csv": f"{header}\n" + "".join(f"seed{k},1,2,3,4,5,{k}\n" for k in range(4))})
    assert len(report.with_code("scores")) == 6
    (line,) = [line for line in report.in_few_lines if line.code == "scores"]
    names = ", ".join(f"task{k}" for k in range(6))
    assert line.message == f"6 metrics ({names}) on 'test': scores of 4 whole runs."


def test_of_very_many_metrics_the_first_are_named():
    header = ",".join(["run", *(f"task{k}" for k in range(12))])
    _, report = _load({"r.csv": f"{header}\n" + "".join(f"seed{k}{f',{k}' * 12}\n" for k in range(4))})
    told = report.to_frame().set_index("code").message
    for code in ("scores", "direction"):
        assert told[code].startswith("12 metrics (task0, task1, task2, task3, task4 and 7 more)")
    assert report.to_frame(each=True).message.str.startswith("task11").sum() == 2


@pytest.mark.parametrize("header", [
    "params.model,params.seed,metrics.accuracy,params.lr", "classifier,fold,accuracy,lr",
    "config/model,config/seed,test/accuracy,config/lr",
])  # fmt: skip
def test_runs_as_trackers_of_experiments_write_them(header):
    table = f"{header}\n" + "".join(f"{s},{k},0.8{k},0.1\n" for s in "ab" for k in (1, 2))
    experiment, _ = _load({"runs.csv": table})
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("a", 2), ("b", 2)]
    assert list(experiment.outside_metrics.values()) == [True]


def test_the_name_of_a_run_is_no_system_where_a_setting_is():
    rows = "".join(f"sunny-{s}{k},{s},{k},0.8{k}\n" for s in "ab" for k in (1, 2))
    experiment, _ = _load({"runs.csv": f"Name,params.model,params.seed,accuracy\n{rows}"})
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("a", 2), ("b", 2)]


def test_runs_without_a_system_name_columns_that_may_be_it():
    rows = "".join(f"{k},{'ab'[k % 2]},0.8{k}\n" for k in range(4))
    _, report = _load({"runs.csv": f"run,optimizer,accuracy\n{rows}"})
    assert "several values: 'optimizer'" in report.with_code("one-system")[0].remedy
    assert "'optimizer'" in report.with_code("unused-columns")[0].message
    with pytest.raises(LoadError, match="line 3: a second accuracy of run '1' .* the first is in line 2"):
        _load({"runs.csv": "run,optimizer,accuracy\n1,a,0.8\n1,b,0.9\n2,a,0.9\n"})


def test_reports_of_sacrebleu_are_scores_of_whole_runs():
    def report_of(score):
        return json.dumps([{"name": name, "score": score, "signature": "x"} for name in ("BLEU", "TER")])

    experiment, report = _load({f"{s}.seed{k}.json": report_of(20.0 + k) for s in ("a", "b") for k in (1, 2)})
    assert experiment.outside_metrics == {"BLEU": True, "TER": False}
    assert [len(system.replicas) for system in experiment.systems] == [2, 2]
    assert report.with_code("output-by-name")
    with pytest.raises(LoadError, match="no system has several runs"):
        _load({f"{s}.json": report_of(20.0) for s in ("a", "b")})


def test_headings_of_several_rows_and_results_of_promptfoo_are_named():
    with pytest.raises(LoadError, match="several columns have one name"):
        _load({"pivot.csv": "model,a,a,b,b\nseed,1,2,1,2\nexample,,,,\n0,.1,.2,.3,.4\n"})
    with pytest.raises(LoadError, match="results of promptfoo"):
        _load({"r.json": json.dumps({"evalId": "e", "results": {"version": 3, "results": []}})})


def test_reports_of_a_script_are_scores_of_whole_runs():
    def text(k):
        return json.dumps({"accuracy": 0.8 + k / 100, "loss": 1.5, "n": 100, "model": "x"})

    experiment, report = _load({f"{s}/seed{k}/metrics.json": text(k) for s in ("a", "b") for k in (1, 2)})
    assert experiment.outside_metrics == {"accuracy": True, "loss": False}
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("a", 2), ("b", 2)]
    assert "model, n" in report.with_code("unused-metrics")[0].message


@pytest.mark.parametrize(("path", "text", "words"), [
    ("mlruns/1/ab/params/seed", "3", "runs as MLflow stores them.*search_runs"),
    ("logs/events.out.tfevents.17.host", "x\0", "curves of TensorBoard"),
    ("p.csv", "id,label,pred\n1,a,b\n", "none says whether an answer is right. Add a column 'correct'"),
])  # fmt: skip
def test_what_else_has_a_reason_of_its_own(path, text, words):
    other = path.replace("/ab/", "/cd/").replace("logs", "more").replace("p.csv", "q.csv")
    with pytest.raises(LoadError, match=words):
        _load({path: text, other: text})


def test_columns_of_people_in_a_workbook_are_named():
    openpyxl = pytest.importorskip("openpyxl")
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for row in (["System", "Segment", "Annotator", "Adequacy"], ["a", 1, "x", 3], ["a", 1, "y", 4]):
        book.active.append(row)
    book.save(stream)
    with pytest.raises(LoadError, match="The column 'Annotator' names people: save the table as CSV"):
        _load({"j.xlsx": stream.getvalue()})


def test_keys_of_records_that_are_not_used_are_listed():
    rows = [{"id": i, "hyp": word, "ref": word, "metrics": {"bleu": 1}} for i, word in enumerate(WORDS)]
    _, report = _load({"a-seed1.jsonl": "\n".join(map(json.dumps, rows))})
    assert "'metrics'" in report.with_code("unused-columns")[0].message


SCORES = "".join(f"{s},{k},{i},0.{i}\n" for s in "ab" for k in (1, 2) for i in range(3))


@pytest.mark.parametrize("above", ["sep=,\n", '"sep=,"\n', "# made by eval.py, 2024\n#\n"])
def test_what_stands_above_a_heading_is_passed_over(above):
    experiment, _ = _load({"s.csv": f"{above}system,seed,segment,comet\n{SCORES}"})
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("a", 2), ("b", 2)]
    line = above.count("\n") + 3
    with pytest.raises(LoadError, match=f"line {line}, column 'comet'"):
        _load({"s.csv": f"{above}system,seed,segment,comet\na,1,1,0.5\na,1,2,x\na,2,1,1\na,2,2,1\n"})


def test_a_heading_behind_a_hash_stays_one():
    _load({"s.csv": f"#system,system,seed,segment,comet\n{SCORES}".replace("#system,", "# ,").replace("\na", "\n1,a")
           .replace("\nb", "\n1,b")})  # fmt: skip


@pytest.mark.parametrize("column", ["run", "Name", "system"])
def test_one_column_may_name_system_and_run(column):
    rows = "".join(f"{s}-seed{k},2{k}.5\n" for s in ("base", "new") for k in (1, 2, 3))
    experiment, report = _load({"r.csv": f"{column},bleu\n{rows}mean,21\n"})
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [
        (name, ["seed1", "seed2", "seed3"]) for name in ("base", "new")
    ]
    assert report.with_code("replica-in-name")[0].remedy


def test_several_checkpoints_of_a_run_in_a_table_are_named():
    rows = "".join(f"a,{k},{step},2{k}.5{step}\n" for k in (1, 2) for step in (1, 2))
    with pytest.raises(LoadError, match="a second bleu of run '1'.*Keep the row of one checkpoint .*'step'"):
        _load({"r.csv": f"model,seed,step,bleu\n{rows}"})


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_references_in_a_file_of_records_of_their_own(ending):
    def text(name, lines):
        if ending == "csv":
            return f"id,{name}\n" + "".join(f"{i},{line}\n" for i, line in lines)
        return "".join(json.dumps({"id": i, name: line}) + "\n" for i, line in lines)

    lines = list(enumerate(WORDS))
    files = {f"{s}-seed{k}.{ending}": text("translation", lines) for s in ("a", "b") for k in (1, 2)}
    experiment, report = _load({**files, f"refs.{ending}": text("reference", lines[::-1])})
    assert experiment.systems[0].replicas[0].outputs["test"] == experiment.test_sets[0].references[0]
    assert any("reference: reference" in line.message for line in report.with_code("json-keys"))


def test_a_table_of_systems_beside_outputs_is_no_output():
    files = {"base.txt": REFERENCE, "new.txt": REFERENCE, "ref.txt": REFERENCE}
    _, report = _load({**files, "mateo.tsv": "system\tbleu\tcomet\nbase\t20\t.8\nnew\t21\t.82\n"})
    assert not report.refused
    assert any("scores of whole systems" in line.message for line in report.ignored if "mateo.tsv" in line.files)


def test_ratings_of_esa_beside_text_are_judgements():
    rows = "".join(f"{s},{i},a{j},{i + j}\n" for s in "ab" for i in range(3) for j in (1, 2))
    _, report = _load({"refs/ref.txt": REFERENCE, **OUTPUTS, "esa.csv": f"system,segment_id,annotator,ESA\n{rows}"})
    assert "12 judgements of 2 systems" in report.with_code("judgements")[0].message


def test_numbers_before_every_line_are_warned_of():
    numbered = "\n".join(f"{i}. {word}" for i, word in enumerate(WORDS, 1))
    _, report = _load({"refs/ref.txt": REFERENCE, "systems/a/seed1.txt": numbered, "systems/a/seed2.txt": REFERENCE})
    (line,) = report.with_code("line-numbers")
    assert line.files == ("systems/a/seed1.txt",)


@pytest.mark.parametrize(("path", "text", "code"), [
    ("r.csv", "system,bleu_seed1,bleu_seed2\na,20,21\nb,22,23\n", "runs-in-columns"),
    ("bleu.csv", "seed,a,b\nseed1,20,22\nseed2,21,23\n", "systems-in-columns"),
])  # fmt: skip
def test_columns_of_runs_and_of_systems(path, text, code):
    experiment, report = _load({path: text})
    assert list(experiment.outside_metrics) == ["bleu"]
    assert {(s.name, r.name): r.scores["test"]["bleu"] for s in experiment.systems for r in s.replicas} == {
        ("a", "seed1"): (20.0,), ("a", "seed2"): (21.0,), ("b", "seed1"): (22.0,), ("b", "seed2"): (23.0,),
    }  # fmt: skip
    assert report.with_code(code)[0].remedy
    assert not report.with_code("one-system")


def test_a_table_of_runs_for_each_system():
    experiment, report = _load({f"{s}.csv": "seed,bleu\n1,20\n2,21\n" for s in ("a", "b")})
    assert [(system.name, len(system.replicas)) for system in experiment.systems] == [("a", 2), ("b", 2)]
    assert "a.csv: a" in report.with_code("system-by-file")[0].message

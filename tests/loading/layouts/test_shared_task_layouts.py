"""WMT text, mt-metrics-eval, HF trainer, sacreBLEU TSV."""

import pytest

from mtsig_core.loading import LoadError, load


def shape(experiment):
    return {system.name: [replica.name for replica in system.replicas] for system in experiment.systems}


def sets(experiment):
    return {t.name: (t.reference_names, t.source is not None) for t in experiment.test_sets}


def tree_of(paths, text):
    return [(path, text(f"word{i}")) for i, path in enumerate(paths)]


WMT = [
    "txt/sources/generaltest2022.en-de.src.en",
    "txt/references/generaltest2022.en-de.ref.A.de",
    "txt/references/generaltest2022.en-de.ref.B.de",
    "txt/references/generaltest2022.de-en.ref.stud.en",
    "txt/system-outputs/generaltest2022.en-de.hyp.Online-A.de",
    "txt/system-outputs/generaltest2022.en-de.hyp.M2M100_1.2B-B4.de",
    "txt/system-outputs/generaltest2022.de-en.hyp.Online-A.en",
    "txt/system-outputs/generaltest2022.cs-uk.hyp.AMU.uk",
    "humaneval/README.md",
]


def test_wmt_text(text):
    experiment, report = load(tree_of(WMT, text))
    assert report.layout == "WMT text"
    assert shape(experiment) == {"M2M100_1.2B-B4": ["1"], "Online-A": ["1"]}
    assert sets(experiment) == {
        "generaltest2022.de-en": (("stud",), False),
        "generaltest2022.en-de": (("A", "B"), True),
    }
    assert set(experiment.system("Online-A").replicas[0].outputs) == set(sets(experiment))
    assert report.with_code("no-reference")[0].files == ("txt/system-outputs/generaltest2022.cs-uk.hyp.AMU.uk",)
    assert report.with_code("not-used")[0].files == ("humaneval/README.md",)


def test_wmt_text_in_one_folder_with_documents_and_replicas(text):
    names = ["nt14.de-en.src.de", "nt14.de-en.ref.A.en", *(f"nt14.de-en.hyp.m-seed{k}.en" for k in (1, 2, 10))]
    documents = ("nt14.de-en.docs", "".join(f"news doc{i // 4}\n" for i in range(12)).encode())
    experiment, report = load([*tree_of(names, text), documents])
    assert report.layout == "WMT text"
    assert shape(experiment) == {"m": ["seed1", "seed2", "seed10"]}
    assert experiment.test_sets[0].documents == ("doc0",) * 4 + ("doc1",) * 4 + ("doc2",) * 4


MTME = ["sources/en-de.txt", "sources/zh-en.txt", "references/en-de.refA.txt", "references/en-de.refB.txt"]
MTME += ["references/zh-en.refA.txt", "system-outputs/en-de/Online-A.txt", "system-outputs/en-de/refA.txt"]
MTME += ["system-outputs/zh-en/Online-A.txt", "system-outputs/zh-en/m_seed1.txt", "system-outputs/zh-en/m_seed2.txt"]


@pytest.mark.parametrize("prefix", ["", "wmt22/", "mt-metrics-eval-v2/wmt22/"])
def test_mt_metrics_eval(text, prefix):
    documents = (prefix + "documents/en-de.docs", "".join(f"news\tdoc {i // 4}\n" for i in range(12)).encode())
    experiment, report = load([*tree_of([prefix + path for path in MTME], text), documents])
    assert report.layout == "mt-metrics-eval"
    assert shape(experiment) == {"m": ["seed1", "seed2"], "Online-A": ["1"]}
    assert sets(experiment) == {"en-de": (("refA", "refB"), True), "zh-en": (("refA",), True)}
    assert experiment.test_set("en-de").documents == ("doc 0",) * 4 + ("doc 1",) * 4 + ("doc 2",) * 4
    assert experiment.test_set("zh-en").documents is None
    (line,) = [line for line in report.with_code("not-used") if "a reference among the outputs" in line.message]
    assert line.files == ("system-outputs/en-de/refA.txt",)


def test_documents_of_the_wrong_length_are_named(text):
    experiment, report = load([*tree_of(MTME, text), ("documents/en-de.docs", b"news d\n" * 11)])
    (line,) = (line for line in report.refused if line.files == ("documents/en-de.docs",))
    assert "documents/en-de.docs: 11 lines, but" in line.message
    assert experiment.test_sets[0].documents is None  # the list costs itself, and nothing else


P = "generated_predictions.txt"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([f"model-seed1/{P}", f"model-seed2/{P}"], {"model": ["seed1", "seed2"]}),
        ([f"m/seed1/{P}", f"m/seed2/{P}", f"n/seed1/{P}"], {"m": ["seed1", "seed2"], "n": ["seed1"]}),
        ([f"m/42/{P}", f"m/7/{P}"], {"m": ["7", "42"]}),
        ([f"small/{P}", f"big/{P}"], {"big": ["1"], "small": ["1"]}),
        ([f"m-seed1/checkpoint-500/{P}", f"m-seed2/checkpoint-700/{P}"], {"m": ["seed1", "seed2"]}),
        (
            [f"m-seed{k}/checkpoint-{n}/{P}" for k in (1, 2) for n in (500, 900)],
            {"m": ["seed1", "seed2"]},  # the last checkpoint of each
        ),
        ([f"mt5/de/m-seed1/{P}", f"mt5/cs/m-seed1/{P}"], {"mt5-cs-m": ["seed1"], "mt5-de-m": ["seed1"]}),
    ],
)
@pytest.mark.parametrize("reference", ["ref.txt", "labels.txt", "refs/news.txt", "references.de"])
def test_hf_trainer(text, paths, expected, reference):
    # predictions end without a newline
    files = [(path, content[:-1] if P in path else content) for path, content in tree_of([*paths, reference], text)]
    logs = [(f"{paths[0].rsplit('/', 1)[0]}/{name}", b"{}") for name in ("all_results.json", "trainer_state.json")]
    experiment, report = load([*files, *logs])
    assert report.layout == "HF trainer"
    assert shape(experiment) == expected
    assert experiment.test_sets[0].n_segments == 12
    assert len(report.with_code("not-used")[0].files) == 2


def test_hf_trainer_with_a_reference_in_each_run(text):
    files = [(f"m-seed{k}/{name}", text(f"{name if name != P else k}")) for k in (1, 2) for name in (P, "labels.txt")]
    experiment, report = load(files)
    assert len(experiment.test_sets[0].references) == 1
    assert "a copy of m-seed1/labels.txt" in report.with_code("not-used")[0].message
    with pytest.raises(LoadError, match="no reference was found"):
        load([file for file in files if P in file[0]])


TABLE = [("the cat sat", "a cat sat", "cat"), ("on the mat", "on a mat", "mat"), ("it was late", "late", "it is late")]


def table(header=None, rows=TABLE, end="\n"):
    return end.join("\t".join(row) for row in ([header] if header else []) + list(rows)).encode() + end.encode()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("form", ["path", "bytes", "loose"])
def test_tsv(tmp_path, end, form):
    data = table(("ref", "m.seed1", "m.seed2"), end=end)
    path = tmp_path / "wmt.tsv"
    path.write_bytes(data)
    experiment, report = load({"path": path, "bytes": data, "loose": [("wmt.tsv", data)]}[form], name="wmt.tsv")
    assert report.layout == "sacreBLEU TSV"
    assert shape(experiment) == {"m": ["seed1", "seed2"]}
    assert experiment.test_sets[0].references == (("the cat sat", "on the mat", "it was late"),)
    assert experiment.system("m").replicas[1].outputs["test"] == ("cat", "mat", "it is late")


@pytest.mark.parametrize(
    ("header", "expected", "references", "source"),
    [
        (("ref", "a", "b"), {"a": ["1"], "b": ["1"]}, ("ref",), False),
        (("Reference 1", "reference_2", "b"), {"b": ["1"]}, ("Reference 1", "reference_2"), False),
        (("source", "ref", "b"), {"b": ["1"]}, ("ref",), True),
        (("b", "refA", "id"), {"b": ["1"]}, ("refA",), False),
        (("people", "x", "y"), {"x": ["1"], "y": ["1"]}, ("ref",), False),
        (None, {"column2": ["1"], "column3": ["1"]}, ("ref",), False),
    ],
)
def test_headers_of_tsv(header, expected, references, source):
    experiment, report = load([("x.tsv", table(header))])
    assert shape(experiment) == expected
    assert sets(experiment) == {"test": (references, source)}
    assert experiment.test_sets[0].n_segments == 3
    assert bool(report.with_code("no-header")) == (header is None)


def test_two_tables_are_two_sets():
    experiment, _ = load([("nt14.tsv", table(("ref", "a", "b"))), ("nt15.tsv", table(("ref", "a", "b"), TABLE[:2]))])
    assert {t.name: t.n_segments for t in experiment.test_sets} == {"nt14": 3, "nt15": 2}
    assert shape(experiment) == {"a": ["1"], "b": ["1"]}


def test_empty_cells_are_empty_hypotheses_and_blank_rows_none():
    experiment, report = load([("x.tsv", table(("ref", "a", "b"), [*TABLE, ("x y", "", "z")]) + b"\n\n")])
    assert experiment.system("a").replicas[0].outputs["test"][3] == ""
    assert experiment.test_sets[0].n_segments == 4
    assert report.with_code("blank-rows")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (table(("ref", "a", "b"), TABLE * 20) + b"one\ttwo\n", r"x.tsv, line 62: 2 columns, but 3 in the first line"),
        (table(("ref", "a", "a")), "two columns are called 'a'"),
        (table(("ref", "a", "b"))[:20] + b"\xff", "line 2, byte offset 20"),
        (table(("ref", "refB", "source")), "no output of any system"),
    ],
)
def test_damaged_tables_are_named(data, words):
    with pytest.raises(LoadError, match=words) as caught:
        load([("x.tsv", data)])
    assert caught.value.file.startswith("x.tsv")


def test_a_table_beside_plain_outputs_is_not_used(text):
    files = tree_of(["systems/a/1.txt", "refs/r.txt"], text)
    experiment, report = load([*files, ("x.tsv", table(("ref", "a", "b")))])
    assert shape(experiment) == {"a": ["1"]}
    assert report.with_code("not-used")[0].files == ("x.tsv",)


@pytest.mark.parametrize(
    "data", [b"r12\tr13\tn\n0.65\t0.5\t50\n1\t-1\t7\n", b"a\tb\n\tNA\n1\t\n", b"one\ntwo\n", b"a\tb\na\tb\tc\n", b""]
)
def test_what_is_no_table_of_texts(data):
    with pytest.raises(LoadError, match=r"is one file|of a known layout|none is called|number|is empty"):
        load([("x.tsv", data)])

import random

import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.sources.formats import format_of
from mtsig_core.loading.text.fairseq import parse_log

N = 12


def log(seed="a", n=N, tags="STHDP", nbest=1, order=None, end="\n", preamble=""):
    """A log of n segments in an order of its own."""
    ids = list(range(n)) if order is None else list(order)
    if order is None:
        random.Random(seed).shuffle(ids)
    lines = [preamble] if preamble else []
    for i in ids:
        lines += [f"S-{i}\tsource {i}"] * ("S" in tags) + [f"T-{i}\treference {i}"] * ("T" in tags)
        for k in range(nbest):
            lines += [f"H-{i}\t-0.{k}\t{seed} {i} best{k} ."] * ("H" in tags)
            lines += [f"D-{i}\t-0.{k}\t{seed} {i} best{k}."] * ("D" in tags)
            lines += [f"P-{i}\t-0.1 -0.2"] * ("P" in tags)
    return end.join([*lines, "Generate test with beam=5: BLEU4 = 1.00", ""]).encode()


def outputs(experiment, system, replica=0, test_set="test"):
    return experiment.system(system).replicas[replica].outputs[test_set]


REFERENCE = "".join(f"the reference {i}\n" for i in range(N)).encode()


@pytest.mark.parametrize(
    "tree",
    [
        ["systems/m/seed1.txt", "systems/m/seed2.log", "refs/r.txt"],
        ["systems/m/seed1.txt", "systems/m/seed2.out", "reference.txt"],
        ["m.seed1.out", "m.seed2.log", "ref.txt"],
        ["m/seed1.gen", "m/seed2.gen", "ref"],
        ["m-seed1/generate-test.txt", "m-seed2/generate-test.txt", "ref.txt"],
        ["m/seed1/generate-test.txt", "m/seed2/generate-test.txt", "ref.txt"],
        ["systems/m-seed1/generate.log", "systems/m-seed2/generate.log", "refs/r"],
    ],
)
def test_logs_are_recognised_wherever_they_lie(tree):
    experiment, report = load(list(zip(tree, [log("a"), log("b", nbest=2), REFERENCE], strict=True)))
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [("m", ["seed1", "seed2"])]
    assert outputs(experiment, "m", 0) == tuple(f"a {i} best0." for i in range(N))
    assert outputs(experiment, "m", 1) == tuple(f"b {i} best0." for i in range(N))
    assert experiment.test_sets[0].references[0][1] == "the reference 1"
    assert set(report.with_code("fairseq-log")[0].files) == set(tree[:2])
    assert report.with_code("fairseq-nbest")[0].files == (tree[1],)
    assert not report.refused


def test_without_reference_the_log_gives_it():
    experiment, report = load([("m-seed1/generate-test.txt", log("a")), ("m-seed2/generate-test.txt", log("b"))])
    assert report.layout == "fairseq"
    assert experiment.test_sets[0].references == (tuple(f"reference {i}" for i in range(N)),)
    assert experiment.test_sets[0].source == tuple(f"source {i}" for i in range(N))
    assert "T lines" in report.with_code("fairseq-reference")[0].message


def test_one_log_alone_is_an_experiment(tmp_path):
    path = tmp_path / "hiero.seed3.out"
    path.write_bytes(log())
    experiment, _ = load(path)
    assert [(s.name, [r.name for r in s.replicas]) for s in experiment.systems] == [("hiero", ["seed3"])]


def test_a_test_set_for_each_subset():
    logs = {f"m-seed{k}/generate-{s}.txt": log(f"{k}{s}", n=n) for k in (1, 2) for s, n in (("valid", 5), ("test", 9))}
    experiment, _ = load(list(logs.items()))
    assert [(t.name, t.role, t.n_segments) for t in experiment.test_sets] == [("test", "test", 9), ("valid", "dev", 5)]
    assert outputs(experiment, "m", 1, "valid")[4] == "2valid 4 best0."


def test_logs_with_other_references_do_not_mix():
    files = [("a.out", log("a", n=9)), ("b.out", log("b", n=8))]
    with pytest.raises(LoadError, match=r"b.out: its references \(T lines\) differ from those of a.out") as caught:
        load(files)
    assert caught.value.file == "b.out"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (log("b", order=[5, 3, 0, 1, 2, 4, 6, 7, 9, 10, 11]), r"no output of 1 segment \(id 8\)"),
        (log("b", order=[i for i in range(1, 12) if i not in (4, 6)]), r"no output of 3 segments \(id 0, 4, 6\)"),
        (log("b") + log("c"), "segment 0 occurs twice"),
        (log("b") + log("b"), "segment 0 occurs twice"),
        (log("b", order=[10**11]), r"no output of 1 segment \(id 0\)"),
        (log("b", n=9), "9 lines, but"),
    ],
)
def test_damaged_ids_cost_that_output_only(data, words):
    experiment, report = load([("ref.txt", REFERENCE), ("a.out", log("a")), ("b.out", data)])
    assert [s.name for s in experiment.systems] == ["a"]
    (line,) = report.refused
    assert line.files == ("b.out",)
    with pytest.raises(LoadError, match=words) as caught:
        load([("ref.txt", REFERENCE), ("b.out", data)])
    assert caught.value.file == "b.out"


def test_outputs_without_detokenized_lines():
    experiment, report = load([("ref.txt", REFERENCE), ("a.out", log("a", tags="STHP"))])
    assert outputs(experiment, "a")[11] == "a 11 best0 ."
    assert "tokenized" in report.with_code("fairseq-tokenized")[0].message


def test_text_that_only_resembles_a_log():
    text = "".join(f"S-{i} is a car\n" for i in range(N)).encode()
    experiment, report = load([("ref.txt", REFERENCE), ("a.txt", text)])
    assert outputs(experiment, "a")[3] == "S-3 is a car"
    assert not report.with_code("fairseq-log")


def test_empty_outputs_and_tabs_in_text():
    parsed = parse_log(["H-0\t-0.3\t", "H-1\t-inf", "H-2\t-0.1\ta\tb", "T-2\tx\ty", "P-2\t1", "junk", ""])
    assert dict(parsed.outputs) == {0: "", 1: "", 2: "a\tb"}
    assert dict(parsed.references) == {2: "x\ty"}
    assert parsed.in_order(parsed.references) is None
    assert parsed.missing == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("tags", ["STHDP", "SH", "H", "D", "TD"])
@pytest.mark.parametrize("preamble", ["", "2021-01-01 10:00:00 | INFO | fairseq | Namespace(a=1)\n| loading model(s)"])
def test_logs_by_content(end, tags, preamble):
    assert format_of(log(tags=tags, end=end, preamble=preamble).decode()) == "fairseq"


@pytest.mark.parametrize(
    "head", ["", "a\tb\n", "S-1\tx\nT-1\ty\n", "H-1\tx\n" * 9, "H-1\t-0.1\tx\n" + "text\there\n" * 9]
)
def test_no_logs(head):
    assert format_of(head) == ""


@pytest.mark.slow
@pytest.mark.parametrize("pair", ["aym_es", "nah_es", "quy_es"])
def test_real_logs_give_exactly_the_authors_files(realdata, pair):
    folder = realdata / "fairseq-out-americasnlp"
    experiment, _ = load(folder / f"{pair}.out")
    expected = [(folder / f"{pair}.{end}").read_text("utf-8").split("\n")[:-1] for end in ("hyp", "ref")]
    assert list(outputs(experiment, pair)) == expected[0]
    assert list(experiment.test_sets[0].references[0]) == expected[1]
    log_file, reference = ((folder / f"{pair}.{end}").read_bytes() for end in ("out", "ref"))
    files = [("ref.txt", reference), ("systems/x/1.txt", log_file)]
    assert list(outputs(load(files)[0], "x")) == expected[0]

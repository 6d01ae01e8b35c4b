"""Real folders and the inputs that broke other tools; skipped where they are not at hand."""

import shutil
import subprocess
import sys

import pytest

from mtsig_core.loading import Limits, LoadError, load

ORDINARY = {
    "multeval-original-layout": ("MultEval", {"baseline": 3, "sys1": 3, "sys2": 3}, 2489, 1),
    "multeval-example": ("plain", {"baseline": 3, "sys1": 3, "sys2": 3}, 2489, 1),
    "multeval-4ref": ("flat names", {"out": 4}, 1357, 4),
    "e2e-cleaning-train-orig_test-orig": (
        "plain",
        {"sclstm": 5, "tgen-minus": 5, "tgen-plus": 5, "tgen-std": 5},
        630,
        8,
    ),
    "wmt22-liv-en": ("plain", dict.fromkeys(("HuaweiTSC", "Liv4ever", "NiuTrans", "TAL-SJTU", "TartuNLP"), 1), 420, 1),
    "wmt22-en-zh-2ref": ("plain", {"LanguageX": 1, **{f"Online-{x}": 1 for x in "ABWY"}}, 2037, 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDINARY)
def test_folders(realdata, name):
    layout, systems, n_segments, n_references = ORDINARY[name]
    experiment, report = load(realdata / name)
    assert report.layout == layout
    assert {s.name: len(s.replicas) for s in experiment.systems} == systems
    (test,) = experiment.test_sets
    assert (test.n_segments, len(test.references)) == (n_segments, n_references)
    assert (test.documents is not None) == name.startswith("wmt22")
    assert (test.source is not None) == name.startswith(("wmt22", "e2e"))
    assert not report.refused


@pytest.mark.slow
def test_multeval_in_both_layouts(realdata):
    plain, original = (load(realdata / name) for name in ("multeval-example", "multeval-original-layout"))
    assert original[0].test_sets[0].name == "test2010.lc.tok.en"
    for system in plain[0].systems:
        for a, b in zip(system.replicas, original[0].system(system.name).replicas, strict=True):
            assert (a.name, a.outputs["test"]) == (b.name, b.outputs["test2010.lc.tok.en"])
    for _, report in (plain, original):
        assert "baseline, sys2" in report.with_code("identical-systems")[0].message


@pytest.mark.slow
def test_gaps_and_pairing_of_e2e(realdata):
    experiment, report = load(realdata / "e2e-cleaning-train-orig_test-orig")
    assert sum(line is None for stream in experiment.test_sets[0].references for line in stream) == 1233
    (line,) = [line for line in report.with_code("likely-paired") if line.message.startswith("tgen-plus and tgen-std")]
    assert "68–82%" in line.message
    assert "6–21%" in line.message


@pytest.mark.slow
def test_chinese_is_warned_about(realdata):
    assert "tokenizer zh" in load(realdata / "wmt22-en-zh-2ref")[1].with_code("cjk-with-13a")[0].message
    assert not load(realdata / "multeval-4ref")[1].with_code("cjk-with-13a")


# case: what is loaded (systems: replicas), number of segments, codes that the report must hold
BUGS = {
    "01-line-count-mismatch/run": ({"beta": 1}, 12, ["line-count"]),
    "02-crlf/run": ({"alpha": 1, "alpha_lf": 1, "beta": 1}, 12, ["crlf", "identical-systems"]),
    "03-lone-cr-inside-line/run": ({"alpha": 1, "beta": 1}, 12, ["lone-cr"]),
    "04-utf8-bom/run": ({"alpha": 1, "alpha_nobom": 1, "beta": 1}, 12, ["bom-removed", "identical-systems"]),
    "05-u2028-u2029/run": ({"alpha": 1, "beta": 1}, 12, []),
    "07-blank-lines-end-and-middle/run": ({"gamma": 1}, 12, ["line-count"]),
    "09-utf16-powershell/run": ({"alpha": 1, "beta": 1}, 12, ["utf16-decoded"]),
    "10-nfc-vs-nfd/run": ({"nfc": 1, "nfd": 1}, 4, ["unicode-form"]),
    "11-tab-inside-line/run": ({"alpha": 1, "beta": 1}, 12, []),
    "13-gz-files/run": ({"alpha": 1, "beta": 1}, 12, ["gzip"]),
    "14-zip-macosx-dsstore/upload.zip": ({"alpha": 1, "beta": 1}, 12, ["junk"]),
    "15-zip-slip/upload.zip": ({"alpha": 1, "beta": 1}, 12, ["unsafe-path", "link"]),
    "18-zip-windows-names/upload.zip": ({"blue \U0001f6b2": 1, "caf\u00e9": 1, "my system 1": 1}, 12, []),
    "19-zip-enclosing-folders/upload-flat.zip": ({"alpha": 1, "beta": 1}, 12, []),
    "19-zip-enclosing-folders/upload-one.zip": ({"alpha": 1, "beta": 1}, 12, ["enclosing-folder"]),
    "19-zip-enclosing-folders/upload-two.zip": ({"alpha": 1, "beta": 1}, 12, ["enclosing-folder"]),
    "21-fairseq-generate-order/run": ({"alpha": 1}, 12, ["fairseq-log"]),
    "23-natural-sort-of-replicas/run": ({"alpha": 12, "beta": 12}, 12, ["identical-replicas"]),
    "24-missing-segments-in-one-replica/run": ({"alpha": 3, "beta": 2}, 12, ["line-count"]),
    "25-same-basename-from-two-folders/run": ({"alpha": 1, "beta": 1}, 12, []),
    "26-unbalanced-3-vs-5/run": ({"alpha": 3, "beta": 5}, 12, ["unequal-replicas"]),
    "28-copied-replicas/run": ({"alpha": 3, "beta": 3}, 12, ["identical-replicas"]),
    "29-identical-systems-p/run": ({"base": 3, "copy": 3}, 12, ["identical-systems"]),
    "30-p-never-zero/run": ({"alpha": 1, "beta": 1}, 12, ["output-equals-reference"]),
    "32-bca-degenerate/run": ({"constant": 1, "mixed": 1, "perfect": 1}, 12, ["output-equals-reference"]),
    "33-constant-correlation/run": ({"alpha": 1, "beta": 1}, 12, []),
    "34-one-segment-and-very-short/run": ({"alpha": 1, "copy": 1}, 1, ["short-test-set", "output-equals-reference"]),
    "36-reproducible-with-seed/run": ({"alpha": 3, "beta": 3}, 12, ["not-used"]),
    "37-ter-over-100/run": ({"copy": 1, "long": 1}, 3, []),
    "38-perfect-copy-over-100/run": ({"alpha": 1, "beta": 1}, 12, ["output-equals-reference"]),
    "39-empty-hypotheses/run": ({"alpha": 1, "beta": 1}, 12, ["empty-hypotheses"]),
    "40-all-empty-system/run": ({"alpha": 1, "crashed": 1}, 12, ["empty-hypotheses"]),
    "41-empty-single-reference/run": ({"alpha": 1, "beta": 1}, 11, ["no-reference-text"]),
    "43-chinese-with-13a/run": ({"alpha": 1}, 4, ["cjk-with-13a"]),
    "44-japanese-kana-with-zh/run": ({"alpha": 1}, 3, ["cjk-with-13a"]),
    "45-case-insensitive-non-ascii/run": ({"upper": 1}, 3, []),
    "46-bpe-and-tokenized-output/run": ({"bpe": 1, "spm": 1, "tok": 1}, 12, ["bpe-marks", "tokenized-text"]),
    "47-html-entities-and-unk/run": ({"esc": 1}, 4, ["html-entities", "unk"]),
    "49-human-negative-scale/run": ({"alpha": 1, "beta": 1}, 12, []),
    "52-histogram-of-one-value/run": ({"alpha": 1, "beta": 1}, 12, ["identical-systems"]),
    "53-dollar-markdown-html-in-text/run": ({"$alpha_1$ *new*": 1, "<b>beta<%b>": 1}, 8, []),
    "55-rerun-and-stale-state/run": ({"alpha": 1, "beta": 1}, 12, []),
    "55-rerun-and-stale-state/run2-same-names": ({"alpha": 1, "beta": 1}, 12, []),
    "56-long-lines-paragraphs/run": ({"alpha": 1, "loop": 1}, 2, []),
}
REFUSED = {
    "16-zip-bomb/upload.zip": ("systems/boom/rep1.txt", "times its packed size"),
    "20-not-a-zip-truncated-badcrc/badcrc.zip": ("refs/ref0.txt", "CRC"),
    "20-not-a-zip-truncated-badcrc/empty.zip": ("empty.zip", "holds no files"),
    "20-not-a-zip-truncated-badcrc/renamed.zip": ("renamed.zip", "not a ZIP or tar archive"),
    "20-not-a-zip-truncated-badcrc/truncated.zip": ("truncated.zip", "incomplete or damaged"),
    "50-williams-edge/run": ("cases.tsv", "none is called system or segment"),
    "51-nbest-old-format-empty-hyp/run": ("nbest.txt", "n-best list, for tuning"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", BUGS)
def test_inputs_that_broke_other_tools(realdata, case):
    systems, n_segments, codes = BUGS[case]
    experiment, report = load(realdata / "bugs" / case)
    assert {s.name: len(s.replicas) for s in experiment.systems} == systems
    assert experiment.test_sets[0].n_segments == n_segments
    assert set(codes) <= {line.code for line in report.lines}


@pytest.mark.parametrize("case", REFUSED)
def test_inputs_that_are_refused(realdata, case):
    file, words = REFUSED[case]
    with pytest.raises(LoadError, match=words) as caught:
        load(realdata / "bugs" / case)
    assert caught.value.file == file


def test_a_latin_1_output_costs_itself_alone(realdata):
    _, report = load(realdata / "bugs" / "08-latin1-file" / "run")
    (line,) = (line for line in report.refused if "systems/latin1/rep1.txt" in line.files)
    assert "line 1, byte offset 6" in line.message


def test_enclosing_folders_give_one_experiment(realdata):
    folder = realdata / "bugs" / "19-zip-enclosing-folders"
    assert len({load(path)[0].digest for path in sorted(folder.glob("*.zip"))}) == 1


def test_latin1_when_chosen(realdata):
    experiment, _ = load(realdata / "bugs" / "08-latin1-file" / "run", encoding="latin-1")
    latin1, utf8 = (experiment.system(name).replicas[0].outputs for name in ("latin1", "utf8"))
    assert latin1 == utf8


# case: (system, replica index, options of BLEU, BLEU, chrF, TER) as each case states them; None: not stated
NUMBERS = {
    "02-crlf": ("alpha", {}, 74.0247, 85.0392, 13.2743),
    "03-lone-cr-inside-line": ("beta", {}, 23.5808, 54.8747, 50.4425),
    "04-utf8-bom": ("alpha", {}, 74.0247, 85.0392, 13.2743),
    "10-nfc-vs-nfd": ("nfd", {}, 15.3488, 50.2356, 43.4783),
    "13-gz-files": ("alpha", {}, 74.0247, 85.0392, 13.2743),
    "21-fairseq-generate-order": ("alpha", {}, 74.0247, 85.0392, 13.2743),
    "34-one-segment-and-very-short": ("copy", {}, 0, 100, 0),
    "37-ter-over-100": ("long", {}, 2.7097, 25.7493, 633.3333),
    "38-perfect-copy-over-100": ("alpha", {}, 100, 100, 0),
    "39-empty-hypotheses": ("alpha", {}, 60.9272, 74.0733, 26.5487),
    "40-all-empty-system": ("crashed", {}, 0, 0, 92.0930),
    "41-empty-single-reference": ("alpha", {}, 74.2968, 85.0799, 13.4615),
    "43-chinese-with-13a": ("alpha", {"tokenize": "zh"}, 62.71, 52.35, None),
    "44-japanese-kana-with-zh": ("alpha", {"tokenize": "char"}, 81.99, None, None),
    "45-case-insensitive-non-ascii": ("upper", {"lowercase": True}, 100, None, None),
    "46-bpe-and-tokenized-output": ("bpe", {}, 66.86, None, None),
    "47-html-entities-and-unk": ("esc", {}, 18.9959, 51.3566, 105.5556),
    "55-rerun-and-stale-state": ("alpha", {}, 74.0247, 85.0392, 13.2743),
    "56-long-lines-paragraphs": ("alpha", {}, 73.5203, 84.9374, 13.0081),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", NUMBERS)
def test_scores_are_those_of_the_case(realdata, case):
    from mtsig_core.metrics import compute_statistics, get_metric

    system, options, *expected = NUMBERS[case]
    experiment, _ = load(realdata / "bugs" / case / "run")
    for name, value in zip(("bleu", "chrf", "ter"), expected, strict=True):
        if value is not None:
            metric = get_metric(name, **(options if name == "bleu" else {}))
            score = compute_statistics(experiment, experiment.test_sets[0].name, metric, n_jobs=1).scores_of(system)[0]
            assert score == pytest.approx(value, abs=6e-3)
            assert score <= 100 or name == "ter"


def test_other_text_under_the_same_names_is_another_experiment(realdata):
    folder = realdata / "bugs" / "55-rerun-and-stale-state"
    first, second = (load(folder / name)[0] for name in ("run", "run2-same-names"))
    assert first.digest != second.digest
    outputs = [e.system("alpha").replicas[0].output_digests["test"] for e in (first, second)]
    assert outputs[0] != outputs[1]


def test_base_names_alone_are_refused_where_they_clash(realdata):
    folder = realdata / "bugs" / "25-same-basename-from-two-folders" / "run"
    files = [(path.name, path.read_bytes()) for path in sorted(folder.rglob("*")) if path.is_file()]
    with pytest.raises(LoadError, match="occurs twice in the files chosen"):
        load(files)


@pytest.mark.slow
def test_a_third_system_and_the_order_of_files_leave_the_others_alone(realdata):
    folder = realdata / "bugs" / "36-reproducible-with-seed" / "run"
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.txt")}
    more = {path.replace("third-system-to-add/", "systems/"): content for path, content in files.items()}
    alone, reversed_, three = (load(f)[0] for f in (files.items(), list(files.items())[::-1], more.items()))
    assert alone.digest == reversed_.digest
    assert [s.name for s in three.systems] == ["alpha", "beta", "gamma"]
    assert three.system("alpha") == alone.system("alpha")


@pytest.mark.slow
def test_more_than_the_limit_is_refused_before_it_is_read(realdata, tmp_path):
    script = realdata / "bugs" / "54-large-upload-memory" / "gen_large.py"
    subprocess.run([sys.executable, script, tmp_path / "made", "2", "3", "50"], check=True)
    experiment, _ = load(tmp_path / "made")
    assert [len(s.replicas) for s in experiment.systems] == [3, 3]
    seen = []
    archive = shutil.make_archive(str(tmp_path / "made"), "zip", tmp_path / "made")
    with pytest.raises(LoadError, match="the limit"):
        load(archive, limits=Limits(unpacked_bytes=10_000), progress=lambda *_: seen.append(1))
    with pytest.raises(LoadError, match="the limit"):
        load(archive, limits=Limits(members=3), progress=lambda *_: seen.append(1))
    assert not seen

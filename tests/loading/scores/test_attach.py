"""Score files beside text and alone: which output, which segment, which metric."""

from __future__ import annotations

import json

import pytest

from mtsig_core.loading import LoadError, load, overview
from mtsig_core.loading.scores.placing import names_of_paths

OUTPUTS = [(s, k) for s in "ab" for k in (1, 2)]
N = 5


def text(prefix=""):
    files = {f"{prefix}systems/{s}/seed{k}.txt": "".join(f"{s} {k} {i}\n" for i in range(N)) for s, k in OUTPUTS}
    return files | {f"{prefix}refs/ref.txt": "".join(f"r {i}\n" for i in range(N))}


def score(s, k, i):
    return round((ord(s) * 7 + k * 3 + i * i) % 11 / 9, 6)


def comet(path="/data/systems/{s}/seed{k}.txt", factor=1.0):
    return {
        path.format(s=s, k=k): [{"src": "s", "mt": "m", "ref": "r", "COMET": factor * score(s, k, i)} for i in range(N)]
        for s, k in OUTPUTS
    }


def printed(found):
    lines = [f"{p}\tSegment {i}\tscore: {x['COMET']:.4f}" for p, own in found.items() for i, x in enumerate(own)]
    return "\n".join(["Global seed set to 1", *lines, *(f"{p}\tscore: 0.5" for p in found)]) + "\n"


def opened(files):
    return load([(path, content.encode()) for path, content in files.items()])


def scores_of(experiment, metric, test_set="test"):
    return {
        (s.name, r.name): r.scores[test_set][metric]
        for s in experiment.systems_scored_on(test_set, metric)
        for r in s.scored_on(test_set, metric)
    }


EXPECTED = {(s, f"seed{k}"): tuple(score(s, k, i) for i in range(N)) for s, k in OUTPUTS}
SEG_SCORE = "".join(f"{s}.seed{k}\t{score(s, k, i)}\n" for s, k in OUTPUTS for i in range(N))
TABLE = "system,run,segment,COMET\n" + "".join(f"{s},{k},{i},{score(s, k, i)}\n" for s, k in OUTPUTS for i in range(N))
NATIVE = {
    f"scores/COMET/{s}/seed{k}.txt": "".join(f"{score(s, k, i)}\n" for i in range(N)) for s, k in OUTPUTS
}
SOURCES = {
    "comet json": {"comet.json": json.dumps(comet())},
    "relative paths": {"comet.json": json.dumps(comet("{s}/seed{k}.txt"))},
    "comet json and what it printed": {"comet.json": json.dumps(comet()), "comet.log": printed(comet())},
    "mt-metrics-eval": {"metric-scores/en-de/COMET.seg.score": SEG_SCORE},
    "table": {"scores.csv": TABLE},
    "native": NATIVE,
}


@pytest.mark.parametrize("source", SOURCES)
def test_beside_text(source):
    experiment, report = opened(text() | SOURCES[source])
    assert report.layout == "plain"
    assert scores_of(experiment, "COMET") == EXPECTED
    assert all(r.outputs for s in experiment.systems for r in s.replicas)
    assert not report.refused
    assert opened(text())[0].digest != experiment.digest


@pytest.mark.parametrize("source", [s for s in SOURCES if s != "table"])
def test_alone(source):
    experiment, report = opened(SOURCES[source])
    assert report.layout == "segment scores"
    assert not experiment.has_text
    (test_set,) = experiment.test_sets
    assert scores_of(experiment, "COMET", test_set.name) == EXPECTED
    assert test_set.name == ("en-de" if source == "mt-metrics-eval" else "test")


def test_what_comet_printed_alone():
    experiment, _ = opened({"out.txt": printed(comet())})
    found = scores_of(experiment, "COMET")
    assert found.keys() == EXPECTED.keys()
    assert found["a", "seed1"] == pytest.approx(EXPECTED["a", "seed1"], abs=1e-4)


def test_two_models_are_two_metrics():
    files = {"comet22.json": json.dumps(comet()), "kiwi.json": json.dumps(comet(factor=0.5))}
    experiment, _ = opened(text() | files)
    assert list(experiment.outside_metrics) == ["comet22", "kiwi"]
    assert scores_of(experiment, "comet22") == EXPECTED


def test_scores_of_two_test_sets_find_theirs():
    files = text("test/") | text("dev/") | {f"test/{path}": content for path, content in NATIVE.items()}
    files["dev/comet.json"] = json.dumps(comet("dev/systems/{s}/seed{k}.txt"))
    experiment, _ = opened(files)
    assert scores_of(experiment, "COMET", "test") == EXPECTED
    assert scores_of(experiment, "COMET", "dev") == EXPECTED
    _, report = opened(text("test/") | text("dev/") | {"scores.csv": TABLE})
    assert "does not say which test set it is of" in report.with_code("score-file")[0].message


def test_mt_metrics_eval_with_two_language_pairs():
    files = {}
    for pair in ("en-de", "de-en"):
        files[f"sources/{pair}.txt"] = files[f"references/{pair}.refA.txt"] = "x\n" * N
        files |= {f"system-outputs/{pair}/{s}.seed{k}.txt": f"{s} {k} {pair}\n" * N for s, k in OUTPUTS}
    files["metric-scores/en-de/COMET-refA.seg.score"] = SEG_SCORE
    files["metric-scores/de-en/TER.seg.score"] = SEG_SCORE.replace("a.seed1\t0.0\n", "a.seed1\tNone\n")
    files["metric-scores/en-de/COMET-refA.sys.score"] = "a.seed1\t0.5\n"
    files["human-scores/en-de.mqm.seg.score"] = SEG_SCORE
    experiment, report = opened(files)
    assert report.layout == "mt-metrics-eval"
    assert experiment.outside_metrics == {"COMET-refA": True, "TER": False}
    assert scores_of(experiment, "COMET-refA", "en-de") == EXPECTED
    assert scores_of(experiment, "TER", "de-en").keys() == EXPECTED.keys()
    assert not scores_of(experiment, "TER", "en-de")


def test_segments_without_a_reference_are_left_out_of_scores_too():
    files = text() | NATIVE
    files["refs/ref.txt"] = "r 0\n\nr 2\nr 3\nr 4\n"
    experiment, _ = opened(files)
    assert scores_of(experiment, "COMET") == {key: (x[0], *x[2:]) for key, x in EXPECTED.items()}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"scores.csv": TABLE + "a,1,9,0.1\n"}, "segment 9, but test set 'test' has 5 segments"),
        ({"scores.csv": TABLE.replace(",run,", ",x,")}, "a second x score of segment '0' of a"),
        ({"scores.csv": TABLE.replace("0,", "q0,", 1)}, "segment ids"),
        ({"comet.json": json.dumps(comet())[:-30]}, "comet.json, line 1, column"),
        ({"scores/COMET/a/seed1.txt": "0.1\nnan\n"}, "scores/COMET/a/seed1.txt, line 2: expected a finite number"),
        ({"metric-scores/x/C.seg.score": "a 1 2\n"}, "line 1: expected a system and a score"),
    ],
)
def test_beside_text_a_damaged_file_is_refused_and_the_rest_loads(files, words):
    experiment, report = opened(text() | files)
    assert experiment.has_text
    (line,) = report.with_code("score-file")
    assert words in line.message
    assert line.files == tuple(files)


def test_a_list_of_another_length_is_refused_not_cut():
    experiment, report = opened(text() | NATIVE | {"scores/COMET/a/seed1.txt": "1\n2\n"})
    assert scores_of(experiment, "COMET") == {k: v for k, v in EXPECTED.items() if k != ("a", "seed1")}
    assert "2 scores, but test set 'test' has 5 segments" in report.refused[0].message
    with pytest.raises(LoadError, match="1 score, but .* has 2"):
        opened({"scores/C/a/1.txt": "1\n2\n", "scores/C/b/1.txt": "1\n"})


def test_one_output_may_not_have_two_scores():
    other = {"scores/COMET/a/seed1.txt": "9\n" * N}
    experiment, report = opened(text() | {"scores.csv": TABLE} | other)
    assert "has other scores" in report.with_code("score-file")[0].message
    assert set(experiment.outside_metrics) == {"COMET"}
    same = {"scores/COMET/a/seed1.txt": NATIVE["scores/COMET/a/seed1.txt"]}
    assert not opened(text() | {"scores.csv": TABLE} | same)[1].refused


def test_scores_without_an_output_are_told():
    experiment, report = opened(text() | {"scores.csv": TABLE + "".join(f"c,1,{i},0.{i}\n" for i in range(N))})
    assert "c/1 on test" in report.with_code("scores-without-output")[0].message
    assert [s.name for s in experiment.systems_on("test")] == ["a", "b"]
    assert [s.name for s in experiment.systems_present_on("test")] == ["a", "b", "c"]


def test_other_folders_are_left_alone():
    files = text() | {"known/gold.csv": TABLE, "judgements/sheet.csv": TABLE, "human-scores/x.seg.score": SEG_SCORE}
    experiment, report = opened(files)
    assert not experiment.outside_metrics
    unused = {"known/gold.csv", "judgements/sheet.csv", "human-scores/x.seg.score"}
    assert {path for line in report.with_code("not-used") for path in line.files} == unused


def test_a_table_without_replicas():
    table = "system,segment,acc\n" + "".join(f"{s}_run{k},{i},{(i + k) % 2}\n" for s, k in OUTPUTS for i in range(N))
    experiment, report = opened({"scores.csv": table})
    assert {s.name: [r.name for r in s.replicas] for s in experiment.systems} == {s: ["run1", "run2"] for s in "ab"}
    assert report.with_code("replica-in-name")


def test_warnings_about_scores():
    same = {f"scores/X/{s}/{k}.txt": "0.1\n0.2\n0.4\n" for s, k in OUTPUTS}
    _, report = opened(same)
    assert "a/1, a/2, b/1, b/2" in report.with_code("identical-scores")[0].message
    _, report = opened({"scores/X/a/1.txt": "0.7\n0.8\n", "scores/X/b/1.txt": "71\n82\n"})
    assert "one scale" in report.with_code("mixed-scales")[0].message
    _, report = opened(text() | NATIVE)
    assert not {"identical-scores", "mixed-scales", "missing-replica"} & {line.code for line in report.lines}


def test_the_overview_tells_scores_and_outputs_without_text():
    frame = overview(opened(text() | {"scores.csv": TABLE + "c,1,0,0.5\n"})[0])
    assert frame.scores.tolist() == ["COMET"] * 4 + ["COMET (4 missing)"]
    assert frame.segments.tolist() == [N] * 5
    assert frame.tokens.isna().tolist() == [False] * 4 + [True]
    assert overview(opened(NATIVE)[0])["system"].tolist() == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("systems/base/seed1.txt", ("base", "seed1")), ("base.seed1.txt", ("base", "seed1")), ("hyp.de", ("hyp", "1")),
        ("/x/outputs/base_run3.txt", ("base", "run3")), ("outputs/base.txt", ("base", "1")),
        ("C:\\x\\systems\\base\\a.txt", ("base", "a")),
    ],
)  # fmt: skip
def test_names_of_a_scored_file(path, names):
    assert names_of_paths([path]) == {path: names}


@pytest.mark.parametrize(("names", "outputs"), [
    (["/x/exp/base.txt", "/x/exp/new.txt"], [("base", "1"), ("new", "1")]),
    (["base/hyp.txt", "new/hyp.txt"], [("base", "1"), ("new", "1")]),
    (["base-seed1/hyp.txt", "base-seed2/hyp.txt"], [("base", "seed1"), ("base", "seed2")]),
    (["seed1/base.txt", "seed2/base.txt", "seed1/new.txt", "seed2/new.txt"],
     [("base", "seed1"), ("base", "seed2"), ("new", "seed1"), ("new", "seed2")]),
    (["base/x.txt", "base/y.txt", "new/x.txt", "new/y.txt"],
     [("base", "x"), ("base", "y"), ("new", "x"), ("new", "y")]),
    (["x/base/seed1/hyp.txt", "x/base/seed2/hyp.txt"], [("base", "seed1"), ("base", "seed2")]),
    (["base.1", "base.2", "new.1", "new.2"], [("base", "1"), ("base", "2"), ("new", "1"), ("new", "2")]),
])  # fmt: skip
def test_names_of_scored_files_beside_each_other(names, outputs):
    assert list(names_of_paths(names).values()) == outputs


def test_systems_in_one_folder_are_no_replicas():
    lines = "".join(f"out/{s}.de\tSegment {i}\tscore: 0.{i}\n" for s in ("base", "new") for i in range(3))
    experiment, report = load([("comet.log", lines.encode())], cache=False)
    assert [system.name for system in experiment.systems] == ["base", "new"]
    assert "out/base.de: base 1" in report.with_code("output-by-path")[0].message

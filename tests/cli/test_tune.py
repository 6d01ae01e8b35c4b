"""The command ``tune``."""

import json

import pytest

from mtsig_core.loading import load
from mtsig_core.metrics import compute_statistics, get_metric
from tests.conftest import document

TEXTS = ["a b c d e", "a b c d x", "a x c d e", "x y z"]
FAST = ["--replicas", "3", "--option", "restarts=3"]


@pytest.fixture
def lists(tmp_path):
    """One list of 8 segments, each with 4 candidates; the second feature knows the best."""
    lines = []
    for segment in range(8):
        for k, text in enumerate(TEXTS):
            noise = (segment * 7 + k * 5) % 11
            lines.append(f"{segment} ||| s{segment} {text} ||| f= {noise} g= {-k} {noise % 3} ||| {noise}")
    (tmp_path / "nbest.out").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "reference.txt").write_text("".join(f"s{i} A b c d e\n" for i in range(8)))
    return tmp_path


def test_everything_in_one_document(call, lists):
    told = document(call("tune", lists, "--json", *FAST))
    assert told["features"] == ["f", "g.1", "g.2"]
    assert [one["set"] for one in told["sets"]] == ["dev", "test", "dev + test"]
    assert [one["segments"] for one in told["sets"]] == [4, 4, 8]
    (optimizer,) = told["optimizers"]
    assert (optimizer["optimizer"], optimizer["n"], optimizer["options"]["restarts"]) == ("mert", 3, 3)
    assert [replica["replica"] for replica in optimizer["replicas"]] == ["seed1", "seed2", "seed3"]
    dev = told["sets"][0]
    for replica in optimizer["replicas"]:
        assert dev["one_best"] <= replica["dev"] <= dev["oracle"] + 1e-9
        assert replica["trajectory"][-1] == replica["dev"]
        assert len(replica["weights"]) == 3
    assert any("tuned on the first 4" in note for note in told["notes"])


@pytest.mark.slow
def test_lowercase_and_the_segments_asked_for(call, lists):
    plain = document(call("tune", lists, "--json", *FAST))
    lower = document(call("tune", lists, "--json", "--lowercase", *FAST))
    assert lower["sets"][2]["oracle"] == pytest.approx(100)
    assert plain["sets"][2]["oracle"] < 100
    part = document(call("tune", lists, "--json", "--dev", "5-7,0", *FAST))
    assert [one["segments"] for one in part["sets"]] == [4, 4, 8]
    part = document(call("tune", lists, "--json", "--dev", "5-7", "--test", "1", *FAST))
    assert [one["segments"] for one in part["sets"]] == [3, 1, 4]


def test_for_people(call, lists):
    two = ["--optimizer", "mert", "--optimizer", "random", "--option", "samples=20"]
    code, out, err = call("tune", lists, *two, *FAST)
    assert code == 0
    for words in ("1-best", "oracle", "random choice", "seed3", "random search", "s_test"):
        assert words in out
    assert "tuned on the first 4" in err


@pytest.mark.slow
def test_replicas_are_written_and_load(call, lists, tmp_path):
    out = tmp_path / "out"
    told = document(call("tune", lists, "--json", "--out", out, *FAST))
    experiment, _ = load(out)
    statistics = compute_statistics(experiment, "dev", get_metric("bleu", tokenize="none"))
    assert statistics.scores_of("MERT").tolist() == pytest.approx([r["dev"] for r in told["optimizers"][0]["replicas"]])
    weights = json.loads((out / "weights" / "weights.json").read_text())
    assert weights["results"][0]["replicas"][0]["weights"] == told["optimizers"][0]["replicas"][0]["weights"]
    assert (out / "weights" / "MERT" / "seed1.ini").read_text().count("=") == 2
    assert "exists and is not an empty folder" in call("tune", lists, "--out", out, *FAST)[2]


@pytest.mark.slow
def test_several_systems(call, lists):
    (lists / "B.nbest").write_text((lists / "nbest.out").read_text().replace(" g= ", " h= "))
    told = document(call("tune", lists, "--json", *FAST))
    assert [one["system"] for one in told["systems"]] == ["B", "system"]
    one = document(call("tune", lists, "--json", "--system", "B", *FAST))
    assert one["features"] == ["f", "h.1", "h.2"]


def test_no_replicas_is_wrong_usage(call, lists, capsys):
    with pytest.raises(SystemExit) as caught:
        call("tune", lists, "--replicas", "0")
    assert caught.value.code == 2
    assert "must be 1 or more; not 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--optimizer", "nobody"], "must be one of mert, pro, mira, risk, random; not 'nobody'"),
        (["--option", "c=1"], "--option c: no option of mert; there are: restarts"),
        (["--option", "restarts"], "expected NAME=NUMBER"),
        (["--option", "restarts=0"], "restarts must be at least 1"),
        (["--encoding", "nobody"], "nobody"),
        (["--dev", "x"], "--dev x: expected numbers and ranges"),
        (["--dev", "0-99"], "segment 8 asked for; it has segments 0 to 7"),
        (["--system", "nobody"], "not 'nobody'"),
        (["--metric", "length"], "choose another"),
        (["--reference", "nowhere.txt"], "nowhere.txt: no such reference"),
    ],
)
def test_what_is_wrong_is_one_line(call, lists, arguments, words):
    code, out, err = call("tune", lists, *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.slow
def test_the_real_list(call, real_data):
    told = document(call("tune", real_data / "moses-nbest-100x100", "--lowercase", "--json", *FAST))
    whole = told["sets"][2]
    assert round(whole["one_best"], 2) == 11.10
    assert round(whole["oracle"], 2) == 16.51
    assert min(replica["dev"] for replica in told["optimizers"][0]["replicas"]) > told["sets"][0]["one_best"] + 2


def test_the_case_with_an_empty_hypothesis(call, real_data):
    told = document(call("tune", real_data / "bugs/51-nbest-old-format-empty-hyp/run", "--json", *FAST))
    assert any("id 2" in note for note in told["notes"])
    assert told["sets"][0]["one_best"] == told["sets"][0]["oracle"]

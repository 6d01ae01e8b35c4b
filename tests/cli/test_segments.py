"""The commands about reading outputs, as people and programs call them."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from mtsig_core.loading import load
from mtsig_core.metrics import get_metric
from mtsig_core.workbench import Workbench
from tests.conftest import document, flat

# Segments


@pytest.mark.slow
def test_segments_are_those_of_the_median_replicas_ranked_by_gain(call, folder):
    told = document(call("segments", folder, "--metric", "ter", "--limit", "5", "--json"))
    bench = Workbench(load(folder)[0])
    ter = get_metric("ter")
    medians = bench.median("dev", [ter])
    assert (told["test_set"], told["select_on"], told["n_segments"]) == ("test", "dev", 40)
    assert told["baseline"] == {"system": "better", "replica": medians["better"][0].replica}
    assert told["system"] == {"system": "plain", "replica": medians["plain"][0].replica}
    gains = [row["gain"] for row in told["segments"]]
    assert gains == sorted(gains, reverse=True)
    replicas = (told[side]["replica"] for side in ("baseline", "system"))
    table = bench.pair("test", ter, "better", "plain").segments(*replicas)
    assert gains == sorted(table.gain.tolist(), reverse=True)[:5]
    first = told["segments"][0]
    assert first["baseline"]["lowest"] <= first["baseline"]["score"] <= first["baseline"]["highest"]


@pytest.mark.slow
def test_segments_can_be_filtered_and_bad_filters_are_told(call, folder):
    every = document(call("segments", folder, "--limit", "0", "--json"))["segments"]
    high, low = every[10]["gain"], every[20]["gain"]
    told = document(call("segments", folder, "--limit", "0", f"--min-gain={low}", f"--max-gain={high}", "--changed",
                         "--json"))["segments"]
    wanted = [r for r in every if low <= r["gain"] <= high and r["baseline"]["output"] != r["system"]["output"]]
    assert 0 < len(told) < len(every)
    assert told == wanted
    word = every[0]["system"]["output"].split()[0]
    pattern = ("--contains", f"^{word}\\b", "--regex", "--match-case", "--field", "system")
    told = document(call("segments", folder, "--limit", "0", *pattern, "--json"))["segments"]
    assert told == [r for r in every if r["system"]["output"].split()[:1] == [word]]
    told = document(call("segments", folder, "--limit", "0", "--agree", "baseline", "--json"))["segments"]
    assert told == [r for r in every if r["all_replicas_say"] == "better"]
    for options, message in ((("--contains", "(", "--regex"), "'(' is not a regular expression"),
                             (("--document", "d9"), "no document 'd9'")):
        code, _, err = call("segments", folder, *options)
        assert code != 0
        assert message in err
    _, out, _ = call("segments", folder, "--contains", "nowhere at all")
    assert "0 of 0 that the filters leave of 40 segments" in flat(out)


@pytest.mark.slow
def test_order_limit_and_the_set_that_chooses_can_be_said(call, folder):
    pair = ("--baseline", "plain", "--system", "better", "--json")
    loss = document(call("segments", folder, *pair, "--order", "loss", "--limit", "0"))
    assert len(loss["segments"]) == 40
    assert (np.diff([row["gain"] for row in loss["segments"]]) >= 0).all()
    index = document(call("segments", folder, *pair, "--order", "index", "--select-on", "test", "--limit", "3"))
    assert [row["segment"] for row in index["segments"]] == [1, 2, 3]
    assert "chosen and read on the same test set" in index["notes"][0]
    code, out, _ = call("segments", folder, "--baseline", "plain", "--system", "better", "--limit", "1")
    assert code == 0
    assert "median replicas by BLEU on dev; 1 of 40 segments" in flat(out)
    assert "all replicas" in flat(out)


@pytest.mark.slow
def test_multevals_files_are_written_with_whom_they_are_of(call, folder, tmp_path):
    code, out, _ = call("segments", folder, "--metric", "bleu", "--metric", "ter", "--baseline", "plain",
                        "--rank-dir", tmp_path / "rank", "--sent-level-dir", tmp_path / "sent")  # fmt: skip
    assert code == 0
    assert "sys1 = plain (opt1 = seed1, opt2 = seed2, opt3 = seed3)" in out
    assert "sys2 = better" in out
    assert sorted(p.name for p in (tmp_path / "rank").iterdir()) == ["sys2.sortedby.bleu", "sys2.sortedby.ter"]
    assert len(list((tmp_path / "sent").iterdir())) == 6
    lines = (tmp_path / "sent/sys2.opt3").read_text(encoding="utf-8").splitlines()
    outputs = (folder / "test/systems/better/seed3.txt").read_text().splitlines()
    assert [line.split(" ||| ")[1] for line in lines] == outputs
    told = document(call("segments", folder, "--system", "better", "--baseline", "plain", "--rank-dir", tmp_path / "r",
                         "--json"))  # fmt: skip
    assert told["systems"] == {"sys1": "plain", "sys2": "better"}
    assert told["files"] == [str(tmp_path / "r" / "sys2.sortedby.bleu")]


# Annotation


@pytest.mark.slow
def test_a_sheet_is_written_filled_and_read(call, folder, tmp_path):
    sheet, key = tmp_path / "sheet.csv", tmp_path / "key.csv"
    command = ("annotate", folder, "--baseline", "plain", "--system", "better", "--out", sheet, "--key", key, "--n", 9,
               "--ask", "ranking", "--ask", "adequacy", "--scale", "0-100", "--how", "random", "--seed", 7)  # fmt: skip
    told = document(call(*command, "--json"))
    before = sheet.read_bytes(), key.read_bytes()
    assert call(*command)[0] == 0
    assert (sheet.read_bytes(), key.read_bytes()) == before
    assert len(told["segments"]) == 9
    assert "at random, seed 7" in told["drawn"]

    rows = list(csv.reader(io.StringIO(sheet.read_text(encoding="utf-8-sig"))))
    sides = {row["item"]: row["baseline is"] for row in csv.DictReader(io.StringIO(key.read_text("utf-8-sig")))}
    for row in rows[1:]:
        system_is = {"1": "2", "2": "1"}[sides[row[0]]]
        row[rows[0].index("better")] = system_is
        row[rows[0].index(f"adequacy {system_is}")] = "70,5"
        row[rows[0].index(f"adequacy {sides[row[0]]}")] = "60"
    filled = tmp_path / "Ann.csv"
    with filled.open("w", newline="", encoding="utf-16") as stream:
        csv.writer(stream, delimiter="\t").writerows([rows[0], *rows[:0:-1]])
    found = document(call("annotate", "--read", filled, "--key", key, "--json"))
    ranking, adequacy = found["columns"]
    assert (ranking["column"], ranking["wins_system"], ranking["ties"], ranking["segments"]) == ("ranking", 9, 0, 9)
    assert (adequacy["mean_baseline"], adequacy["mean_system"]) == (60, 70.5)
    assert ranking["p"] == pytest.approx(2 / 2**9)
    assert ranking["interval"] == pytest.approx([0.025 ** (1 / 9), 1])
    code, out, _ = call("annotate", "--read", filled, "--key", key)
    assert code == 0
    assert "better is better on 9, plain on 0, neither on 0 of 9 segments (ranking); p = 0.004" in flat(out)
    assert "people find better better" in out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--out", "s.doc"], "should end in .csv, .tsv, .xlsx"),
        (["--out", "key.csv"], "must not see the key"),
        ([], "Give PATH and --out"),
        (["--out", "s.csv", "--scale", "five"], "--scale: expected worst and best"),
        (["--out", "s.csv", "--scale", "5-1"], "best must be above the worst"),
        (["--out", "s.csv", "--ask", "style"], "not 'style'"),
        (["--out", "s.csv", "--segments", "3-"], "numbers and ranges"),
        (["--out", "s.csv", "--segments", "99"], "segment 99 is not among them"),
        (["--out", "s.csv", "--n", "0"], "--n must be 1 or more"),
        (["--read", "s.csv"], "leave out PATH"),
    ],
)
def test_bad_calls_of_annotate_end_with_2_and_one_line(call, folder, tmp_path, monkeypatch, options, told):
    monkeypatch.chdir(tmp_path)
    code, _, err = call("annotate", folder, "--key", "key.csv", *options)
    assert code == 2
    assert told in err.splitlines()[-1]  # after warnings about the files
    assert not (tmp_path / "s.csv").exists()


def test_a_missing_key_is_told(call, tmp_path):
    code, _, err = call("annotate", "--read", tmp_path / "s.csv", "--key", tmp_path / "none.csv")
    assert code == 2
    assert "none.csv" in err

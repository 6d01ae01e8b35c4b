import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.loading import LoadError
from mtsig_core.loading.nbest import merge_lists, read_nbest
from mtsig_core.runtime.jobs import Cancelled


def lines(*words, score=True):
    """Candidates such as "0a": id and text; the feature is the position."""
    return [f"{w[0]} ||| {w[1:]} ||| f= {i}" + (f" ||| {-i}" if score else "") for i, w in enumerate(words)]


def segments(nbest):
    return [list(nbest.texts[a:b]) for a, b in zip(nbest.offsets, nbest.offsets[1:], strict=False)]


@pytest.mark.parametrize(
    ("words", "lengths", "first", "expected", "notes"),
    [
        (["0a", "0b", "1c"], [2], 0, [["a", "b"], ["c"]], []),
        (["1a", "2b"], [2], 1, [["a"], ["b"]], []),
        (["1a", "2b"], [3], 0, [[""], ["a"], ["b"]], ["1 segment has no candidate: id 0; the output there is empty."]),
        (["1a", "2b"], [], 1, [["a"], ["b"]], []),
        (["0a", "2b"], [3], 0, [["a"], [""], ["b"]], ["1 segment has no candidate: id 1; the output there is empty."]),
        (["0a", "1b"], [2000], 0, [["a"], ["b"]], []),
        (["1a", "2b"], [2000], 1, [["a"], ["b"]], []),
        (["0a", "1b", "0c"], [2], 0, [["a", "c"], ["b"]],
         ["Candidates of one segment are not adjacent; they were sorted."]),
        (["0", "0a"], [1], 0, [["", "a"]], ["1 empty hypothesis: never chosen where a segment has another candidate."]),
        (["0a", "0a", "1a"], [2], 0, [["a", "a"], ["a"]], ["1 of 3 hypotheses repeat another one of their segment."]),
    ],
)  # fmt: skip
def test_ids_gaps_and_what_is_worth_knowing(words, lengths, first, expected, notes):
    nbest = read_nbest(lines(*words), lengths=lengths)
    assert nbest.first_id == first
    assert segments(nbest) == expected
    absent = [note for note in nbest.notes if "no candidate" in note or note in notes]
    assert absent == notes


def test_features_and_totals_stay_with_their_candidate():
    nbest = read_nbest(lines("1b", "0a", "1c", "0d"))
    assert segments(nbest) == [["a", "d"], ["b", "c"]]
    assert nbest.features[:, 0].tolist() == [1, 3, 0, 2]
    assert nbest.totals.tolist() == [-1, -3, 0, -2]
    assert nbest.feature_names == ("f",)
    assert not nbest.features.flags.writeable


def test_features_that_some_lines_lack_are_0():
    nbest = read_nbest(["0 ||| a ||| x=1 y=2 ||| 0", "0 ||| b ||| y=3 z=4 ||| 0", "0 ||| c ||| ||| 0"])
    assert nbest.feature_names == ("x", "y", "z")
    assert nbest.features.tolist() == [[1, 2, 0], [0, 3, 4], [0, 0, 0]]
    assert nbest.notes[-1].startswith(("Features that 2 candidates lacked", "Features that 3 candidates lacked"))


def test_several_values_are_numbered():
    nbest = read_nbest(["0 ||| a ||| tm= 1 2 lm= 3 ||| 0"])
    assert nbest.feature_names == ("tm.1", "tm.2", "lm")
    assert read_nbest(["0 ||| a ||| 1 2 ||| 0"]).feature_names == ("feature.1", "feature.2")


def test_the_decoders_choice_is_the_highest_total_and_never_empty_where_there_is_another():
    nbest = read_nbest(["0 ||| a ||| f= 1 ||| -2", "0 ||| b ||| f= 1 ||| -1", "0 ||| c ||| f= 1 ||| -1",
                        "0 |||  ||| f= 1 ||| 5", "1 |||  ||| f= 1 ||| 0"])  # fmt: skip
    kept = nbest.without_empty()
    assert segments(kept) == [["a", "b", "c"], [""]]
    assert [kept.texts[i] for i in kept.first_best()] == ["b", ""]
    bare = read_nbest(["0 ||| a ||| f= 1", "0 ||| b ||| f= 1"])
    assert bare.first_best().tolist() == [0]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ([], "holds no candidates"),
        (["0 ||| a", "", "0 ||| b"], "line 2: is blank"),
        (["0 ||| a ||| f= 1 ||| 1", "0 ||| b ||| f= 2e150 ||| 1"], "line 2: a number is beyond 1e\\+100"),
        (["0 ||| a ||| f= 1e308 -1e308 ||| 1", "0 ||| b ||| f= 2 1 ||| 1"], "line 1: a number is beyond"),
        (["0 ||| a ||| f= 1 ||| 1", "0 ||| b ||| g= 2 ||| -1e120"], "line 2: a number is beyond"),
        (["0 ||| a ||| f= 1", "0 ||| b ||| f= 1 g= -1e101", "1 ||| c ||| f= 1e200"], "line 2: a number is beyond"),
        (["0 ||| a", "88888888888 ||| b"], "line 2: id 88888888888"),
    ],
)  # fmt: skip
def test_no_list(content, words):
    with pytest.raises(LoadError, match=words):
        read_nbest(content)


def test_blank_lines_at_the_end_do_no_harm():
    assert segments(read_nbest([*lines("0a", "1b"), "", " "])) == [["a"], ["b"]]


def test_ids_may_stand_beside_any_blank():
    assert segments(read_nbest(["0 ||| a", "\u00a00\u00a0||| b", "\t1\t||| c"])) == [["a", "b"], ["c"]]


def test_too_many_features():
    many = " ".join(f"f{i}=1" for i in range(2001))
    with pytest.raises(LoadError, match="2,001 features, more than 2,000"):
        read_nbest([f"0 ||| a ||| {many} ||| 0"])


def test_reading_can_be_called_off():
    def stop(fraction, what=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_nbest(lines("0a"), progress=stop)


def test_iterations_are_merged_once_each():
    first = read_nbest(["0 ||| a ||| f= 1 ||| 9", "0 ||| b ||| f= 2 ||| 8", "1 ||| c ||| f= 3 ||| 1"])
    second = read_nbest(["0 ||| b ||| f= 2 ||| -1", "0 ||| b ||| f= 2.5 ||| -2", "1 ||| d ||| g= 4 ||| -3"])
    merged = merge_lists([first, second])
    assert segments(merged) == [["b", "b", "a"], ["d", "c"]]
    assert merged.feature_names == ("f", "g")
    assert merged.features.tolist() == [[2, 0], [2.5, 0], [1, 0], [0, 4], [3, 0]]
    assert merged.totals[:2].tolist() == [-1, -2]
    assert np.isnan(merged.totals[[2, 4]]).all()
    assert "5 distinct candidates, 1 repeated" in merged.notes[-1]


def test_a_gap_is_filled_by_another_iteration():
    gap = read_nbest(lines("0a", "2b"))
    full = read_nbest(lines("0c", "1d", "2b"))
    assert segments(merge_lists([gap, full]))[1] == ["d"]
    assert segments(merge_lists([full, gap]))[1] == ["d"]
    assert segments(merge_lists([gap, gap]))[1] == [""]


def test_lists_that_do_not_belong_together():
    with pytest.raises(LoadError, match="2 segments, but 1"):
        merge_lists([read_nbest(lines("0a")), read_nbest(lines("0a", "1b"))])
    with pytest.raises(LoadError, match="feature 'f' has 2 values, but 1"):
        merge_lists([read_nbest(lines("0a")), read_nbest(["0 ||| a ||| f= 1 2 ||| 0"])])


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["", "a", "b"])), min_size=1, max_size=20))
def test_every_candidate_is_kept_in_order(rows):
    nbest = read_nbest([f"{i} ||| {text} ||| f= {k} ||| {k}" for k, (i, text) in enumerate(rows)], lengths=[6])
    expected = [[k for k, (i, _) in enumerate(rows) if i == segment] for segment in range(nbest.n_segments)]
    own = np.split(nbest.features[:, 0], nbest.offsets[1:-1])
    shift = nbest.first_id
    for segment, values in enumerate(own):
        ids = [k for k, (i, _) in enumerate(rows) if i == segment + shift]
        assert values.tolist() == (ids or [0])
    assert len(expected) == nbest.n_segments


@pytest.mark.slow
def test_many_candidates_fit_in_bounded_memory(tmp_path):
    path = tmp_path / "nbest.txt"
    features = " ".join(f"f{k}= -{k}.5" for k in range(14))
    words = " ".join("word" for _ in range(15))
    with path.open("w") as stream:
        for segment in range(200):
            stream.writelines(f"{segment} ||| {words} {segment} {k} ||| {features} ||| -{k}\n" for k in range(1000))
    code = (
        "import re, sys\n"
        "from mtsig_core.loading.nbest.streams import NbestFile\n"
        "from mtsig_core.loading.nbest import read_nbest\n"
        "from pathlib import Path\n"
        "path = Path(sys.argv[1])\n"
        "reports = []\n"
        "file = NbestFile.of_path(path, path.parent)\n"
        "nbest = read_nbest(file.lines(), 'x', lengths=[200], progress=lambda f, what='': reports.append(f))\n"
        "assert nbest.features.shape == (200_000, 14), nbest.features.shape\n"
        "assert len(reports) > 30 and reports == sorted(reports) and reports[-1] == 1\n"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', Path('/proc/self/status').read_text())[1])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 300_000  # KiB; a million candidates would stay below a gigabyte

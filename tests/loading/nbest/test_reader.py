import pytest

from mtsig_core.loading import LoadError, load
from mtsig_core.loading.nbest.reader import best, check_nbest, read_nbest

NEW = "1 ||| light rain . ||| LM0= -18.2 TranslationModel0= -2 -3 ||| -4.4 ||| 0-0 1-1"
OLD = "0||| the ferry .  ||| d: 0 -1.5 0 lm: -20.1 w: -6 ||| -5.1"
CDEC = "2 ||| a house ||| Glue=3 LanguageModel=-1.5e1 Length_mean=0.25 ||| -7"


def test_the_three_notations():
    old, new, cdec = read_nbest([OLD, NEW, CDEC])
    assert (old.segment, old.hypothesis, old.score, old.alignment) == (0, "the ferry .", -5.1, "")
    assert old.features == (("d", (0, -1.5, 0)), ("lm", (-20.1,)), ("w", (-6,)))
    assert new.features == (("LM0", (-18.2,)), ("TranslationModel0", (-2, -3)))
    assert (new.score, new.alignment) == (-4.4, "0-0 1-1")
    assert cdec.features == (("Glue", (3,)), ("LanguageModel", (-15,)), ("Length_mean", (0.25,)))


def test_less_usual_lines():
    bare, nameless, empty, odd = read_nbest(
        ["7 ||| only text", "7 ||| x ||| 1 2 -3 ||| 4", "7|||  ||| ||| -1", "8 ||| a &#124;&#124;&#124; b ||| PT:0=1"]
    )
    assert (bare.hypothesis, bare.features, bare.score) == ("only text", (), None)
    assert nameless.features == (("", (1, 2, -3)),)
    assert (empty.hypothesis, empty.features, empty.score) == ("", (), -1)
    assert (odd.hypothesis, odd.features) == ("a &#124;&#124;&#124; b", (("PT:0", (1,)),))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("no list", "line 2: expected 'id"),
        ("x ||| y ||| z= 1 ||| 2", "line 2: expected 'id"),
        ("-1 ||| y", "line 2: expected 'id"),
        ("", "line 2: expected 'id"),
        ("0 ||| y ||| lm: a ||| 2", "expected a number, found 'a'"),
        ("0 ||| y ||| lm: 1 ||| nan", "expected a number, found 'nan'"),
        ("0 ||| y ||| lm: 1 2 ||| 3", "feature 'lm' has 2 values, but 1 in line 1"),
    ],
)
def test_a_damaged_line_is_named(line, words):
    with pytest.raises(LoadError, match=words) as caught:
        read_nbest([OLD, line], "dev/x.nbest")
    assert caught.value.file == "dev/x.nbest"


def test_nothing_in_it():
    with pytest.raises(LoadError, match="holds no hypotheses"):
        read_nbest([])


def entries(*words):
    return read_nbest([f"{word[0]} ||| {word[1:]} ||| f= 1 ||| {-i}" for i, word in enumerate(words)])


@pytest.mark.parametrize(
    ("words", "n", "found"),
    [
        (["0a", "1b", "2c"], 3, []),
        (["1a", "2b", "3c"], 3, []),
        (["0a", "1b", "3c"], 4, ["1 segment has no hypothesis: id 2."]),
        (["0a", "1b"], 4, ["2 segments have no hypothesis: id 2, 3."]),
        (["0a", "2b"], None, ["1 segment has no hypothesis: id 1."]),
        (["0a", "0b", "5c"], 1, ["1 id beyond the 1 segments of the reference, the first 5."]),
        (["0a", "1b", "0c"], 2, ["Hypotheses of one segment do not stand together."]),
        (["0", "1b"], 2, ["1 empty hypothesis."]),
        (["0a", "0a", "0a", "1a"], 2, ["2 of 4 hypotheses repeat another one of their segment."]),
    ],
)
def test_what_is_worth_knowing(words, n, found):
    assert list(check_nbest(entries(*words), n)) == found


def test_the_best_is_the_highest_total_and_the_first_of_equals():
    found = best(read_nbest(["1 ||| a ||| ||| -2", "1 ||| b ||| ||| -1", "1 ||| c ||| ||| -1", "0 ||| d"]))
    assert [(i, entry.hypothesis) for i, entry in found.items()] == [(0, "d"), (1, "b")]


@pytest.mark.parametrize("lines", [[OLD, OLD, NEW], [NEW], [CDEC] * 60, [OLD, "1 ||| text"] + [NEW] * 20])
def test_as_an_output_it_is_refused_with_advice(lines):
    data = "\n".join(lines).encode()
    for files in (
        [("nbest.txt", data), ("ref.txt", b"a\nb\n")],
        [("systems/a/nbest.1", data), ("refs/r.txt", b"a\nb\n")],
        [("nbest.out", data)],
    ):
        with pytest.raises(LoadError, match=r"n-best list, which serves tuning.*Upload the translations") as caught:
            load(files)
        assert caught.value.file == files[0][0]


def test_beside_an_output_it_is_left_out():
    files = [("a.txt", b"a\nb\n"), ("b.nbest", f"{OLD}\n{NEW}\n".encode()), ("ref.txt", b"a\nc\n")]
    experiment, report = load(files)
    assert [s.name for s in experiment.systems] == ["a"]
    assert report.refused[0].code == "n-best-list"


@pytest.mark.slow
def test_real_list(realdata):
    folder = realdata / "moses-nbest-100x100"
    with pytest.raises(LoadError, match="nbest.out is an n-best list"):
        load(folder)
    lines = (folder / "nbest.out").read_text("utf-8").split("\n")[:-1]
    found = read_nbest(lines)
    assert len(found) == 10_000
    assert [sum(len(values) for _, values in entry.features) for entry in found] == [15] * 10_000
    assert check_nbest(found, 100) == ("6260 of 10000 hypotheses repeat another one of their segment.",)
    assert "beyond the 50 segments" in check_nbest(found, 50)[0]
    first = best(found)
    assert all(entry is next(e for e in found if e.segment == i) for i, entry in first.items())
    references = (folder / "reference.first100.txt").read_text("utf-8").split("\n")[:-1]

    from sacrebleu import BLEU

    bleu = BLEU(tokenize="none", lowercase=True, force=True)
    score = bleu.corpus_score([entry.hypothesis for entry in first.values()], [references]).score
    assert score == pytest.approx(11.10, abs=5e-3)


def test_the_list_of_the_case(realdata):
    lines = (realdata / "bugs/51-nbest-old-format-empty-hyp/run/nbest.txt").read_text("utf-8").split("\n")[:-1]
    found = read_nbest(lines)
    assert check_nbest(found, 4) == (
        "1 segment has no hypothesis: id 2.",
        "1 empty hypothesis.",
        "1 of 7 hypotheses repeat another one of their segment.",
    )
    assert found[3].features[2] == ("TranslationModel0", (-2, -3, -1, -2))
    assert "&#124;&#124;&#124;" in found[6].hypothesis
    assert [len(entry.alignment) > 0 for entry in found] == [False, False, False, True, True, False, False]

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.loading import LoadError
from mtsig_core.loading.nbest.lines import LineParser

NEW = "1 ||| light rain . ||| LM0= -18.2 TranslationModel0= -2 -3 ||| -4.4 ||| 0-0 1-1 ||| light=licht"
OLD = "0||| the ferry .  ||| d: 0 -1.5 0 lm: -20.1 w: -6 ||| -5.1"
CDEC = "2 ||| a house ||| Glue=3 LanguageModel=-1.5e1 Length_mean=0.25 ||| -7"
MARIAN = "3 ||| ein Haus ||| 0-0 1-1 ||| WordScores= -0.1 -0.2 -0.3 ||| F0= -3.5 F1= 2 ||| -0.7"
MARIAN_SHORT = "3 ||| ein Haus ||| F0=-3.5 ||| -0.7"
JSON = '{"segment": 4, "text": " a home ", "log_probability": -3.5, "length": 2, "model": "x"}'


def parse(*lines, file="list"):
    parser = LineParser(file)
    return [parser.parse(line, number) for number, line in enumerate(lines, 1)]


def test_every_notation():
    old, new, cdec, marian, short = parse(OLD, NEW, CDEC, MARIAN.replace("F1= 2 ", ""), MARIAN_SHORT)
    assert (old.segment, old.text, old.total) == (0, "the ferry .", -5.1)
    assert (old.groups, list(old.values)) == ((("d", 3), ("lm", 1), ("w", 1)), [0, -1.5, 0, -20.1, -6])
    assert (new.groups, list(new.values)) == ((("LM0", 1), ("TranslationModel0", 2)), [-18.2, -2, -3])
    assert new.total == -4.4
    assert (cdec.groups, cdec.values) == ((("Glue", 1), ("LanguageModel", 1), ("Length_mean", 1)), [3, -15, 0.25])
    assert (marian.text, marian.groups, marian.values, marian.total) == ("ein Haus", (("F0", 1),), [-3.5], -0.7)
    assert (short.groups, short.values, short.total) == ((("F0", 1),), [-3.5], -0.7)


def test_json_lines():
    (candidate,) = parse(JSON)
    assert (candidate.segment, candidate.text) == (4, "a home")
    assert (candidate.groups, candidate.values) == ((("log_probability", 1), ("length", 1)), [-3.5, 2])
    assert math.isnan(candidate.total)
    (nested,) = parse('{"segment": "7", "text": "", "features": {"a": 1}}')
    assert (nested.segment, nested.text, nested.groups) == (7, "", (("a", 1),))


def test_less_usual_lines():
    bare, nameless, empty, odd = parse(
        "7 ||| only text", "7 ||| x ||| 1 2 -3 ||| 4", "7|||  ||| ||| -1", "8 ||| a &#124;&#124;&#124; b ||| PT:0=1"
    )
    assert (bare.text, bare.groups) == ("only text", ())
    assert math.isnan(bare.total)
    assert nameless.groups == (("", 3),)
    assert (empty.text, empty.groups, empty.total) == ("", (), -1)
    assert (odd.text, odd.groups) == ("a &#124;&#124;&#124; b", (("PT:0", 1),))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("no list", "list, line 2: expected 'id"),
        ("x ||| y ||| z= 1 ||| 2", "line 2: expected 'id"),
        ("-1 ||| y", "line 2: expected 'id"),
        ("0 ||| y ||| d: 0 a 0 lm: 1 w: 2 ||| 2", "expected a finite number; got 'a'"),
        ("0 ||| y ||| d: 0 inf 0 lm: 1 w: 2 ||| 2", "expected a finite number; got 'inf'"),
        ("0 ||| y ||| lm: 1 ||| nan", "expected a finite number; got 'nan'"),
        ("0 ||| y ||| lm: 1 2 ||| 3", "feature 'lm' has 2 values, but 1 in line 1"),
        ("0 ||| y ||| lm: 1 lm: 2 ||| 3", "a feature occurs twice"),
        ('{"segment": 0, "text": "a"', "no valid JSON"),
        ('{"segment": -1, "text": "a"}', "got segment -1"),
        ('{"segment": 1.5, "text": "a"}', "got segment 1.5"),
        ('{"segment": true, "text": "a"}', "got segment True"),
        ('{"segment": 0, "text": null}', "got segment 0 and text 'None'"),
        ('{"segment": 0, "text": "a", "x": NaN}', "feature 'x': expected a finite number; got nan"),
    ],
)
def test_a_damaged_line_is_named(line, words):
    with pytest.raises(LoadError, match=words) as caught:
        parse(OLD, line)
    assert caught.value.file == "list"


numbers = st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: float(f"{x:.6g}"))


@pytest.mark.slow
@given(st.lists(st.tuples(st.lists(numbers, min_size=3, max_size=3), numbers), min_size=1, max_size=5))
def test_moses_and_json_give_the_same_features(rows):
    moses = parse(*(f"0 ||| t ||| A= {v[0]!r} B= {v[1]!r} {v[2]!r} ||| {total!r}" for v, total in rows))
    records = parse(*(json.dumps({"segment": 0, "text": "t", "A": v[0], "B1": v[1], "B2": v[2]}) for v, _ in rows))
    for (values, total), one, other in zip(rows, moses, records, strict=True):
        assert list(one.values) == values == list(other.values)
        assert one.total == total
        assert one.groups == (("A", 1), ("B", 2))

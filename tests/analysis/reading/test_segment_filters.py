import dataclasses
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtsig_core.analysis.reading.segment_filters import FIELDS, SegmentFilter, filter_segments, nearest
from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.runtime.patterns import PatternError
from mtsig_core.significance import Scope

SAME_EXAMPLES = settings(deadline=None, derandomize=True, max_examples=80)
AGREE = ("", "b", "a", "")


def make_table(output_a, output_b, source=None, references=None, gain=None, documents=None, agree=None):
    n = len(output_a)
    zeros = np.zeros(n)
    spread = Spread(zeros, zeros, zeros)
    gain = zeros if gain is None else np.array(gain, dtype=float)
    return SegmentTable(
        scope=Scope("news", "bleu", "BLEU", True, systems=("base", "new")), a=("base", "s1"), b=("new", "s1"),
        index=np.arange(n) + 1, document=documents, source=source, references=references or (("r",),) * n,
        output_a=tuple(output_a), output_b=tuple(output_b), score_a=np.arange(n, dtype=float),
        score_b=np.arange(n) + gain, gain=gain, spread_a=spread, spread_b=spread, agree=agree or ("",) * n,
    )


@pytest.fixture
def table():
    return make_table(
        ("the cat", "a dog", "Straße", "猫"), ("the cat", "a hog", "strasse", "犬"),
        source=("le chat", "un chien", "rue", "neko"), gain=(0, -2, 1.5, float("nan")), documents=("d", "e", "d", "f"),
        references=(("one two", "one two three four"), ("cat",), ("x " * 9,), ("猫が好き",)), agree=AGREE,
    )


def kept(table, **wanted):
    return filter_segments(table, SegmentFilter(**wanted)).tolist()


def test_nothing_asked_keeps_everything(table):
    assert kept(table) == [0, 1, 2, 3]
    assert SegmentFilter().asked == ()
    assert SegmentFilter(text="x", regex=True, gain=(0, 1)).asked == ("text", "gain")


def test_text_is_looked_for_in_the_fields_asked(table):
    assert kept(table, text="cat") == [0, 1]
    assert kept(table, text="cat", fields=("output a",)) == [0]
    assert kept(table, text="cat", fields=("references",)) == [1]
    assert kept(table, text="chi", fields=("source",)) == [1]
    assert kept(table, text="cat", fields=()) == []
    assert kept(table, text=" 猫 ") == [3]


def test_case_is_folded_unless_asked_and_letters_compare_however_encoded(table):
    assert kept(table, text="STRASSE") == [2]
    assert kept(table, text="STRASSE", match_case=True) == []
    accents = make_table(("caf\u00e9",), ("cafe\u0301",))
    for typed in ("Caf\u00e9", "cafe\u0301"):
        assert kept(accents, text=typed, fields=("output a",)) == kept(accents, text=typed, fields=("output b",)) == [0]


@pytest.mark.slow
def test_signs_mean_themselves_unless_a_pattern_is_asked_for(table):
    assert kept(table, text="c.t") == []
    assert kept(table, text="c.t", regex=True) == [0, 1]
    assert kept(table, text=r"\bA\b", regex=True, fields=("output a",)) == [1]
    assert kept(table, text=r"\bA\b", regex=True, match_case=True) == []


def test_a_bad_pattern_is_told(table):
    with pytest.raises(PatternError, match="not a regular expression"):
        kept(table, text="(", regex=True)
    assert kept(table, text="(") == []


def test_ranges_hold_their_ends_and_nothing_undefined(table):
    assert kept(table, gain=(-2, 0)) == [0, 1]
    assert kept(table, gain=(-2, 9)) == [0, 1, 2]
    assert kept(table, score_a=(1, 2)) == [1, 2]
    assert kept(table, score_b=(3.5, 3.5)) == [2]


def test_length_is_the_mean_of_the_references_and_characters_without_spaces(table):
    assert table.lengths.tolist() == [3, 1, 9, 4]
    assert kept(table, length=(3, 4)) == [0, 3]
    bare = make_table(("x",), ("y",), source=("three words here",), references=((),))
    assert bare.lengths.tolist() == [3]


def test_documents_agreement_and_change(table):
    assert kept(table, documents=("d", "f")) == [0, 2, 3]
    assert kept(table, agree="any") == [1, 2]
    assert (kept(table, agree="a"), kept(table, agree="b")) == ([2], [1])
    assert kept(table, changed=True) == [1, 2, 3]
    assert kept(make_table(("x",), ("y",)), documents=("d",)) == []


texts = st.text(st.sampled_from("ab. É猫"), max_size=6)
rows = st.lists(st.tuples(texts, texts, texts, st.floats(-3, 3), st.sampled_from(["", "a", "b"])), min_size=1,
                max_size=8)
bounds = st.tuples(st.floats(-3, 3), st.floats(-3, 3)).map(sorted).map(tuple)
filters = st.builds(
    SegmentFilter, text=texts, match_case=st.booleans(), gain=bounds, changed=st.booleans(),
    fields=st.sets(st.sampled_from(FIELDS)).map(lambda s: tuple(sorted(s))), agree=st.sampled_from(["", "any", "a"]),
)


def holds(table, i, wanted):
    """Say in another way, segment by segment, whether a segment is wanted."""
    found = {"source": [table.source[i]], "references": table.references[i], "output a": [table.output_a[i]],
             "output b": [table.output_b[i]]}
    pattern = re.compile(re.escape(wanted.text.strip()), 0 if wanted.match_case else re.IGNORECASE)
    return all((
        not wanted.text or any(pattern.search(text) for name in wanted.fields for text in found[name]),
        wanted.gain[0] <= table.gain[i] <= wanted.gain[1],
        not wanted.changed or table.output_a[i] != table.output_b[i],
        wanted.agree in ("", table.agree[i]) or (wanted.agree == "any" and table.agree[i] != ""),
    ))


def of_rows(made):
    a, b, source, gain, agree = zip(*made, strict=True)
    return make_table(a, b, source=source, references=tuple((s, t) for s, t in zip(a, source, strict=True)),
                      gain=gain, agree=agree)


@pytest.mark.slow
@SAME_EXAMPLES
@given(rows, filters)
def test_all_conditions_hold_together(made, wanted):
    table = of_rows(made)
    assert filter_segments(table, wanted).tolist() == [i for i in range(len(made)) if holds(table, i, wanted)]


@pytest.mark.slow
@SAME_EXAMPLES
@given(rows, filters)
def test_dropping_a_condition_never_loses_a_segment(made, wanted):
    table = of_rows(made)
    before = set(filter_segments(table, wanted).tolist())
    for name in wanted.asked:
        looser = dataclasses.replace(wanted, **{name: getattr(SegmentFilter(), name)})
        assert before <= set(filter_segments(table, looser).tolist())


def test_a_reader_stays_or_goes_to_the_next_that_is_left():
    order = [4, 2, 0, 1, 3]
    assert nearest(order, {2, 3}, 2) == 2
    assert nearest(order, {4, 1, 3}, 2) == 1
    assert nearest(order, {4, 2}, 1) == 2
    assert nearest(order, {0, 1}, None) == 0
    assert nearest(order, {0, 1}, 99) == 0
    assert nearest(order, set(), 2) is None

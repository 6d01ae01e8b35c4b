"""What a reader sees of one segment: text as text, the words marked that differ."""

import re

import numpy as np
import pytest

from mtsig_core.analysis.reading.segments import SegmentTable, Spread
from mtsig_core.significance import Scope
from pages.parts.read.segment_card import card, legend

NASTY = ["<script>alert(1)</script>", "**b** _i_ # h", "$x^2$ and $5", "a & b < c", '"><img src=x onerror=alert(1)>']


def make_table(output_a, output_b, references=("the cat",), source="the source"):
    zeros = np.zeros(1)
    spread = Spread(zeros, zeros, zeros)
    return SegmentTable(
        scope=Scope("news", "bleu", "BLEU", True, systems=("base", "new")), a=("base", "s1"), b=("new", "s2"),
        index=np.array([1]), document=None, source=(source,), references=(tuple(references),), output_a=(output_a,),
        output_b=(output_b,), score_a=zeros, score_b=zeros, gain=zeros, spread_a=spread, spread_b=spread, agree=("",),
    )


def rows(table, **options):
    """Return the HTML of each row by the first line of its name."""
    made = card(table, 0, decimals=1, **({"against_reference": False} | options))
    found = re.findall(r"<th[^>]*>(.*?)</th><td[^>]*>(.*?)</td>", made, re.DOTALL)
    return {name.split("<br>")[0]: text for name, text in found}, made


@pytest.mark.parametrize("text", NASTY)
@pytest.mark.parametrize("against_reference", [False, True])
def test_text_is_never_markup(text, against_reference):
    shown, made = rows(make_table(text, "x", (text,), text), against_reference=against_reference)
    tags = set(re.findall(r"<\s*/?\s*(\w+)", made))
    assert tags <= {"table", "tr", "th", "td", "br", "small", "mark", "del"}
    plain = re.sub(r"<[^>]*>", "", shown["A: base"])
    assert plain.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&amp;", "&") == text


def test_names_are_text_too():
    table = make_table("x", "y")
    table = type(table)(**{**table.__dict__, "a": ("<b>", "<i>")})
    assert "&lt;b&gt;" in card(table, 0, against_reference=False, decimals=1)


def test_each_direction_of_writing_is_the_texts_own():
    _, made = rows(make_table("مرحبا بالعالم", "a"))
    assert made.count('dir="auto"') == 4


def test_words_of_one_output_are_marked_without_the_space_behind_them():
    shown, _ = rows(make_table("the old cat", "the cat"))
    assert re.sub(r' style="[^"]*"', "", shown["A: base"]) == "the <mark>old</mark> cat"
    assert shown["B: new"] == "the cat"


def test_against_the_reference_missing_words_are_struck_through():
    table = make_table("the big cat", "the", ("a dog", "the cat sat"))
    shown, made = rows(table, against_reference=True)
    assert "closest to A and B" in made
    plain = re.sub(r' style="[^"]*"', "", shown["A: base"])
    assert plain == "the <mark>big</mark> cat <del>sat</del> "
    assert re.sub(r' style="[^"]*"', "", shown["B: new"]) == "the <del>cat sat</del> "
    assert "closest reference" in legend(table, 0, against_reference=True)


def test_of_many_references_those_unlike_both_outputs_are_folded_away():
    texts = ("one dog", "the cat", "a <b>bird</b>", "two fish")
    shown, made = rows(make_table("the cat", "two fish", texts))
    assert [name for name in shown if name.startswith("Ref")] == ["Reference 2", "Reference 4"]
    assert "2 more, less like both outputs" in shown["Others"]
    assert "3. a &lt;b&gt;bird&lt;/b&gt;" in shown["Others"]
    assert "Others" not in rows(make_table("the cat", "two fish", texts[:3]))[0]


def test_no_space_is_put_into_scripts_that_have_none():
    shown, _ = rows(make_table("我猫", "我", ("我爱猫",)), against_reference=True)
    assert re.sub(r"<[^>]*>", "", shown["A: base"]) == "我爱猫"


def test_without_a_reference_outputs_are_marked_against_each_other():
    table = make_table("a b", "", ())
    shown, _ = rows(table, against_reference=True)
    assert "<mark" in shown["A: base"]
    assert shown["B: new"] == "<i>empty</i>"
    assert "only one" in legend(table, 0, against_reference=True)
    assert legend(make_table("a", "a"), 0, against_reference=False) == "Both outputs are the same."

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.figures import theme


def _luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a, b):
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["#ffffff", "#0e1117", "#171614"])
@pytest.mark.parametrize("colour", [*theme.PALETTE, theme.NEUTRAL])
def test_every_colour_is_seen_on_white_and_on_near_black(colour, ground):
    assert _contrast(colour, ground) >= 3


def test_colours_keep_the_order_given_and_repeat_with_another_symbol_dash_and_pattern():
    names = [f"s{i}" for i in range(30)]
    look = theme.styles(names, theme.system_colours(names))
    assert look["s0"].colour == look["s8"].colour == theme.PALETTE[0]
    for field in ("symbol", "dash", "pattern"):
        assert len({(s.colour, getattr(s, field)) for s in look.values()}) == 30


def test_never_colour_alone_neighbours_differ_in_symbol_and_dash_too():
    look = theme.styles([f"s{i}" for i in range(6)])
    assert len({s.symbol for s in look.values()}) == len({s.dash for s in look.values()}) == 6


def test_a_system_keeps_its_style_in_a_figure_of_two():
    names = ["a", "b", "c", "d"]
    colours = theme.system_colours(names)
    assert theme.styles(["d", "b"], colours) == {n: theme.styles(names, colours)[n] for n in ("d", "b")}


def test_a_system_that_the_colours_do_not_name_still_gets_one():
    assert theme.styles(["new"], {"old": "#123456"})["new"].colour in theme.PALETTE


@pytest.mark.slow
@given(st.text())
def test_literal_text_has_nothing_that_plotly_interprets_and_reads_as_before(text):
    shown = theme.literal(text)
    assert not re.search("[<>$%]", shown)
    unprintable = theme._UNPRINTABLE
    assert html.unescape(shown) == unprintable.sub("\ufffd", text)
    shown.encode("utf-8")


def test_entities_in_a_name_are_shown_as_typed():
    assert theme.literal("a&lt;b") == "a&amp;lt;b"


def test_a_long_name_is_cut_in_the_middle_and_keeps_both_ends():
    name = "transformer-base-" + "x" * 40 + "-seed"
    shown = theme.short(name)
    assert len(shown) == theme.NAME_WIDTH
    assert shown.startswith("transformer-base")
    assert shown.endswith("-seed")
    assert theme.short("x" * theme.NAME_WIDTH) == "x" * theme.NAME_WIDTH


def test_cutting_happens_before_escaping():
    assert html.unescape(theme.literal("<" * 50, 9)) == "<<<<…<<<<"


def test_wrapped_text_breaks_lines_and_shows_tags():
    assert theme.wrapped("one <b>two</b> three", 10) == "one<br>&lt;b&gt;two&lt;/b&gt;<br>three"


def test_axis_title_says_the_unusual_direction():
    assert theme.axis_title("BLEU") == "BLEU"
    assert theme.axis_title("TER", False) == "TER (lower is better)"


def test_hover_decimals_tell_close_values_apart():
    assert theme.hover_decimals([18.0, 19.0]) == 2
    assert theme.hover_decimals([0.2811, 0.2819]) == 6
    assert theme.hover_decimals([5.0]) == theme.hover_decimals([]) == 2


def test_translucent_leaves_other_notations_alone():
    assert theme.translucent("#0a0b0c", 0.5) == "rgba(10,11,12,0.5)"
    assert theme.translucent("tomato", 0.5) == "tomato"


def test_message_figure_says_why_and_shows_markup_as_text(check):
    document, texts = check(theme.message_figure("no <b>data</b>"))
    assert document["data"] == []
    assert "no &lt;b&gt;data&lt;/b&gt;" in texts


def test_names_of_both_sides_stand_one_above_the_other_where_they_are_long():
    for name, rows in (("words", 1), ("eTranslation.737", 2)):
        figure = theme.base_figure(height=300)
        theme.sides(figure, name, name, "better")
        right, left = figure.layout.annotations
        assert (left.yshift, right.yshift or 0) == (16 * (rows - 1), 0)
        assert figure.layout.height == 300 + 16 * (rows - 1)
        assert (left.text, right.text) == (f"← {name} better", f"{name} better →")

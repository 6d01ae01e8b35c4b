import numpy as np
import pytest

from data.builder.channel import KINDS, Channel, draw, inflected, polish, redraw, translate
from data.builder.grammar import Node, Rule

LEAF = Rule("place", ("sea+house",), (("the", "aquarium"), ("the", "sea", "house")), (("the", "fish", "shop"),))
ROOT = Rule("start", ("[place]", "where", "?"), (("could", "you", "tell", "me", "where", "[place]", "is", "?"),), ())
TREE = Node(ROOT, {"place": Node(LEAF)})
RIGHT = "Could you tell me where the aquarium is ?"


def _many(channel: Channel, n: int = 200) -> list[tuple[str, dict[str, int]]]:
    rng = np.random.default_rng(1)
    found = [translate(TREE, draw(TREE, rng), channel) for _ in range(n)]
    return [(one.text, dict(zip(KINDS, one.errors, strict=True))) for one in found]


def test_quiet_channel_gives_the_usual_form() -> None:
    assert {text for text, _ in _many(Channel({}, usual=1.0))} == {RIGHT}


def test_other_forms_are_no_errors() -> None:
    found = _many(Channel({}, usual=0.5))
    assert {text for text, _ in found} == {RIGHT, "Could you tell me where the sea house is ?"}
    assert all(sum(errors.values()) == 0 for _, errors in found)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "preposition"])
def test_each_kind_of_error_is_made_counted_and_alone(kind: str) -> None:
    found = _many(Channel({kind: 0.3}, usual=1.0))
    wrong = [errors for text, errors in found if text != RIGHT]
    assert wrong
    assert all(errors[kind] > 0 and sum(errors.values()) == errors[kind] for errors in wrong)
    assert all(errors[kind] == 0 for text, errors in found if text == RIGHT)


def test_last_mark_stays_last() -> None:
    rates = dict.fromkeys(KINDS, 0.2)
    assert all(text.endswith("?") for text, _ in _many(Channel(rates, usual=0.5)))


def test_systems_that_differ_in_one_rate_differ_in_that_error_alone() -> None:
    few, many = (_many(Channel({"wrong": 0.2, "inflect": 0.2, "copy": rate}, usual=0.5)) for rate in (0.05, 0.5))
    changed = [(a, b) for a, b in zip(few, many, strict=True) if a[0] != b[0]]
    assert changed
    assert all(b[1]["copy"] > a[1]["copy"] for a, b in changed)


def test_neighbors_share_most_draws() -> None:
    rng = np.random.default_rng(1)
    first = draw(TREE, rng)
    same = [np.mean(redraw(first, 0.2, rng).nodes == first.nodes) for _ in range(300)]
    assert np.mean(same) == pytest.approx(0.8, abs=0.06)


def test_words_change_form_where_a_rule_fits() -> None:
    assert [inflected(text) for text in ("tickets", "train", "is", "Halden", "the", "o'clock")] == [
        "ticket", "trains", "are", "Halden", "the", "o'clock",
    ]  # fmt: skip


def test_article_and_capital() -> None:
    assert polish(["a", "old", "house", "is", "a", "union"]) == "An old house is a union"

from pathlib import Path

import numpy as np
import pytest

from data.builder.conlang import is_compound, source_text, word
from data.builder.grammar import Grammar, GrammarError, Node, read_grammar

TOY = """# a comment
start: [city]+LOC [city.2] TOP see ? => Do you see [city.2] from [city] ? ~ See you [city] ?
city: Halden => Halden
city: Norvale => Norvale
city: sea+town => the sea town / the town by the sea ~ the lake town
"""


@pytest.fixture
def toy(tmp_path: Path) -> Grammar:
    path = tmp_path / "toy.grammar"
    path.write_text(TOY, encoding="utf-8")
    return read_grammar(path)


def test_forms_are_read_apart(toy: Grammar) -> None:
    town = toy.rules["city"][2]
    assert town.right == (("the", "sea", "town"), ("the", "town", "by", "the", "sea"))
    assert town.wrong == (("the", "lake", "town"),)
    assert toy.rules["start"][0].slots == ("city", "city.2")


def test_numbered_slot_is_never_filled_as_the_first_one(toy: Grammar) -> None:
    rng = np.random.default_rng(1)
    for fixed in ({}, {"city": toy.rules["city"][0]}):
        trees = [toy.derive(toy.rules["start"][0], rng, fixed) for _ in range(50)]
        assert all(tree.children["city"].rule is not tree.children["city.2"].rule for tree in trees)
        assert len({tree.children["city.2"].rule.source for tree in trees}) > 1


def test_document_s_choice_is_kept(toy: Grammar) -> None:
    rng = np.random.default_rng(1)
    trees = [toy.derive(toy.rules["start"][0], rng, {"city": toy.rules["city"][1]}) for _ in range(20)]
    assert {tree.children["city"].rule.source for tree in trees} == {("Norvale",)}


def test_source_keeps_names_and_glues_endings(toy: Grammar) -> None:
    halden, norvale, town = (Node(rule) for rule in toy.rules["city"])
    tree = Node(toy.rules["start"][0], {"city": halden, "city.2": norvale})
    assert source_text(tree) == f"Halden{word('LOC')} Norvale {word('TOP')} {word('see')} ?"
    assert source_text(town) == word("sea") + word("town")
    assert is_compound(town)
    assert not is_compound(halden)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("start: a b", "expected 'category: source => english'"),
        ("start: a => to [city]", r"lacks \['city'\]"),
        ("start: [city] => to [city]", r"uses \[city\], which has no rule"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "bad.grammar"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(GrammarError, match=says):
        read_grammar(path)


@pytest.mark.parametrize("name", ["travel", "news"])
def test_every_rule_of_the_stored_grammars_can_be_used(name: str) -> None:
    import data.builder

    grammar = read_grammar(Path(data.builder.__file__).with_name(f"{name}.grammar"))
    rng = np.random.default_rng(1)
    for rule in (rule for rules in grammar.rules.values() for rule in rules):
        assert source_text(grammar.derive(rule, rng, {}))

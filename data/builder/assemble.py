"""From a recipe to the files of an experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from data.builder.candidates import Lists, candidate_lists
from data.builder.channel import Channel, draw, translate
from data.builder.grammar import Grammar, read_grammar
from data.builder.language_model import LanguageModel, train
from data.builder.recipes import Recipe
from data.builder.text import Style, Text, write
from data.builder.tuning import choose, tune

_MONOLINGUAL = 2500  # sentences that the language model is trained on


@dataclass(frozen=True)
class Built:
    """A made experiment.

    Parameters
    ----------
    recipe : Recipe
    texts : mapping of test set to its text
    lists : mapping of (system, test set) to candidate lists
    chosen : mapping of (system, test set) to ndarray of int of shape (replica, segment)
        Which candidate each replica puts out.
    """

    recipe: Recipe
    texts: Mapping[str, Text]
    lists: Mapping[tuple[str, str], Lists]
    chosen: Mapping[tuple[str, str], np.ndarray]

    def outputs(self, system: str, test_set: str) -> Iterator[list[str]]:
        """Yield the segments of each replica's output."""
        texts = self.lists[system, test_set].texts
        for row in self.chosen[system, test_set]:
            yield [options[i] for options, i in zip(texts, row, strict=True)]


def build(recipe: Recipe) -> Built:
    """Make an experiment; the same recipe gives the same one."""
    streams = np.random.SeedSequence(recipe.seed).spawn(2 + len(recipe.sizes) + len(recipe.systems))
    writing, reading, *others = (np.random.Generator(np.random.PCG64DXSM(stream)) for stream in streams)
    grammar = read_grammar(Path(__file__).with_name(f"{recipe.name}.grammar"))
    seen: set[str] = set()
    texts = {name: write(grammar, recipe.style, size, name, writing, seen) for name, size in recipe.sizes.items()}
    model = _language_model(grammar, recipe.style, reading)
    lists: dict[tuple[str, str], Lists] = {}
    for (test_set, text), rng in zip(texts.items(), others[: len(texts)], strict=True):
        made = candidate_lists(text, list(recipe.systems.values()), recipe.lists, model, rng)
        lists |= {(system, test_set): one for system, one in zip(recipe.systems, made, strict=True)}
    return Built(recipe, texts, lists, _decode(recipe, lists, others[len(texts) :]))


def _language_model(grammar: Grammar, style: Style, rng: np.random.Generator) -> LanguageModel:
    channel = Channel({}, style.usual)
    sentences = []
    for i in range(_MONOLINGUAL):
        rules = grammar.rules[style.topics[i % len(style.topics)]]
        tree = grammar.derive(rules[int(rng.random() * len(rules))], rng, {})
        sentences.append(translate(tree, draw(tree, rng), channel).text)
    return train(sentences)


def _decode(
    recipe: Recipe, lists: Mapping[tuple[str, str], Lists], rngs: Sequence[np.random.Generator]
) -> dict[tuple[str, str], np.ndarray]:
    chosen: dict[tuple[str, str], np.ndarray] = {}
    for system, rng in zip(recipe.systems, rngs, strict=True):
        weights = tune(lists[system, "dev"], recipe.optimizer, rng)
        found = {test_set: choose(lists[system, test_set], weights) for test_set in recipe.sizes}
        kept = _unlike(list(found.values()))[: recipe.optimizer.replicas]
        if len(kept) < recipe.optimizer.replicas:
            raise ValueError(
                f"{recipe.name}, {system}: {len(kept)} replicas differ on every set, "
                f"{recipe.optimizer.replicas} are asked for; raise the recipe's spare."
            )
        chosen |= {(system, test_set): choices[kept] for test_set, choices in found.items()}
    return chosen


def _unlike(choices: Sequence[np.ndarray]) -> list[int]:
    """Return the replicas whose output equals that of no earlier one, on any set.

    Real optimizers do meet in one place; people who open a demonstration would take it for a copied file.
    """
    firsts = [set(np.unique(one, axis=0, return_index=True)[1].tolist()) for one in choices]
    return sorted(set.intersection(*firsts))


def files(built: Built) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file, in the native layout, in the order of the archive."""
    recipe = built.recipe
    yield "experiment.toml", _manifest(recipe)
    for test_set, text in built.texts.items():
        yield f"{test_set}/source.txt", _lines(text.source)
        yield f"{test_set}/reference.txt", _lines(text.reference)
        if text.documents:
            yield f"{test_set}/documents.txt", _lines(text.documents)
        for system in recipe.systems:
            for number, output in enumerate(built.outputs(system, test_set), 1):
                yield f"{test_set}/systems/{system}/seed{number}.txt", _lines(output)


def _lines(segments: Sequence[str]) -> str:
    return "".join(f"{segment}\n" for segment in segments)


def _manifest(recipe: Recipe) -> str:
    roles = "".join(f'\n[test_sets.{name}]\nrole = "{"dev" if name == "dev" else "test"}"\n' for name in recipe.sizes)
    return (
        f'name = "{recipe.title}"\ntarget_language = "en"\nbaseline = "{next(iter(recipe.systems))}"\n'
        f'tokenizer = "none"\nnotes = "Synthetic text and outputs, made for demonstration."\n{roles}'
    )

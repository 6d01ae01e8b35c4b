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
from data.builder.tuning import Outputs, tune

_MONOLINGUAL = 2500  # sentences that the language model is trained on


@dataclass(frozen=True)
class Built:
    """A made experiment.

    Parameters
    ----------
    recipe : Recipe
    texts : mapping of test set to its text
    lists : mapping of (system, test set) to candidate lists
    replicas : mapping of (system, test set) to Outputs
    """

    recipe: Recipe
    texts: Mapping[str, Text]
    lists: Mapping[tuple[str, str], Lists]
    replicas: Mapping[tuple[str, str], Outputs]

    def outputs(self, system: str, test_set: str) -> Iterator[list[str]]:
        """Yield the segments of each replica's output."""
        for output in self.replicas[system, test_set].texts:
            yield list(output)

    @property
    def references(self) -> dict[str, tuple[str, ...]]:
        """The reference of each test set."""
        return {test_set: text.reference for test_set, text in self.texts.items()}


def build(recipe: Recipe) -> Built:
    """Make an experiment; the same recipe gives the same one."""
    streams = np.random.SeedSequence(recipe.seed).spawn(2 + len(recipe.sizes))
    writing, reading, *drawing = (np.random.Generator(np.random.PCG64DXSM(stream)) for stream in streams)
    grammar = read_grammar(Path(__file__).with_name(f"{recipe.name}.grammar"))
    seen: set[str] = set()
    texts = {name: write(grammar, recipe.style, size, name, writing, seen) for name, size in recipe.sizes.items()}
    model = _language_model(grammar, recipe.style, reading)
    lists: dict[tuple[str, str], Lists] = {}
    for (test_set, text), rng in zip(texts.items(), drawing, strict=True):
        candidates = candidate_lists(text, list(recipe.systems.values()), recipe.lists, model, rng)
        lists |= {(system, test_set): one for system, one in zip(recipe.systems, candidates, strict=True)}
    return Built(recipe, texts, lists, _tuned(recipe, texts, lists))


def _tuned(
    recipe: Recipe, texts: Mapping[str, Text], lists: Mapping[tuple[str, str], Lists]
) -> dict[tuple[str, str], Outputs]:
    references = {test_set: text.reference for test_set, text in texts.items()}
    replicas: dict[tuple[str, str], Outputs] = {}
    for system in recipe.systems:
        own = {test_set: lists[system, test_set] for test_set in recipe.sizes}
        outputs = tune(system, own, references, recipe.tuning)
        replicas |= {(system, test_set): one for test_set, one in outputs.items()}
    return replicas


def _language_model(grammar: Grammar, style: Style, rng: np.random.Generator) -> LanguageModel:
    channel = Channel({}, style.usual)
    sentences = []
    for i in range(_MONOLINGUAL):
        rules = grammar.rules[style.topics[i % len(style.topics)]]
        tree = grammar.derive(rules[int(rng.random() * len(rules))], rng, {})
        sentences.append(translate(tree, draw(tree, rng), channel).text)
    return train(sentences)


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
            for number, output in enumerate(built.replicas[system, test_set].texts, 1):
                yield f"{test_set}/systems/{system}/seed{number}.txt", _lines(output)


def _lines(segments: Sequence[str]) -> str:
    return "".join(f"{segment}\n" for segment in segments)


def _manifest(recipe: Recipe) -> str:
    roles = "".join(f'\n[test_sets.{name}]\nrole = "{"dev" if name == "dev" else "test"}"\n' for name in recipe.sizes)
    return (
        f'name = "{recipe.title}"\ntarget_language = "en"\nbaseline = "{next(iter(recipe.systems))}"\n'
        f'tokenizer = "none"\nnotes = "Synthetic text and outputs, made for demonstration."\n{roles}'
    )

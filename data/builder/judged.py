"""Judged experiments: simulated judgements of a built one, and a demonstration of many systems made for them.

Neither needs tuned replicas: judgements follow the outputs there are, and the many systems are noise channels alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from data.builder.channel import Channel, draw, redraw, translate
from data.builder.grammar import read_grammar
from data.builder.judgements import Campaign, simulate_judgements
from data.builder.recipes import NEWS
from data.builder.text import Text, write

NAME, TITLE = "judged", "Local news: eight systems and simulated judgements"
#: Where judgements stand, and what the name says to whoever opens the archive.
FILE = "judgements/simulated.scores.csv"
_LANGUAGES = ("nob", "eng")
_SEED, _SEGMENTS, _REPLICAS = 11, 160, 4
#: How many errors each system makes, as a multiple of those of `NEWS`, and which kind it makes more of.
_SYSTEMS: Mapping[str, tuple[float, str]] = {
    "alder": (0.25, "reorder"), "birch": (0.35, "wrong"), "cedar": (0.5, "inflect"), "elm": (0.75, "drop"),
    "fir": (0.85, "copy"), "hazel": (1.1, "preposition"), "larch": (1.5, "insert"), "oak": (2.1, "wrong"),
}  # fmt: skip
_MORE, _RUN_SPREAD, _OWN_DRAWS = 1.5, 0.1, 0.4


class Outputs(Protocol):
    """What judgements need of a built experiment."""

    @property
    def texts(self) -> Mapping[str, Text]:
        """Test sets by name."""

    def outputs(self, system: str, test_set: str) -> Iterator[list[str]]:
        """Yield the segments of each replica's output."""


def judgement_files(built: Outputs, systems: Sequence[str], test_set: str = "test") -> Iterator[tuple[str, str]]:
    """Yield (path, text) of simulated judgements of one replica per system; nothing where a text has no documents.

    Parameters
    ----------
    built : Outputs
    systems : sequence of str
    test_set : str
    """
    text = built.texts[test_set]
    if not text.documents:
        return
    quality, lengths = {}, {}
    for system in systems:
        quality[system], output = _median(list(built.outputs(system, test_set)), text.reference)
        lengths[system] = [len(segment) for segment in output]
    yield FILE, simulate_judgements(quality, text.documents, lengths, _LANGUAGES, Campaign())


def _median(outputs: Sequence[Sequence[str]], reference: Sequence[str]) -> tuple[list[float], Sequence[str]]:
    """Return the replica of median quality: minus its edits per word of the reference by segment, and its output."""
    own = [[-edits(a.split(), b.split()) / len(b.split()) for a, b in zip(output, reference, strict=True)]
           for output in outputs]  # fmt: skip
    middle = sorted(range(len(own)), key=lambda k: (sum(own[k]), k))[len(own) // 2]
    return own[middle], outputs[middle]


def edits(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the number of words to insert, delete or replace (Levenshtein 1966)."""
    row = list(range(len(other) + 1))
    for i, word in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, own in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (word != own))
    return row[-1]


class _Judged:
    """Eight systems, their replicas drawn from noise channels."""

    def __init__(self) -> None:
        streams = np.random.SeedSequence(_SEED).spawn(2 + len(_SYSTEMS))
        writing, common, *others = (np.random.Generator(np.random.PCG64DXSM(stream)) for stream in streams)
        grammar = read_grammar(Path(__file__).with_name("news.grammar"))
        self.texts = {"test": write(grammar, NEWS.style, _SEGMENTS, "test", writing, set())}
        base = [draw(tree, common) for tree in self.texts["test"].trees]
        usual = next(iter(NEWS.systems.values()))
        self._outputs: dict[str, list[list[str]]] = {}
        for (system, (factor, kind)), rng in zip(_SYSTEMS.items(), others, strict=True):
            runs = []
            for _ in range(_REPLICAS):
                scale = factor * float(np.exp(_RUN_SPREAD * rng.standard_normal()))
                rates = {name: rate * scale * (_MORE if name == kind else 1.0) for name, rate in usual.rates.items()}
                channel = Channel(rates, usual.usual)
                runs.append([
                    translate(tree, redraw(shared, _OWN_DRAWS, rng), channel).text
                    for tree, shared in zip(self.texts["test"].trees, base, strict=True)
                ])  # fmt: skip
            self._outputs[system] = runs

    def outputs(self, system: str, test_set: str) -> Iterator[list[str]]:
        """Yield the segments of each replica's output."""
        yield from self._outputs[system]


def judged_experiment() -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file of the demonstration of many systems, in the order of the archive."""
    built = _Judged()
    text = built.texts["test"]
    yield "experiment.toml", (
        f'name = "{TITLE}"\ntarget_language = "en"\nbaseline = "elm"\ntokenizer = "none"\n'
        'notes = "Synthetic text, outputs and judgements, made for demonstration."\n\n[test_sets.test]\nrole = "test"\n'
    )
    for name in ("source", "reference", "documents"):
        yield f"test/{name}.txt", _lines(getattr(text, name))
    for system in _SYSTEMS:
        for number, output in enumerate(built.outputs(system, "test"), 1):
            yield f"test/systems/{system}/seed{number}.txt", _lines(output)
    yield from judgement_files(built, list(_SYSTEMS))


def _lines(segments: Sequence[str]) -> str:
    return "".join(f"{segment}\n" for segment in segments)

"""Made text and hand-built experiments for the tests of metrics."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet

VOCABULARY = (
    "the The cat cats sat on a mat , . ; don't said \"yes\" (maybe) 3.14 1,000 U.S. e-mail &amp; &quot; "
    "Straße ПРИВЕТ привет École école İstanbul 今天 天气很好 。 こんにちは naïve x y z running runs"
)
WORDS = VOCABULARY.split()


def _sentence(rng: random.Random, longest: int = 14) -> str:
    return " ".join(rng.choices(WORDS, k=rng.randint(0, longest)))


def _edited(rng: random.Random, text: str, share: float = 0.25) -> str:
    return " ".join(rng.choice(WORDS) if rng.random() < share else w for w in text.split())


@pytest.fixture
def made_text() -> Callable[..., tuple[list[str], list[tuple[str | None, ...]]]]:
    """Return make(seed, n, streams, gaps) -> n hypotheses and rows of references, some None when gaps."""

    def make(
        seed: int, n: int = 40, streams: int = 1, gaps: bool = False
    ) -> tuple[list[str], list[tuple[str | None, ...]]]:
        rng = random.Random(seed)
        hypotheses, references = [], []
        for _ in range(n):
            truth = _sentence(rng)
            row: list[str | None] = [_edited(rng, truth) for _ in range(streams)]
            if gaps and streams > 1:
                keep = rng.randrange(streams)
                row = [ref if k == keep or rng.random() < 0.5 else None for k, ref in enumerate(row)]
            hypotheses.append(_edited(rng, truth))
            references.append(tuple(row))
        return hypotheses, references

    return make


@pytest.fixture
def make_experiment() -> Callable[..., Experiment]:
    """Return make(seed, ...) -> an experiment whose replicas repeat each other's hypotheses in part."""

    def make(
        seed: int = 0,
        *,
        segments: int = 12,
        replicas: Sequence[int] = (2, 3),
        streams: int = 1,
        documents: Sequence[str] | None = None,
        longest: int = 14,
    ) -> Experiment:
        rng = random.Random(seed)
        truth = [_sentence(rng, longest) for _ in range(segments)]
        references = tuple(tuple(_edited(rng, t) for t in truth) for _ in range(streams))
        systems = []
        for k, n in enumerate(replicas):
            base = [_edited(rng, t) for t in truth]
            runs = [tuple(b if rng.random() < 0.5 else _edited(rng, b) for b in base) for _ in range(n)]
            systems.append(System(f"s{k}", tuple(Replica(f"r{i}", {"t": run}) for i, run in enumerate(runs))))
        test_set = TestSet("t", "test", references, documents=None if documents is None else tuple(documents))
        return Experiment("made", (test_set,), tuple(systems))

    return make


@pytest.fixture
def real_data() -> Callable[[str], Path]:
    """Return a lookup of a folder of real data; the test is skipped where there is none."""

    def find(name: str) -> Path:
        folder = Path(__file__).resolve().parents[3] / "shared" / "realdata" / name
        if not folder.is_dir():
            pytest.skip(f"no real data {name!r} here")
        return folder

    return find


@pytest.fixture
def read_lines() -> Callable[[Path], list[str]]:
    """Return a reader of one segment a line."""
    return lambda path: path.read_text(encoding="utf-8").removesuffix("\n").split("\n")

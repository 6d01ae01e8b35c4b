"""Every sentence of a verdict: printed from data that meet its condition, and listed in docs/statistics.md."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mtsig_core.analysis.comparison import compare
from mtsig_core.experiment.varied import KINDS
from mtsig_core.metrics.pairs import Basis
from mtsig_core.resampling import Settings
from tests.analysis.comparison.conftest import numbers

DOCS = Path(__file__).resolve().parents[3] / "docs" / "statistics.md"
QUICK = Settings(n_bootstrap=60, n_permutations=200, seed=3)


def listed():
    """Return the sentences of the table, as regular expressions, longest first."""
    section = DOCS.read_text(encoding="utf-8").split("## The sentences of a verdict\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ")[0].strip() for line in section.splitlines() if line.startswith("| ")]
    return sorted(rows[1:], key=len, reverse=True)


def pattern(sentence):
    return re.compile(re.escape(sentence).replace("…", ".+?") + r"(?=\s|$)")


def scenarios(make):
    """Yield comparisons that meet the conditions of all sentences."""
    def run(data, **settings):
        return compare(make(data), "A", "B", replace(QUICK, **settings))

    alike = numbers(3)["A"]
    yield run({"A": alike, "B": alike})
    yield run(numbers(1, 1))
    yield run({"A": alike[[0, 0]], "B": alike[[1, 1, 1]] + 1})
    yield run(numbers(3, 3, length=1))
    whole = np.random.default_rng(1).integers(0, 50, (3, 40)).astype(float)
    yield run({"A": whole, "B": whole[:, ::-1]})
    yield run(numbers(3, 3, shift=0.02, replica_sd=0.3))
    yield run(numbers(3, 3, shift=1.0, replica_sd=3.0, seed=2))
    yield run(numbers(3, 3, shift=1.0, replica_sd=1.0, seed=3))
    yield run(numbers(4, 4, shift=0.05), margin=1.0)
    yield run(numbers(10, 10, shift=0.5), margin=1.0)
    yield run(numbers(10, 10, shift=2.0), margin=1.0)
    yield run(numbers(10, 10, shift=-2.0), margin=1.0)
    yield run(numbers(10, 10, shift=1.0), margin=1.0)
    yield run(numbers(4, 4, shift=-0.4, replica_sd=0.5), margin=0.5)
    yield run(numbers(1, 6, shift=2.0))
    yield run(numbers(1, 6, shift=2.0), assume_equal_variation=True)
    yield run(numbers(1, 3, shift=2.0), paired=True)
    yield run(numbers(3, 5, shift=1.0), paired=True)
    yield run(numbers(2, 10, shift=0.5))
    yield run(numbers(4, 8, shift=0.5))
    rng = np.random.default_rng(4)
    base = np.tile(rng.normal(20, 5, 50), (3, 1)) + rng.normal(0, 0.01, (3, 50))
    swing = rng.normal(0, 5, 50)
    yield run({"A": base, "B": base + swing - swing.mean() + 0.3})
    # the text's part leaves so little room that 100 replicas do not suffice
    yield run({"A": base, "B": base + rng.normal(0, 9, (3, 50)) + rng.normal(0, 60, (3, 1)) - 1})
    yield run({"A": np.array([40.0, 46.0])[:, None] + rng.normal(0, 0.1, (2, 30)),
               "B": 50 + np.arange(10)[:, None] / 10 + rng.normal(0, 0.1, (10, 30))})
    skewed = numbers(3, 5, replica_sd=0.0, shift=0.0)
    skewed["B"] += np.array([0.0, 0.02, -0.01, 0.01, -8.0])[:, None]
    yield run(skewed)
    uneven = numbers(3, 3, replica_sd=0.0, shift=4.0)
    uneven["B"] += np.array([-0.5, 0.0, 0.5])[:, None]
    yield run(uneven)
    for kind in KINDS:
        yield run(numbers(3, 3), replicas_are=kind)


@pytest.fixture(scope="module")
def corpus():
    from tests.analysis.conftest import statistics_of

    make = statistics_of.__wrapped__() if hasattr(statistics_of, "__wrapped__") else statistics_of()
    verdicts = [comparison.verdict for comparison in scenarios(make)]
    told = [(v.headline, v.details) for v in verdicts]
    return [*told, ("", Basis(24, 20, (("A/s1", 4),), ("B/s9",)).sentences())]


@pytest.mark.slow
def test_every_sentence_of_the_table_is_printed(corpus):
    text = "\n".join([line for headline, details in corpus for line in (headline, *details)])
    missing = [sentence for sentence in listed() if not pattern(sentence).search(text)]
    assert missing == []


@pytest.mark.slow
def test_every_sentence_that_is_printed_is_in_the_table(corpus):
    patterns = [pattern(sentence) for sentence in listed()]
    for headline, details in corpus:
        for line in (headline, *details):
            rest = line
            for one in patterns:
                rest = one.sub("", rest)
            assert not rest.strip(), (line, rest)

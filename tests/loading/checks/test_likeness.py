"""Outputs that resemble what they should not, or not what they should."""

import random

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading.checks import check
from mtsig_core.loading.checks.likeness import best_stretch

N = 400
RNG = random.Random(5)
WORDS = [f"{RNG.choice('bcdfgklmnprst')}{RNG.choice('aeiou')}{RNG.choice('lmnrst')}{k}" for k in range(500)]
COMMON = ["the", "of", "a", "in", "is", "and"]


def sentence(rng):
    return [rng.choice(COMMON if rng.random() < 0.4 else WORDS) for _ in range(rng.randint(4, 18))]


REFERENCE = tuple(" ".join(sentence(RNG)) for _ in range(N))
SOURCE = tuple(" ".join(f"x{word}" for word in sentence(RNG)) for _ in range(N))


def output(seed, noise=0.4, lines=REFERENCE):
    """The reference with a share of words changed."""
    rng = random.Random(seed)
    return tuple(
        " ".join(word if rng.random() > noise else rng.choice(WORDS) for word in line.split()) for line in lines
    )


def codes(systems, code, references=(REFERENCE,), source=SOURCE, **options):
    """Return the messages of one code."""
    made = Experiment(
        "e",
        (TestSet("test", "test", references, source=source),),
        tuple(
            System(name, tuple(Replica(r, {"test": lines}) for r, lines in replicas.items()))
            for name, replicas in systems.items()
        ),
        **options,
    )
    return [line.message for line in check(made) if line.code == code]


def four(odd=None, name="a"):
    replicas = {str(k): output(f"{name}{k}") for k in range(4)}
    return {name: replicas | ({"2": odd} if odd is not None else {})}


GOOD = output("good")


@pytest.mark.slow
@pytest.mark.parametrize("noise", [0.0, 0.3, 0.6, 0.9, 1.0])
def test_ordinary_replicas_raise_no_alarm(noise):
    systems = {"a": {str(k): output(k, noise) for k in range(5)}}
    for code in ("shifted-alignment", "odd-replica", "reference-like-source", "output-like-source"):
        assert codes(systems, code) == []


@pytest.mark.parametrize("n", [12, 60, 400])
@pytest.mark.parametrize(
    ("drop", "put", "words"),
    [
        (0.5, 1.0, "seems shifted from line {a} on: it fits the reference 1 line below better"),
        (1.0, 0.5, "seems shifted from line {b} on: it fits the reference 1 line above better"),
        (0.25, 0.75, "seems shifted from line {a} to {b}: it fits the reference 1 line below better"),
    ],
)
def test_a_lost_line_is_found(n, drop, put, words):
    lines = list(output("x", 0.2)[:n])
    gone, come = min(round(drop * n), n - 1), min(round(put * n), n - 1)
    lines.insert(come + (come > gone), "something else entirely")
    del lines[gone + (gone > come)]
    found = codes({"a": {"1": tuple(lines)}}, "shifted-alignment", (REFERENCE[:n],), SOURCE[:n])
    assert len(found) == 1
    told = [int(word) for word in found[0].replace(":", "").split() if word.isdigit()]
    expected = [int(w) for w in words.format(a=gone + 1, b=come + 1).replace(":", "").split() if w.isdigit()]
    assert words.split(" {")[0].split(" from")[0] in found[0]
    assert ("below" if drop < put else "above") in found[0]
    assert all(abs(a - b) <= 2 for a, b in zip(told, expected, strict=True)), found[0]


def test_two_lost_lines_and_other_texts():
    lines = output("x", 0.2)
    assert "2 lines below" in codes({"a": {"1": (*lines[2:], "z", "z")}}, "shifted-alignment")[0]
    assert codes({"a": {"1": lines[9:] + lines[:9]}}, "shifted-alignment") == []
    same = ("one and the same",) * N
    assert codes({"a": {"1": same}}, "shifted-alignment", (same,)) == []


def test_text_without_blanks_is_compared_by_character():
    rng = random.Random(1)
    lines = tuple("".join(chr(0x4E00 + rng.randrange(900)) for _ in range(15)) for _ in range(100))
    assert codes({"a": {"1": lines}}, "shifted-alignment", (lines,), None) == []
    assert "1 line below" in codes({"a": {"1": (*lines[1:], "x")}}, "shifted-alignment", (lines,), None)[0]


def test_stretches():
    own, other = np.zeros(40), np.zeros(40)
    own[:20] = 0.6
    assert best_stretch(own, other) is None
    other[20:] = 0.6
    found = best_stretch(own, other)
    assert (found.first, found.last, found.gain) == (20, 39, pytest.approx(12))
    other[24:] = 0
    assert best_stretch(own, other) is None


@pytest.mark.slow
def test_one_shifted_output_among_many_is_found():
    systems = {f"s{i}": {str(k): output(f"{i}{k}", 0.2) for k in range(5)} for i in range(12)}
    systems["s11"]["3"] = (*systems["s11"]["3"][:150], *systems["s11"]["3"][151:], "z")
    (found,) = codes(systems, "shifted-alignment")
    assert found.startswith("s11/3 on test seems shifted from line 151 on")


@pytest.mark.slow
def test_a_shifted_reference_is_found():
    shifted = ("something", *REFERENCE[:-1])
    found = codes({f"s{i}": {"1": output(i, 0.2)} for i in range(12)}, "shifted-alignment", (shifted,))
    assert len(found) >= 3


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (output("o", 0.8), "a/2 is far below its siblings on test: it shares"),
        (output("o", 0.0), "a/2 is far above its siblings on test: it shares 100% of its words"),
        (tuple(" ".join(line.split()[:2]) for line in GOOD), "it has"),
        (("",) * N, "it shares 0%"),
        (tuple(f"{line} {line}" for line in GOOD), "characters, they"),
    ],
)
def test_an_odd_replica(odd, words):
    (found,) = codes(four(odd), "odd-replica")
    assert words in found


@pytest.mark.slow
def test_what_is_not_odd():
    assert codes(four(), "odd-replica") == []
    assert codes(four(output("o", 0.41)), "odd-replica") == []
    wide = {"a": {str(k): output(k, 0.2 + 0.1 * k) for k in range(5)}}
    assert codes(wide, "odd-replica") == []
    assert codes({"a": {"1": output(1), "2": ("",) * N}}, "odd-replica") == []


@pytest.mark.slow
def test_copies_of_the_source():
    systems = four()
    tokenized = tuple(f"{line} ." for line in SOURCE)
    assert "Reference ref1 of test looks like the source in 100%" in (
        codes(systems, "reference-like-source", (REFERENCE, SOURCE))[0]
    )
    assert codes(systems, "reference-like-source", (tokenized,))
    assert "a/2 looks like the source" in codes(four(SOURCE), "output-like-source")[0]
    half = SOURCE[: N // 3] + GOOD[N // 3 :]
    assert codes(four(half), "output-like-source") == []
    # Where references are close to the source, as in correction, outputs may be too.
    assert codes(four(SOURCE), "output-like-source", (SOURCE[:200] + REFERENCE[200:],)) == []


def by_seed(share, order):
    """Replicas that take a share of their lines from the base of a seed."""
    def lines(name, k):
        rng = random.Random(f"{name}{k}")
        base, own = output(f"base{k}"), output(f"{name}{k}")
        return tuple(b if rng.random() < share else o for b, o in zip(base, own, strict=True))

    return {n: {str(i): lines(n, k) for i, k in enumerate(o)} for n, o in (("a", range(4)), ("b", order))}


@pytest.mark.slow
def test_declared_pairing_that_does_not_look_so():
    shifted = by_seed(0.8, (1, 2, 3, 0))
    (found,) = codes(shifted, "unlikely-paired", paired=True)
    assert "declared paired" in found
    assert codes(shifted, "unlikely-paired") == []
    assert codes(by_seed(0.8, range(4)), "unlikely-paired", paired=True) == []
    assert codes(by_seed(0.0, range(4)), "unlikely-paired", paired=True) == []  # nothing to tell by


def test_references_without_a_word_in_common_are_warned_of():
    systems = {"a": {"1": output(1)}, "b": {"1": output(2)}}
    other = tuple(" ".join(f"y{word}" for word in line.split()) for line in SOURCE)
    (message,) = codes(systems, "unrelated-references", references=(REFERENCE, other))
    assert "two test sets" in message
    assert not codes(systems, "unrelated-references", references=(REFERENCE, output(3)))

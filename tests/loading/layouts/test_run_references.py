"""References beside each output of a run: one where they are equal, refused where they differ."""

from __future__ import annotations

import pytest

from mtsig_core import load
from mtsig_core.loading.report import LoadError

REFERENCE = ["a cat sat here", "the dog ran off", "we saw one bird", "rain fell all day", "she reads a book"]
RUNS = [(system, k) for system in ("base", "new") for k in (1, 2)]
T2T = "translation.en.transformer.base.translate_ende.beam4.alpha0.6"


def text(lines):
    return ("\n".join(lines) + "\n").encode()


def tree(output, *sides, second=REFERENCE):
    """Files of runs named by patterns of {s} and {k}; the references of second runs may be others."""
    files = {}
    for s, k in RUNS:
        files[output.format(s=s, k=k)] = text([f"{line} {s} {k}" for line in REFERENCE])
        for side in sides:
            is_reference = side.endswith(("ref", "ref.txt", "targets"))
            own = (second if k == 2 else REFERENCE) if is_reference else REFERENCE[::-1]
            files[side.format(s=s, k=k)] = text(own)
    return list(files.items())


@pytest.mark.parametrize(("output", "sides"), [
    ("{s}.seed{k}.hyp", ["{s}.seed{k}.ref"]),
    ("{s}.seed{k}.hyp", ["{s}.seed{k}.ref", "{s}.seed{k}.src"]),
    ("{s}_seed{k}.hyp.txt", ["{s}_seed{k}.ref.txt"]),
    ("{s}/seed{k}.hyp", ["{s}/seed{k}.ref"]),
    ("outputs/{s}.seed{k}.hyp", ["outputs/{s}.seed{k}.ref"]),
    ("{s}_seed{k}/gen.out.sys", ["{s}_seed{k}/gen.out.ref"]),
    (f"{{s}}_seed{{k}}/{T2T}.decodes", [f"{{s}}_seed{{k}}/{T2T}.targets", f"{{s}}_seed{{k}}/{T2T}.inputs"]),
])  # fmt: skip
def test_equal_references_of_runs_are_one(output, sides):
    experiment, report = load(tree(output, *sides), cache=False)
    (test_set,) = experiment.test_sets
    assert test_set.references == (tuple(REFERENCE),)
    assert {s.name: [r.name for r in s.replicas] for s in experiment.systems} == {
        "base": ["seed1", "seed2"], "new": ["seed1", "seed2"]
    }  # fmt: skip
    assert (test_set.source is not None) == (len(sides) > 1)
    assert any("a copy of the reference" in line.message for line in report.ignored)


@pytest.mark.parametrize(("second", "cause"), [
    (REFERENCE[::-1], "the same lines in another order"), (["x y z"] * 5, "different test sets"),
])  # fmt: skip
def test_references_of_runs_that_differ_are_refused(second, cause):
    with pytest.raises(LoadError, match=cause) as error:
        load(tree("{s}.seed{k}.hyp", "{s}.seed{k}.ref", second=second), cache=False)
    assert "base.seed2.ref, line 1" in str(error.value)


def test_two_systems_with_copies_and_two_sets_with_one_output_each():
    hyps = [("base.hyp", text(REFERENCE)), ("new.hyp", text(REFERENCE[::-1]))]
    one, _ = load([*hyps, ("base.ref", text(REFERENCE)), ("new.ref", text(REFERENCE))], cache=False)
    assert ([s.name for s in one.systems], len(one.test_sets)) == (["base", "new"], 1)


def test_outputs_of_tensor2tensor_beside_a_reference():
    files = [("translations.de.decodes", text(REFERENCE)), ("big.beam4.alpha0.6.decodes", text(REFERENCE[::-1])),
             ("ref.de", text(REFERENCE))]  # fmt: skip
    experiment, _ = load(files, cache=False)
    assert len(experiment.systems) == 2


def test_references_that_differ_by_the_folders_of_runs_are_refused():
    with pytest.raises(LoadError, match=r"base/seed2/ref.txt, line 1: .* differs from base/seed1/ref.txt"):
        load(tree("{s}/seed{k}/hyp.txt", "{s}/seed{k}/ref.txt", second=["x y z"] * 5), cache=False)

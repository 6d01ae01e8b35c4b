import random

import numpy as np
import pytest

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading.checks import CHECKS, check, equal_shares
from mtsig_core.loading.checks.outputs import Outputs
from mtsig_core.loading.checks.text import writing
from mtsig_core.runtime.jobs import Cancelled

N = 120
REFERENCE = tuple(f"the reference says {i} things about number {i * i}" for i in range(N))


def output(seed, n=N):
    rng = random.Random(seed)
    return tuple(f"a line with {rng.randrange(10**6)} in it" for _ in range(n))


def experiment(systems, references=(REFERENCE,), **options):
    """Systems as {name: {replica: lines, or {test set: lines}}}."""
    sets = options.pop("sets", ("test",))
    return Experiment(
        "e",
        tuple(TestSet(name, "test", references) for name in sets),
        tuple(
            System(s, tuple(Replica(r, t if isinstance(t, dict) else {"test": t}) for r, t in rs.items()))
            for s, rs in systems.items()
        ),
        **options,
    )


GOOD = {"a": {"1": output(1), "2": output(2)}, "b": {"1": output(3), "2": output(4)}}


def codes(systems, *args, **options):
    return [line.code for line in check(experiment(systems, *args, **options))]


def message(code, systems, *args, **options):
    (line,) = [line for line in check(experiment(systems, *args, **options)) if line.code == code]
    return line.message


def one(lines):
    """A good experiment of which one output is replaced."""
    return {**GOOD, "a": {**GOOD["a"], "1": tuple(lines)}}


def changed(pattern, share=1.0):
    """An output of which a share of lines is changed by a pattern."""
    return [pattern.format(line) if i < share * N else line for i, line in enumerate(output(1))]


def test_an_ordinary_experiment_has_no_warning():
    assert codes(GOOD) == []


@pytest.mark.slow
def test_copies_of_a_system():
    systems = {**GOOD, "c": {"x": output(2), "y": output(1)}}
    assert codes(systems) == ["identical-systems"]
    assert "a, c" in message("identical-systems", systems)
    assert codes({**GOOD, "c": {"x": output(2), "y": output(5)}}) == ["identical-outputs"]


@pytest.mark.slow
def test_copied_replicas():
    systems = {**GOOD, "b": {"1": output(3), "2": output(3), "3": output(9)}}
    assert codes(systems) == ["identical-replicas", "unequal-replicas"]
    assert "b on test" in message("identical-replicas", systems)
    assert "(1, 2)" in message("identical-replicas", systems)
    assert "a 2, b 3" in message("unequal-replicas", systems)


def test_one_output_under_two_systems():
    systems = {**GOOD, "b": {"1": output(3), "2": output(1)}}
    assert codes(systems) == ["identical-outputs"]
    assert "a/1, b/2" in message("identical-outputs", systems)


def test_files_are_named():
    systems = {**GOOD, "b": {"1": output(3), "2": output(3)}}
    files = {("b", "1", "test"): "x.txt", ("b", "2", "test"): "y.txt"}
    (line,) = check(experiment(systems), files)
    assert line.files == ("x.txt", "y.txt")


def test_numbers_of_replicas():
    systems = {**GOOD, "c": {"1": output(7)}}
    assert codes(systems) == ["unequal-replicas", "single-replica"]
    assert "only: c." in message("single-replica", systems)


def test_a_replica_that_misses_a_set():
    full = {"test": output(1), "more": output(2)}
    other = {"test": output(4), "more": output(5)}
    systems = {"a": {"1": full, "2": {"test": output(3)}}, "b": {"1": other, "2": full}}
    assert message("missing-replica", systems, sets=("test", "more")) == "Test set more lacks 1 replica: a/2."


def test_systems_that_miss_a_set_are_one_warning():
    full = {"test": output(1), "more": output(2)}
    systems = {"a": {"1": full}, **{name: {"1": {"test": output(i)}} for i, name in enumerate("bcd", 3)}}
    assert codes(systems, sets=("test", "more")).count("missing-replica") == 1
    said = message("missing-replica", systems, sets=("test", "more"))
    assert said == "Test set more lacks 3 of 4 systems: b, c, d."


def shared(seed, share):
    """An output that has a share of its lines from the base model of a seed, the rest its own."""
    base, own, rng = output(seed), output(f"{seed} {share}"), random.Random(share)
    return tuple(b if rng.random() < share else o for b, o in zip(base, own, strict=True))


@pytest.mark.slow
def test_pairing_by_seed_is_noticed():
    systems = {name: {str(k): shared(k, share) for k in range(4)} for name, share in (("a", 0.7), ("b", 0.8))}
    text = message("likely-paired", systems)
    assert "--paired" in text
    assert "paired = true" in text
    assert text.startswith("a and b seem to share seeds")
    assert "0% otherwise" in text
    assert codes(systems, paired=True) == []
    shifted = {"a": systems["a"], "b": {str(k): systems["b"][str((k + 1) % 4)] for k in range(4)}}
    assert codes(shifted) == []
    renamed = {"a": systems["a"], "b": {f"seed0{k}": lines for k, lines in systems["b"].items()}}
    assert codes(renamed) == ["likely-paired"]


def test_shares_of_identical_outputs():
    systems = {"a": {"1": ("x", "y"), "2": ("u", "v")}, "b": {"2": ("u", "y"), "1": ("x", "y"), "3": ("0", "v")}}
    made = experiment(systems, references=(("r", "s"),))
    equal, unequal = equal_shares(Outputs(made, {}), *made.systems, "test")
    assert sorted(equal) == [0.5, 1.0]
    assert sorted(unequal) == [0.0, 0.0, 0.5, 0.5]


def test_declared_pairing_needs_equal_names():
    systems = {"a": GOOD["a"], "b": {"x": output(3), "y": output(4)}}
    assert codes(systems, paired=True) == ["paired-names"]


@pytest.mark.parametrize(("n", "kind"), [(1, "assumed"), (30, "warning"), (N, "warning")])
def test_empty_hypotheses(n, kind):
    lines = [("" if i < n else line) for i, line in enumerate(output(1))]
    (found,) = check(experiment(one(lines)))
    assert (found.code, found.kind) == ("empty-hypotheses", kind)
    assert ("All hypotheses are empty" in found.message) == (n == N)


def test_short_test_sets():
    systems = {name: {r: lines[:1] for r, lines in rs.items()} for name, rs in GOOD.items()}
    assert "at least 2" in message("short-test-set", systems, (REFERENCE[:1],))
    systems = {name: {r: lines[:50] for r, lines in rs.items()} for name, rs in GOOD.items()}
    assert "50 segments" in message("short-test-set", systems, (REFERENCE[:50],))


@pytest.mark.slow
def test_the_reference_as_an_output():
    assert "120 of 120" in message("output-equals-reference", one(REFERENCE))
    second = tuple(None if i == 3 else f"{line}!" for i, line in enumerate(REFERENCE))
    lines = ["x" if line is None else line for line in second]
    assert "119 of 120" in message("output-equals-reference", one(lines), (REFERENCE, second))
    assert codes(one(REFERENCE[:60] + output(1)[60:])) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("今天天气很好,我们去学校。", "Chinese"),
        ("今日は天気がいいので学校へ行きます。", "Japanese"),
        ("オンラインストアでカメラを買う", "Japanese"),
        ("오늘은 날씨가 좋습니다.", "Korean"),
        ("the word 天气 stays in English text", None),
        ("Der Weg ist schön", None),
        ("123 。、", None),
        ("", None),
    ],
)
def test_the_writing_of_a_text(text, language):
    assert writing(text) == language


@pytest.mark.parametrize(
    ("text", "advice", "suitable"),
    [
        ("今天天气很好{}", "zh", "zh"),
        ("今日は学校へ行き{}", "ja-mecab or char", "ja-mecab"),
        ("오늘은 날씨가 {}", "ko-mecab", "char"),
    ],
)
def test_cjk_text_needs_another_tokenizer(text, advice, suitable):
    systems = {name: {r: tuple(f"{text.format(r)}{i}" for i in range(N)) for r in "12"} for name in "ab"}
    references = (tuple(text.format(f"!{i}") for i in range(N)),)
    assert advice in message("cjk-with-13a", systems, references)
    assert "cjk-with-13a" in codes(systems, references, tokenizer="13a")
    assert "cjk-with-13a" not in codes(systems, references, tokenizer=suitable)


@pytest.mark.slow
def test_tokenized_text():
    assert "a/1" in message("tokenized-text", one(changed("{} , he said .")))
    assert codes(one(changed("{}, he said."))) == []
    tokenized = {name: {r: tuple(f"{x} ." for x in lines) for r, lines in rs.items()} for name, rs in GOOD.items()}
    references = (tuple(f"{line} ." for line in REFERENCE),)
    assert "The tokenizer 'none'" in message("tokenized-text", tokenized, references)
    assert codes(tokenized, references, tokenizer="none") == []
    assert "the references of test." in message("tokenized-text", GOOD, references)


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("mor@@ ning {}", "bpe-marks"),
        ("\u2581mor ning {}", "bpe-marks"),
        ("it &apos;s {}", "html-entities"),
        ("&#91; {}", "html-entities"),
        ("{} <unk> x", "unk"),
        ("UNK {}", "unk"),
    ],
)
def test_leftovers(pattern, code):
    assert "a/1 (60 of 120 lines" in message(code, one(changed(pattern, 0.5)))


@pytest.mark.parametrize("pattern", ["me@@home {}", "R&D; {}", "A & B {}", "UNKNOWN {}", "unk {}"])
def test_what_only_resembles_leftovers(pattern):
    # the references hold no capital
    assert [code for code in codes(one(changed(pattern))) if code != "other-case"] == []


def test_escaped_references():
    escaped = (tuple(f"{line} &quot;" for line in REFERENCE),)
    assert "References of test" in message("html-entities", GOOD, escaped)
    both = {name: {r: tuple(f"{x} &quot;" for x in lines) for r, lines in rs.items()} for name, rs in GOOD.items()}
    assert codes(both, escaped) == []


@pytest.mark.slow
def test_unicode_forms():
    references = (tuple(f"{line} caf\u00e9" for line in REFERENCE),)
    assert codes(one(changed("{} caf\u00e9")), references) == []
    assert "a/1" in message("unicode-form", one(changed("{} cafe\u0301")), references)
    decomposed = (tuple(f"{line} cafe\u0301" for line in REFERENCE),)
    assert "NFD" in message("unicode-form", one(changed("{} caf\u00e9")), decomposed)


def test_each_check_is_listed_once_and_says_what_it_is_for():
    assert len(set(CHECKS)) == len(CHECKS)
    assert all(one.__doc__ for one in CHECKS)


def test_a_set_with_references_and_only_scores_of_its_outputs():
    scored = System("scored", (Replica("r1", {}, {"test": {"COMET": tuple(float(i) for i in range(N))}}),))
    made = Experiment("x", (TestSet("test", "test", (REFERENCE,)),), (scored,), outside_metrics={"COMET": True})
    outputs = Outputs(made, {})
    assert outputs.n_equal("test", REFERENCE).shape == (0,)
    assert {line.code for line in check(made, {})} == {"single-replica"}


def test_checking_can_be_cancelled():
    def cancel(fraction, what=""):
        raise Cancelled

    with pytest.raises(Cancelled):
        check(experiment(GOOD), progress=cancel)


def test_lines_are_told_apart_the_same_in_parts(monkeypatch):
    experiment = Experiment("x", (TestSet("test", "test", (REFERENCE,)),), tuple(
        System(name, tuple(Replica(r, {"test": lines}) for r, lines in runs.items())) for name, runs in GOOD.items()
    ))  # fmt: skip
    whole = [Outputs(experiment, {}).line_ids(name, "test") for name in GOOD]
    monkeypatch.setattr("mtsig_core.loading.checks.outputs.LINES_AT_ONCE", N)
    parts = [Outputs(experiment, {}).line_ids(name, "test") for name in GOOD]
    same = [np.array_equal(a[:, None] == a[None], b[:, None] == b[None]) for a, b in zip(whole, parts, strict=True)]
    assert all(same)

import dataclasses
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mtsig_core.experiment import Experiment, ExperimentError, Replica, System, TestSet, natural_key
from mtsig_core.experiment.digests import text_digest

TEXT = st.text(st.characters(codec="utf-8"), max_size=4)
NAME = st.text(st.characters(codec="utf-8"), min_size=1, max_size=3)


@st.composite
def experiments(draw):
    """Experiments as nested dictionaries, to be changed and built."""
    sets = {}
    for name in draw(st.lists(NAME, min_size=1, max_size=2, unique=True)):
        n = draw(st.integers(1, 3))
        line = st.lists(TEXT, min_size=n, max_size=n)
        sets[name] = {
            "role": draw(st.sampled_from(["dev", "test", "other"])),
            "references": draw(st.lists(line, min_size=1, max_size=2)),
            "source": draw(st.none() | line),
            "documents": draw(st.none() | line),
            "n": n,
        }
    systems = {}
    for name in draw(st.lists(NAME, min_size=1, max_size=3, unique=True)):
        systems[name] = {
            replica: {t: draw(st.lists(TEXT, min_size=s["n"], max_size=s["n"])) for t, s in sets.items()}
            for replica in draw(st.lists(NAME, min_size=1, max_size=2, unique=True))
        }
    return {"sets": sets, "systems": systems}


def build(parts, order=None):
    def mixed(items):
        items = list(items)
        if order is not None:
            order.shuffle(items)
        return items

    sets = [
        TestSet(
            name,
            s["role"],
            tuple(map(tuple, s["references"])),
            source=None if s["source"] is None else tuple(s["source"]),
            documents=None if s["documents"] is None else tuple(s["documents"]),
        )
        for name, s in mixed(parts["sets"].items())
    ]
    def replica(name, texts):
        return Replica(name, {t: tuple(x) for t, x in mixed(texts.items())})

    systems = [
        System(name, tuple(replica(*item) for item in mixed(replicas.items())))
        for name, replicas in mixed(parts["systems"].items())
    ]
    return Experiment("e", tuple(sets), tuple(systems))


@pytest.mark.slow
@given(experiments(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_order_does_not_change_the_digest(parts, order):
    a, b = build(parts), build(parts, order)
    assert a.digest == b.digest
    assert a == b


@pytest.mark.slow
@given(experiments(), st.data())
@settings(max_examples=100, deadline=None)
def test_any_changed_text_changes_the_digest(parts, data):
    before = build(parts).digest
    texts = [x for s in parts["sets"].values() for x in [*s["references"], s["source"], s["documents"]]]
    texts = [x for x in texts if x is not None]
    texts += [x for replicas in parts["systems"].values() for outputs in replicas.values() for x in outputs.values()]
    chosen = data.draw(st.sampled_from(texts))
    i = data.draw(st.integers(0, len(chosen) - 1))
    new = data.draw(TEXT)
    assume(new != chosen[i])
    chosen[i] = new
    assert build(parts).digest != before


@pytest.mark.slow
@given(experiments(), st.data())
@settings(max_examples=60, deadline=None)
def test_any_changed_name_or_role_changes_the_digest(parts, data):
    before = build(parts).digest
    what = data.draw(st.sampled_from(["set", "system", "replica", "role"]))
    name = data.draw(st.sampled_from(sorted(parts["sets" if what in ("set", "role") else "systems"])))
    new = data.draw(NAME)
    if what == "role":
        role = parts["sets"][name]["role"]
        parts["sets"][name]["role"] = data.draw(st.sampled_from([r for r in ("dev", "test", "other") if r != role]))
    elif what == "set":
        assume(new not in parts["sets"])
        parts["sets"][new] = parts["sets"].pop(name)
        for replicas in parts["systems"].values():
            for outputs in replicas.values():
                outputs[new] = outputs.pop(name)
    elif what == "system":
        assume(new not in parts["systems"])
        parts["systems"][new] = parts["systems"].pop(name)
    else:
        replicas = parts["systems"][name]
        assume(new not in replicas)
        replicas[new] = replicas.pop(sorted(replicas)[0])
    assert build(parts).digest != before


@pytest.mark.slow
@given(experiments(), st.data())
@settings(max_examples=60, deadline=None)
def test_the_order_of_segments_changes_the_digest(parts, data):
    before = build(parts).digest
    replicas = data.draw(st.sampled_from([r for rs in parts["systems"].values() for r in rs.values()]))
    lines = replicas[data.draw(st.sampled_from(sorted(replicas)))]
    assume(lines != lines[::-1])
    lines.reverse()
    assert build(parts).digest != before


@pytest.mark.slow
@given(st.lists(TEXT | st.none()), st.lists(TEXT | st.none()))
def test_texts_are_equal_where_their_digests_are(a, b):
    assert (text_digest(a) == text_digest(b)) == (a == b)


def test_line_borders_and_missing_segments_count():
    texts = [("a", "b"), ("ab", ""), ("a\nb",), ("ab",), (None, "ab"), ("", "ab"), ("-",), (None,), ()]
    assert len({text_digest(text) for text in texts}) == len(texts)


def simple(**changes):
    test = TestSet("test", "test", (("r1", "r2"),))
    dev = TestSet("dev", "dev", (("d1",),))
    replicas = tuple(Replica(f"seed{k}", {"test": ("x", "y"), "dev": ("z",)}) for k in (10, 2, 1))
    systems = tuple(System(name, replicas) for name in "ba")
    return Experiment(**({"name": "e", "test_sets": (dev, test), "systems": systems} | changes))


def test_replicas_systems_and_sets_are_in_natural_order():
    made = simple()
    assert [t.name for t in made.test_sets] == ["test", "dev"]
    assert [s.name for s in made.systems] == ["a", "b"]
    assert [r.name for r in made.systems[0].replicas] == ["seed1", "seed2", "seed10"]
    assert made.baseline == "a"
    assert made.dev_set().name == "dev"
    assert simple(name="other").digest == made.digest


@pytest.mark.slow
@given(st.lists(NAME, max_size=6), st.integers(0, 100))
def test_natural_order_is_one_order_whatever_the_start(names, seed):
    shuffled = list(names)
    random.Random(seed).shuffle(shuffled)
    assert sorted(names, key=natural_key) == sorted(shuffled, key=natural_key)


def test_systems_on_a_set():
    partial = System("c", (Replica("1", {"dev": ("z",)}),))
    made = simple(systems=(*simple().systems, partial))
    assert [s.name for s in made.systems_on("test")] == ["a", "b"]
    assert [s.name for s in made.systems_on("dev")] == ["a", "b", "c"]
    assert partial.on("test") == ()


def test_copies_count_as_one_run():
    same, other = Replica("1", {"a": ("x",), "b": ("x",)}), Replica("2", {"a": ("x",), "b": ("y",)})
    scored = Replica("3", {"a": ("x",)}, {"a": {"m": (1.0,)}})
    assert [System("s", (same, other)).runs_on(name) for name in "abc"] == [1, 2, 0]
    assert System("s", (same, scored)).runs_on("a") == 2


def test_everything_is_immutable():
    made = simple()
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.name = "x"
    with pytest.raises(TypeError):
        made.systems[0].replicas[0].outputs["test"] = ()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: TestSet("", "test", (("a",),)), "needs a name"),
        (lambda: TestSet("t", "train", (("a",),)), "role must be one of"),
        (lambda: TestSet("t", "test", ()), "no reference"),
        (lambda: TestSet("t", "test", ((),)), "no segments"),
        (lambda: TestSet("t", "test", (("a",), ("a", "b"))), "ref1 has 2 lines"),
        (lambda: TestSet("t", "test", (("a",),), source=("a", "b")), "source has 2 lines"),
        (lambda: TestSet("t", "test", (("a",),), documents=()), "documents has 0 lines"),
        (lambda: TestSet("t", "test", (("a", None),)), "segment 2 has no reference"),
        (lambda: TestSet("t", "test", (("a",),), ("x", "y")), "1 references but 2 names"),
        (lambda: Replica("", {"t": ("a",)}), "needs a name"),
        (lambda: Replica("r", {}), "no output"),
        (lambda: System("", (Replica("r", {"t": ("a",)}),)), "needs a name"),
        (lambda: System("s", ()), "no replica"),
        (lambda: System("s", (Replica("r", {"t": ("a",)}),) * 2), "'r' occurs more than once"),
        (lambda: simple(test_sets=()), "No test set"),
        (lambda: simple(systems=()), "No system"),
        (lambda: simple(baseline="z"), "No system 'z'; there are: 'a', 'b'"),
        (lambda: simple(systems=simple().systems * 2), "occurs more than once"),
        (lambda: simple(systems=(System("s", (Replica("r", {"test": ("a",)}),)),)), "1 lines, the references have 2"),
        (lambda: simple(systems=(System("s", (Replica("r", {"no": ("a",)}),)),)), "No test set 'no'"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(make, words):
    with pytest.raises(ExperimentError, match=words):
        make()


def test_natural_order_has_numbers_by_value_and_prefixes_first():
    names = ["", "1", "0" * 5000 + "7", "9" * 5000, "test", "Test1", "test02", "test2", "test10"]
    names_shuffled = names[::-1]
    assert sorted(names_shuffled, key=natural_key) == names

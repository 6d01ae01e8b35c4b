"""What may not matter to a pair of systems: a third system, and which of the two is called A."""

import dataclasses

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtsig_core.experiment import Experiment, Replica, System
from mtsig_core.experiment import TestSet as Texts
from mtsig_core.metrics import get_metric
from mtsig_core.resampling import Settings
from mtsig_core.significance import PRESETS, run_preset
from mtsig_core.workbench.workbench import Workbench
from tests.significance.conftest import of_means

FEW = Settings(n_bootstrap=60, n_permutations=60)
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "house", "tree", "red", "big"]


def scored(seed, numbers, length=12, gaps=0.0):
    """Return an experiment of systems a, b and c with scores, of which c lacks some."""
    rng = np.random.default_rng(seed)
    systems = []
    for name, n in zip("abc", numbers, strict=True):
        y = rng.normal(0, 1, (n, 1)) + rng.normal(0, 2, length) + rng.normal(0, 1, (n, length))
        missing = rng.random((n, length)) < (gaps if name == "c" else 0.0)
        missing[:, 0] = False
        rows = [[None if m else float(x) for x, m in zip(*row, strict=True)] for row in zip(y, missing, strict=True)]
        systems.append(System(name, tuple(Replica(f"s{k}", scores={"t": {"m": tuple(r)}}) for k, r in enumerate(rows))))
    return Experiment("e", (Texts("t", "test", (), size=length),), tuple(systems), outside_metrics={"m": True})


def written(seed, numbers, length=12):
    """Return an experiment of systems a, b and c with text."""
    rng = np.random.default_rng(seed)

    def text():
        return tuple(" ".join(rng.choice(WORDS, rng.integers(4, 9))) for _ in range(length))

    reference = text()

    def output(noise):
        lines = [line.split() for line in reference]
        return tuple(" ".join(rng.choice(WORDS) if rng.random() < noise else w for w in line) for line in lines)

    systems = (
        System(name, tuple(Replica(f"s{k}", {"t": output(0.2 + 0.1 * i)}) for k in range(n)))
        for i, (name, n) in enumerate(zip("abc", numbers, strict=True))
    )
    return Experiment("e", (Texts("t", "test", (reference,)),), tuple(systems))


def without_c(experiment):
    return dataclasses.replace(experiment, systems=tuple(s for s in experiment.systems if s.name != "c"))


def plain(value):
    """Return a result as something that compares by value, without what names the other systems."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value) if not f.name.startswith("_")}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, list | tuple) else value


QUESTIONS = {
    "compare": lambda pair: pair.compare(),
    "compare with a margin": lambda pair: pair.compare(margin=0.5, presets=[]),
    "effect": lambda pair: pair.effect(),
    "bootstrap intervals": lambda pair: pair.bootstrap_intervals(),
    "overlap": lambda pair: pair.overlap(),
    "observed difference": lambda pair: pair.observed_difference(),
    "inflation": lambda pair: pair.inflation(),
    "lottery": lambda pair: pair.lottery(),
    "by n": lambda pair: pair.by_n([1, 2]),
    "p by n": lambda pair: pair.p_by_n([1, 2], draws=5),
    "components": lambda pair: pair.components(),
    "planner": lambda pair: pair.planner(0.5, simulations=50),
}


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("make", [scored, written])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_third_system_changes_no_digit(question, make, seed):
    whole = make(seed, (3, 2, 2), gaps=0.3) if make is scored else make(seed, (3, 2, 2))
    metric = "m" if make is scored else "bleu"
    answers = [
        plain(QUESTIONS[question](Workbench(experiment, settings=FEW).pair("t", metric, "a", "b")))
        for experiment in (whole, without_c(whole))
    ]
    assert answers[0] == answers[1]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_a_third_system_changes_no_row_of_another_pair(seed):
    whole = scored(seed, (3, 2, 2), gaps=0.3)
    rows = [Workbench(x, settings=FEW).pairwise("t", "m").row("a", "b") for x in (whole, without_c(whole))]
    names = ("difference", "p", "interval", "basis", "better")
    assert [getattr(rows[0], n) for n in names] == [getattr(rows[1], n) for n in names]
    assert rows[0].basis.n_used == 12


@pytest.mark.slow
@given(seed=st.integers(0, 10**6))
@settings(max_examples=3, deadline=None)
def test_what_is_asked_of_one_system_does_not_depend_on_others(seed):
    whole = scored(seed, (4, 4, 4), gaps=0.3)
    answers = []
    for experiment in (whole, without_c(whole)):
        bench = Workbench(experiment, settings=FEW)
        effects = bench.replica_effects("t", [bench.metric("m")], systems=["a", "b"])
        answers.append([
            plain(bench.median("t", [bench.metric("m")])["a"]),
            plain(effects),
            plain(bench.calibration("t", "m", "a", presets=["welch-replicas", "crossed"])),
            bench.table(["t"], [bench.metric("m")], own_segments=True).rows[0].avg,
        ])  # fmt: skip
    assert answers[0] == answers[1]
    common, own = (Workbench(whole, settings=FEW).notes(["t"], [bench.metric("m")], own_segments=own)[0]
                   for own in (False, True))  # fmt: skip
    assert "left out for all" in common
    assert own.startswith("m on t: each system on all segments that all its replicas have; c has ")


def test_a_system_without_common_segments_does_not_hide_the_others():
    whole = scored(1, (3, 3, 2), gaps=0.9)
    result = Workbench(whole, settings=FEW).pair("t", "m", "a", "b").compare(presets=[])
    assert result.basis.n_used == 12


@pytest.mark.parametrize("name", sorted(PRESETS))
@pytest.mark.parametrize(("n_a", "n_b"), [(3, 3), (2, 4), (1, 3)])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=3, deadline=None)
def test_swapping_the_systems_changes_signs_and_nothing_else(name, n_a, n_b, seed):
    rng = np.random.default_rng(seed)
    values = {"first": rng.normal(0, 1, (n_a, 14)), "second": rng.normal(0.4, 2, (n_b, 14))}
    statistics = of_means(values, documents=np.arange(14) // 2)
    chosen = dataclasses.replace(FEW, paired=PRESETS[name].needs.paired)
    there, back = (
        run_preset(name, statistics, *names, chosen) for names in (("first", "second"), ("second", "first"))
    )
    assert there.p == back.p
    assert there.difference == -back.difference
    if there.interval is not None:
        assert there.interval == (-back.interval[1], -back.interval[0])
    assert (there.smallest_p, there.exact, there.draws) == (back.smallest_p, back.exact, back.draws)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "length"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=2, deadline=None)
def test_swapping_the_systems_mirrors_a_comparison_under_every_metric(metric, seed):
    bench = Workbench(written(seed, (3, 2, 1)), settings=FEW)
    there, back = (bench.pair("t", get_metric(metric), *names).compare(margin=1.0) for names in ("ab", "ba"))
    assert [t.p for t in there.tests] == [t.p for t in back.tests]
    assert there.difference == -back.difference
    for kind in ("test_set", "optimizer", "both"):
        one, other = getattr(there.intervals, kind), getattr(back.intervals, kind)
        assert one == (None if other is None else (-other[1], -other[0]))
    mirrored = {"better": "worse", "worse": "better", "higher": "lower", "lower": "higher"}
    assert there.verdict.outcome == mirrored.get(back.verdict.outcome, back.verdict.outcome)
    assert (there.margin is None) == (back.margin is None)
    if there.margin is not None:
        assert there.margin.p_equivalent == back.margin.p_equivalent

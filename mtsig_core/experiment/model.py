"""The data model: an immutable, validated experiment of systems, replicas and test sets."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from mtsig_core.experiment.assumptions import DIRECTION, Assumption
from mtsig_core.experiment.digests import digest_of, scores_digest, text_digest
from mtsig_core.experiment.lazy_outputs import LazyOutputs
from mtsig_core.experiment.names import natural_key
from mtsig_core.experiment.test_sets import ExperimentError, TestSet
from mtsig_core.experiment.varied import get_varied

#: Scores of the segments of one output; None where a segment has none.
Scores = tuple[float | None, ...]

#: Largest size of a score: sums of its square and cube are finite.
LARGEST_SCORE = 1e50


@dataclass(frozen=True)
class Replica:
    """One optimizer run, training seed or sampling run of a system.

    Parameters
    ----------
    name : str
    outputs : mapping of test set name to a tuple of that set's L hypotheses
        A set may be absent: the replica was not run on it. May be empty where there are scores. `LazyOutputs`
        stay lazy.
    scores : mapping of test set name to (mapping of metric name to L segment scores), optional
        What outside metrics (COMET, a human rating, accuracy) say of each segment; None where one says
        nothing. Every number is finite, and at least one is there.

    Raises
    ------
    ExperimentError
        When there is neither an output nor a score, or a score is not a finite number.
    """

    name: str
    outputs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    scores: Mapping[str, Mapping[str, Scores]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.name:
            raise ExperimentError("A replica needs a name.")
        if not self.outputs and not any(self.scores.values()):
            raise ExperimentError(f"replica {self.name!r}: no output for any test set.")
        if not isinstance(self.outputs, LazyOutputs):
            frozen = {name: tuple(lines) for name, lines in sorted(self.outputs.items())}
            object.__setattr__(self, "outputs", MappingProxyType(frozen))
        scores = {name: self._frozen_scores(of_set) for name, of_set in sorted(self.scores.items()) if of_set}
        object.__setattr__(self, "scores", MappingProxyType(scores))

    def _frozen_scores(self, of_set: Mapping[str, Scores]) -> Mapping[str, Scores]:
        frozen = {}
        for metric, values in sorted(of_set.items()):
            # + 0.0 makes one zero of the two: -0.0 means nothing here
            frozen[metric] = tuple(None if value is None else float(value) + 0.0 for value in values)
            present = [value for value in frozen[metric] if value is not None]
            if not metric or not present or not all(map(math.isfinite, present)):
                what = "scores without a metric's name" if not metric else f"{metric} needs finite scores, one at least"
                raise ExperimentError(f"replica {self.name!r}: {what}.")
            if max(map(abs, present)) > LARGEST_SCORE:
                what = f"{metric} has a score beyond {LARGEST_SCORE:g}, the largest that can be used"
                raise ExperimentError(f"replica {self.name!r}: {what}.")
        return MappingProxyType(frozen)

    def is_on(self, test_set: str) -> bool:
        """Say whether there is anything of this replica on a test set: an output or scores."""
        return test_set in self.outputs or test_set in self.scores

    @property
    def lengths(self) -> Mapping[str, int]:
        """Numbers of hypotheses, by test set name."""
        if isinstance(self.outputs, LazyOutputs):
            return self.outputs.lengths
        return {name: len(lines) for name, lines in self.outputs.items()}

    @cached_property
    def output_digests(self) -> Mapping[str, str]:
        """Sha256 of the hypotheses, by test set name."""
        if isinstance(self.outputs, LazyOutputs):
            return self.outputs.digests
        return MappingProxyType({name: text_digest(lines) for name, lines in self.outputs.items()})

    @cached_property
    def digest(self) -> str:
        """Sha256 of the name, all outputs and all scores."""
        scores = [
            part
            for test_set, of_set in self.scores.items()
            for metric, values in of_set.items()
            for part in ("scores", test_set, metric, scores_digest(values))
        ]
        return digest_of([self.name, *(x for item in self.output_digests.items() for x in item), *scores])


@dataclass(frozen=True)
class System:
    """A system and its replicas, in natural order of their names (seed2 before seed10)."""

    name: str
    replicas: tuple[Replica, ...]

    def __post_init__(self) -> None:
        if not self.name:
            raise ExperimentError("A system needs a name.")
        if not self.replicas:
            raise ExperimentError(f"system {self.name!r}: no replica.")
        _check_distinct([r.name for r in self.replicas], f"system {self.name!r}: replica")
        ordered = tuple(sorted(self.replicas, key=lambda r: natural_key(r.name)))
        object.__setattr__(self, "replicas", ordered)

    def on(self, test_set: str) -> tuple[Replica, ...]:
        """Return the replicas that have an output (text) for this test set, in natural order."""
        return tuple(r for r in self.replicas if test_set in r.outputs)

    def scored_on(self, test_set: str, metric: str) -> tuple[Replica, ...]:
        """Return the replicas that have scores of an outside metric on this test set, in natural order."""
        return tuple(r for r in self.replicas if metric in r.scores.get(test_set, {}))

    def present_on(self, test_set: str) -> tuple[Replica, ...]:
        """Return the replicas that have an output or scores on this test set, in natural order."""
        return tuple(r for r in self.replicas if r.is_on(test_set))

    def runs_on(self, test_set: str) -> int:
        """Return how many runs its replicas on this test set count as: one where all are copies of one another."""
        there = self.present_on(test_set)
        contents = [(r.output_digests.get(test_set), r.scores.get(test_set)) for r in there]
        return 1 if contents and all(content == contents[0] for content in contents) else len(there)

    @cached_property
    def digest(self) -> str:
        """Sha256 of the name and all replicas."""
        return digest_of([self.name, *(r.digest for r in self.replicas)])


@dataclass(frozen=True)
class Experiment:
    """Systems, their replicas and the test sets they were run on.

    Parameters
    ----------
    name : str
        Shown to people; not part of the digest, since it is often the name of a folder or archive.
    test_sets : tuple of TestSet
        Put in natural order of their names, test sets before other and dev sets.
    systems : tuple of System
        Put in natural order of their names.
    baseline : str, optional
        Name of the system that others are compared with; the first one by default.
    target_language : str, optional
    tokenizer : str, optional
        What a manifest asks BLEU to tokenize with.
    paired : bool
        Replicas of equal name share a seed or base model across systems (declared, never inferred).
    outside_metrics : mapping of metric name to bool, optional
        Whether higher is better under each metric that replicas have scores of; higher is where not said.
        Their order is kept, as of the columns of a file; any others follow in natural order.
    assumptions : tuple of Assumption, optional
        What was guessed while loading; not part of the digest.
    replicas_are : str
        What replicas differ by: a key of `mtsig_core.experiment.varied.KINDS`; not part of the digest.

    Raises
    ------
    ExperimentError
        When names collide, an output's or a score list's length is not its test set's, or one names no
        test set, or a direction is given for a metric without scores.

    Examples
    --------
    >>> from mtsig_core.experiment import Experiment, Replica, System, TestSet
    >>> texts = TestSet("news", "test", references=(("a b c", "d e"),))
    >>> systems = (System("old", (Replica("seed1", {"news": ("a c", "d e")}),)),
    ...            System("new", (Replica("seed1", {"news": ("a b c", "d e")}),)))
    >>> Experiment("example", (texts,), systems, baseline="old").has_text
    True
    """

    name: str
    test_sets: tuple[TestSet, ...]
    systems: tuple[System, ...]
    baseline: str = ""
    target_language: str | None = None
    tokenizer: str | None = None
    paired: bool = False
    outside_metrics: Mapping[str, bool] = field(default_factory=dict)
    assumptions: tuple[Assumption, ...] = field(default=(), compare=False)
    replicas_are: str = "unknown"
    _by_name: Mapping[str, TestSet] = field(init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        sets = ", ".join(test_set.name for test_set in self.test_sets)
        systems = ", ".join(f"{system.name} ({len(system.replicas)})" for system in self.systems)
        return f"<Experiment {self.name!r}: test sets {sets}; systems (replicas) {systems}>"

    def __post_init__(self) -> None:
        if not self.test_sets:
            raise ExperimentError("No test set: an experiment needs at least one reference file or scores.")
        if not self.systems:
            raise ExperimentError("No system: an experiment needs at least one output file.")
        _check_distinct([t.name for t in self.test_sets], "test set")
        _check_distinct([s.name for s in self.systems], "system")
        order = {"test": 0, "other": 1, "dev": 2}
        sets = sorted(self.test_sets, key=lambda t: (order[t.role], natural_key(t.name)))
        set_ = object.__setattr__
        set_(self, "test_sets", tuple(sets))
        set_(self, "systems", tuple(sorted(self.systems, key=lambda s: natural_key(s.name))))
        set_(self, "_by_name", MappingProxyType({t.name: t for t in self.test_sets}))
        set_(self, "baseline", self.baseline or self.systems[0].name)
        self.system(self.baseline)
        for system in self.systems:
            for replica in system.replicas:
                self._check_lengths(system, replica)
        set_(self, "outside_metrics", MappingProxyType(self._directions()))
        set_(self, "replicas_are", get_varied(self.replicas_are).name)

    def _check_lengths(self, system: System, replica: Replica) -> None:
        for name, length in replica.lengths.items():
            expected = self.test_set(name).n_segments
            if length != expected:
                raise ExperimentError(
                    f"{system.name}/{replica.name} on {name!r}: {length} lines, the references have {expected}."
                )
        for name, of_set in replica.scores.items():
            expected = self.test_set(name).n_segments
            for metric, values in of_set.items():
                if len(values) != expected:
                    raise ExperimentError(
                        f"{system.name}/{replica.name} on {name!r}: {len(values):,} scores of {metric}, the test set "
                        f"has {expected:,} segments."
                    )

    def _directions(self) -> dict[str, bool]:
        replicas = (replica for system in self.systems for replica in system.replicas)
        scored = {metric for replica in replicas for of_set in replica.scores.values() for metric in of_set}
        unknown = sorted(set(self.outside_metrics) - scored)
        if unknown:
            raise ExperimentError(f"No replica has scores of {unknown[0]!r}, whose direction is given.")
        rest = sorted(scored - self.outside_metrics.keys(), key=natural_key)
        return {name: bool(self.outside_metrics.get(name, True)) for name in (*self.outside_metrics, *rest)}

    @property
    def assumed_directions(self) -> frozenset[str]:
        """Outside metrics of which the direction was assumed; a verdict under them may be the wrong way round."""
        return frozenset(a.subject for a in self.assumptions if a.code == DIRECTION) & self.outside_metrics.keys()

    def with_directions(self, directions: Mapping[str, bool]) -> Experiment:
        """Return the experiment with the direction of some outside metrics as a person says: no longer assumed.

        Raises
        ------
        ExperimentError
            For a metric that no replica has scores of.
        """
        others = tuple(a for a in self.assumptions if a.code != DIRECTION or a.subject not in directions)
        return replace(self, outside_metrics={**self.outside_metrics, **directions}, assumptions=others)

    def test_set(self, name: str) -> TestSet:
        """Return the test set of this name; KeyError-like ExperimentError names those there are."""
        if name not in self._by_name:
            names = ", ".join(repr(n) for n in self._by_name)
            raise ExperimentError(f"No test set {name!r}; there are: {names}.")
        return self._by_name[name]

    def system(self, name: str) -> System:
        """Return the system of this name; the error names those there are."""
        for system in self.systems:
            if system.name == name:
                return system
        names = ", ".join(repr(s.name) for s in self.systems)
        raise ExperimentError(f"No system {name!r}; there are: {names}.")

    def dev_set(self) -> TestSet | None:
        """Return the first tuning set by natural name order, or None."""
        return next((t for t in self.test_sets if t.role == "dev"), None)

    def systems_on(self, test_set: str) -> tuple[System, ...]:
        """Return the systems with at least one output for this test set."""
        return tuple(s for s in self.systems if s.on(test_set))

    def systems_scored_on(self, test_set: str, metric: str) -> tuple[System, ...]:
        """Return the systems with scores of an outside metric on this test set."""
        return tuple(s for s in self.systems if s.scored_on(test_set, metric))

    def systems_present_on(self, test_set: str) -> tuple[System, ...]:
        """Return the systems with an output or scores on this test set."""
        return tuple(s for s in self.systems if s.present_on(test_set))

    @property
    def has_text(self) -> bool:
        """Whether metrics of text can be computed: some test set has references and an output."""
        return any(t.references and self.systems_on(t.name) for t in self.test_sets)

    @cached_property
    def digest(self) -> str:
        """Sha256 of all names, roles, text, scores and their directions; independent of upload order and packaging."""
        sets, systems = (t.digest for t in self.test_sets), (s.digest for s in self.systems)
        metrics = sorted(self.outside_metrics.items(), key=lambda one: natural_key(one[0]))
        directions = [f"{name} {'higher' if up else 'lower'}" for name, up in metrics]
        outside = ["outside metrics", *directions] if directions else []
        return digest_of(["mtsig experiment 1", *sets, "systems", *systems, *outside])


def _check_distinct(names: Sequence[str], what: str) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ExperimentError(f"{what} {twice[0]!r} occurs more than once; rename one of them.")

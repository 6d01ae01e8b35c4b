"""What a test is made of, as data: how it counts, what it needs, which question it answers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

Family = Literal["bootstrap", "exchange", "closed form"]

OUTPUTS_NEW_TEXT = "these outputs, on new text"
OUTPUTS_NEW_DOCUMENTS = "these outputs, on new documents"
SETUP_THIS_TEXT = "this training setup, on this text"
SETUP_NEW_TEXT = "this training setup, on new text"
SETUP_THESE_SETS = "this training setup, on these test sets"
SHARP_NULL = "only whether outputs are interchangeable"


@dataclass(frozen=True)
class Convention:
    """How a distribution and an observed difference become a p-value.

    Parameters
    ----------
    rule : {"tail", "interval", "wins"}
        ``tail`` counts draws at least as extreme as the observed one; ``interval`` asks whether the percentile
        interval of D excludes 0; ``wins`` counts the draws that the apparent winner does not win.
    centre : {"none", "mean", "mean size"}
        What is subtracted from each draw before it is compared: a bootstrap is not centred at 0 by itself.
        ``mean size`` subtracts the mean size of the draws from their sizes.
    sides : {"two", "winner", "given"}
        ``two`` compares sizes; ``winner`` and ``given`` one tail, D oriented to the apparent winner or as it stands.
    strict : bool
        Count draws that exceed (>) rather than reach (>=) the observed value.
    add_one : bool
        (c + 1) / (R + 1) rather than c / R.
    enumerate : bool
        Use every distinct permutation where there are few.
    """

    rule: Literal["tail", "interval", "wins"] = "tail"
    centre: Literal["none", "mean", "mean size"] = "none"
    sides: Literal["two", "winner", "given"] = "two"
    strict: bool = False
    add_one: bool = True
    enumerate: bool = False

    @property
    def one_tail(self) -> bool:
        """Whether one tail of the distribution counts, not both."""
        return self.sides != "two" or self.centre == "mean size"


@dataclass(frozen=True)
class Needs:
    """What a preset asks of the data.

    Parameters
    ----------
    smaller, larger : int
        Least number of replicas of the system with fewer, and of the one with more.
    equal : bool
        Both systems need the same number of replicas.
    paired : bool
        Replicas of equal index must be declared as paired.
    documents : bool
        The test set must say which segments belong to one document.
    """

    smaller: int = 1
    larger: int = 1
    equal: bool = False
    paired: bool = False
    documents: bool = False


@dataclass(frozen=True)
class Preset:
    """One test: what it resamples, how it counts, and which question it answers.

    Parameters
    ----------
    name, label : str
        As on the command line, and as people read it.
    family : {"bootstrap", "exchange", "closed form"}
    unit : str
        What is drawn or permuted; for closed forms what the variance is taken over.
    scheme : str
        The same in words; a result may state it more precisely.
    comparison : Convention or None
        None for closed forms.
    form : str
        Which closed form; empty otherwise.
    needs : Needs
    question : str
        What the p-value generalises to.
    rule : str
        How p comes about, in one sentence.
    warning : str
        What limits the test; empty if nothing.
    alarms : str
        Measured share of p < .05 where there is no difference of the kind that the test is commonly read to find.
    headline : bool
        Whether a verdict may rest on it.
    unit_if_unequal : str
        What is permuted instead where the systems have unequal numbers of replicas; empty if the same.
    """

    name: str
    label: str
    family: Family
    unit: str
    scheme: str
    question: str
    rule: str
    comparison: Convention | None = None
    form: Literal["", "coherent", "coherent-paired", "crossed", "crossed-paired", "welch"] = ""
    needs: Needs = field(default_factory=Needs)
    warning: str = ""
    alarms: str = ""
    headline: bool = False
    unit_if_unequal: str = ""

    @property
    def valid(self) -> bool:
        """Whether the test answers its question at the stated error rate: it carries no warning."""
        return not self.warning

    @property
    def one_tail(self) -> bool:
        """Whether only draws on the observed side count."""
        return self.comparison is not None and self.comparison.one_tail

    @property
    def strict(self) -> bool:
        """Whether ties count as evidence against the null hypothesis."""
        return self.comparison is not None and self.comparison.strict

    def unit_for(self, n_a: int, n_b: int) -> str:
        """Return what is drawn or permuted between systems of n_a and n_b replicas."""
        return self.unit if n_a == n_b or not self.unit_if_unequal else self.unit_if_unequal


#: The replica test, which decides where there are no segments: its terms, and how its p is computed.
_REPLICA_TEST = {
    "coherent": (
        "the replica test",
        "Welch's t-test of the runs' scores; its degrees of freedom are limited where few runs are unequal in number.",
    ),
    "coherent-paired": ("the replica test of pairs", "the paired t-test of the scores of paired runs."),
}


def of_whole_runs(preset: Preset) -> Preset:
    """Return a preset as it stands where only scores of whole runs are known: without segments nothing is new text."""
    scheme, rule = _REPLICA_TEST.get(preset.form, (preset.scheme, preset.rule))
    return replace(preset, question=SETUP_THESE_SETS, scheme=scheme, rule=rule)


def why_not(preset: Preset, n_a: int, n_b: int, paired: bool, documents: bool = False) -> str:
    """Return why a preset is not defined for these numbers of replicas; empty where it is.

    Parameters
    ----------
    preset : Preset
    n_a, n_b : int
        Replicas of A and of B.
    paired : bool
        Whether replicas of equal index are declared as paired.
    documents : bool
        Whether the test set has document ids.
    """
    needs = preset.needs
    smaller, larger = sorted((n_a, n_b))
    if smaller < needs.smaller:
        return f"needs at least {needs.smaller} replicas of each system; there are {n_a} and {n_b}."
    if larger < needs.larger:
        return f"needs at least {needs.larger} replicas of one of the systems; there are {n_a} and {n_b}."
    if needs.equal and n_a != n_b:
        return f"needs as many replicas of the one system as of the other; there are {n_a} and {n_b}."
    if needs.paired and not paired:
        return "needs replicas declared as paired (the same seed or base model at the same index)."
    if needs.documents and not documents:
        return "needs document ids, which say what segments belong together."
    return ""

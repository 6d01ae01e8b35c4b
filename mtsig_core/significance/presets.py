"""The table of tests: every rule as data, so that a new preset is a new row and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Family = Literal["bootstrap", "exchange", "closed form"]

OUTPUTS_NEW_TEXT = "these outputs, on new text"
RECIPE_THIS_TEXT = "this recipe, on this text"
RECIPE_NEW_TEXT = "this recipe, on new text"
SHARP_NULL = "only the sharp null that both recipes produce the same outputs"


@dataclass(frozen=True)
class Convention:
    """How a distribution and an observed difference become a p-value.

    Parameters
    ----------
    rule : {"tail", "interval"}
        ``tail`` counts draws at least as extreme as the observed one; ``interval`` asks whether the
        percentile interval of D excludes 0.
    centre : {"none", "mean"}
        What is taken off each draw before it is compared: a bootstrap is not centred at 0 by itself.
    sides : {"two", "winner", "given"}
        ``two`` compares sizes; ``winner`` and ``given`` one tail, D oriented to the apparent winner or as it stands.
    strict : bool
        Count draws that exceed (>) rather than reach (>=) the observed value.
    add_one : bool
        (c + 1) / (R + 1) rather than c / R.
    enumerate : bool
        Use every distinct exchange where these are few.
    """

    rule: Literal["tail", "interval"] = "tail"
    centre: Literal["none", "mean"] = "none"
    sides: Literal["two", "winner", "given"] = "two"
    strict: bool = False
    add_one: bool = True
    enumerate: bool = False


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
    """

    smaller: int = 1
    larger: int = 1
    equal: bool = False
    paired: bool = False


@dataclass(frozen=True)
class Preset:
    """One test: what it resamples, how it counts, and what its answer is about.

    Parameters
    ----------
    name, label : str
        As on the command line, and as people read it.
    family : {"bootstrap", "exchange", "closed form"}
    unit : str
        What is drawn or exchanged; for closed forms what the variance is taken over.
    scheme : str
        The same in words; an exchange says it more precisely in its result.
    comparison : Convention or None
        None for closed forms.
    form : str
        Which closed form; empty otherwise.
    needs : Needs
    question : str
        Whom the answer is about.
    rule : str
        How p comes about, in one sentence.
    warning : str
        What the test overclaims; empty if nothing.
    headline : bool
        Whether a verdict may rest on it.
    """

    name: str
    label: str
    family: Family
    unit: str
    scheme: str
    question: str
    rule: str
    comparison: Convention | None = None
    form: Literal["", "crossed", "crossed-paired", "welch"] = ""
    needs: Needs = field(default_factory=Needs)
    warning: str = ""
    headline: bool = False

    @property
    def min_replicas(self) -> int:
        """Least number of replicas of the system with fewer."""
        return self.needs.smaller


VALID = Convention(enumerate=True)
_VALID_RULE = "p is the share of exchanges whose difference is at least as large as the observed one, either way"

_ROWS = (
    Preset(
        name="ar-segment",
        label="Approximate randomization, segments",
        family="exchange",
        unit="segment",
        scheme="the replicas of each segment swapped as one block",
        question=OUTPUTS_NEW_TEXT,
        rule=f"{_VALID_RULE}; all replicas of a segment change systems together.",
        comparison=VALID,
    ),
    Preset(
        name="ar-hypothesis",
        label="Approximate randomization, hypotheses",
        family="exchange",
        unit="hypothesis",
        scheme="the outputs of each segment exchanged one by one",
        question=SHARP_NULL,
        rule=f"{_VALID_RULE}; every output of every segment changes systems on its own.",
        comparison=VALID,
        warning=(
            "Treats the replicas' outputs as independent: when systems differ by segment, or replicas as a whole, "
            "it finds differences that are not there, the more often the more replicas there are."
        ),
    ),
    Preset(
        name="ar-replica",
        label="Approximate randomization, replicas",
        family="exchange",
        unit="replica",
        scheme="whole outputs dealt again",
        question=RECIPE_THIS_TEXT,
        rule=f"{_VALID_RULE}; whole outputs are dealt to the systems again.",
        comparison=VALID,
        needs=Needs(smaller=1, larger=2),
    ),
    Preset(
        name="ar-replica-paired",
        label="Approximate randomization, paired replicas",
        family="exchange",
        unit="replica-paired",
        scheme="whole outputs of equal index swapped",
        question=RECIPE_THIS_TEXT,
        rule=f"{_VALID_RULE}; replicas of equal index change systems together.",
        comparison=VALID,
        needs=Needs(smaller=2, larger=2, equal=True, paired=True),
    ),
    Preset(
        name="bootstrap-centred",
        label="Bootstrap, centred",
        family="bootstrap",
        unit="segment",
        scheme="test sets of L segments drawn with replacement, shared by all outputs",
        question=OUTPUTS_NEW_TEXT,
        rule="p is the share of draws whose difference lies at least as far from the draws' mean as the observed "
        "one lies from 0.",
        comparison=Convention(centre="mean"),
    ),
    Preset(
        name="bootstrap-paired",
        label="Paired bootstrap",
        family="bootstrap",
        unit="segment",
        scheme="test sets of L segments drawn with replacement, shared by all outputs",
        question=OUTPUTS_NEW_TEXT,
        rule="Significant when the percentile interval of the difference excludes 0; p is twice the smaller share of "
        "draws on either side of 0.",
        comparison=Convention(rule="interval"),
    ),
    Preset(
        name="crossed",
        label="Crossed test",
        family="closed form",
        unit="replica x segment",
        scheme="variance components of replicas and segments",
        question=RECIPE_NEW_TEXT,
        rule="t-test of the difference against a variance that counts replicas, segments and both together, "
        "with Satterthwaite's degrees of freedom.",
        form="crossed",
        needs=Needs(smaller=1, larger=2),
        headline=True,
    ),
    Preset(
        name="crossed-paired",
        label="Crossed test, paired replicas",
        family="closed form",
        unit="replica x segment",
        scheme="variance components of the differences of paired replicas",
        question=RECIPE_NEW_TEXT,
        rule="t-test of the difference of paired replicas against a variance that counts replicas, segments and both "
        "together, with Satterthwaite's degrees of freedom.",
        form="crossed-paired",
        needs=Needs(smaller=2, larger=2, equal=True, paired=True),
        headline=True,
    ),
    Preset(
        name="welch-replicas",
        label="Welch's t-test of replica scores",
        family="closed form",
        unit="replica",
        scheme="scores of the replicas",
        question=RECIPE_THIS_TEXT,
        rule="t-test of the replicas' scores without assuming equal variances; paired where replicas are paired.",
        form="welch",
        needs=Needs(smaller=2, larger=2),
    ),
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ROWS}


def get_preset(name: str) -> Preset:
    """Return a preset; raise ValueError naming those there are."""
    if name not in PRESETS:
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}; not {name!r}.")
    return PRESETS[name]


def why_not(preset: Preset, n_a: int, n_b: int, paired: bool) -> str:
    """Return why a preset is not defined for so many replicas, or an empty string."""
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
    return ""

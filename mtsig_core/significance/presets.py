"""The table of tests: every rule as data, so that a new preset is a new row and nothing else.

The rows that may be read as they stand come first, then the rules as they were published or are commonly used,
each with its limitation.
"""

from __future__ import annotations

from mtsig_core.significance.conventions import (
    OUTPUTS_NEW_DOCUMENTS,
    OUTPUTS_NEW_TEXT,
    SETUP_NEW_TEXT,
    SETUP_THIS_TEXT,
    SHARP_NULL,
    Convention,
    Family,
    Needs,
    Preset,
    why_not,
)

__all__ = [
    "OUTPUTS_NEW_DOCUMENTS", "OUTPUTS_NEW_TEXT", "PRESETS", "SETUP_NEW_TEXT", "SETUP_THIS_TEXT", "SHARP_NULL",
    "Convention", "Family", "Needs", "Preset", "get_preset", "valid_presets", "why_not",
]

VALID = Convention(enumerate=True)
_VALID_RULE = "p is the share of exchanges whose difference is at least as large as the observed one, either way"
_DRAWN_SEGMENTS = "test sets of L segments drawn with replacement, shared by all outputs"
_DRAWN_DOCUMENTS = "whole documents drawn with replacement, shared by all outputs"
_DRAWN_REPLICAS = "replicas of each system drawn with replacement"
_INDEPENDENT = (
    "Treats the replicas' outputs as independent: when systems differ by segment, or replicas as a whole, "
    "it finds differences that are not there, the more often the more replicas there are."
)
_SHRUNK = (
    "Redrawing n replicas shrinks their variance by (n − 1)/n, and a normal-sized tail knows nothing of few degrees of "
    "freedom: with few replicas it finds far too much."
)
_BOTH_WAYS = (
    "With few replicas that differ as a whole it finds far too much, for redrawing n replicas shrinks their variance "
    "by (n − 1)/n; where they do not differ as a whole it finds too little, for it counts the residual twice."
)
_TWICE = "The winner is chosen after looking, so one tail at level α errs about twice as often as α says."
_STRICT = "Counts only exchanges that exceed the observed difference, so ties count as evidence against chance"
_HYPOTHESIS_ALARMS = (
    "where strengths differ by segment, outputs exchanged in pairs (assigned again): 0.11 (0.16) at n = 2, "
    "0.17 (0.23) at 3, 0.26 (0.31) at 5, 0.39 (0.47) at 10; more with a replica effect"
)
_TWO_REPLICAS = Needs(smaller=2, larger=2)

_VALID = (
    Preset(
        name="coherent",
        label="Coherent test",
        family="closed form",
        unit="replica x segment",
        scheme="the crossed test and the replica test",
        question=SETUP_NEW_TEXT,
        rule="the larger p and the wider interval of the crossed test and of Welch's t-test of the replicas' scores, "
        "whose degrees of freedom are limited where few replicas are unequal in number.",
        form="coherent",
        needs=Needs(smaller=1, larger=2),
        alarms="0.02 to 0.062; up to 0.07 where one side has two replicas and the other more; 0.09 to 0.18 with very "
        "skewed replica effects in one system",
        headline=True,
    ),
    Preset(
        name="coherent-paired",
        label="Coherent test, paired replicas",
        family="closed form",
        unit="replica x segment",
        scheme="the crossed test and the paired t-test of the differences of paired replicas",
        question=SETUP_NEW_TEXT,
        rule="the larger p and the wider interval of the crossed test of paired replicas and of the paired t-test of "
        "their scores.",
        form="coherent-paired",
        needs=Needs(smaller=2, larger=2, equal=True, paired=True),
        alarms="0.04 to 0.06",
        headline=True,
    ),
    Preset(
        name="crossed",
        label="Crossed test",
        family="closed form",
        unit="replica x segment",
        scheme="variance components of replicas and segments",
        question=SETUP_NEW_TEXT,
        rule="t-test of the difference against a variance that counts replicas, segments and both together, "
        "with Satterthwaite's degrees of freedom.",
        form="crossed",
        needs=Needs(smaller=1, larger=2),
        alarms="for equal n up to 0.12 with 2 replicas, 0.08 with 3, 0.065 with 4, 0.05 to 0.06 from 5 on; for unequal "
        "n up to 0.13 with 2, 0.08 with 3",
    ),
    Preset(
        name="crossed-paired",
        label="Crossed test, paired replicas",
        family="closed form",
        unit="replica x segment",
        scheme="variance components of the differences of paired replicas",
        question=SETUP_NEW_TEXT,
        rule="t-test of the difference of paired replicas against a variance that counts replicas, segments and both "
        "together, with Satterthwaite's degrees of freedom.",
        form="crossed-paired",
        needs=Needs(smaller=2, larger=2, equal=True, paired=True),
        alarms="up to 0.12 with 2 pairs, 0.08 with 3, 0.05 to 0.06 from 5 on",
    ),
    Preset(
        name="ar-segment",
        label="Approximate randomization, segments",
        family="exchange",
        unit="segment",
        scheme="the replicas of each segment swapped as one block",
        question=OUTPUTS_NEW_TEXT,
        rule=f"{_VALID_RULE}; all replicas of a segment change systems together.",
        comparison=VALID,
        alarms="0.049",
    ),
    Preset(
        name="ar-replica",
        label="Approximate randomization, replicas",
        family="exchange",
        unit="replica",
        scheme="whole outputs assigned again",
        question=SETUP_THIS_TEXT,
        rule=f"{_VALID_RULE}; whole outputs are assigned to the systems again.",
        comparison=VALID,
        needs=Needs(smaller=1, larger=2),
        alarms="0 at n = 2 and 3, 0.051 at 5, 0.053 at 10, when the spreads are alike; where the system with fewer "
        "varies three times as much, 0.15 with 2 against 10, 0.13 with 3 against 10, 0.10 with 5 against 10",
    ),
    Preset(
        name="ar-replica-paired",
        label="Approximate randomization, paired replicas",
        family="exchange",
        unit="replica-paired",
        scheme="whole outputs of equal index swapped",
        question=SETUP_THIS_TEXT,
        rule=f"{_VALID_RULE}; replicas of equal index change systems together.",
        comparison=VALID,
        needs=Needs(smaller=2, larger=2, equal=True, paired=True),
        alarms="0 below n = 6",
    ),
    Preset(
        name="welch-replicas",
        label="Welch's t-test of replica scores",
        family="closed form",
        unit="replica",
        scheme="scores of the replicas",
        question=SETUP_THIS_TEXT,
        rule="t-test of the replicas' scores without assuming equal variances; paired where replicas are paired.",
        form="welch",
        needs=_TWO_REPLICAS,
        alarms="about 0.05 for equal n; up to 0.11 with 2 against 10 where the smaller group varies more",
    ),
    Preset(
        name="bootstrap-centred",
        label="Bootstrap, centred",
        family="bootstrap",
        unit="segment",
        scheme=_DRAWN_SEGMENTS,
        question=OUTPUTS_NEW_TEXT,
        rule="p is the share of draws whose difference lies at least as far from the draws' mean as the observed "
        "one lies from 0.",
        comparison=Convention(centre="mean"),
        alarms="0.056",
    ),
    Preset(
        name="bootstrap-paired",
        label="Paired bootstrap",
        family="bootstrap",
        unit="segment",
        scheme=_DRAWN_SEGMENTS,
        question=OUTPUTS_NEW_TEXT,
        rule="Significant when the percentile interval of the difference excludes 0; p is twice the smaller share of "
        "draws on either side of 0.",
        comparison=Convention(rule="interval"),
        alarms="0.058",
    ),
    Preset(
        name="ar-document",
        label="Approximate randomization, documents",
        family="exchange",
        unit="document",
        scheme="whole documents swapped, the replicas of each as one block",
        question=OUTPUTS_NEW_DOCUMENTS,
        rule=f"{_VALID_RULE}; all segments of a document, and all replicas, change systems together.",
        comparison=VALID,
        needs=Needs(documents=True),
        alarms="0.06 with 30 documents whose strengths differ, where tests over segments reach 0.18",
    ),
    Preset(
        name="bootstrap-document",
        label="Bootstrap of documents, centred",
        family="bootstrap",
        unit="document",
        scheme=_DRAWN_DOCUMENTS,
        question=OUTPUTS_NEW_DOCUMENTS,
        rule="p is the share of draws whose difference lies at least as far from the draws' mean as the observed "
        "one lies from 0; whole documents are drawn.",
        comparison=Convention(centre="mean"),
        needs=Needs(documents=True),
        alarms="0.07 with 30 documents whose strengths differ",
    ),
)

_AS_PUBLISHED = (
    Preset(
        name="koehn",
        label="Koehn's win share",
        family="bootstrap",
        unit="segment",
        scheme=_DRAWN_SEGMENTS,
        question=OUTPUTS_NEW_TEXT,
        rule="p is the share of draws that the apparent winner does not win; a tie is not a win.",
        comparison=Convention(rule="wins", sides="winner", add_one=False),
        warning=_TWICE,
        alarms="0.10",
    ),
    Preset(
        name="lecture-bootstrap",
        label="Graham's bootstrap",
        family="bootstrap",
        unit="segment",
        scheme=_DRAWN_SEGMENTS,
        question=OUTPUTS_NEW_TEXT,
        rule="p = c/B, c the draws whose difference less the draws' mean is at least the observed one, in favour of "
        "the apparent winner.",
        comparison=Convention(centre="mean", sides="winner", add_one=False),
        warning=_TWICE,
        alarms="0.10 (0.05 where the winner is named before looking)",
    ),
    Preset(
        name="lecture-ar",
        label="Graham's approximate randomization",
        family="exchange",
        unit="segment",
        scheme="the replicas of each segment swapped as one block",
        question=OUTPUTS_NEW_TEXT,
        rule="p = c/R, c the shuffles whose difference is at least the observed one, in favour of the apparent winner.",
        comparison=Convention(sides="winner", add_one=False),
        warning=_TWICE,
        alarms="0.10 (0.05 where the winner is named before looking)",
    ),
    Preset(
        name="sacrebleu-bootstrap",
        label="sacreBLEU's paired bootstrap",
        family="bootstrap",
        unit="segment",
        scheme=_DRAWN_SEGMENTS,
        question=OUTPUTS_NEW_TEXT,
        rule="p = (c+1)/(B+1), c the draws whose size of difference, less the mean of the sizes, exceeds the observed "
        "size.",
        comparison=Convention(centre="mean size", strict=True),
        warning="Centres the sizes of the differences instead of the differences, so it errs about twice as often as "
        "it claims.",
        alarms="0.11",
    ),
    Preset(
        name="sacrebleu-ar",
        label="sacreBLEU's approximate randomization",
        family="exchange",
        unit="segment",
        scheme="the replicas of each segment swapped as one block",
        question=OUTPUTS_NEW_TEXT,
        rule="p = (c+1)/(R+1), c the shuffles whose size of difference exceeds the observed size.",
        comparison=Convention(strict=True),
        warning=f"{_STRICT}: outputs that differ in one segment only get the smallest p there is.",
        alarms="about 0.05 where many segments differ",
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
        warning=_INDEPENDENT,
        alarms=_HYPOTHESIS_ALARMS,
    ),
    Preset(
        name="multeval-ar",
        label="MultEval's approximate randomization",
        family="exchange",
        unit="hypothesis",
        scheme="the outputs of each segment exchanged one by one",
        question=SHARP_NULL,
        rule="p = (c+1)/(R+1), c the shuffles whose size of difference exceeds the observed size; every output of "
        "every segment changes systems on its own.",
        comparison=Convention(strict=True),
        warning=_INDEPENDENT,
        alarms=f"{_HYPOTHESIS_ALARMS}; MultEval's own shuffle 0.074 to 0.158 even where this one holds",
    ),
    Preset(
        name="bootstrap-replica",
        label="Bootstrap of replicas, centred",
        family="bootstrap",
        unit="replica",
        scheme=_DRAWN_REPLICAS,
        question=SETUP_THIS_TEXT,
        rule="p is the share of draws whose difference lies at least as far from the draws' mean as the observed "
        "one lies from 0.",
        comparison=Convention(centre="mean"),
        needs=_TWO_REPLICAS,
        warning=_SHRUNK,
        alarms="0.33 at n = 2, 0.20 at 3, 0.12 at 5, 0.08 at 10",
    ),
    Preset(
        name="fu-bootstrap",
        label="Fu's test-set-level bootstrap",
        family="bootstrap",
        unit="replica",
        scheme=_DRAWN_REPLICAS,
        question=SETUP_THIS_TEXT,
        rule="p = (c+1)/(B+1), c the draws whose difference lies farther from the draws' mean than the observed one "
        "lies from 0.",
        comparison=Convention(centre="mean", strict=True),
        needs=_TWO_REPLICAS,
        warning=_SHRUNK,
        alarms="0.33 at n = 2, 0.20 at 3, 0.12 at 5, 0.08 at 10",
    ),
    Preset(
        name="fu-ar",
        label="Fu's test-set-level randomization",
        family="exchange",
        unit="replica-paired",
        unit_if_unequal="replica",
        scheme="whole outputs of equal index swapped",
        question=SETUP_THIS_TEXT,
        rule="p = (c+1)/(R+1), c the shuffles whose size of difference exceeds the observed size; whole outputs of "
        "equal index change systems, or are assigned again where the systems differ in replicas.",
        comparison=Convention(strict=True),
        needs=_TWO_REPLICAS,
        warning=f"{_STRICT}: with few replicas most exchanges are ties, and it finds far too much.",
        alarms="0.50 at n = 2, 0.25 at 3, 0.065 at 5, 0.053 at 10; assigned again 0.335, 0.094, 0.057, 0.053",
    ),
    Preset(
        name="two-way-bootstrap",
        label="Two-way bootstrap",
        family="bootstrap",
        unit="replica x segment",
        scheme="replicas and segments drawn with replacement",
        question=SETUP_NEW_TEXT,
        rule="p is the share of draws whose difference lies at least as far from the draws' mean as the observed "
        "one lies from 0.",
        comparison=Convention(centre="mean"),
        needs=_TWO_REPLICAS,
        warning=_BOTH_WAYS,
        alarms="with a replica effect 0.27 at n = 2, 0.15 at 3, 0.115 at 5, 0.06 at 10; without one 0.006 to 0.033",
    ),
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in (*_VALID, *_AS_PUBLISHED)}


def get_preset(name: str) -> Preset:
    """Return a preset; raise ValueError naming those there are."""
    if name not in PRESETS:
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}; not {name!r}.")
    return PRESETS[name]


def valid_presets() -> tuple[str, ...]:
    """Return the names of the presets that carry no warning, in the table's order."""
    return tuple(name for name, preset in PRESETS.items() if preset.valid)

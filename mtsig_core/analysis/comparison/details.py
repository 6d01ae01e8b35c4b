"""What else to know beside the headline: the other questions' tests, sensitivity, and what limits the answer."""

from __future__ import annotations

import numpy as np

from mtsig_core.analysis.comparison.evidence import Evidence
from mtsig_core.analysis.comparison.outlook import MOST_REPLICAS, components_of, outlook
from mtsig_core.formatting import format_interval, format_p, p_phrase, with_names
from mtsig_core.significance import CoherentResult
from mtsig_core.significance.closed_form.pooled import pooled_test
from mtsig_core.significance.partners import partners_correlate
from mtsig_core.significance.simulation.designs import Design, Variation
from mtsig_core.significance.simulation.sensitivity import detectable_difference

SKEWED_SHARE = 0.8  # of the replicas' part of V, from which one system's skewness matters
SKEWED = 0.8  # of the largest skewness that so few numbers can have
SKEWNESS_SHOWS = 10  # replicas from which a very skewed distribution mostly shows
SKEWED_RATE, SKEWED_RATE_OF_2 = "0.18", "0.14"  # of lognormal effects, `mtsig_core.analysis.calibration.rates`


def details_of(e: Evidence, coherent: CoherentResult) -> tuple[str, ...]:
    """Return the details, most important first."""
    sentences = [
        *(e.basis.sentences() if e.basis else ()),
        _unpaired_after_all(e),
        _unlike_partners(e),
        on_these_outputs(e),
        _without_segments(e),
        _this_recipe(e),
        _against_margin(e),
        _margin_beforehand(e),
        _not_significant_below(e, coherent),
        _detectable_4_in_5(e, coherent),
        _run_to_run(e),
        _more_replicas(e, coherent) if e.outcome == "undecided" else None,
        _pooled(e),
        _few_replicas(e, coherent),
        _skewed(e),
        e.varied.limit or None,
        e.varied.dependence or None,
    ]
    return tuple(sentence for sentence in sentences if sentence)


def _unpaired_after_all(e: Evidence) -> str | None:
    if not e.settings.paired or e.paired:
        return None
    return f"Replicas were declared as paired, but there are {e.replicas}: they are compared as unpaired."


def _unlike_partners(e: Evidence) -> str | None:
    """Warn where declared partners resemble each other no more than other replicas do, and name them."""
    if not e.paired:
        return None
    if partners_correlate(e.pair.pseudo_values_of(e.a), e.pair.pseudo_values_of(e.b)) is not False:
        return None
    names = zip(e.statistics.names(e.a), e.statistics.names(e.b), strict=True)
    return (
        f"The declared partners ({', '.join(f'{one} and {other}' for one, other in names)}) resemble each other no "
        "more than other replicas do: are these the right pairs, and do they share anything?"
    )


def on_these_outputs(e: Evidence) -> str | None:
    """Say what the test of segments finds: these outputs, on new text."""
    test = e.tests.get("ar-segment")
    if test is None or test.p is None:
        return None
    p = p_phrase(test.p, test.smallest_p, exact=test.exact)
    if e.significant(test.p):
        better = e.better_by(test.difference)
        if better != e.better_by(e.difference):
            better += " when the replicas of a system are scored as one output"
        return f"On these very outputs, {better}, beyond the test set's random variation ({p})."
    return f"On these very outputs, the test set's random variation alone could explain the difference ({p})."


def _without_segments(e: Evidence) -> str | None:
    """Say what scores of whole runs cannot tell."""
    if not e.statistics.whole_runs:
        return None
    return "These are scores of whole runs: tests of segments are left out, and nothing is known about other text."


def _this_recipe(e: Evidence) -> str | None:
    """Say what replica-level tests find: this training setup, on this text."""
    decisive = e.replica_test
    if decisive is None:
        return None
    permuted, welch = e.permuted_replicas, e.welch
    both = decisive is permuted and welch is not None and welch.p is not None
    if both and welch is not None and e.significant(decisive.p) != e.significant(welch.p):
        # permutations are exact for setups alike in all; where the smaller group varies more they err, and so does t
        finding = "tests of whole replicas disagree on whether run-to-run variation alone could explain the difference"
    elif e.significant(decisive.p):
        finding = f"{e.varied.new} should show the difference too"
    else:
        finding = "run-to-run variation alone could explain the difference"
    t_test = "paired t-test" if e.paired else "Welch's t-test"
    numbers = p_phrase(decisive.p, decisive.smallest_p, exact=decisive.exact)
    if both and welch is not None:
        numbers += f"; {t_test} {p_phrase(welch.p)}"
    elif decisive is welch:
        numbers = f"{t_test} {numbers}"
    place = "these test sets" if e.statistics.whole_runs else "this very text"
    sentence = f"On {place}, {finding} ({numbers})."
    if permuted is not None and permuted.smallest_p is not None and permuted.smallest_p >= e.settings.alpha:
        floor = format_p(permuted.smallest_p, permuted.smallest_p, exact=True)
        sentence += f" With {e.replicas}, permuting whole replicas can never give a p below {floor}."
    return sentence


def _against_margin(e: Evidence) -> str | None:
    """Say whether b is worse than a by the margin."""
    if e.margin is None or e.margin.p_not_worse is None or not e.scope.is_quality:
        return None
    size = e.size(e.margin.margin)
    if e.margin.not_worse:
        return f"{e.b} is not worse than {e.a} by {size} or more (one-sided {p_phrase(e.margin.p_not_worse)})."
    if e.margin.not_worse is False:
        return f"{e.b} is worse than {e.a} by more than {size} (one-sided {p_phrase(e.margin.p_worse_by_margin)})."
    return f"{e.b} may be worse than {e.a} by {size} or more (one-sided {p_phrase(e.margin.p_not_worse)})."


def _margin_beforehand(e: Evidence) -> str | None:
    """Say what a margin takes that no test can check."""
    if e.margin is None or e.margin.p_equivalent is None:
        return None
    return "What is said about the margin holds only if the margin was chosen before the difference was seen."


def _not_significant_below(e: Evidence, coherent: CoherentResult) -> str | None:
    size = coherent.smallest_significant
    return None if size is None else f"A difference below {e.size(size)} would not have been significant here."


def _detectable_4_in_5(e: Evidence, coherent: CoherentResult) -> str | None:
    if min(e.n_a, e.n_b) < 2 or coherent.p is None or coherent.crossed.p is None or not coherent.tests:
        return None
    c = components_of(coherent.crossed, e.n_a, e.n_b, e.statistics.n_segments, e.n_units)
    variation = Variation(tuple(map(float, c.replica)), tuple(map(float, c.residual)), c.segment)
    numbers = (e.n_a,) if e.paired else (e.n_a, e.n_b)
    size = detectable_difference(
        Design(numbers, c.n_segments, c.n_units - 1.0), variation, alpha=e.settings.alpha, seed=e.settings.seed
    )
    return f"A true difference of {e.size(size)} would have been found 4 times in 5, if runs vary as these do."


def _run_to_run(e: Evidence) -> str | None:
    if e.intervals.optimizer is None:
        reason = e.intervals.reasons["optimizer"]
        return f"How much runs vary is unknown: {reason}{'' if reason.endswith('?') else '.'}"
    half = (e.intervals.optimizer[1] - e.intervals.optimizer[0]) / 2
    return f"With {e.replicas}, run-to-run variation alone could make a difference of {e.size(half)}."


def _more_replicas(e: Evidence, coherent: CoherentResult) -> str | None:
    """Say whether more replicas could settle a difference of the observed size."""
    if min(e.n_a, e.n_b) < 2 or e.difference == 0 or coherent.crossed.p is None or not coherent.tests:
        return None
    components = components_of(coherent.crossed, e.n_a, e.n_b, e.statistics.n_segments, e.n_units)
    view = outlook(components, e.difference, e.settings.alpha)
    size = e.size(e.difference)
    if view.floor > abs(e.difference):
        return (
            f"No number of replicas suffices for a difference as small as {size}: on this test set alone, "
            f"anything below {e.size(view.floor)} is hidden. A larger test set is needed."
        )
    if view.needed is None:
        return (
            f"Even {MOST_REPLICAS} replicas of each system would not show a difference of {size}: "
            "a larger test set is needed too."
        )
    if view.needed <= max(e.n_a, e.n_b):
        return None
    # at this n the detectable difference is the observed one, so half of the experiments fall short of it
    return (
        f"With about {view.needed} replicas of each system ({view.needed - min(e.n_a, e.n_b)} more) half of such "
        f"experiments would find {size}, if that is the true difference and new ones vary as these do; "
        f"{e.replicas} show only roughly how much they vary."
    )


def _pooled(e: Evidence) -> str | None:
    """Give the second line of two replicas against more, under its assumption."""
    smaller, larger = sorted((e.n_a, e.n_b))
    if smaller != 2 or larger == 2:
        return None
    result = pooled_test(
        e.pair.pseudo_values_of(e.a), e.pair.pseudo_values_of(e.b), alpha=e.settings.alpha,
        documents=e.statistics.documents,
    )  # fmt: skip
    if result is None:
        return None
    interval = format_interval(result.interval, e.decimals)
    return f"If both systems vary alike, which two runs cannot show: {p_phrase(result.p)}, interval {interval}."


def _few_replicas(e: Evidence, coherent: CoherentResult) -> str | None:
    """Return the coherent test's warning, which knows the systems as A and B, under their names."""
    named = coherent.kind == "one replica"
    return (with_names(coherent.warning, e.a, e.b) if named else coherent.warning) or None


def _skewed(e: Evidence) -> str | None:
    """Warn where one system's runs are, or may be, very skewed: the case that makes the coherent test err most."""
    if min(e.n_a, e.n_b) < 2:
        return None
    scores = e.pair.scores
    variances = [float(x.var(ddof=1)) / len(x) for x in scores]
    k = int(variances[1] > variances[0])
    n, system = len(scores[k]), (e.a, e.b)[k]
    if variances[k] <= 0 or variances[k] < SKEWED_SHARE * sum(variances):
        return None
    centred = scores[k] - scores[k].mean()
    skewness = float(np.mean(centred**3) / np.mean(centred**2) ** 1.5)
    if n > 2 and abs(skewness) >= SKEWED * (n - 2) / (n - 1) ** 0.5:
        side = "above" if skewness > 0 else "below"
        return (
            f"One run of {system} lies far {side} the others and makes most of the variation. With run-to-run "
            f"variation as skewed as that, false-positive rates reach {SKEWED_RATE} at 0.05: run more replicas."
        )
    if n >= SKEWNESS_SHOWS or e.outcome in ("undecided", "not defined"):
        return None
    rate = SKEWED_RATE if n > 2 else SKEWED_RATE_OF_2
    return (
        f"Most of the run-to-run variation is that of {system}, and {n} runs hardly show whether it is skewed (most "
        f"runs alike, a few far off). If it is very skewed, measured false-positive rates reach {rate} at 0.05."
    )

"""The paragraph on methods: what was done to get the numbers of a report, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mtsig_core.experiment.varied import get_varied
from mtsig_core.formatting import count, format_percent
from mtsig_core.metrics import OutsideMetric
from mtsig_core.reports.documents import versions
from mtsig_core.reports.paper.bibliography import OF_METRIC, OF_PRESET
from mtsig_core.reports.paper.model import Prose, Sentence
from mtsig_core.reports.paper.results import Results
from mtsig_core.significance import PRESETS, TestResult

HEADLINES = ("coherent", "coherent-paired")
#: The tests that a verdict's sentences name.
OF_VERDICT = (*HEADLINES, "ar-segment", "ar-replica", "ar-replica-paired", "welch-replicas")


def methods(results: Results) -> tuple[Prose, ...]:
    """Return the paragraphs on data, on scores and tests, and on software."""
    return tuple(
        Prose(sentences) for part in (_data, _scores, _tests, _other_parts, _software)
        if (sentences := tuple(part(results)))
    )


def listed(words: Sequence[str]) -> str:
    """Return words as a list in a sentence.

    Examples
    --------
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def in_points(difference: float) -> str:
    """Return a difference that was stated, such as ``0.5 points``."""
    return f"{difference:g} point{'' if difference == 1 else 's'}"


def replicas_in_words(results: Results) -> str:
    """Return the systems with their numbers of replicas, by test set where these differ."""
    by_set = {name: _systems_on(results, name) for name in results.request.test_sets}
    if len(set(by_set.values())) == 1:
        return next(iter(by_set.values()))
    return "; ".join(f"on {name}: {systems}" for name, systems in by_set.items())


def _systems_on(results: Results, test_set: str) -> str:
    present = results.experiment.systems_present_on(test_set)
    return listed([f"{s.name} ({count(len(s.present_on(test_set)), 'replica')})" for s in present])


def sets_in_words(results: Results) -> str:
    """Return the test sets with their sizes."""
    return listed([_set_in_words(results, name) for name in results.request.test_sets])


def _set_in_words(results: Results, name: str) -> str:
    test_set = results.experiment.test_set(name)
    if not test_set.has_segments:
        return f"{name} (scores of whole runs)"
    size = count(test_set.n_segments, "segment")
    references = f", {count(len(test_set.references), 'reference')}" if test_set.references else ""
    return f"{name} ({size}{references}{', a tuning set' if test_set.role == 'dev' else ''})"


def _data(results: Results) -> Iterator[Sentence]:
    settings = results.settings
    verb = "system is" if len(results.experiment.systems) == 1 else "systems are"
    yield Sentence(f"The {verb} {replicas_in_words(results)}.")
    scored = "It was" if len(results.experiment.systems) == 1 else "They were"
    yield Sentence(f"{scored} scored on {sets_in_words(results)}.")
    yield Sentence(varied_in_words(results))
    if settings.paired:
        yield Sentence("Replicas of equal name or number share a seed or base model and were compared as pairs.")
    for note in results.notes:
        yield Sentence(note)


def varied_in_words(results: Results) -> str:
    """Return what the replicas of a system differ by."""
    varied = get_varied(results.settings.replicas_are)
    if varied.name == "unknown":
        return "What the replicas of a system differ by was not stated."
    return f"The replicas of a system differ by: {varied.label}. {varied.dependence}".strip()


def signatures_of(results: Results, metric: str) -> tuple[str, ...]:
    """Return the signatures of a metric on the test sets, each once."""
    return tuple(dict.fromkeys(text for (_, name), text in results.signatures.items() if name == metric))


def _scores(results: Results) -> Iterator[Sentence]:
    for metric in results.request.metrics:
        signatures = signatures_of(results, metric.name)
        if isinstance(metric, OutsideMetric):
            way = f"{'higher' if metric.higher_is_better else 'lower'} is better"
            if metric.column in results.experiment.assumed_directions:
                way += ", which was assumed"
            yield Sentence(f"Scores of {metric.label} came with the data and were averaged ({way}).")
        elif signatures:
            yield Sentence(
                f"{metric.label} was computed with the signature {listed(signatures)}.", OF_METRIC.get(metric.name, ())
            )
    yield Sentence("The score of a system is the mean of its replicas' scores.")
    rows = () if results.table is None else results.table.rows
    meanings = [
        f"s_sel is the standard deviation of a score over {results.settings.n_bootstrap:,} bootstrap samples of the "
        "segments, averaged over replicas" if any(row.s_sel is not None for row in rows) else "",
        "s_test is that of the replicas' scores on a test set" if any(row.s_test is not None for row in rows) else "",
        "s_dev is that of the replicas' scores on the tuning set" if any(row.s_dev is not None for row in rows) else "",
    ]
    if any(meanings):
        text = "; ".join(filter(None, meanings))
        text = text if meanings[0] else text.replace("that", "the standard deviation", 1)
        yield Sentence(f"{text}.", ("clark-2011",))


def shown_tests(results: Results) -> dict[str, TestResult]:
    """Return one result of each test that the report shows, by preset, in the order of the table of presets."""
    done = {t.preset.name: t for c in results.comparisons for t in c.tests if t.p is not None}
    request = results.request
    shown = (request.presets or tuple(done)) if request.has("tests") else ()
    if request.has("verdict", "table1") or not request.presets:
        shown = (*shown, *OF_VERDICT)
    return {name: done[name] for name in PRESETS if name in done and name in shown}


def _tests(results: Results) -> Iterator[Sentence]:
    if not results.comparisons:
        return
    settings, tests = results.settings, shown_tests(results)
    systems = listed(results.request.systems)
    yield Sentence(f"{systems} {'was' if len(results.request.systems) == 1 else 'were each'} compared with "
                   f"{results.request.baseline}.")  # fmt: skip
    for name in HEADLINES:
        if name in tests:
            preset = tests[name].preset
            yield Sentence(f"Verdicts, and intervals of differences, rest on the {preset.label[0].lower()}"
                           f"{preset.label[1:]}, for {preset.question}: {preset.rule}", OF_PRESET[name])
    yield from _limits(results)
    for name, test in tests.items():
        if name not in HEADLINES:
            yield Sentence(test_in_words(test, _drawn(results, name)), OF_PRESET.get(name, ()))
    level = f"The significance level is {settings.alpha:g}; intervals are at {format_percent(1 - settings.alpha)}."
    yield Sentence(f"{level} {correction_in_words(results)}")
    if settings.margin is not None:
        inner = format_percent(1 - 2 * settings.alpha)
        yield Sentence(
            f"Differences of less than {in_points(settings.margin)} of a metric were declared not to matter; "
            f"equivalence is claimed where the {inner} interval lies within that margin.", ("schuirmann-1987",),
        )
    yield from _effects(results)


def _limits(results: Results) -> Iterator[Sentence]:
    """Yield what the verdict's test cannot say where systems have one replica."""
    kinds = {None if c.coherent is None else c.coherent.kind for c in results.comparisons}
    if "one replica" in kinds:
        yield Sentence(
            "A system with one replica was assumed to vary as the one that it is compared with, which cannot be tested."
            if results.settings.assume_equal_variation else
            "Where one of two systems has one replica, the verdict takes its output as given and says nothing about "
            "its training."
        )
    if any(len(c.replicas_a) == len(c.replicas_b) == 1 for c in results.comparisons):
        yield Sentence(
            "Where both systems have one replica, no test can account for the variation between runs, and there is no "
            "verdict on them."
        )


def _effects(results: Results) -> Iterator[Sentence]:
    if not results.request.has("verdict"):
        return
    intervals = [
        f"the percentile interval of {results.settings.n_bootstrap:,} bootstrap samples of the segments"
        if any(c.intervals.test_set for c in results.comparisons) else "",
        "the t interval of the replicas' scores" if any(c.intervals.optimizer for c in results.comparisons) else "",
    ]
    if shown := [*filter(None, intervals)]:
        verb = "stand" if len(shown) > 1 else "stands"
        yield Sentence(f"Beside the interval of the verdict {verb} {listed(shown)}.")
    if chances := [effect.improvement for effect in results.effects if effect.improvement is not None]:
        interval = "Wilson's" if chances[0].paired else "Newcombe's"
        yield Sentence(f"The probability that a replica of one system beats one of the other has {interval} interval.")
    if any(effect.human is not None for effect in results.effects):
        yield Sentence("How often people agree with a difference is read off published curves.", ("kocmi-2024",))


def _drawn(results: Results, name: str) -> str:
    """Return what a test drew over all comparisons: where there are few exchanges, all were made instead."""
    tests = [t for c in results.comparisons for t in c.tests if t.preset.name == name and t.p is not None]
    what = "bootstrap samples" if PRESETS[name].family == "bootstrap" else "random exchanges"
    numbers = sorted({t.draws for t in tests if t.draws and not t.exact})
    every = "all exchanges were enumerated" if any(t.draws and t.exact for t in tests) else ""
    drawn = f"{listed([f'{number:,}' for number in numbers])} {what}" if numbers else ""
    return f"{drawn}; {every} where they are fewer" if drawn and every else drawn or every


def test_in_words(test: TestResult, drawn: str) -> str:
    """Return a test with its question, what was drawn, and how p was computed."""
    rule = test.preset.rule.rstrip(".")
    how = "; ".join(filter(None, (test.scheme, drawn)))
    return f"{test.label} ({how}), for {test.preset.question}: {rule[0].lower()}{rule[1:]}."


def correction_in_words(results: Results) -> str:
    """Return how p-values were corrected for their number, or that they were not."""
    n = len(results.comparisons)
    corrected = []
    if results.pairwise:
        corrected.append("p-values of all pairs of systems were corrected by Holm and by Benjamini and Hochberg")
    if results.request.has("verdict") and len(results.request.metrics) > 1:
        corrected.append("p-values of several metrics are also given corrected by Holm")
    rest = "The p-value of the one comparison needed no correction" if n == 1 else (
        f"The p-values of the {n} comparisons with the baseline were not corrected for their number"
    )
    return "; ".join([rest, *corrected]) + "."


def _other_parts(results: Results) -> Iterator[Sentence]:
    if presets := dict.fromkeys(f"{one.preset.label}: {one.preset.scheme}" for one in results.pairwise):
        yield Sentence(
            f"All pairs of systems were tested by one test ({'; or '.join(presets)}); clusters of systems "
            "follow Holm's p.", ("holm-1979", "benjamini-1995"),
        )
    if models := dict.fromkeys(
        f"{one.design.draws:,} experiments with n replicas were drawn from those at hand" if one.model == "redraw"
        else "replicas were taken for normally distributed" for one in results.by_n
    ):
        yield Sentence(f"For the difference against the number of replicas, {'; or '.join(models)}.", ("clark-2011",))
    for lottery in results.lotteries[:1]:
        yield Sentence(
            "Each replica of one system was tested against each of the other by approximate randomization over "
            f"segments ({lottery.n_permutations:,} random exchanges)."
        )
    if results.plans:
        yield Sentence("Variance components were estimated from the replicas at hand.", ("satterthwaite-1946",))
    for plan in [plan for _, _, plan, _ in results.plans if plan is not None][:1]:
        yield Sentence(
            f"Power to find a difference of {in_points(plan.difference)} was computed from "
            f"{plan.design.simulations:,} simulated experiments with these components."
        )


def is_random(results: Results) -> bool:
    """Say whether any number of a report rests on random draws."""
    rows = () if results.table is None else results.table.rows
    return bool(
        results.comparisons or results.pairwise or results.by_n or results.lotteries
        or any(plan is not None for _, _, plan, _ in results.plans) or any(row.s_sel is not None for row in rows)
    )


def _software(results: Results) -> Iterator[Sentence]:
    known: dict[str, Any] = versions()
    is_scored = any(not isinstance(metric, OutsideMetric) for metric in results.request.metrics)
    idle = {"mtsig"} if is_scored else {"mtsig", "sacrebleu"}
    others = [f"{name} {version}" for name, version in known.items() if name not in idle and version]
    seed = f" with the random seed {results.settings.seed}" if is_random(results) else ""
    yield Sentence(f"All numbers were computed by mtsig {known['mtsig']} ({', '.join(others)}){seed}.", ("mtsig",))

"""Warnings about a loaded experiment: one small function per warning, all listed in `CHECKS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from mtsig_core.experiment import Experiment, System
from mtsig_core.experiment.partners import matched_replicas
from mtsig_core.formatting import count
from mtsig_core.loading.checks import leftovers as leftover_checks
from mtsig_core.loading.checks import likeness as likeness_checks
from mtsig_core.loading.checks import order as order_checks
from mtsig_core.loading.checks import repeated as repeated_checks
from mtsig_core.loading.checks import scores as score_checks
from mtsig_core.loading.checks import text as text_checks
from mtsig_core.loading.checks import writing as writing_checks
from mtsig_core.loading.checks.line_ids import ids_in_lines
from mtsig_core.loading.checks.outputs import Output, Outputs
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.report import ReportLine, some
from mtsig_core.runtime.jobs import Progress, no_progress

#: Below so many segments a test set is called short.
SHORT = 100
#: From this share of blank hypotheses on, an output is suspect.
MANY_EMPTY = 0.05
#: Share of identical outputs that suffices as evidence on pairing.
EVIDENT_SHARE = 0.02
#: Outputs compared to find shared seeds, replica by replica: beyond, every so many-th segment is, as many as will do.
MOST_COMPARISONS, FEWEST_SEGMENTS = 50_000_000, 300


def check(
    experiment: Experiment, files: Mapping[OutputKey, str] | None = None, *, progress: Progress = no_progress
) -> tuple[ReportLine, ...]:
    """Return the warnings of all checks, in the order of `CHECKS`.

    Parameters
    ----------
    experiment : Experiment
    files : mapping of (system, replica, test set) to file name, optional
        To name files in the warnings.
    progress : Progress
        Called between two checks.
    """
    outputs = Outputs(experiment, files or {})
    lines: list[ReportLine] = []
    for i, one in enumerate(CHECKS):
        progress(i / len(CHECKS), "checking outputs")
        lines += one(outputs)
    return tuple(lines)


# Replicas


def identical_systems(outputs: Outputs) -> Iterator[ReportLine]:
    """Systems whose replicas have all the same outputs."""
    for group in outputs.copied_systems:
        yield _warn(
            "identical-systems",
            f"Systems {some(group)} have exactly the same outputs in all replicas: one is a copy of the other, so they "
            "cannot differ.",
            outputs.files_of_systems(group),
        )


def identical_replicas(outputs: Outputs) -> Iterator[ReportLine]:
    """Replicas of one system that are copies: equal on every test set, or a whole system on one.

    Two of many replicas may well agree on one easy or small set; copies agree on all.
    """
    groups_by_set: dict[tuple[str, str], list[list[Output]]] = {}
    digests = {(s.name, r.name): r.output_digests for s in outputs.experiment.systems for r in s.replicas}
    experiment = outputs.experiment
    sizes = {(s.name, t.name): len(s.on(t.name)) for s in experiment.systems for t in experiment.test_sets}
    for same in outputs.same_text():
        for system in dict.fromkeys(o.system for o in same):
            own = [o for o in same if o.system == system]
            whole = len(own) == sizes[system, own[0].test_set]
            everywhere = len({tuple(digests[system, o.replica].items()) for o in own}) < len(own)
            if len(own) > 1 and (whole or everywhere):
                groups_by_set.setdefault((system, own[0].test_set), []).append(own)
    for (system, test_set), groups in groups_by_set.items():
        named = "; ".join(some([o.replica for o in group]) for group in groups[:5]) + "; ..." * (len(groups) > 5)
        yield _warn(
            "identical-replicas",
            f"{system} on {test_set}: replicas with exactly the same output ({named}). Was the seed not set, or one "
            "file copied? Their spread says nothing about the optimizer.",
            [o.file for group in groups for o in group],
        )


def identical_outputs(outputs: Outputs) -> Iterator[ReportLine]:
    """One output under two systems that are not copies as a whole."""
    copies = [set(group) for group in outputs.copied_systems]
    for same in outputs.same_text():
        systems = {o.system for o in same}
        bare = outputs.n_empty(same[0]) == len(same[0].lines)
        if len(systems) < 2 or any(systems <= group for group in copies) or bare:
            continue
        yield _warn(
            "identical-outputs",
            f"Several systems have the same output on {same[0].test_set}: {some([o.label for o in same])}. "
            "Was a file copied to the wrong place?",
            [o.file for o in same],
        )


def unequal_replicas(outputs: Outputs) -> Iterator[ReportLine]:
    """Systems with unequal numbers of replicas."""
    sizes = {system.name: len(system.replicas) for system in outputs.experiment.systems}
    if len(set(sizes.values())) > 1:
        listed = some([f"{name} {n:,}" for name, n in sizes.items()], 12)
        yield _warn("unequal-replicas", f"Systems have unequal numbers of replicas ({listed}); all are used.")


def single_replica(outputs: Outputs) -> Iterator[ReportLine]:
    """Systems with one replica."""
    alone = [system.name for system in outputs.experiment.systems if len(system.replicas) == 1]
    if alone:
        yield _warn(
            "single-replica",
            f"One replica only: {some(alone, 12)}. How much another run would differ is unknown.",
        )


def missing_replica(outputs: Outputs) -> Iterator[ReportLine]:
    """Systems and replicas that some test set lacks."""
    systems = outputs.experiment.systems
    for name in (test_set.name for test_set in outputs.experiment.test_sets):
        absent = [s.name for s in systems if not any(replica.is_on(name) for replica in s.replicas)]
        rest = [system for system in systems if system.name not in absent]
        alone = [f"{system.name}/{r.name}" for system in rest for r in system.replicas if not r.is_on(name)]
        if absent:
            lacks = f"{len(absent)} of {count(len(systems), 'system')}"
            yield _warn("missing-replica", f"Test set {name} lacks {lacks}: {some(absent, 12)}.")
        if alone:
            yield _warn("missing-replica", f"Test set {name} lacks {count(len(alone), 'replica')}: {some(alone, 12)}.")


def paired_names(outputs: Outputs) -> Iterator[ReportLine]:
    """Replicas declared as paired whose names do not match."""
    systems = outputs.experiment.systems
    if not outputs.experiment.paired or len(systems) < 2:
        return
    for a, b in combinations(systems, 2):
        if not matched_replicas([r.name for r in a.replicas], [r.name for r in b.replicas]):
            yield _warn(
                "paired-names",
                f"Replicas are declared paired, but {a.name} and {b.name} have no replicas of equal name or number; "
                "rename them.",
            )


def likely_paired(outputs: Outputs) -> Iterator[ReportLine]:
    """Systems whose replicas of equal name resemble each other far more than others do."""
    if outputs.experiment.paired:
        return
    copies = [set(group) for group in outputs.copied_systems]
    for test_set in outputs.experiment.test_sets:
        systems = [s for s in outputs.experiment.systems_on(test_set.name) if len(s.on(test_set.name)) > 1]
        for a, b in combinations(systems, 2):
            if any({a.name, b.name} <= group for group in copies):
                continue
            equal, unequal = equal_shares(outputs, a, b, test_set.name)
            if _much_larger(equal, unequal):
                yield _warn(
                    "likely-paired",
                    f"{a.name} and {b.name} seem to share seeds or base models: on {test_set.name}, {_range(equal)} of "
                    f"outputs are identical between replicas of equal name, {_range(unequal)} otherwise. If so, "
                    "declare the replicas paired, and the paired test is used: --paired on the command line, the "
                    "switch 'Replicas are paired' under Settings, or paired = true in experiment.toml.",
                )


def unlikely_paired(outputs: Outputs) -> Iterator[ReportLine]:
    """Replicas declared as paired that resemble those of equal name no more than others."""
    if not outputs.experiment.paired:
        return
    for test_set in outputs.experiment.test_sets:
        systems = [s for s in outputs.experiment.systems_on(test_set.name) if len(s.on(test_set.name)) > 1]
        for a, b in combinations(systems, 2):
            if not {r.name for r in a.replicas} & {r.name for r in b.replicas}:
                continue
            equal, unequal = equal_shares(outputs, a, b, test_set.name)
            if len(equal) < 2 or not len(unequal) or unequal.mean() < EVIDENT_SHARE or equal.mean() > unequal.mean():
                continue
            yield _warn(
                "unlikely-paired",
                f"{a.name} and {b.name} are declared paired, but on {test_set.name} {_range(equal)} of outputs are "
                f"identical between replicas of equal name and {_range(unequal)} otherwise. Do equal names mean equal "
                "seeds? If nothing is shared, leave the declaration out.",
            )


def equal_shares(outputs: Outputs, a: System, b: System, test_set: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares of identical segments between replicas of equal and of unequal name.

    Where no names agree and numbers of replicas do, replicas are matched by their place in natural order.
    """
    ids_a, ids_b = outputs.line_ids(a.name, test_set), outputs.line_ids(b.name, test_set)
    names_a, names_b = ([r.name for r in system.on(test_set)] for system in (a, b))
    if not set(names_a) & set(names_b) and len(names_a) == len(names_b):
        names_b = names_a
    pairs = len(ids_a) * len(ids_b)
    step = max(1, min(pairs * ids_a.shape[1] // MOST_COMPARISONS, ids_a.shape[1] // FEWEST_SEGMENTS))
    ids_a, ids_b = (np.ascontiguousarray(ids[:, ::step]) for ids in (ids_a, ids_b))
    # One replica of a at a time keeps the comparison small.
    shares = np.array([np.count_nonzero(ids_b == row, axis=1) for row in ids_a]) / ids_a.shape[1]
    match = np.array([[x == y for y in names_b] for x in names_a])
    return shares[match], shares[~match]


def _much_larger(equal: np.ndarray, unequal: np.ndarray) -> bool:
    if len(equal) < 2 or not len(unequal):
        return False
    clear = equal.mean() >= unequal.mean() + 0.1 and equal.mean() >= 1.5 * unequal.mean()
    return bool(clear and equal.min() > unequal.max())


def _range(shares: np.ndarray) -> str:
    low, high = f"{100 * shares.min():.0f}", f"{100 * shares.max():.0f}"
    return f"{low}%" if low == high else f"{low}–{high}%"


# Numbers of segments and hypotheses


def empty_hypotheses(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs with blank hypotheses: a few are counted, many are suspect."""
    counted = [(o, outputs.n_empty(o)) for o in outputs]
    bare = [o for o, n in counted if n == len(o.lines)]
    many = [(o, n) for o, n in counted if MANY_EMPTY * len(o.lines) <= n < len(o.lines)]
    few = [(o, n) for o, n in counted if 0 < n < MANY_EMPTY * len(o.lines)]
    if bare:
        yield _warn(
            "empty-hypotheses",
            f"All hypotheses are empty: {some([o.label for o in bare])}. Did the decoder crash?",
            [o.file for o in bare],
        )
    if many:
        listed = some([f"{o.label} {n:,} of {len(o.lines):,}" for o, n in many])
        yield _warn("empty-hypotheses", f"Many empty hypotheses: {listed}.", [o.file for o, _ in many])
    if few:
        listed = some([f"{o.label} {n:,} of {len(o.lines):,}" for o, n in few])
        remedy = "If the decoder lost them, decode these segments again."
        message = f"Empty hypotheses, which were scored as empty: {listed}. {remedy}"
        yield ReportLine("assumed", message, tuple(o.file for o, _ in few), "empty-hypotheses", remedy)


def short_test_set(outputs: Outputs) -> Iterator[ReportLine]:
    """Test sets with few segments."""
    for test_set in outputs.experiment.test_sets:
        n = test_set.n_segments
        if n < SHORT and test_set.has_segments:
            what = "resampling needs at least 2." if n == 1 else "intervals will be wide and p-values coarse."
            yield _warn("short-test-set", f"Test set {test_set.name} has only {count(n, 'segment')}: {what}")


def output_equals_reference(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs that are a copy of a reference, or nearly."""
    for test_set in outputs.experiment.test_sets:
        same = [outputs.n_equal(test_set.name, stream) for stream in test_set.references]
        for output in outputs.on(test_set.name):
            enough = (n[output.row] for n in same if n[output.row] >= 0.95 * len(output.lines))
            if (n_equal := next(enough, None)) is not None:
                yield _warn(
                    "output-equals-reference",
                    f"{output.label} equals a reference of {output.test_set} in {n_equal:,} of {len(output.lines):,} "
                    "segments. Is it the reference itself?",
                    [output.file],
                )


def _warn(code: str, message: str, files: Sequence[str] = ()) -> ReportLine:
    return ReportLine("warning", message, tuple(file for file in files if file), code)


CHECKS: tuple[Callable[[Outputs], Iterator[ReportLine]], ...] = (
    identical_systems,
    identical_replicas,
    identical_outputs,
    unequal_replicas,
    single_replica,
    missing_replica,
    paired_names,
    likely_paired,
    unlikely_paired,
    empty_hypotheses,
    short_test_set,
    output_equals_reference,
    text_checks.cjk_with_13a,
    text_checks.tokenized_text,
    leftover_checks.leftovers,
    ids_in_lines,
    repeated_checks.repeated_edges,
    repeated_checks.few_distinct_lines,
    repeated_checks.unlike_references,
    text_checks.html_entities,
    text_checks.too_short_for_bleu,
    text_checks.unicode_form,
    writing_checks.other_script,
    writing_checks.other_case,
    likeness_checks.shifted_alignment,
    order_checks.shuffled_lines,
    likeness_checks.odd_replica,
    likeness_checks.unrelated_references,
    likeness_checks.reference_like_source,
    likeness_checks.output_like_source,
    score_checks.identical_scores,
    score_checks.mixed_scales,
)

"""Blocks of scores -> scores of outputs: by name, by segment, and for every test set in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mtsig_core.experiment import Scores, natural_key
from mtsig_core.experiment.assumptions import DIRECTION
from mtsig_core.formatting import count
from mtsig_core.loading.recognition.names import base_name, without_ending
from mtsig_core.loading.recognition.plan import ScoredNames
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.recognition.settings import Settings
from mtsig_core.loading.report import LoadError, Reporter, ReportLine, some
from mtsig_core.loading.scores.blocks import ScoreBlock, TextSet
from mtsig_core.loading.scores.directions import Direction, directions
from mtsig_core.loading.scores.placing import as_named, in_named_sets, names_of_paths, output_of_path, place

#: Metrics of one experiment.
MOST_METRICS = 2_000


@dataclass
class Attached:
    """Scores of outputs, test sets that occur only in files of scores, and the direction of each metric.

    Attributes
    ----------
    scores : mapping of (system, replica, test set) to (metric to segment scores)
    sets : mapping of test set to (number of segments, document ids or None)
    directions : mapping of metric to whether higher is better
    whole_runs : set of test sets that have scores of whole runs alone
    """

    scores: dict[OutputKey, dict[str, Scores]] = field(default_factory=dict)
    sets: dict[str, tuple[int, tuple[str, ...] | None]] = field(default_factory=dict)
    directions: dict[str, bool] = field(default_factory=dict)
    whole_runs: set[str] = field(default_factory=set)


def attach(
    blocks: Sequence[ScoreBlock], text_sets: Mapping[str, TextSet], outputs: Mapping[OutputKey, str],
    settings: Settings, report: Reporter, names: ScoredNames | None = None,
) -> Attached:  # fmt: skip
    """Give every block its output and its test set's order.

    Parameters
    ----------
    blocks : sequence of ScoreBlock
    text_sets : mapping of test set name to TextSet
        Test sets with references.
    outputs : mapping of (system, replica, test set) to file
        Outputs with text.
    settings : Settings
        What a person says about directions.
    report : Reporter
    names : ScoredNames, optional
        What to call systems and test sets without text.

    Raises
    ------
    LoadError
        When a block fits no test set, segments cannot be matched, or an output gets two different scores of a metric.
    """
    attached, names = Attached(), names or ScoredNames()
    _check_number(blocks)
    blocks = in_named_sets(blocks, names.sets, is_alone=not text_sets)
    placed = as_named(_placed(blocks, text_sets, outputs, report), names.systems, outputs)
    by_set: dict[str, list[ScoreBlock]] = {}
    for block in placed:
        by_set.setdefault(block.test_set, []).append(block)
    for name in sorted(by_set, key=natural_key):
        _fill(name, by_set[name], text_sets.get(name), attached, report)
    attached.whole_runs = {b.test_set for b in placed if b.whole_run} & attached.sets.keys()
    _report_strangers(attached, outputs, report)
    _directions(placed, attached, settings, report)
    return attached


def _check_number(blocks: Sequence[ScoreBlock]) -> None:
    metrics = {block.metric for block in blocks}
    if len(metrics) > MOST_METRICS:
        file = blocks[-1].file
        raise LoadError(f"{file}: {len(metrics):,} metrics; the limit is {MOST_METRICS:,}. Keep those you need.", file)


def _placed(
    blocks: Sequence[ScoreBlock], text_sets: Mapping[str, TextSet], outputs: Mapping[OutputKey, str], report: Reporter
) -> list[ScoreBlock]:
    """Return blocks with their output and test set; those that state them exactly come first."""
    exact, others = [b for b in blocks if b.exact], [b for b in blocks if not b.exact]
    named = {block.test_set for block in others if block.test_set}
    if len(text_sets) == 1 and len(named) == 1 and not named & text_sets.keys():
        others = _in_only_set(others, next(iter(text_sets)), report)
    paths = dict.fromkeys(block.output_path for block in others if block.output_path)
    by_path = names_of_paths(path for path in paths if output_of_path(path, outputs) is None)
    if by_path:
        listed = some([f"{path}: {' '.join(names)}" for path, names in by_path.items()], 6)
        files = dict.fromkeys(block.file for block in others if block.output_path in by_path)
        message = f"Outputs that scores name by their paths were read as system and replica ({listed})."
        report.assume("output-by-path", message, "To change this, call them SYSTEM/seed1.txt and score again.", files)
    placed = [place(block, text_sets, outputs, by_path, report) for block in distinct_metrics(others)]
    return [*exact, *placed]


def _in_only_set(blocks: Sequence[ScoreBlock], only: str, report: Reporter) -> list[ScoreBlock]:
    """Take scores of one test set for those of the one with text, whatever the files call it."""
    for block in blocks:
        if block.test_set:
            sentence = f"Scores of {block.test_set!r} were used for the only test set with text, {only!r}"
            report.gather_guess("test-set-name", sentence, "If they are of another, remove the file.", block.file)
            break
    return [replace(block, test_set=only) for block in blocks]


def distinct_metrics(blocks: Sequence[ScoreBlock]) -> list[ScoreBlock]:
    """Rename metrics of one name that several files give different scores of, by the names of the files.

    ``comet-score`` calls every model COMET, so ``comet22.json`` and ``kiwi.json`` are two metrics. Where
    the files agree (its JSON and what it printed), the one with more digits is used.
    """
    distinct: list[ScoreBlock] = []
    seen: dict[tuple[str, str], list[ScoreBlock]] = {}
    for block in blocks:
        if block.output_path:
            seen.setdefault((block.metric, block.output_path), []).append(block)
    different = {key[0] for key, own in seen.items() if any(not _agree(own[0], other) for other in own[1:])}
    for block in blocks:
        own = seen.get((block.metric, block.output_path), [block])
        if block.metric in different and block.output_path:
            stem = without_ending(base_name(block.file))
            distinct.append(replace(block, metric=stem))
        elif block is max(own, key=lambda b: len(repr(b.in_order))):
            distinct.append(block)
    return distinct


def _agree(a: ScoreBlock, b: ScoreBlock) -> bool:
    """Say whether scores are the same up to the four decimals that comet-score prints."""
    first, second = a.in_order or (), b.in_order or ()
    return len(first) == len(second) and all(
        x is not None and y is not None and abs(x - y) < 1e-4 for x, y in zip(first, second, strict=True)
    )


# One test set


def _fill(
    name: str, blocks: Sequence[ScoreBlock], text_set: TextSet | None, attached: Attached, report: Reporter
) -> None:
    ids = _ids(blocks)
    length = text_set.length if text_set else _length(name, blocks, ids)
    places = _places(name, blocks, ids, length, alone=text_set is None, report=report)
    documents = None if text_set else _documents(blocks, ids)
    if text_set is None:
        attached.sets[name] = (length, documents)
    first_blocks: dict[tuple[OutputKey, str], ScoreBlock] = {}
    for block in blocks:
        scores = _scores(block, length, places)
        if scores is None:
            report.add(
                "refused",
                "score-count",
                f"{block.label}: {count(len(block.in_order or ()), 'score')}, but test set {name!r} has {length:,} "
                "segments. These scores are left out, not cut or padded.",
                [block.file],
            )
            continue
        if text_set and text_set.used is not None:
            scores = tuple(scores[i] for i in text_set.used)
        key = (block.system, block.replica, name)
        if not any(score is not None for score in scores):
            report.add("refused", "no-score", f"{block.label} on {name!r}: no score at all; left out.", [block.file])
            continue
        first = first_blocks.setdefault((key, block.metric), block)
        if first is not block and attached.scores[key][block.metric] != scores:
            raise LoadError(f"{block.label}: {_of_same(first, block)}", block.file)
        attached.scores.setdefault(key, {})[block.metric] = scores
    if text_set is None and not any(key[2] == name for key in attached.scores):
        del attached.sets[name]
    _report_set(name, {pair: attached.scores[pair[0]][pair[1]] for pair in first_blocks}, report, blocks)


def _of_same(first: ScoreBlock, block: ScoreBlock) -> str:
    """Return what to do about two scores of one output, metric and test set."""
    of_sheets = (
        " Call sheets by their metrics or runs; those of annotators are human judgements: write them to one table with "
        "columns annotator, system, segment and score."
    )
    return (
        f"{first.file} has other scores of the same output, metric and test set. Remove one of them, or rename the "
        f"metric or the system.{of_sheets if block.file == first.file and block.file.endswith('.xlsx') else ''}"
    )


def _ids(blocks: Sequence[ScoreBlock]) -> list[str]:
    """Return all segment ids in natural order."""
    ids = {segment for block in blocks if block.by_id is not None for segment in block.by_id}
    return sorted(ids, key=natural_key)


def _length(name: str, blocks: Sequence[ScoreBlock], ids: Sequence[str]) -> int:
    """Return the number of segments of a test set without text: that of its ids, else what most files have."""
    if ids and all(block.in_order is None for block in blocks):
        return len(ids)
    lengths = Counter(len(block.in_order) for block in blocks if block.in_order is not None)
    (best, most), *others = lengths.most_common()
    if others and others[0][1] == most:
        ordered = [block for block in blocks if block.in_order is not None]
        a, b = (next(x for x in ordered if len(x.in_order or ()) == n) for n in (best, others[0][0]))
        raise LoadError(
            f"{b.label}: {count(others[0][0], 'score')}, but {a.label} has {best}. Scores of test set {name!r} need "
            "a line for each segment (NA for a missing one).",
            b.file,
        )
    return best


def _places(
    name: str, blocks: Sequence[ScoreBlock], ids: Sequence[str], length: int, *, alone: bool, report: Reporter
) -> dict[str, int]:
    """Return which segment of the test set, from 0, each id is."""
    if not ids:
        return {}
    by_id = [block for block in blocks if block.by_id is not None]
    file = by_id[0].file
    if alone and len(by_id) == len(blocks):
        return {segment: i for i, segment in enumerate(ids)}
    if all(segment.isdecimal() for segment in ids):
        first = 0 if ids[0] == "0" else 1
        last = int(ids[-1]) - first if len(ids[-1]) < 10 else length
        if last >= length:
            culprit = next(block for block in by_id if block.by_id is not None and ids[-1] in block.by_id)
            raise LoadError(
                f"{culprit.file}: segment {ids[-1]}, but test set {name!r} has {length} segments (numbers from "
                f"{first}). Are these scores of another test set?",
                culprit.file,
            )
        message = f"{file}: segments of {name!r} are numbered from {first}: {first} is its first line."
        report.assume("segment-numbers", message, "If not, number them so that 1 is its first line.", [file])
        return {segment: int(segment) - first for segment in ids}
    if len(ids) != length:
        raise LoadError(
            f"{file}: {count(len(ids), 'segment id')} ({some(ids, 3)}), but test set {name!r} has {length:,} segments; "
            "which is which is unclear. Number the segments from 1.",
            file,
        )
    in_file = list(by_id[0].by_id or ())
    if by_id[0].documents and len(in_file) == len(ids):
        # ids within documents: the file has documents in the order of the test set, names of documents need not
        message = f"{file}: segments of {name!r} are assumed to be in the order of this file."
        report.assume("segment-order", message, "If not, number the segments from 1.", [file])
        return {segment: i for i, segment in enumerate(in_file)}
    message = f"{file}: segment ids in natural order are the segments of {name!r} in theirs."
    report.assume("segment-order", message, "If not, number the segments from 1.", [file])
    return {segment: i for i, segment in enumerate(ids)}


def _documents(blocks: Sequence[ScoreBlock], ids: Sequence[str]) -> tuple[str, ...] | None:
    documents: dict[str, str] = {}
    for block in blocks:
        documents |= block.documents
    return (
        tuple(documents[segment] for segment in ids) if ids and all(segment in documents for segment in ids) else None
    )


def _scores(block: ScoreBlock, length: int, places: Mapping[str, int]) -> Scores | None:
    """Return one score per segment, or None when a list has the wrong length."""
    if block.in_order is not None:
        return block.in_order if len(block.in_order) == length else None
    scores: list[float | None] = [None] * length
    for segment, score in (block.by_id or {}).items():
        scores[places[segment]] = score
    return tuple(scores)


# Report


def _report_set(
    name: str, scores_of: Mapping[tuple[OutputKey, str], Scores], report: Reporter, blocks: Sequence[ScoreBlock]
) -> None:
    for metric in dict.fromkeys(metric for _, metric in scores_of):
        by_output = {key: scores for (key, m), scores in scores_of.items() if m == metric}
        own = list(by_output.values())
        files = list(dict.fromkeys(block.file for block in blocks if block.metric == metric))
        size = f"{count(len(own), 'output')}, {count(len(own[0]), 'segment')}"
        message = f"{metric} on {name!r}: segment scores of {size}."
        if any(block.whole_run for block in blocks if block.metric == metric):
            message = f"{metric} on {name!r}: scores of {count(len(own), 'whole run')}."
        report.extend([ReportLine("recognised", message, tuple(files), "scores", subject=metric)])
        gone = sum(any(score is None for score in column) for column in zip(*own, strict=True))
        if gone:
            lacking = {f"{system}/{replica}": n for (system, replica, _), scores in by_output.items()
                       if (n := sum(score is None for score in scores))}  # fmt: skip
            listed = some([f"{output}: {n}" for output, n in lacking.items()], 6)
            message = (
                f"{metric} on {name!r}: {gone:,} of {count(len(own[0]), 'segment')} {'lacks' if gone == 1 else 'lack'} "
                f"a score of some output ({listed}). Numbers over all systems use the other {len(own[0]) - gone:,}; a "
                "comparison of two systems uses every segment that both have scores of."
            )
            report.extend([ReportLine("warning", message, tuple(files), "missing-scores", subject=metric)])


def _report_strangers(attached: Attached, outputs: Collection[OutputKey], report: Reporter) -> None:
    strangers = [f"{system}/{replica} on {name}" for system, replica, name in attached.scores.keys() - set(outputs)]
    if outputs and strangers:
        listed = some(sorted(strangers, key=natural_key))
        report.add(
            "warning",
            "scores-without-output",
            f"Scores of {count(len(strangers), 'output')} without text: {listed}. Are systems and replicas named "
            "the same in both?",
        )


def _directions(
    blocks: Sequence[ScoreBlock], attached: Attached, settings: Settings, report: Reporter
) -> None:
    in_files = {b.metric: b.higher_is_better for b in blocks if b.higher_is_better is not None}
    values: dict[str, list[float]] = {}
    for of_output in attached.scores.values():
        for metric, scores in of_output.items():
            values.setdefault(metric, []).extend(score for score in scores if score is not None)
    declared = settings.directions
    in_order = dict.fromkeys([*(metric for metric in declared if metric in values), *values])
    for metric, guess in directions({metric: values[metric] for metric in in_order}).items():
        attached.directions[metric] = declared.get(metric, in_files.get(metric, guess.higher))
        if metric in settings.assumed_directions:
            _assume(metric, Direction(attached.directions[metric], "nobody has confirmed it"), report)
        elif metric not in declared and metric not in in_files and guess.reason:
            _assume(metric, guess, report)
    for metric in declared.keys() - attached.directions.keys():
        report.add("warning", "unknown-metric", f"experiment.toml names the metric {metric!r}, which has no scores.")


def _assume(metric: str, guess: Direction, report: Reporter) -> None:
    report.assume(
        DIRECTION,
        f"{metric}: assumed that {'higher' if guess.higher else 'lower'} is better ({guess.reason}).",
        f"If not, say so in experiment.toml: [metrics.{_key(metric)}] higher_is_better = "
        f"{'false' if guess.higher else 'true'}; if so, confirm it there.",
        subject=metric,
    )


def _key(name: str) -> str:
    return name if name.replace("-", "").replace("_", "").isalnum() and name.isascii() else f'"{name}"'

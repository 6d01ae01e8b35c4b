"""Score files with one entry per segment: the native layout, mt-metrics-eval, and what ``comet-score`` writes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mtsig_core.loading.recognition.names import base_name, is_mark, split_flat, split_marked, without_ending
from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.columns import metric_by_name
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.text.records import parse_json

#: Numbers beside the score that are no score of their own.
_NO_SCORE = frozenset(("variance", "std", "segment", "seg_id", "id", "index", "seed", "run"))
#: ``FILE <tab> Segment 3 <tab> score: 0.8123``, perhaps with a variance.
COMET_LINE = re.compile(r"(?P<path>\S.*?)\s+Segment (?P<segment>\d+)\s+score: (?P<score>\S+)(?:\s+variance: \S+)?\s*")
_NATIVE = re.compile(
    r"(?:(?P<set>.+)/)?scores/(?P<metric>[^/]+)/(?P<system>[^/]+)(?:/(?P<replica>[^/]+))?", re.IGNORECASE
)
_SEG_SCORE = re.compile(
    r"(?:(?:.*/)?metric-scores/(?P<set>[^/]+)/|(?:.*/)?)(?P<metric>[^/]+)\.seg\.score", re.IGNORECASE
)
#: ``base.seed1.bleurt``, ``base.seed1.txt.comet``, ``bleurt-base-seed1.txt``: a metric beside the name of an output.
_METRIC_LAST = re.compile(r"(?P<output>.+)[._-](?P<metric>[A-Za-z][A-Za-z0-9+]+)")
_METRIC_FIRST = re.compile(r"(?P<metric>[A-Za-z][A-Za-z0-9+]+)[._-](?P<output>.+)")
_ENDINGS = re.compile(r"(?:[._-](?:txt|out|segments?|seg|scores?))+$", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|NA|nan)\s*", re.IGNORECASE)
#: ``27.3``, ``BLEU = 27.30, 60.1/33.2``, ``BLEU|nrefs:1|case:mixed = 27.3 60.1/33.2``: one score of a whole run.
_SCORE = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ONE = re.compile(
    rf"\s*(?:(?P<alone>{_SCORE})\s*%?|[A-Za-z][A-Za-z0-9]*(?:[|+]\S*)?\s*[=:]\s*(?P<score>{_SCORE})(?:[\s,%].*)?)\s*"
)
_NO_NUMBER = (".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".md", ".xml")
#: Protocols by which people judge, as part of a file's name: "en-de.mqm.seg.score", "en-de.wmt-appraise-z.seg.score".
_OF_PEOPLE = re.compile(
    r"[^.]+\.(?:mqm|esa|da|sqm|psqm|csqm|wmt|appraise|human)(?:[-_.].*)?\.seg\.score", re.IGNORECASE
)


def is_native(path: str) -> bool:
    """Say whether a path is ``scores/METRIC/SYSTEM/REPLICA.txt`` (or ``scores/METRIC/SYSTEM.txt``)."""
    return _NATIVE.fullmatch(path) is not None


def is_seg_score(path: str) -> bool:
    """Say whether a path is a file of a metric's segment scores as mt-metrics-eval names them.

    Scores that people gave have the same form; they stand in ``human-scores`` or are named after a protocol.
    """
    folders = set(path.casefold().split("/")[:-1])
    if not base_name(path).casefold().endswith(".seg.score") or "human-scores" in folders:
        return False
    return bool(folders & {"scores", "metric-scores"}) or not _OF_PEOPLE.match(base_name(path))


def names_metric(path: str) -> bool:
    """Say whether the name of a file, or its folder, is an output's with a metric's: ``base.seed1.bleurt``."""
    return _of_metric(path) is not None


def _of_metric(path: str) -> tuple[str, str] | None:
    """Return metric and output that a path names, or None."""
    folder, _, name = path.rpartition("/")
    stem = _ENDINGS.sub("", base_name(name))
    for match in filter(None, (_METRIC_LAST.fullmatch(stem), _METRIC_FIRST.fullmatch(stem))):
        if metric := metric_by_name(match["metric"]):
            return metric, _ENDINGS.sub("", match["output"])
    metric = metric_by_name(folder.rpartition("/")[2])
    return (metric, stem) if metric and name.casefold().endswith((".txt", ".score", ".scores")) else None


def holds_numbers(head: str) -> bool:
    """Say whether a file begins with several lines of one number each, and nothing else."""
    rows = head.split("\n")
    whole = [line for line in (rows[:-1] or rows)[:200] if line.strip()]
    return len(whole) > 1 and all(map(_NUMBER.fullmatch, whole))


def metric_of_number(path: str) -> tuple[str, str]:
    """Return the metric of a file of one number, and the output that its own name says; "" where it says none."""
    stem, both = without_ending(base_name(path)), _of_metric(base_name(path))
    if both and (is_mark(both[1]) or split_flat(both[1])):
        return both
    metric = metric_by_name(stem) or (stem if stem.casefold() == "score" else "")
    return (metric, "") if metric else both or ("", "")


def one_score(path: str, head: str) -> float | None:
    """Return the one score that a file holds whose name says a metric, or a program's line of it; None for others."""
    rows = [line for line in head.split("\n", 3) if line.strip()]
    if len(rows) != 1 or base_name(path).casefold().endswith(_NO_NUMBER) or not metric_of_number(path)[0]:
        return None
    match = _ONE.fullmatch(rows[0])
    return float(match["alone"] or match["score"]) if match else None


def read_numbers(path: str, lines: Sequence[str], report: Reporter) -> list[ScoreBlock]:
    """Return the scores of the output that the name of a file says, one number per line."""
    metric, output = _of_metric(path) or ("score", base_name(path))
    numbers = NumberReader(path)
    scores = tuple(numbers.read(line, i) for i, line in enumerate(lines, 1))
    numbers.finish(report)
    return [ScoreBlock(path, metric, output_path=output, in_order=scores)]


def read_native(path: str, lines: Sequence[str], report: Reporter) -> list[ScoreBlock]:
    """Return the scores of one output, one number per line; a blank line or NA is a missing one."""
    match = _NATIVE.fullmatch(path)
    if match is None:
        raise ValueError(f"{path} is not in the native layout; expected scores/METRIC/SYSTEM/REPLICA.txt.")
    system, replica = match["system"], match["replica"]
    if replica is None:
        stem = without_ending(base_name(system))
        system, replica = split_marked(stem) or (stem, "1")
    else:
        replica = without_ending(base_name(replica))
    numbers = NumberReader(path)
    scores = tuple(numbers.read(line, i) for i, line in enumerate(lines, 1))
    numbers.finish(report)
    test_set = (match["set"] or "").rsplit("/", 1)[-1]
    return [ScoreBlock(path, match["metric"], system, replica, test_set, in_order=scores)]


def read_seg_score(path: str, lines: Sequence[str], report: Reporter) -> list[ScoreBlock]:
    """Return the scores of all systems of an mt-metrics-eval file: ``SYSTEM <blank> SCORE`` lines.

    A block for each system, its segments in the order of the test set; ``None`` is a missing score.
    """
    match = _SEG_SCORE.fullmatch(path.removesuffix(".gz"))
    metric, test_set = (match["metric"], match["set"] or "") if match else (base_name(path), "")
    numbers = NumberReader(path)
    by_name: dict[str, list[float | None]] = {}
    for i, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != 2:
            raise LoadError(
                f"{path}, line {i}: expected a system and a score, separated by a tab or blank; found "
                f"{len(fields)} fields.",
                path,
            )
        by_name.setdefault(fields[0], []).append(numbers.read(fields[1], i))
    numbers.finish(report)
    blocks = []
    for name, scores in by_name.items():
        system, replica = split_marked(name) or (name, "1")
        blocks.append(ScoreBlock(path, metric, system, replica, test_set, in_order=tuple(scores)))
    return blocks


def read_comet_lines(path: str, lines: Sequence[str], report: Reporter) -> list[ScoreBlock]:
    """Return what ``comet-score`` printed; lines of other kinds (progress, the score of a system) are left out."""
    numbers = NumberReader(path)
    scores: dict[str, dict[str, float | None]] = {}
    for i, line in enumerate(lines, 1):
        match = COMET_LINE.fullmatch(line)
        if match is None:
            continue
        own, segment = scores.setdefault(match["path"], {}), match["segment"].lstrip("0") or "0"
        if segment in own:
            raise LoadError(
                f"{path}, line {i}: segment {segment} of {match['path']} occurs twice. Keep the output of one call "
                "in one file.",
                path,
            )
        own[segment] = numbers.read(match["score"], i)
    numbers.finish(report)
    return [ScoreBlock(path, "COMET", output_path=key, in_order=_whole(own, path, key)) for key, own in scores.items()]


def _whole(own: dict[str, float | None], path: str, key: str) -> tuple[float | None, ...]:
    """Return the scores by number from 0; one that is not there would shift nothing, but is an error."""
    missing = next((i for i in range(len(own)) if str(i) not in own), None)
    if missing is not None:
        raise LoadError(f"{path}: segment {missing} of {key} is missing. Is it incomplete? Score it again.", path)
    return tuple(own[str(i)] for i in range(len(own)))


def read_comet_json(path: str, text: str, report: Reporter) -> list[ScoreBlock]:
    """Return the scores of every output in what ``comet-score --to_json`` wrote, in the order of the test set.

    The score is under ``COMET``, or else under every key that holds a number.
    """
    content = parse_json(text, path, None)
    if not isinstance(content, dict) or not content:
        raise LoadError(f"{path}: expected the scored files as keys, as comet-score writes them.", path)
    numbers = NumberReader(path)
    blocks = []
    texts: dict[str, None] = {}
    for output, segments in content.items():
        if not isinstance(segments, list) or not segments or not all(isinstance(s, dict) for s in segments):
            raise LoadError(f"{path}: expected a list of segments under {output!r}, as comet-score writes it.", path)
        for metric in _comet_metrics(segments, path, output):
            scores = tuple(numbers.read(s.get(metric), i, metric) for i, s in enumerate(segments, 1))
            blocks.append(ScoreBlock(path, metric, output_path=output, in_order=scores))
        texts |= dict.fromkeys(name for name, value in segments[0].items() if isinstance(value, str))
    numbers.finish(report)
    if texts:
        message = f"{path}: the texts beside the scores ({some(texts)}) are not read; give them as files of text."
        report.add("ignored", "texts-beside-scores", message, [path])
    return blocks


def _comet_metrics(segments: list[dict], path: str, output: str) -> list[str]:
    if "COMET" in segments[0]:
        return ["COMET"]
    names = [k for k, v in segments[0].items() if isinstance(v, int | float) and k.casefold() not in _NO_SCORE]
    if not names:
        raise LoadError(f"{path}: no score is in the segments of {output!r}; expected a number under 'COMET'.", path)
    return names

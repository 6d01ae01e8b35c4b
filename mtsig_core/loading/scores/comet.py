"""The JSON that ``comet-score --to_json`` writes: the scored file, then one object per segment."""

from __future__ import annotations

from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.numbers import NumberReader
from mtsig_core.loading.text.records import parse_json

#: Numbers beside the score that are no score of their own.
_NO_SCORE = frozenset(("variance", "std", "segment", "seg_id", "id", "index"))


def read_comet_json(path: str, text: str, report: Reporter) -> list[ScoreBlock]:
    """Return the scores of every output in the file, in the order of the test set.

    The score is under ``COMET``, or else under every key that holds a number.
    """
    content = parse_json(text, path, None)
    if not isinstance(content, dict) or not content:
        raise LoadError(f"{path}: expected the scored files as keys, as comet-score writes them.", path)
    numbers = NumberReader(path)
    blocks = []
    for output, segments in content.items():
        if not isinstance(segments, list) or not segments or not all(isinstance(s, dict) for s in segments):
            raise LoadError(f"{path}: expected a list of segments under {output!r}, as comet-score writes it.", path)
        for metric in _metrics(segments, path, output):
            scores = tuple(numbers.read(s.get(metric), i, metric) for i, s in enumerate(segments, 1))
            blocks.append(ScoreBlock(path, metric, output_path=output, in_order=scores))
    numbers.finish(report)
    return blocks


def _metrics(segments: list[dict], path: str, output: str) -> list[str]:
    if "COMET" in segments[0]:
        return ["COMET"]
    names = [k for k, v in segments[0].items() if isinstance(v, int | float) and k.casefold() not in _NO_SCORE]
    if not names:
        raise LoadError(f"{path}: no score is in the segments of {output!r}; expected a number under 'COMET'.", path)
    return names

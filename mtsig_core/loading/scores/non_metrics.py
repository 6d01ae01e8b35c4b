"""Columns of numbers that are no metrics by their names: lengths, times, ids, counts, settings of a training."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from mtsig_core.loading.report import LoadError, Reporter, some
from mtsig_core.loading.scores.blocks import ScoreBlock
from mtsig_core.loading.scores.directions import listed_direction, without_accents

#: Whole words of names of columns that hold numbers, but no scores.
NO_METRIC = frozenset((
    "age", "annotator", "annotators", "batch", "beam", "begin", "byte", "bytes", "char", "characters", "chars",
    "column", "count", "counts", "date", "day", "depth", "dim", "duration", "elapsed", "end", "epoch", "epochs",
    "gpu", "hour", "hours", "id", "ids", "idx", "index", "iteration", "iterations", "judge", "layers", "len",
    "length", "lengths", "line", "lr", "memory", "millis", "milliseconds", "minutes", "month", "ms", "n", "num",
    "number", "offset", "order", "page", "param", "parameters", "params", "position", "rank", "rater", "row",
    "runtime", "sec", "seconds", "secs", "seed", "sentences", "size", "start", "step", "steps", "temperature",
    "time", "timestamp", "token", "tokens", "user", "weight", "width", "word", "words", "worker", "year",
    "created", "updated", "modified", "started", "finished", "clock", "wall", "gb", "mb", "mem", "flops", "gflops",
    "kwh", "anzahl", "dauer", "duracion", "duree", "jahr", "lange", "laufzeit", "longitud", "longueur", "nombre",
    "rang", "temps", "tiempo", "worter", "zeichen", "zeit", "decay", "dropout", "heads", "hidden",
    "learning", "momentum", "warmup", "cost", "costs", "eur", "energy", "pid", "port", "price", "qps", "speed",
    "throughput", "nr", "shots", "shot", "tok", "tps", "usd", "watts",
))  # fmt: skip
#: Whole names of columns of answers, right ones, and what a model thinks of its own: numbers, but no scores.
ANSWERS = frozenset((
    "answer", "answers", "class", "confidence", "gold", "gold label", "gold labels", "ground truth", "label",
    "label id", "labels", "logit", "logits", "output label", "pred", "pred label", "predicted", "predicted label",
    "prediction", "predictions", "preds", "prob", "probability", "probs", "target", "targets", "true label",
    "truth", "y", "y pred", "y true",
))  # fmt: skip
#: Words of columns that say how far scores vary: ``comet_std``.
SPREADS = frozenset((
    "ci", "deviation", "pval", "pvalue", "sd", "sem", "std", "stddev", "stderr", "stdev", "var", "variance",
))  # fmt: skip
_P_VALUE = re.compile(r"(?<![a-z])p[ _.-]?values?(?![a-z])")
#: Of these the ones that may judge, and the words by which a column holds what they said.
_JUDGES = frozenset(("annotator", "annotators", "judge", "rater", "user", "worker"))
_JUDGED = frozenset(("gpt", "grade", "grades", "llm", "mark", "marks", "overall", "score", "scores"))
#: How trackers of experiments begin the names of settings.
_SETTING = re.compile(r"(?:params?|config|hparams|hyperparameters|args|tags)[./:]", re.IGNORECASE)
#: Words of settings, and words of what every run has of its own.
_SETTINGS = frozenset((
    "lr", "learning", "dropout", "beam", "temperature", "warmup", "layers", "hidden", "decay", "optimizer", "shots",
    "prompt", "batchsize", "heads", "momentum", "smoothing",
))  # fmt: skip
_OWN_OF_RUN = frozenset((
    "seed", "seeds", "id", "name", "dir", "path", "output", "run", "time", "date", "host", "port", "rank",
))  # fmt: skip
_ID = re.compile(
    r"(?:annotator|doc|document|hit|item|judge|line|rater|seg|segment|sent|task|user|worker)s?(?:id|no|nr|idx)"
)


def is_answer(name: str) -> bool:
    """Say whether a column is one of answers by its name, whether a model or people gave them."""
    return " ".join(re.split(r"[\s_.\-]+", name.strip().casefold())) in ANSWERS


def is_setting(name: str) -> bool:
    """Say whether a column is a setting of a training or of decoding by its name, other than a seed."""
    words = set(re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).casefold()))
    is_named = _SETTING.match(name.strip()) is not None and not name.casefold().startswith("tags")
    return (is_named or not _SETTINGS.isdisjoint(words)) and _OWN_OF_RUN.isdisjoint(words)


@lru_cache(4096)  # the same names stand at every segment
def is_no_metric(name: str) -> bool:
    """Say whether a column of numbers is no metric by its name; that of a documented metric is one, its spread none."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", without_accents(name.strip()))
    words = [word for word in re.split(r"[^a-z]+", spaced.casefold()) if word]
    if not SPREADS.isdisjoint(words) or _P_VALUE.search(spaced.casefold()):
        return True
    if listed_direction(name) is not None:
        return False
    if is_answer(name):
        return True
    if _SETTING.match(name.strip()):
        return True
    is_judged = not _JUDGED.isdisjoint(words)
    return any((word in NO_METRIC and not (is_judged and word in _JUDGES)) or _ID.fullmatch(word) for word in words)


def only_metrics(
    blocks: Sequence[ScoreBlock], declared: Mapping[str, bool], report: Reporter
) -> list[ScoreBlock]:
    """Return the blocks whose columns are metrics; the others are listed with the way to take them all the same.

    Parameters
    ----------
    blocks : sequence of ScoreBlock
        Of one file. Scores in the order of the segments come from files of one metric, which name it on purpose.
    declared : mapping of name to bool
        Whether a column is a metric, where a person says so.
    report : Reporter

    Raises
    ------
    LoadError
        When no metric is left.
    """
    names = dict.fromkeys(block.metric for block in blocks if _is_of_column(block))
    left_out = [name for name in names if not declared.get(name, not is_no_metric(name))]
    if not left_out:
        return list(blocks)
    file = blocks[0].file
    remedy = f"To use one as a metric: [metrics.{json.dumps(left_out[0])}] use = true in experiment.toml."
    listed = some([repr(name) for name in left_out], 12)
    rest = [block for block in blocks if block.metric not in left_out]
    if not rest:
        raise LoadError(f"{file}: no column is a metric by its name; not used as one: {listed}. {remedy}", file)
    report.gather_guess("no-metric", f"Numeric columns not used as metrics: {listed}", remedy, file)
    return rest


def _is_of_column(block: ScoreBlock) -> bool:
    return block.whole_run or (block.by_id is not None and not block.exact)

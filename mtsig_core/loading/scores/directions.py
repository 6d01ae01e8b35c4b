"""Whether higher is better under a metric of which only the name and the values are known.

docs/metrics.md lists the same names (a test compares the two).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

#: Names of measures of which lower is better; as whole words of a metric's name, in this order.
LOWER = frozenset((
    "bits per byte", "bits per char", "bits per character", "bits per token", "bits per word", "bpb", "bpc", "brier",
    "calibration error", "cder", "cer", "character error", "charcut", "charactter", "cross entropy", "der", "ece",
    "edit distance", "edits", "eed", "entropy", "equal error", "err", "error", "error rate", "errors",
    "false discovery", "false negative", "false negatives", "false positive", "false positives", "fid", "fnr", "fpr",
    "hallucination", "hallucinations", "hamming", "hter", "htter", "kl", "latency", "levenshtein", "log loss",
    "logloss", "loss", "mae", "mape", "mcd", "mean absolute error", "mean squared error", "miss rate",
    "mistranslation", "mistranslations", "mse", "negative log likelihood", "nll", "off target", "omission",
    "omissions", "oov", "over translation", "overtranslation", "penalty", "perplexity", "ppl", "pter", "regret",
    "repetition", "repetitions", "rmse", "slot error", "ter", "tercom", "toxicity", "under translation",
    "undertranslation", "untranslated", "wer", "wil", "word error",
    # German, French, Spanish, Italian, Portuguese; accents do not count
    "errore", "errores", "erreur", "erreurs", "erro", "erros", "errori", "fehler", "fehlerquote", "fehlerrate",
    "perda", "perdida", "perplexite", "perplexitat", "perte", "satzfehlerrate", "verlust", "wortfehlerrate",
    "zeichenfehlerrate",
))  # fmt: skip
#: The same, but only where nothing else stands in the name: in longer names these words mean something else.
LOWER_ALONE = frozenset(("per", "mer", "eer", "fer", "ser", "distance", "character"))  # CharacTER
#: Names of measures of which higher is better.
HIGHER = frozenset((
    "acc", "accuracy", "adequacy", "auc", "auprc", "auroc", "average precision", "bartscore", "bertscore", "bleu",
    "blaser", "bleurt", "blonde", "brevity penalty", "chrf", "chrp", "cider", "coherence", "comet", "cometkiwi",
    "correct", "correlation", "coverage", "da", "dice", "doccomet", "edit similarity", "elo", "em", "error free",
    "error reduction", "errors fixed", "esa", "exact match", "f", "f1", "f2", "faithfulness", "fluency", "fscore",
    "gemba", "gleu", "google bleu", "groundedness", "harmlessness", "helpfulness", "hit rate", "hits", "iou", "kappa",
    "kendall", "kiwi", "likert", "log likelihood", "logprob", "map", "matese", "mcc", "meant", "meteor", "metrics f1",
    "moverscore", "mrr", "naturalness", "ndcg", "nist", "pass", "pearson", "precision", "prism", "psnr", "quality",
    "rating", "recall", "relevance", "relevancy", "reward", "ribes", "rouge", "rougel", "rougelsum", "sentbleu",
    "similarity", "spbleu", "spearman", "spice", "sqm", "ssim", "success rate", "true negative", "true positive",
    "unieval", "unite", "win rate", "wins", "xcomet", "yisi",
    # German, French, Spanish, Italian, Portuguese
    "accuratezza", "aciertos", "acuracia", "ahnlichkeit", "exactitud", "exactitude", "genauigkeit", "justesse",
    "korrelation", "passed", "precisao", "precisione", "prazision", "rappel", "resolved", "solved", "trefferquote",
))  # fmt: skip
#: The same, but only where nothing else stands in the name: the program computes measures of errors as well.
HIGHER_ALONE = frozenset(("sacrebleu",))
#: Published in both signs: the sign of most values decides.
EITHER_SIGN = frozenset(("automqm", "mqm", "metricx"))
#: Words that turn the meaning of what stands beside them: such a name is taken for unknown.
TURNING = frozenset((
    "anti", "avoided", "change", "corrected", "correction", "decline", "decrease", "degradation", "delta", "detection",
    "deterioration", "difference", "drop", "free", "gap", "increase", "non", "gain", "improvement", "inv", "inverse",
    "inverted", "minus", "neg", "negated", "negative", "no", "ohne", "reduccion", "reduced", "reduction", "reduktion",
    "sans", "saved", "senza", "sin", "without",
))  # fmt: skip
#: Ends of names that say what a metric was computed with, not what it is.
_VARIANT = re.compile(r"(?:[-_. ]+(?:ref[a-z]{0,3}\d*|src|source|all|qe))+$", re.IGNORECASE)

#: What a name says of its direction itself: ``Foo ↓``, ``Foo (lower is better)``.
_STATED = re.compile(
    r"(?P<lower>[↓⬇▼]|\blower(?:[ _-]is)?[ _-]better\b)|[↑⬆▲]|\bhigher(?:[ _-]is)?[ _-]better\b", re.IGNORECASE
)


class Direction(NamedTuple):
    """Whether higher is better, and why that is an assumption ("" where the name is a documented one)."""

    higher: bool
    reason: str


def direction(name: str, values: Iterable[float]) -> Direction:
    """Return the direction of a metric by its name, and for some names by the sign of most values.

    Parameters
    ----------
    name : str
    values : iterable of float
        All scores under the metric; looked at for measures of errors alone, which some programs write with a
        minus sign.
    """
    listed = listed_direction(name)
    if listed is None:
        return Direction(True, "its name is not known")
    if listed == "higher":
        return Direction(True, "")
    n_negative, n_positive = _signs(values)
    is_negative = n_negative > n_positive
    if listed == "sign":
        sign = "most scores are negative" if is_negative else "most scores are not negative"
        return Direction(is_negative, f"it is published in both signs, and {sign}")
    if is_negative:
        return Direction(True, "its name is that of a measure of errors, but most scores have a minus sign")
    return Direction(False, "")


def directions(values_of: Mapping[str, Sequence[float]]) -> dict[str, Direction]:
    """Return the direction of each metric, one for all members of a family (NAME-refA, NAME-refB)."""
    families: dict[str, list[str]] = {}
    for name in values_of:
        families.setdefault(family(name), []).append(name)
    result = {}
    for members in families.values():
        values = [value for name in members for value in values_of[name]]
        result.update(dict.fromkeys(members, direction(members[0], values)))
    return {name: result[name] for name in values_of}


def family(name: str) -> str:
    """Return the name of a metric without what says which references it was computed with."""
    return _VARIANT.sub("", name).casefold() or name.casefold()


#: Characters of a name of a metric, at most.
LONGEST_NAME = 500


def listed_direction(name: str) -> str | None:
    """Return "higher", "lower" or "sign" for a documented name, or None.

    The longest documented name that occurs as whole words decides; where names of both directions are equally
    long, or a word turns the meaning of the rest, the direction is not known.
    """
    if len(name) > LONGEST_NAME:
        return None
    if match := _STATED.search(name):
        return "lower" if match["lower"] else "higher"
    words = words_of(re.sub(r"ref(erence)?[-_ ]*free", "", name, flags=re.IGNORECASE))
    if re.match(r"1\s*[-−]", name.strip()):
        return None
    hits: dict[str, int] = {}
    covered: set[str] = set()
    for direction_name, names in (("lower", LOWER), ("higher", HIGHER), ("sign", EITHER_SIGN)):
        for listed in names:
            parts = listed.split()
            if _occurs(parts, words) and len(parts) >= hits.get(direction_name, 0):
                hits[direction_name] = len(parts)
    if len(words) == 1 and words[0] in LOWER_ALONE:
        return "lower"
    if len(alone := set(words) - {"score"}) == 1 and alone <= HIGHER_ALONE:
        return "higher"
    if not hits:
        return None
    most = max(hits.values())
    best = [direction_name for direction_name, n in hits.items() if n == most]
    if "sign" in best:  # GEMBA-MQM
        return "sign"
    if len(best) > 1:
        return None
    for listed in (*LOWER, *HIGHER):
        if len(listed.split()) == most and most > 1 and _occurs(listed.split(), words):
            covered.update(listed.split())
    return None if (set(words) - covered) & TURNING else best[0]


def words_of(name: str) -> list[str]:
    """Return the lower-case words of a name, without version numbers and accents: "MetricX-23" is metricx."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", without_accents(name.strip()))
    pieces = [piece for piece in re.split(r"[^a-z0-9]+", spaced.casefold()) if piece]
    whole = "".join(pieces).rstrip("0123456789")
    if whole in LOWER | HIGHER | EITHER_SIGN | LOWER_ALONE:  # chr-F, Metric-X, CometKiwi
        return [whole]
    return [word for piece in pieces if (word := piece if piece in LOWER | HIGHER else piece.rstrip("0123456789"))]


def without_accents(name: str) -> str:
    """Return a name with the letters that its accents stand on."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))


def _occurs(parts: Sequence[str], words: Sequence[str]) -> bool:
    n = len(parts)
    return any(list(words[i : i + n]) == list(parts) for i in range(len(words) - n + 1))


def _signs(values: Iterable[float]) -> tuple[int, int]:
    """Return the numbers of negative and of positive values."""
    n_negative = n_positive = 0
    for value in values:
        n_negative += value < 0
        n_positive += value > 0
    return n_negative, n_positive

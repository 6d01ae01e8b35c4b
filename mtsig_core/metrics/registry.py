"""The registry of metrics of text: one line per metric.

A new metric is one file with a frozen dataclass derived from `Metric` and one line in `METRICS`. A package of its own
names its class under the entry points ``mtsig.metrics`` instead.
"""

from __future__ import annotations

import inspect
from functools import cache

from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.bleu import BLEU
from mtsig_core.metrics.chrf import ChrF, ChrFPlusPlus
from mtsig_core.metrics.exact_match import ExactMatch
from mtsig_core.metrics.length import LengthRatio
from mtsig_core.metrics.meteor.meteor15 import METEOR15
from mtsig_core.metrics.meteor.nltk_meteor import METEOR
from mtsig_core.metrics.nist import NIST
from mtsig_core.metrics.plugins import plugin_metrics
from mtsig_core.metrics.ribes import RIBES
from mtsig_core.metrics.rouge import RougeL
from mtsig_core.metrics.sentence_bleu import BLEUPlusOne
from mtsig_core.metrics.ter import TER
from mtsig_core.metrics.text.normalised import normalised
from mtsig_core.metrics.text.tokenizers import check_tokenizer

METRICS: dict[str, type[Metric]] = {
    "bleu": BLEU,
    "chrf": ChrF,
    "chrf++": ChrFPlusPlus,
    "ter": TER,
    "nist": NIST,
    "meteor": METEOR,
    "meteor-1.5": METEOR15,
    "ribes": RIBES,
    "bleu+1": BLEUPlusOne,
    "rouge-l": RougeL,
    "length": LengthRatio,
    "exact-match": ExactMatch,
}


def metric_names() -> tuple[str, ...]:
    """Return the names of all metrics of text that can be used here: those of `METRICS`, then those of plugins."""
    return (*(name for name in METRICS if _is_available(name)), *plugin_metrics(METRICS).factories)


def metric_problems() -> tuple[str, ...]:
    """Return why packages that would add metrics could not."""
    return plugin_metrics(METRICS).problems


def metric_hints() -> tuple[str, ...]:
    """Return, for each metric of `METRICS` that cannot be used here, why not and what makes it possible."""
    return tuple(dict.fromkeys(filter(None, (metric.unavailable() for metric in METRICS.values()))))


@cache
def _is_available(name: str) -> bool:
    return not METRICS[name].unavailable()


def get_metric(
    name: str, *, tokenize: str | None = None, lowercase: bool = False, language: str | None = None, nfc: bool = False
) -> Metric:
    """Return a metric by name.

    Parameters
    ----------
    name : str
        One of `metric_names`.
    tokenize : str, optional
        One of `TOKENIZERS`; metrics that do not tokenize by choice (chrF, TER, exact match) ignore it.
    lowercase : bool
        Ignore case; TER and METEOR always do.
    language : str, optional
        Code of the target language, for metrics that depend on it (METEOR's stems, TER of Chinese and Japanese).
    nfc : bool
        Convert hypotheses and references to Unicode's normal form C first.

    Raises
    ------
    ValueError
        For an unknown metric or tokenizer, or one that needs what is not installed; the message lists the
        names there are, or gives the remedy.

    Examples
    --------
    >>> import mtsig_core
    >>> metric = mtsig_core.get_metric("ter")
    >>> metric.label, metric.higher_is_better
    ('TER', False)
    """
    plugins = plugin_metrics(METRICS).factories
    if name not in METRICS and name not in plugins:
        raise ValueError(f"No metric {name!r}; there are: {', '.join(metric_names())}.")
    if name in METRICS and (problem := METRICS[name].unavailable()):
        raise ValueError(problem)
    if tokenize is not None:
        check_tokenizer(tokenize)
    factory = METRICS.get(name) or plugins[name]
    options = {"tokenize": tokenize, "lowercase": lowercase or None, "language": language}
    accepted = inspect.signature(factory).parameters
    metric = factory(**{key: value for key, value in options.items() if key in accepted and value is not None})
    return normalised(metric) if nfc else metric

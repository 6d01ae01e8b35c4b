"""Which metrics an experiment can be scored with: those of text, and those whose scores came with it."""

from __future__ import annotations

from mtsig_core import metrics
from mtsig_core.experiment import Experiment, System
from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.external import OutsideMetric

#: Shown unless others are asked for, where there is text.
DEFAULT_TEXT_METRICS = ("bleu", "chrf")
#: So many outside metrics are shown at first, where there is no text.
MOST_DEFAULTS = 4


def available_metrics(experiment: Experiment) -> tuple[str, ...]:
    """Return the names of all metrics of an experiment: of text (where it has any), then outside ones.

    An outside metric goes by its own name; where a metric of text has the same one, `` (from file)`` is
    added.
    """
    text = metrics.metric_names() if experiment.has_text else ()
    return (*text, *_outside(experiment))


def default_metrics(experiment: Experiment) -> tuple[str, ...]:
    """Return the metrics to show first: BLEU and chrF, or without text up to four outside metrics."""
    return DEFAULT_TEXT_METRICS if experiment.has_text else tuple(_outside(experiment))[:MOST_DEFAULTS]


def choose_metric(
    experiment: Experiment,
    name: str,
    *,
    tokenize: str | None = None,
    lowercase: bool = False,
    language: str | None = None,
    nfc: bool = False,
) -> Metric:
    """Return a metric of an experiment by name; case matters only where two names differ by it alone.

    Parameters
    ----------
    experiment : Experiment
    name : str
        One of `available_metrics`.
    tokenize, lowercase, language, nfc
        For metrics of text, see `get_metric`; `default_tokenizer` and `target_language` say what suits.

    Raises
    ------
    ValueError
        For an unknown name; the message tells those there are.
    """
    known = available_metrics(experiment)
    fitting = [name] if name in known else [k for k in known if k.casefold() == name.casefold()]
    if len(fitting) != 1:
        if experiment.has_text and name.casefold() in metrics.METRICS and not fitting:
            return metrics.get_metric(name.casefold())  # it says what is not installed
        raise ValueError(f"No metric {name!r} here; there are: {', '.join(known)}.{_why_no_text(experiment, name)}")
    outside = _outside(experiment)
    if fitting[0] in outside:
        return outside[fitting[0]]
    return metrics.get_metric(fitting[0], tokenize=tokenize, lowercase=lowercase, language=language, nfc=nfc)


def systems_under(experiment: Experiment, test_set: str, metric: Metric) -> tuple[System, ...]:
    """Return the systems that a metric can score on a test set."""
    if isinstance(metric, OutsideMetric):
        return experiment.systems_scored_on(test_set, metric.column)
    return experiment.systems_on(test_set) if experiment.test_set(test_set).references else ()


def _outside(experiment: Experiment) -> dict[str, OutsideMetric]:
    taken = {name.casefold() for name in metrics.metric_names()} if experiment.has_text else set()
    found = {}
    for column, higher in experiment.outside_metrics.items():
        name = f"{column} (from file)" if column.casefold() in taken else column
        found[name] = OutsideMetric(column, higher, name)
    return found


def _why_no_text(experiment: Experiment, name: str) -> str:
    if name not in metrics.metric_names() or experiment.has_text:
        return ""
    return " This experiment has scores only: metrics of text need outputs and references."

"""Which metrics an experiment can be scored with: those of text, and those whose scores came with it."""

from __future__ import annotations

from mtsig_core.experiment import Experiment, System
from mtsig_core.metrics.base import Metric
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.metrics.registry import METRICS, get_metric, metric_names

#: Shown by default, where there is text.
DEFAULT_TEXT_METRICS = ("bleu", "chrf")
#: So many outside metrics are shown at first, where there is no text.
MOST_DEFAULTS = 4


def available_metrics(experiment: Experiment) -> tuple[str, ...]:
    """Return the names of all metrics of an experiment: of text (where it has any), then outside ones.

    An outside metric goes by its own name; where a metric of text has the same one, `` (from file)`` is
    added.
    """
    text = metric_names() if experiment.has_text else ()
    return (*text, *_outside(experiment))


def default_metrics(experiment: Experiment) -> tuple[str, ...]:
    """Return the metrics to show first: BLEU and chrF, or without text up to four outside metrics.

    Outside metrics that score two systems on the first test set that is no tuning set are preferred, and those that
    are known by name come first: a table of many columns rarely begins with the one that matters.
    """
    if experiment.has_text:
        return DEFAULT_TEXT_METRICS
    outside = _outside(experiment)
    first = next((t.name for t in experiment.test_sets if t.role != "dev"), experiment.test_sets[0].name)
    scored = [name for name, own in outside.items() if len(experiment.systems_scored_on(first, own.column)) > 1]
    return tuple(sorted(scored or outside, key=lambda name: outside[name].column in experiment.assumed_directions)
                 )[:MOST_DEFAULTS]


def choose_metric(
    experiment: Experiment, name: str, *, tokenize: str | None = None, lowercase: bool = False,
    language: str | None = None, nfc: bool = False,
) -> Metric:  # fmt: skip
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
        For an unknown name; the message lists those there are.
    """
    names = available_metrics(experiment)
    matches = [name] if name in names else [other for other in names if other.casefold() == name.casefold()]
    if len(matches) != 1:
        if experiment.has_text and name.casefold() in METRICS and not matches:
            return get_metric(name.casefold())  # it says what is not installed
        raise ValueError(f"No metric {name!r} here; there are: {', '.join(names)}.{_why_no_text(experiment, name)}")
    outside = _outside(experiment)
    if matches[0] in outside:
        return outside[matches[0]]
    return get_metric(matches[0], tokenize=tokenize, lowercase=lowercase, language=language, nfc=nfc)


def systems_under(experiment: Experiment, test_set: str, metric: Metric) -> tuple[System, ...]:
    """Return the systems that a metric can score on a test set."""
    if isinstance(metric, OutsideMetric):
        return experiment.systems_scored_on(test_set, metric.column)
    return experiment.systems_on(test_set) if experiment.test_set(test_set).references else ()


def _outside(experiment: Experiment) -> dict[str, OutsideMetric]:
    taken = {name.casefold() for name in metric_names()} if experiment.has_text else set()
    by_name = {}
    for column, higher in experiment.outside_metrics.items():
        name = f"{column} (from file)" if column.casefold() in taken else column
        by_name[name] = OutsideMetric(column, higher, name)
    return by_name


def _why_no_text(experiment: Experiment, name: str) -> str:
    if name not in metric_names() or experiment.has_text:
        return ""
    return " This experiment has scores only: metrics of text need outputs and references."

"""Warnings about scores of outside metrics."""

from __future__ import annotations

from collections.abc import Iterator

from mtsig_core.experiment import Experiment, Scores
from mtsig_core.loading.checks.outputs import Outputs
from mtsig_core.loading.recognition.roles import OutputKey
from mtsig_core.loading.report import ReportLine, some

#: Mean scores of one metric that differ by more than this factor are hardly on one scale.
SCALE = 20


def _scored(experiment: Experiment) -> Iterator[tuple[str, str, dict[OutputKey, Scores]]]:
    """Yield test set, metric and the scores of each output."""
    for test_set in experiment.test_sets:
        for metric in experiment.outside_metrics:
            yield test_set.name, metric, {
                (system.name, replica.name, test_set.name): replica.scores[test_set.name][metric]
                for system in experiment.systems_scored_on(test_set.name, metric)
                for replica in system.scored_on(test_set.name, metric)
            }


def identical_scores(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs with exactly the same scores under a metric, though their text is not known to be the same."""
    same_text = [{(o.system, o.replica, o.test_set) for o in group} for group in outputs.same_text()]
    for test_set, metric, scored in _scored(outputs.experiment):
        groups: dict[Scores, list[OutputKey]] = {}
        for key, scores in scored.items():
            groups.setdefault(scores, []).append(key)
        for scores, own in groups.items():
            # all right or all wrong: many outputs may get that of an easy or hard set
            if len(own) < 2 or len(set(scores)) == 1 or any(set(own) <= group for group in same_text):
                continue
            names = some([f"{system}/{replica}" for system, replica, _ in own])
            message = f"{metric} on {test_set}: exactly the same scores of {names}. Was one output scored twice?"
            yield ReportLine("warning", message, (), "identical-scores")


def mixed_scales(outputs: Outputs) -> Iterator[ReportLine]:
    """Outputs whose mean score is far out of the others' scale: percent beside shares of 1, say."""
    for test_set, metric, scored in _scored(outputs.experiment):
        sizes = {f"{key[0]}/{key[1]}": _mean_size(scores) for key, scores in scored.items()}
        positive = {name: size for name, size in sizes.items() if size > 0}
        if len(positive) < 2:
            continue
        low, high = min(positive, key=positive.__getitem__), max(positive, key=positive.__getitem__)
        if positive[high] > SCALE * positive[low] and positive[low] < 1.05 and positive[high] > 2:
            message = (
                f"{metric} on {test_set}: scores of {high} are about {positive[high]:.3g}, those of {low} about "
                f"{positive[low]:.3g}. Are they on one scale (100 against 1)?"
            )
            yield ReportLine("warning", message, (), "mixed-scales")


def _mean_size(scores: Scores) -> float:
    sizes = [abs(score) for score in scores if score is not None]
    return sum(sizes) / len(sizes)

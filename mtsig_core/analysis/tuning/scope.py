"""What a result of tuning is about."""

from __future__ import annotations

from dataclasses import dataclass

from mtsig_core.optimizers.problem import TuningProblem


@dataclass(frozen=True)
class TuningScope:
    """The lists and the metric of an analysis.

    Parameters
    ----------
    system : str
    dev, test : str
        Names of the sets; `test` is empty without a test set.
    metric, label : str
    higher_is_better : bool
    features : tuple of str
    """

    system: str
    dev: str
    test: str
    metric: str
    label: str
    higher_is_better: bool
    features: tuple[str, ...]


def scope_of(problem: TuningProblem) -> TuningScope:
    """Return the scope of a tuning problem."""
    metric, test = problem.metric, problem.test
    return TuningScope(
        problem.system, problem.dev.test_set, test.test_set if test else "", metric.name, metric.label,
        metric.higher_is_better, problem.feature_names,
    )  # fmt: skip

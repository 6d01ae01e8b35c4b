"""Variance components of a pair, and how large the next experiment must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mtsig_core.analysis.comparison.effect import margin_suggestion
from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents, shared_seeds, variance_components
from mtsig_core.analysis.planning.planner import Pilot, Plan, PlanDesign, plan
from mtsig_core.experiment import Replica
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance import Scope

if TYPE_CHECKING:
    from mtsig_core.workbench.pair import Pair


def components(pair: Pair, settings: Settings, progress: Progress) -> VarianceComponents:
    """Return the variance components of a pair."""
    statistics = pair.statistics(subprogress(progress, 0, 0.9), settings, copies=True)
    return variance_components(
        statistics.pseudo_values(pair.a), statistics.pseudo_values(pair.b), settings,
        scope=Scope.of(statistics, pair.a, pair.b), documents=statistics.documents,
    )


def similarity(pair: Pair, progress: Progress) -> SharedSeeds | None:
    """Return how similar replicas of equal index are; None with one replica or different numbers of them."""
    statistics = pair.statistics(progress)
    return shared_seeds(
        _texts(pair, pair.a), _texts(pair, pair.b), statistics.pseudo_values(pair.a), statistics.pseudo_values(pair.b)
    )


def _texts(pair: Pair, system: str) -> list[tuple[str, ...]]:
    """Return the outputs of the replicas that the metric scores, or nothing where one has no text."""
    replicas: dict[str, Replica] = {r.name: r for r in pair.bench.experiment.system(system).replicas}
    names = pair.statistics().names(system)
    outputs = [replicas[name].outputs.get(pair.test_set) for name in names if name in replicas]
    texts = [text for text in outputs if text is not None]
    return texts if len(texts) == len(names) else []


def why_no_plan(variance: VarianceComponents) -> str:
    """Return why these replicas allow no plan, or nothing."""
    if not variance.rows:
        return variance.note
    needed = 1 if variance.paired else 2
    if len(variance.replica) < needed:
        return "Planning takes two or more replicas of each system: one does not show how replicas vary."
    if not any(size > 0 for size in (*variance.replica, *variance.residual, variance.interaction)):
        return "Planning takes scores that vary: here they are the same in every replica and segment."
    return ""


def plan_of(
    pair: Pair, settings: Settings, goal: tuple[float, float], simulations: int, progress: Progress
) -> Plan:
    """Return a plan for a goal, which is a difference and the power to find it with."""
    difference, power = goal
    variance = pair.components(settings=settings, progress=subprogress(progress, 0, 0.1))
    if why := why_no_plan(variance):
        raise ValueError(why)
    pilot = Pilot(
        variance.replica, variance.residual, variance.interaction, variance.n_segments, variance.n_units,
        variance.replica_upper,
    )
    design = PlanDesign(power, settings.alpha, settings.seed, simulations=simulations)
    return plan(pilot, difference, design, progress=subprogress(progress, 0.1, 1))


def no_difference(pair: Pair) -> ValueError:
    """Return the error of a plan without a difference to plan for."""
    suggestion = margin_suggestion(pair.statistics(), pair.a, pair.b)
    return ValueError(
        "A plan needs the smallest difference that matters to you, in points of "
        f"{pair.metric.label}: it has no default, and is not the difference you found. {suggestion}".strip()
    )


def default_difference(pair: Pair) -> float:
    """Return half a point on a scale of 100, less on smaller scales."""
    statistics = pair.statistics()
    size = max(abs(float(x)) for name in (pair.a, pair.b) for x in statistics.scores_of(name))
    return 0.5 if size >= 10 else 0.05 if size >= 2 else 0.005

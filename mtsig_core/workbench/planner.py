"""Questions about where the luck comes from and how large an experiment must be, asked of a workbench."""

from __future__ import annotations

from mtsig_core.analysis.planning.components import SharedSeeds, VarianceComponents, shared_seeds, variance_components
from mtsig_core.analysis.planning.planner import SIMULATIONS, Pilot, Plan, PlanDesign, plan
from mtsig_core.experiment import Replica
from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress, subprogress
from mtsig_core.significance import Scope
from mtsig_core.workbench.pair import Where


def ask_components(where: Where, settings: Settings, progress: Progress = no_progress) -> VarianceComponents:
    """Return the variance components of a pair."""
    statistics = where.statistics(subprogress(progress, 0, 0.9))
    return variance_components(
        statistics.pseudo_values(where.a), statistics.pseudo_values(where.b), settings,
        scope=Scope.of(statistics, where.a, where.b), documents=statistics.documents,
    )


def ask_shared_seeds(where: Where) -> SharedSeeds | None:
    """Return how alike replicas of equal index are; None where the systems differ in replicas or have one."""
    statistics = where.statistics()
    return shared_seeds(
        _texts(where, where.a), _texts(where, where.b), statistics.pseudo_values(where.a),
        statistics.pseudo_values(where.b),
    )


def _texts(where: Where, system: str) -> list[tuple[str, ...]]:
    """Return the outputs of those replicas that the metric scores, or nothing where one has no text."""
    replicas: dict[str, Replica] = {r.name: r for r in where.bench.experiment.system(system).replicas}
    names = where.statistics().names(system)
    found = [replicas[name].outputs.get(where.test_set) for name in names if name in replicas]
    texts = [text for text in found if text is not None]
    return texts if len(texts) == len(names) else []


def why_no_plan(components: VarianceComponents) -> str:
    """Return why these replicas give no plan, or nothing."""
    if not components.rows:
        return components.note
    needed = 1 if components.paired else 2
    if len(components.replica) < needed:
        return "Planning takes two or more replicas of each system: one does not show how replicas vary."
    return ""


def ask_plan(
    where: Where, settings: Settings, difference: float, *, target: float = 0.8, simulations: int = SIMULATIONS,
    progress: Progress = no_progress,
) -> Plan:
    """Return how many replicas and segments a difference takes, the experiment at hand taken as the pilot.

    Raises
    ------
    ValueError
        When the replicas do not allow a plan, or a number is out of its range.
    """
    found = ask_components(where, settings, subprogress(progress, 0, 0.1))
    if why := why_no_plan(found):
        raise ValueError(why)
    pilot = Pilot(
        found.replica, found.residual, found.interaction, found.n_segments, found.n_units, found.replica_upper
    )
    design = PlanDesign(target, settings.alpha, settings.seed, simulations=simulations)
    return plan(pilot, difference, design, progress=subprogress(progress, 0.1, 1))


def default_difference(where: Where) -> float:
    """Return a difference to start planning from, by the size of the scores alone: never the one observed."""
    statistics = where.statistics()
    size = max(abs(float(x)) for name in (where.a, where.b) for x in statistics.scores_of(name))
    return 0.5 if size >= 10 else 0.05 if size >= 2 else 0.005

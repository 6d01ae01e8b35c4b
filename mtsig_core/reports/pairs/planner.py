"""Variance components and plans as tables, sentences and documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from mtsig_core.analysis.planning.components import Component, SharedSeeds, VarianceComponents
from mtsig_core.analysis.planning.planner import Plan
from mtsig_core.experiment import Experiment
from mtsig_core.formatting import (
    UNDEFINED,
    format_interval,
    format_p,
    format_percent,
    format_score,
    number,
    rare_range,
    rare_share,
    score_decimals,
)
from mtsig_core.reports.documents import plain, settings_document
from mtsig_core.resampling import Settings


def components_frame(result: VarianceComponents) -> pd.DataFrame:
    """Return components as people read them."""
    shares = [
        UNDEFINED if row.share_low is None or row.share_high is None
        else rare_range(row.share_low, row.share_high)
        for row in result.rows
    ]
    decimals = score_decimals(row.sd for row in result.rows)  # of a segment: as large as the metric's scale allows
    sds = [format_score(row.sd, decimals) for row in result.rows]
    return pd.DataFrame(
        {
            "source": [row.name for row in result.rows],
            "system": [row.system or "both" for row in result.rows],
            "sd": [f"{sd} (below 0)" if row.negative else sd for sd, row in zip(sds, result.rows, strict=True)],
            "sd, interval": [format_interval((row.low, row.high), decimals) for row in result.rows],
            "share of the variance of D": [rare_share(row.share) for row in result.rows],
            "share, interval": shares,
        }
    )


def plan_frame(plan: Plan) -> pd.DataFrame:
    """Return the rows of the pilot's test set as people read them."""
    cells = [c for c in plan.cells if c.n_segments == plan.n_segments]
    return pd.DataFrame(
        {
            "replicas": [c.n for c in cells],
            "power, cautious": [rare_share(c.power, plan.design.simulations) for c in plan.cautious_cells],
            "power, as the pilot": [rare_share(c.power, plan.design.simulations) for c in cells],
            "exaggerated": [
                UNDEFINED if c.exaggeration is None else f"{c.exaggeration:.1f} ×" for c in cells
            ],
            "wrong sign": [rare_share(c.wrong_sign, plan.design.simulations) for c in cells],
            "least p": [format_p(c.smallest_p, exact=True) for c in cells],
        }
    )


def seeds_sentence(seeds: SharedSeeds, paired: bool) -> str:
    """Return what outputs of equal index show about shared seeds."""
    shares = (
        f"Replicas of the same number have the same text in {format_percent(seeds.identical_equal)} of the segments, "
        f"others in {format_percent(seeds.identical_unequal)}"
    )
    if seeds.correlation_equal is not None and seeds.correlation_unequal is not None:
        shares += (
            f"; their residuals correlate by {number(seeds.correlation_equal)}, those of others by "
            f"{number(seeds.correlation_unequal)}"
        )
    if seeds.suspicious and not paired:
        question = (
            "Do replicas of the same number share a seed or a base model? "
            "If so, turn on 'Replicas are paired' (--paired)."
        )
        return f"{question} {shares}."
    if paired and not seeds.suspicious:
        return f"The replicas are declared as paired, yet their outputs do not show it. {shares}."
    return f"{'As expected of paired replicas.' if paired else 'No sign of shared seeds.'} {shares}."


def planner_document(
    answers: Sequence[tuple[VarianceComponents, SharedSeeds | None, Plan | None, str]],
    settings: Settings, experiment: Experiment, notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the document of ``planner``.

    Parameters
    ----------
    answers : sequence of (VarianceComponents, SharedSeeds or None, Plan or None, str)
        The last is why there is no plan.
    settings : Settings
    experiment : Experiment
    notes : sequence of str
        What was left out.
    """
    results = []
    for components, seeds, plan, why in answers:
        results.append({
            "test_set": components.test_set, "metric": components.metric, "note": why or components.note,
            "paired": components.paired, "components": [_component(row) for row in components.rows],
            "shared_seeds": None if seeds is None else {
                "identical_equal": seeds.identical_equal, "identical_unequal": seeds.identical_unequal,
                "correlation_equal": seeds.correlation_equal, "correlation_unequal": seeds.correlation_unequal,
            },
            "plan": None if plan is None else _plan(plan),
        })  # fmt: skip
    return plain({"results": results, "notes": notes, "settings": settings_document(settings, experiment)})


def _component(row: Component) -> dict[str, Any]:
    return {
        "component": row.name, "system": row.system or None, "sd": row.sd, "sd_interval": [row.low, row.high],
        "share": row.share, "share_interval": None if row.share is None else [row.share_low, row.share_high],
        "negative": row.negative,
    }  # fmt: skip


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "difference": plan.difference, "power": plan.design.target, "needed": plan.needed,
        "needed_cautious": plan.needed_cautious, "segments": plan.n_segments,
        "least_segments": plan.least_segments, "simulations": plan.design.simulations,
        "cautious_rows": [{"n": c.n, "segments": c.n_segments, "power": c.power} for c in plan.cautious_cells],
        "rows": [
            {"n": c.n, "segments": c.n_segments, "power": c.power, "exaggeration": c.exaggeration,
             "wrong_sign": c.wrong_sign, "smallest_p": c.smallest_p}
            for c in plan.cells
        ],
    }  # fmt: skip

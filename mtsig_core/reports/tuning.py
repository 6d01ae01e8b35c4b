"""Tables and documents of tuning, for the command line and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from mtsig_core.analysis.tuning import Generalisation, LeastVariance, LineObjective, WeightPlane
from mtsig_core.formatting import UNDEFINED, count, format_p, format_score, number
from mtsig_core.optimizers import Baselines, TuningResult, system_names

SCHEMA = 1


def baselines_frame(sets: Sequence[Baselines]) -> pd.DataFrame:
    """Return one row per set: segments, 1-best, oracle, random choice and its standard deviation."""
    rows = [(b.test_set, b.n_segments, b.one_best, b.oracle, b.random, b.random_sd) for b in sets]
    return pd.DataFrame(rows, columns=["set", "segments", "1-best", "oracle", "random choice", "sd of random"])


def replicas_frame(results: Sequence[TuningResult]) -> pd.DataFrame:
    """Return one row per replica: optimizer, replica, dev and test score, iterations."""
    names = system_names(results)
    frames = [result.to_frame().assign(optimizer=name) for name, result in zip(names, results, strict=True)]
    columns = ["optimizer", "replica", "dev", "test", "iterations"]
    return pd.concat(frames, ignore_index=True)[columns].dropna(axis="columns", how="all")


def least_variance_sentence(result: LeastVariance) -> str:
    """Return in one sentence which optimizer varies least, and whether that is sure."""
    first, *others = result.rows
    if not others:
        return f"On {result.on}, the sd over {first.n} replicas of {first.name} is {first.sd:.3f}."
    on = f"On {result.on}, {first.name} varies least from run to run (sd {first.sd:.3f})"
    if not result.not_worse:
        return f"{on}; every other optimizer varies significantly more (both tests, level {result.alpha:g})."
    doubtful = [row for row in others if row.name in result.not_worse]
    if others[-1].sd == 0:
        return f"On {result.on}, the runs of every optimizer score the same."
    if first.sd == 0:
        return f"{on}; all its runs score the same, so no test compares it with the others."
    named = "; ".join(f"{row.name} (p {format_p(row.p)} and {format_p(row.p_robust)})" for row in doubtful)
    return f"{on}, but these may vary as little, by the F test or Brown and Forsythe's: {named}."


def least_variance_table(result: LeastVariance) -> pd.DataFrame:
    """Return the frame of the optimizers' spread as people read it: one cell for a number and its interval."""
    spread = "s_test" if result.scope.test else "s_dev"
    rows = [
        {
            "optimizer": row.name,
            "replicas": str(row.n),
            "average": format_score(row.mean),
            f"{spread} (95%)": _with_interval(row.sd, row.low, row.high, decimals=3),
            "times the least (95%)": _with_interval(row.ratio, row.ratio_low, row.ratio_high, decimals=1),
            "p, F test": format_p(row.p),
            "p, Brown and Forsythe": format_p(row.p_robust),
        }
        for row in result.rows
    ]
    return pd.DataFrame(rows)


def generalisation_table(result: Generalisation) -> pd.DataFrame:
    """Return the frame of dev against test as people read it: averages with what they gain over the 1-best."""
    rows = [
        {
            "optimizer": row.name,
            "dev (over the 1-best)": _with_gain(float(row.dev.mean()), result.dev.one_best),
            "test (over the 1-best)": _with_gain(float(row.test.mean()), result.test.one_best),
            "gain kept": UNDEFINED if row.kept is None else f"{number(100 * row.kept, 0)}%",
            "s_dev": format_score(row.s_dev, 3),
            "s_test": format_score(row.s_test, 3),
            "s_test / s_dev (95%)": _with_interval(*(row.ratio or (None, None, None)), decimals=1),
        }
        for row in result.rows
    ]
    return pd.DataFrame(rows)


def _with_gain(score: float, one_best: float) -> str:
    gain = score - one_best
    return f"{format_score(score)} ({number(gain, sign=True)})"


def _with_interval(value: float | None, low: float | None, high: float | None, *, decimals: int) -> str:
    if value is None or low is None or high is None:
        return format_score(value, decimals)
    return f"{format_score(value, decimals)} ({format_score(low, decimals)} to {format_score(high, decimals)})"


def line_sentence(result: LineObjective) -> str:
    """Return in words how rugged the objective along a line is."""
    return (
        f"Along {result.direction}, the score changes at {count(len(result.corners), 'place')} of the part shown and "
        f"has {_optima(result.n_local_optima)} on the whole line: it is not convex, and "
        "its slope is 0 wherever it is defined. The expected score is smooth, and follows the steps the more closely "
        "the sharper the softmax is."
    )


def _optima(n: int) -> str:
    return "1 local optimum" if n == 1 else f"{n} local optima"


def plane_sentence(result: WeightPlane) -> str:
    """Return in words how many local optima a plane has, and how far apart their scores are."""
    scores = result.optima[:, 2]
    return (
        f"This plane has {_optima(len(scores))} on its grid, with scores from {format_score(float(scores.min()))} to "
        f"{format_score(float(scores.max()))}. An optimizer that climbs stops at one of them; which one depends on "
        "where it starts."
    )


def tuning_document(
    results: Sequence[TuningResult], sets: Sequence[Baselines], least: LeastVariance | None, notes: Sequence[str]
) -> dict[str, Any]:
    """Return everything that tuning gives, for programs."""
    problem = results[0].problem
    references = list(zip(*problem.dev.references, strict=True))
    return {
        "schema": SCHEMA,
        "system": problem.system,
        "metric": problem.metric.name,
        "signature": problem.metric.signature(references),
        "higher_is_better": problem.metric.higher_is_better,
        "features": list(problem.feature_names),
        "sets": [
            {
                "set": b.test_set,
                "segments": b.n_segments,
                "one_best": b.one_best,
                "oracle": b.oracle,
                "random_choice": b.random,
                "random_choice_sd": b.random_sd,
            }
            for b in sets
        ],
        "optimizers": [_optimizer(result, name) for name, result in zip(system_names(results), results, strict=True)],
        "least_variance": None if least is None else {
            "sentence": least_variance_sentence(least),
            "rows": [{**row.__dict__} for row in least.rows],
        },
        "notes": list(notes),
    }  # fmt: skip


def _optimizer(result: TuningResult, name: str) -> dict[str, Any]:
    test = result.test_scores
    return {
        "optimizer": result.optimizer.name,
        "label": name,
        "paper": result.optimizer.paper,
        "options": result.optimizer.options,
        "seed": result.seed,
        "n": len(result.replicas),
        "dev": _summary(result.dev_scores),
        "test": None if test is None else _summary(test),
        "replicas": [
            {
                "replica": replica.name,
                "dev": replica.dev,
                "test": replica.test,
                "trajectory": replica.trajectory.dev.tolist(),
                "weights": [float(value) + 0.0 for value in replica.weights],
            }
            for replica in result.replicas
        ],
    }


def _summary(scores: Any) -> dict[str, float | None]:
    sd = float(scores.std(ddof=1)) if len(scores) > 1 else None
    return {"avg": float(scores.mean()), "sd": sd, "min": float(scores.min()), "max": float(scores.max())}

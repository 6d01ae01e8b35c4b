"""Measure how often every test calls two equal systems different, and write docs/false-alarms.md."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mtsig_core.analysis.calibration.arena import DRAWS, SCENARIOS, ArenaDesign, arena
from mtsig_core.significance import PRESETS
from mtsig_core.significance.simulated import World
from tests.conftest import REAL_DATA
from tests.headline_rates import headline

TARGET = Path(__file__).resolve().parents[1] / "docs" / "false-alarms.md"
SEGMENTS, LONGER = 100, 300
REPLICAS = (1, 2, 3, 5, 10, 50)
FEWER = (2, 3, 5, 10)
SELECTED = (
    "coherent", "crossed", "ar-segment", "ar-hypothesis", "ar-replica", "welch-replicas", "bootstrap-centred",
    "two-way-bootstrap",
)
UNEQUAL = (
    "coherent", "crossed", "ar-segment", "welch-replicas", "bootstrap-centred", "bootstrap-replica",
    "two-way-bootstrap",
)


def by_replicas(world: World, replicas: Sequence[int]) -> dict[str, World]:
    """Return a column for each number of replicas."""
    return {f"n = {n}": replace(world, n=n) for n in replicas}


def table(columns: Mapping[str, World], trials: int, presets: Sequence[str] | None = None) -> list[str]:
    """Return the lines of one table of shares of p < .05: one row per test, one column per world."""
    found: dict[str, dict[str, str]] = {}
    for title, world in columns.items():
        asked = presets if presets is not None and min(world.replicas) > 1 else None
        for row in arena(world, ArenaDesign(trials=trials), presets=asked).rows:
            found.setdefault(row.preset.name, {})[title] = f"{row.share:.3f}"
    lines = ["| test | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in (name for name in PRESETS if name in found):
        lines.append(f"| {name} | " + " | ".join(found[name].get(title, "") for title in columns) + " |")
    return [*lines, ""]


def scenario(title: str, world: World, trials: int) -> list[str]:
    """Return the section of one world: all tests, then a longer test set and noise of other shapes."""
    print(title, flush=True)
    world = replace(world, segments=SEGMENTS)
    parts = [
        f"## {title.capitalize()}\n",
        f"sd of whole replicas {world.replica_sd:g}, of strengths by segment {world.strength_sd:g}.\n",
        *table(by_replicas(world, REPLICAS), trials),
    ]
    others = {
        f"{LONGER} segments": replace(world, segments=LONGER),
        "noise of Student's t with 3 degrees of freedom": replace(world, noise="t3"),
        "lognormal noise": replace(world, noise="lognormal"),
    }
    for name, other in others.items():
        parts += [f"The same with {name}:\n", *table(by_replicas(other, FEWER), trials, SELECTED)]
    return parts


def unequal(trials: int) -> list[str]:
    """Return the section on unequal numbers of replicas."""
    print("unequal numbers", flush=True)
    columns = {}
    for who, (sd_a, sd_b) in {"fewer": (3.0, 0.0), "both": (3.0, 3.0), "more": (0.0, 3.0)}.items():
        for n in (2, 3, 5):
            columns[f"{n} : 10, {who}"] = World(n, SEGMENTS, sd_a, 5.0, n_b=10, replica_sd_b=sd_b)
    return [
        "## Unequal numbers of replicas\n",
        "A has 2, 3 or 5 replicas, B has 10; sd of whole replicas 3 on the side with fewer replicas, on both sides, or",
        "on the side with more; of strengths by segment 5.\n",
        *table(columns, trials, UNEQUAL),
    ]


def margin(rate: float, trials: int) -> str:
    """Return the Monte-Carlo error of a measured rate: half the width of its 95% interval."""
    return f"{1.96 * (rate * (1 - rate) / trials) ** 0.5:.4f}"


def document(trials: int, headline_trials: int) -> str:
    """Measure, and return the document.

    Parameters
    ----------
    trials : int
        Simulated experiments for each number of the tables of all tests.
    headline_trials : int
        Of the tables of the headline, the coherent test, which are simulated sooner.
    """
    parts = [
        "# False alarms, measured\n",
        "How often each test says p < .05 where no difference exists for somebody who asks about new replicas on new",
        "text. Seed 12345. Made by `make calibrate`. First the coherent test, on which every headline rests: each cell",
        "has two shares, of p < .05 and of p < .01. Monte-Carlo error (95%) of a true .05 and .01 with",
        *(
            f"{n} experiments: ± {margin(0.05, n)} and ± {margin(0.01, n)}{end}"
            for n, end in ((headline_trials, ","), (headline_trials // 4, ";"))
        ),
        "a worst of 16 lies above the true worst by up to twice as much.\n",
        *headline(REAL_DATA, headline_trials),
        "# Every test\n",
        f"{trials} simulated experiments for each number, {SEGMENTS} segments, residual sd 10, {DRAWS} draws a",
        f"test. A true .050 is measured as .050 ± {margin(0.05, trials)}. An empty cell: the test is not defined.\n",
    ]
    for title, world in SCENARIOS.items():
        parts += scenario(title, world, trials)
    return "\n".join([*parts, *unequal(trials)])


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000, help="simulated experiments for each number (2000)")
    parser.add_argument("--headline-trials", type=int, default=40_000, help="of the coherent test (40000)")
    asked = parser.parse_args()
    TARGET.write_text(document(asked.trials, asked.headline_trials), encoding="utf-8")
    print(f"Written: {TARGET}")


if __name__ == "__main__":
    main()

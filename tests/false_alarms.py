"""Measure how often every test calls two equal systems different, and write docs/false-alarms.md."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from mtsig_core.analysis.arena import DRAWS, SCENARIOS, alarm_table

TARGET = Path(__file__).resolve().parents[1] / "docs" / "false-alarms.md"
REPLICAS = (2, 3, 5, 10)
SEGMENTS = 100


def measured(trials: int) -> pd.DataFrame:
    """Return shares of p < .05: one row a test, one column a world and number of replicas."""
    columns = {}
    for n in REPLICAS:
        for title, result in alarm_table(n, SEGMENTS, trials=trials).arenas:
            columns[title, n] = {row.preset: f"{row.share:.3f}" for row in result.rows}
        print(f"{n} replicas done", flush=True)
    return pd.DataFrame(columns).fillna("")


def text_of(table: pd.DataFrame, trials: int) -> str:
    """Return the document."""
    parts = [
        "# False alarms, measured\n",
        "How often each test says p < .05 where no difference exists for somebody who asks about new replicas on new",
        f"text. {trials} simulated experiments for each number, {SEGMENTS} segments, residual sd 10, {DRAWS} draws a",
        f"test, seed 12345. A true .050 is measured as .050 ± {1.96 * (0.05 * 0.95 / trials) ** 0.5:.3f}. An empty",
        "cell: the test is not defined there. Made by `make calibrate`.\n",
    ]
    for title, world in SCENARIOS.items():
        parts += [
            f"## {title.capitalize()}\n",
            f"sd of whole replicas {world.replica_sd:g}, of strengths by segment {world.strength_sd:g}.\n",
            "| test | " + " | ".join(f"n = {n}" for n in REPLICAS) + " |",
            "|---" * (len(REPLICAS) + 1) + "|",
        ]
        parts += [f"| {name} | " + " | ".join(table.loc[name, title][list(REPLICAS)]) + " |" for name in table.index]
        parts.append("")
    return "\n".join(parts)


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2000, help="simulated experiments for each number (2000)")
    trials = parser.parse_args().trials
    TARGET.write_text(text_of(measured(trials), trials), encoding="utf-8")
    print(f"Written: {TARGET}")


if __name__ == "__main__":
    main()

"""The arena of the lesson: against the library's arena, and the documented false alarms."""

from pathlib import Path

import numpy as np
import pytest

from mtsig_core.analysis.calibration.arena import ArenaDesign, arena, exact_interval
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.metrics.outside.outside_metric import OutsideMetric
from mtsig_core.resampling.random_streams import Chunk
from mtsig_core.significance.simulated import World, simulated
from mtsig_core.teaching import Run
from mtsig_core.teaching.rates import ArenaTrials, monte_carlo_error, rates, rates_so_far, world_of

ALARMS = Path(__file__).parents[2] / "docs" / "false-alarms.md"


def documented(world: str, n: int) -> dict[str, float]:
    """Return the documented false alarms of every test in a world, with n replicas of each system."""
    section = ALARMS.read_text(encoding="utf-8").split(f"\n## {world}\n")[1].split("\n\nThe same")[0]
    head, _, *rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    column = [cell.strip() for cell in head].index(f"n = {n}")
    return {row[0].strip(): float(row[column]) for row in rows if row[column].strip()}


@pytest.mark.slow
@pytest.mark.parametrize(("title", "world"), [
    ("Replicas differ", World(replica_sd=2.0)), ("Strengths differ", World(strength_sd=10.0)),
])  # fmt: skip
def test_the_rates_are_those_of_the_documentation(title, world):
    made = Run(ArenaTrials(world, seed=2)).step(600)
    expected = documented(title, 3)
    found = {row.preset.name: row.share for row in rates(made)}
    assert set(found) == set(expected)
    for name, share in expected.items():  # of 2000 other experiments; 36 comparisons
        error = (max(share * (1 - share), 0.002) * (1 / 600 + 1 / 2000)) ** 0.5
        assert found[name] == pytest.approx(share, abs=3.6 * error), name


def test_the_same_seed_gives_the_counts_of_the_arena():
    world = World(n=2, replica_sd=1.0, strength_sd=5.0, gain=2.0)
    made = Run(ArenaTrials(world, seed=12345)).step(200)
    expected = arena(world, ArenaDesign(trials=200))
    assert sorted(rates(made), key=lambda row: row.preset.name) == sorted(expected.rows, key=lambda r: r.preset.name)


def test_tests_for_the_question_of_the_arena_come_first():
    names = ArenaTrials(World()).names
    assert set(names[:3]) == {"coherent", "crossed", "two-way-bootstrap"}
    assert set(names[-2:]) == {"ar-hypothesis", "multeval-ar"}
    assert "coherent" not in ArenaTrials(World(n=1)).names


def test_shares_settle_at_the_last_one_within_their_error():
    made = Run(ArenaTrials(World(), seed=3)).step(300)
    shares = rates_so_far(made, "ar-segment")
    row = next(row for row in rates(made) if row.preset.name == "ar-segment")
    assert shares[-1] == row.share
    assert (row.low, row.high) == exact_interval(row.rejected, 300)
    assert row.share == pytest.approx(0.05, abs=2 * float(monte_carlo_error(300)))
    assert float(monte_carlo_error(2000)) == pytest.approx(0.0096, abs=5e-5)  # as the documentation says


def test_the_world_of_open_data_keeps_the_part_of_replicas():
    true = World(n=40, segments=400, replica_sd=1.0, strength_sd=8.0)
    scores = np.concatenate([x[0] for x in simulated(true, Chunk(0, 0, 1), seed=1)])
    names = tuple(str(i) for i in range(40))
    values = np.stack([scores, np.ones_like(scores)], axis=-1)
    world = world_of(SegmentStatistics(OutsideMetric("Score"), "t", "", ("A", "B"), (names, names), values), "A", "B")
    assert world.segments == 100
    # tau^2 L / sigma^2 is as before: 1 * 400 = 2^2 * 100
    assert (world.replica_sd, world.strength_sd) == (pytest.approx(2.0, rel=0.2), pytest.approx(8.0, rel=0.15))
    single = SegmentStatistics(OutsideMetric("Score"), "t", "", ("A", "B"), (names[:1], names[:1]), values[:2])
    with pytest.raises(ValueError, match="at least 2 replicas of each system"):
        world_of(single, "A", "B")

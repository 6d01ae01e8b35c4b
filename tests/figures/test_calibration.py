from dataclasses import replace

import numpy as np
import pytest

from mtsig_core.analysis.calibration.arena import ArenaDesign, arena
from mtsig_core.analysis.calibration.calibration import Calibration, CalibrationRow
from mtsig_core.analysis.calibration.replica_effect import ReplicaEffect
from mtsig_core.figures.calibration import arena_bars, calibration_curves, replica_effect_intervals
from mtsig_core.significance import PRESETS, Scope
from mtsig_core.significance.simulated import World


def calibration(*p, note=""):
    rows = tuple(
        CalibrationRow(
            replace(PRESETS["crossed"], label=f"Test {k}"), np.array(values), sum(x < 0.05 for x in values), None
        )
        for k, values in enumerate(p)
    )
    return Calibration(Scope("test", "bleu", "BLEU", systems=("a",)), 4, 3, 3, rows, None, 0.05, note)


def test_a_line_steps_up_at_each_p(check):
    document, texts = check(calibration_curves(calibration([0.01, 0.2, 0.9], [0.5, 0.6, 0.7])))
    line = document["data"][1]
    assert line["x"] == [0, 0.01, 0.2, 0.9, 1]
    assert line["y"] == pytest.approx([0, 1 / 3, 2 / 3, 1, 1])
    assert line["line"]["shape"] == "hv"
    assert "Test 1" in texts


def test_without_p_the_reason_is_drawn(check):
    _, texts = check(calibration_curves(calibration(note="Not defined: too few.")))
    assert any("too few" in text for text in texts)


def effect(system, sd, high, **more):
    values = {"s_test": 0.3, "f": 2.0, "p": 0.1, "sd": sd, "sd_low": 0.0, "sd_high": high}
    return ReplicaEffect(Scope("test", "bleu", "BLEU", systems=(system,)), 3, **(values | more))


def test_a_long_interval_is_cut_and_its_end_told(nasty_name, check):
    document, texts = check(replica_effect_intervals([effect(nasty_name, 0.2, 9.0), effect("b", 0.1, 0.3)]))
    assert max(document["data"][0]["x"]) == pytest.approx(0.9)
    assert any("to 9.00" in text for text in texts)


def test_no_effect_defined_says_why(check):
    undefined = ReplicaEffect(Scope("test", "bleu", "BLEU", systems=("a",)), 1, note="Not defined: one replica.")
    _, texts = check(replica_effect_intervals([undefined]))
    assert any("one replica" in text for text in texts)


def test_bars_of_the_arena(check):
    found = arena(World(), ArenaDesign(trials=40, n_draws=99))
    document, texts = check(arena_bars(found))
    assert sum(len(trace["x"]) for trace in document["data"]) == len(found.rows)
    assert any("level 0.05" in text for text in texts)
    power, texts = check(arena_bars(arena(World(gain=2), ArenaDesign(trials=40, n_draws=99), presets=("crossed",))))
    assert any("power" in text for text in texts)
    assert len(power["data"]) == 1

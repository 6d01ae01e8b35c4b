from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from mtsig_core.resampling import Settings
from mtsig_core.significance import PRESETS, applicable
from mtsig_core.significance.presets import get_preset, why_not

PAIRED = ("ar-replica-paired", "coherent-paired", "crossed-paired")
DOCUMENTS = ("ar-document", "bootstrap-document")
TWO = ("welch-replicas", "bootstrap-replica", "fu-bootstrap", "fu-ar", "two-way-bootstrap")


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_every_row_is_complete(preset):
    assert PRESETS[preset.name] is preset
    assert preset.label
    assert preset.question
    assert preset.rule.endswith(".")
    assert (preset.comparison is None) == (preset.family == "closed form") == bool(preset.form)


def test_rows_are_data_and_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        PRESETS["crossed"].headline = False


def test_only_the_coherent_tests_reach_the_headline_and_only_without_a_warning():
    assert [name for name, preset in PRESETS.items() if preset.headline] == ["coherent", "coherent-paired"]
    assert not any(preset.headline and preset.warning for preset in PRESETS.values())
    assert PRESETS["ar-hypothesis"].warning


def test_an_unknown_preset_names_those_there_are():
    with pytest.raises(ValueError, match="ar-segment, .*; not 'magic'"):
        get_preset("magic")


@pytest.mark.parametrize(
    ("n_a", "n_b", "paired", "absent"),
    [
        (1, 1, False, {"ar-replica", "coherent", "crossed", *PAIRED, *TWO}),
        (1, 3, False, {*PAIRED, *TWO}),
        (2, 3, True, set(PAIRED)),
        (3, 3, False, set(PAIRED)),
        (3, 3, True, set()),
    ],
)
def test_applicable(n_a, n_b, paired, absent, pair):
    statistics = pair(np.random.default_rng(0), n_a, n_b, 5)
    assert set(DOCUMENTS) <= set(PRESETS) - set(applicable(statistics, "A", "B", Settings(paired=paired)))
    statistics = replace(statistics, documents=np.array([0, 0, 1, 1, 2]))
    assert set(PRESETS) - set(applicable(statistics, "A", "B", Settings(paired=paired))) == absent


def test_reasons_give_the_numbers():
    assert why_not(PRESETS["welch-replicas"], 1, 4, False).endswith("there are 1 and 4.")
    assert "declared as paired" in why_not(PRESETS["crossed-paired"], 3, 3, False)
    assert why_not(PRESETS["crossed"], 3, 2, False) == ""
    assert "document ids" in why_not(PRESETS["ar-document"], 3, 3, False)
    assert why_not(PRESETS["ar-document"], 3, 3, False, documents=True) == ""
    assert PRESETS["welch-replicas"].needs.smaller == 2

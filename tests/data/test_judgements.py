"""Simulated judgements of the demonstration: they load, and hold what the pages are to show."""

import numpy as np
import pytest

from data.builder.judgements import Campaign, simulate_judgements
from mtsig_core.loading.judgements.find import find_judgements
from mtsig_core.resampling import Settings
from mtsig_core.workbench.people import open_people

SYSTEMS = {"plain": 0.0, "better": 0.6, "best": 1.2}
N_SEGMENTS = 120


@pytest.fixture(scope="module")
def export():
    rng = np.random.default_rng(3)
    difficulty = rng.normal(size=N_SEGMENTS)
    quality = {
        name: (shift + difficulty + 0.5 * rng.normal(size=N_SEGMENTS)).tolist() for name, shift in SYSTEMS.items()
    }
    lengths = {name: [60] * N_SEGMENTS for name in SYSTEMS}
    documents = [f"doc{i // 4}" for i in range(N_SEGMENTS)]
    return quality, documents, lengths, simulate_judgements(quality, documents, lengths, ("src", "trg"))


@pytest.fixture(scope="module")
def people(export):
    return open_people(find_judgements([("judgements.csv", export[3].encode())]))


def test_the_same_seed_gives_the_same_file(export):
    quality, documents, lengths, text = export
    assert simulate_judgements(quality, documents, lengths, ("src", "trg")) == text
    assert simulate_judgements(quality, documents, lengths, ("src", "trg"), Campaign(seed=2)) != text


@pytest.mark.slow
def test_it_loads_as_an_export_of_appraise(people):
    table = people.campaigns[0].table
    assert table.format == "Appraise export"
    assert len(table.annotators) == 5
    assert all(name.startswith("simulated-") for name in table.annotators)
    assert table.set_aside["damaged"] > 20
    # every output once, besides repeats
    first = table.outputs[table.outputs["item_type"] == "output"]
    assert len(first) == N_SEGMENTS * len(SYSTEMS)
    assert first.groupby(["document", "segment", "system"]).size().max() == 1


def test_only_the_careless_annotator_overlooks_damage(people):
    overview = people.campaigns[0].annotators()
    assert overview.suspects == ("simulated-careless",)
    means = {a.name: a.mean for a in overview.annotators}
    assert max(means.values()) - min(means.values()) > 20
    hasty = next(a for a in overview.annotators if a.name == "simulated-careless")
    assert hasty.seconds < min(a.seconds for a in overview.annotators if a.name != hasty.name)


def test_the_better_systems_are_found_better_once_scores_are_standardised(people):
    means = people.campaigns[0].means(Settings(n_bootstrap=200))
    ranks = {s.system: s.standardised_rank for s in means.systems}
    assert ranks == {"best": 1, "better": 2, "plain": 3}
    assert [c.name for c in people.campaigns] == ["score", "mqm"]
    assert list(people.penalties["mqm"].means)[-1] == "plain"


def test_wrong_sizes_are_refused(export):
    quality, documents, lengths, _ = export
    with pytest.raises(ValueError, match="plain: give quality"):
        simulate_judgements(quality, documents[:-1], lengths, ("src", "trg"))
    with pytest.raises(ValueError, match="annotators must be 1 to 5"):
        Campaign(annotators=9)

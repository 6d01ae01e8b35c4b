"""The stored demonstrations show what they are meant to show."""

from __future__ import annotations

import lzma
from dataclasses import dataclass

import numpy as np
import pytest

from data import DEMONSTRATIONS
from data.build import archive, main
from mtsig_core.analysis.replicas.variance import VarianceRow, variance_table
from mtsig_core.experiment import Experiment
from mtsig_core.loading import load
from mtsig_core.loading.report import LoadReport
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance.run import run_preset

SETTINGS = Settings(n_bootstrap=300, n_permutations=1000)
SETS = ("test", "test-second")
PAIRS = {"travel": ("phrase", "hierarchical"), "news": ("words", "segmented")}


@dataclass(frozen=True)
class Loaded:
    experiment: Experiment
    report: LoadReport
    bleu: dict[str, SegmentStatistics]
    bootstrap: dict[str, np.ndarray]

    def row(self, system: str, test_set: str = "test") -> VarianceRow:
        """The Table 1 row, as the app computes it."""
        bleu = get_metric("bleu", tokenize="none")
        table = variance_table(
            [self.bleu[test_set]],
            SETTINGS,
            dev={bleu.name: self.bleu["dev"]},
            roles={t.name: t.role for t in self.experiment.test_sets},
            bootstrap={(test_set, bleu.name): self.bootstrap[test_set]},
        )
        return next(row for row in table.rows if row.system == system)


def _load(name: str) -> Loaded:
    experiment, report = load(DEMONSTRATIONS[name].path)
    metric = get_metric("bleu", tokenize="none")
    bleu = {t.name: compute_statistics(experiment, t.name, metric, n_jobs=1) for t in experiment.test_sets}
    bootstrap = {"test": bootstrap_scores(bleu["test"], SETTINGS.n_bootstrap, SETTINGS.seed)}
    return Loaded(experiment, report, bleu, bootstrap)


@pytest.fixture(scope="module")
def travel() -> Loaded:
    return _load("travel")


@pytest.fixture(scope="module")
def news() -> Loaded:
    return _load("news")


@pytest.fixture(params=["travel", "news"])
def either(request: pytest.FixtureRequest) -> tuple[str, Loaded]:
    return request.param, request.getfixturevalue(request.param)


def _difference(stats: SegmentStatistics, name: str) -> np.ndarray:
    """Differences of every replica of the experiment with every replica of the baseline."""
    a, b = PAIRS[name]
    return stats.scores_of(b)[None, :] - stats.scores_of(a)[:, None]


def _crossed_p(stats: SegmentStatistics, name: str) -> float:
    p = run_preset("crossed", stats, *PAIRS[name], SETTINGS).p
    assert p is not None
    return p


def test_what_is_in_the_box(either: tuple[str, Loaded]) -> None:
    name, loaded = either
    experiment = loaded.experiment
    assert experiment.baseline == PAIRS[name][0]
    assert {s.name for s in experiment.systems} == set(PAIRS[name])
    assert [t.name for t in experiment.test_sets] == ["test", "test-second", "dev"]
    assert [t.role for t in experiment.test_sets] == ["test", "test", "dev"]
    replicas = {"travel": 300, "news": 50}[name]
    for system in experiment.systems:
        assert all(len(system.on(t.name)) == replicas for t in experiment.test_sets)
    assert (experiment.target_language, experiment.tokenizer, experiment.paired) == ("en", "none", False)
    assert experiment.name == DEMONSTRATIONS[name].title
    assert all((t.documents is not None) == (name == "news") for t in experiment.test_sets)


def test_loading_finds_nothing_to_warn_of(either: tuple[str, Loaded]) -> None:
    kinds = {line.kind for line in either[1].report.lines}
    assert kinds <= {"recognised", "assumed", "ignored"}


def test_archives_are_small_enough_to_ship() -> None:
    assert sum(d.path.stat().st_size for d in DEMONSTRATIONS.values()) < 1_000_000


def test_few_distinct_hypotheses_to_score(either: tuple[str, Loaded]) -> None:
    experiment = either[1].experiment
    pairs = {
        (test_set, segment, hypothesis)
        for system in experiment.systems
        for replica in system.replicas
        for test_set, lines in replica.outputs.items()
        for segment, hypothesis in enumerate(lines)
    }
    assert len(pairs) < 9000


def test_no_source_sentence_is_in_two_sets(either: tuple[str, Loaded]) -> None:
    sources = [line for t in either[1].experiment.test_sets for line in t.source or ()]
    assert len(sources) == len(set(sources))


def test_no_segment_is_empty(either: tuple[str, Loaded]) -> None:
    experiment = either[1].experiment
    assert all(line for s in experiment.systems for r in s.replicas for o in r.outputs.values() for line in o)


@pytest.mark.parametrize("system", PAIRS["travel"])
def test_travel_spreads_as_in_clark_table_1(travel: Loaded, system: str) -> None:
    row = travel.row(system)
    assert row.s_dev is not None
    assert row.s_test is not None
    assert row.s_sel is not None
    assert row.s_sel > row.s_test > row.s_dev
    assert 1.4 < row.s_sel < 2.4
    assert 0.4 <= row.s_test <= 0.6
    assert 0.1 <= row.s_dev <= 0.35


def test_travel_replicas_generalise_worse_than_they_fit_beyond_chance(travel: Loaded) -> None:
    for system in PAIRS["travel"]:
        ratio = travel.row(system).dev_ratio
        assert ratio is not None
        assert ratio.low > 1


def test_travel_differs_as_in_clark_table_1(travel: Loaded) -> None:
    averages = [travel.row(system).avg for system in PAIRS["travel"]]
    assert averages == pytest.approx([48.4, 49.9], abs=0.15)


def test_travel_replicas_overlap_but_rarely_mislead(travel: Loaded) -> None:
    differences = _difference(travel.bleu["test"], "travel")
    assert 0.002 < (differences < 0).mean() < 0.05


def test_travel_difference_holds_for_new_text_and_new_replicas(travel: Loaded) -> None:
    assert all(_crossed_p(travel.bleu[test_set], "travel") < 0.05 for test_set in SETS)


@pytest.mark.parametrize("system", PAIRS["news"])
def test_news_spreads_little(news: Loaded, system: str) -> None:
    row = news.row(system)
    assert row.s_dev is not None
    assert row.s_test is not None
    assert row.s_sel is not None
    assert 0.9 < row.s_sel < 1.4
    assert 0.1 <= row.s_test <= 0.22
    assert 0.05 <= row.s_dev <= 0.22


def test_news_difference_is_small_and_undecided_for_new_text(news: Loaded) -> None:
    assert _difference(news.bleu["test"], "news").mean() == pytest.approx(0.25, abs=0.06)
    assert 0.05 < _crossed_p(news.bleu["test"], "news") < 0.2


@pytest.mark.parametrize("test_set", SETS)
def test_news_is_often_wrong_with_one_replica_and_rarely_with_ten(news: Loaded, test_set: str) -> None:
    stats = news.bleu[test_set]
    assert 0.15 <= (_difference(stats, "news") < 0).mean() <= 0.25
    rng = np.random.default_rng(1)
    a, b = (stats.scores_of(system)[rng.integers(50, size=(20_000, 10))].mean(axis=1) for system in PAIRS["news"])
    assert (b < a).mean() < 0.02


def test_news_verdict_of_a_single_pair_depends_on_which_pair(news: Loaded) -> None:
    """The lottery: one pair of replicas makes B better with p < .05, another has the wrong sign."""
    a, b = (news.bleu["test"].pseudo_values(system) for system in PAIRS["news"])
    lucky = b[b.mean(axis=1).argmax()] - a[a.mean(axis=1).argmin()]
    unlucky = b[b.mean(axis=1).argmin()] - a[a.mean(axis=1).argmax()]
    assert lucky.mean() / (lucky.std(ddof=1) / np.sqrt(len(lucky))) > 1.96
    assert unlucky.mean() < 0


@pytest.mark.slow
def test_better_on_every_set_by_every_metric(either: tuple[str, Loaded]) -> None:
    name, loaded = either
    chrf = get_metric("chrf")
    for test_set, bleu in loaded.bleu.items():
        other = compute_statistics(loaded.experiment, test_set, chrf, n_jobs=1)
        for stats in (bleu, other):
            assert _difference(stats, name).mean() > 0, (test_set, stats.metric.name)


@pytest.mark.slow
@pytest.mark.parametrize("name", DEMONSTRATIONS)
def test_seed_gives_the_stored_archive(name: str) -> None:
    """Compared unpacked: another version of the compressor may pack the same bytes otherwise."""
    assert archive(name) == lzma.decompress(DEMONSTRATIONS[name].path.read_bytes())


def test_build_refuses_a_name_that_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["weather"])
    assert "there are: travel, news" in capsys.readouterr().err

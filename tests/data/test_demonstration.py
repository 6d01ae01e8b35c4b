"""The stored demonstrations show what they are meant to show."""

from __future__ import annotations

import lzma
import tarfile
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from data import DEMONSTRATIONS
from data.build import archives, lists, main
from data.builder.archive import tar
from data.builder.assemble import build, files
from data.builder.recipes import RECIPES
from mtsig_core.analysis.replicas.lottery import lottery
from mtsig_core.analysis.replicas.variance import VarianceRow, variance_table
from mtsig_core.experiment import Experiment
from mtsig_core.loading import load
from mtsig_core.loading.nbest import load_nbest
from mtsig_core.loading.report import LoadReport
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.resampling import Settings, bootstrap_scores
from mtsig_core.significance.simulation.mean_squares import of_scores

SETTINGS = Settings(n_bootstrap=300, n_permutations=1000)
SETS = ("test", "test-second")
WITH_LISTS = [name for name, demonstration in DEMONSTRATIONS.items() if demonstration.nbest is not None]
FIRST = 2  # replicas that are tuned anew
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


@pytest.mark.slow
def test_what_is_in_the_box(either: tuple[str, Loaded]) -> None:
    name, loaded = either
    experiment = loaded.experiment
    assert experiment.baseline == PAIRS[name][0]
    assert {s.name for s in experiment.systems} == set(PAIRS[name])
    assert [t.name for t in experiment.test_sets] == ["test", "test-second", "dev"]
    assert [t.role for t in experiment.test_sets] == ["test", "test", "dev"]
    replicas = RECIPES[name].tuning.replicas
    for system in experiment.systems:
        assert all(len(system.on(t.name)) == replicas for t in experiment.test_sets)
    assert (experiment.target_language, experiment.tokenizer, experiment.paired) == ("en", "none", False)
    assert experiment.name == DEMONSTRATIONS[name].title
    assert all((t.documents is not None) == (name == "news") for t in experiment.test_sets)


@pytest.mark.slow
def test_loading_finds_nothing_to_warn_of(either: tuple[str, Loaded]) -> None:
    kinds = {line.kind for line in either[1].report.lines}
    assert kinds <= {"recognised", "assumed", "ignored"}


def test_archives_are_small_enough_to_ship() -> None:
    assert sum(d.path.stat().st_size for d in DEMONSTRATIONS.values()) < 1_000_000


@pytest.mark.slow
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


@pytest.mark.slow
def test_no_source_sentence_is_in_two_sets(either: tuple[str, Loaded]) -> None:
    sources = [line for t in either[1].experiment.test_sets for line in t.source or ()]
    assert len(sources) == len(set(sources))


def test_no_segment_is_empty(either: tuple[str, Loaded]) -> None:
    experiment = either[1].experiment
    assert all(line for s in experiment.systems for r in s.replicas for o in r.outputs.values() for line in o)


def test_spread_of_text_exceeds_that_of_runs(either: tuple[str, Loaded]) -> None:
    for system in PAIRS[either[0]]:
        row = either[1].row(system)
        assert row.s_dev is not None
        assert row.s_test is not None
        assert row.s_sel is not None
        assert row.s_sel > row.s_test > row.s_dev > 0


def test_distributions_overlap_and_single_runs_mislead(either: tuple[str, Loaded]) -> None:
    wrong = (_difference(either[1].bleu["test"], either[0]) < 0).mean()
    assert 0.01 < wrong < 0.4


@pytest.mark.parametrize("test_set", SETS)
def test_five_runs_mislead_less_than_one(either: tuple[str, Loaded], test_set: str) -> None:
    name, loaded = either
    stats = loaded.bleu[test_set]
    rng = np.random.default_rng(1)
    a, b = (stats.scores_of(system) for system in PAIRS[name])
    five = [own[rng.integers(len(own), size=(20_000, 5))].mean(axis=1) for own in (a, b)]
    misled = (_difference(stats, name) < 0).mean()
    assert (five[1] < five[0]).mean() < misled or (five[1] >= five[0]).all()  # none of either
    assert (five[1] < five[0]).mean() < 0.1


@pytest.mark.slow
def test_luck_decides_one_pair_of_runs_and_five_runs_of_each_settle_it(either: tuple[str, Loaded]) -> None:
    """A test of one pair of runs finds the difference or not; a test of five runs against five does."""
    name, loaded = either
    stats = loaded.bleu["test"]
    assert 0.25 < lottery(stats, *PAIRS[name], replace(SETTINGS, n_permutations=300)).significant < 0.6
    rng = np.random.default_rng(1)
    y_a, y_b = (stats.pseudo_values(system) for system in PAIRS[name])
    drawn = [y[rng.random((300, len(y))).argsort(axis=1)[:, :5]] for y in (y_a, y_b)]
    experiments = of_scores(*drawn, documents=stats.documents)
    assert ((experiments.coherent_p() < SETTINGS.alpha) & (experiments.difference > 0)).mean() > 0.8


def test_verdict_of_a_single_pair_depends_on_which_pair(either: tuple[str, Loaded]) -> None:
    """The lottery: the mean difference of one pair of replicas is clearly positive, that of another negative."""
    a, b = (either[1].bleu["test"].pseudo_values(system) for system in PAIRS[either[0]])
    lucky = b[b.mean(axis=1).argmax()] - a[a.mean(axis=1).argmin()]
    unlucky = b[b.mean(axis=1).argmin()] - a[a.mean(axis=1).argmax()]
    assert lucky.mean() / (lucky.std(ddof=1) / np.sqrt(len(lucky))) > 1.96
    assert unlucky.mean() < 0


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_LISTS)
def test_the_outputs_are_candidates_of_the_stored_lists(name: str, request: pytest.FixtureRequest) -> None:
    experiment = request.getfixturevalue(name).experiment
    data = load_nbest(DEMONSTRATIONS[name].nbest)
    for system, sets in data.lists.items():
        for test_set, nbest in sets.items():
            offsets = nbest.offsets.tolist()
            options = [set(nbest.texts[i:j]) for i, j in zip(offsets, offsets[1:], strict=False)]
            for replica in experiment.system(system).replicas:
                assert all(text in own for text, own in zip(replica.outputs[test_set], options, strict=True))


def test_whatever_was_tuned_has_its_lists_stored() -> None:
    assert set(WITH_LISTS) == set(RECIPES)


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_LISTS)
def test_the_seed_gives_what_is_stored(name: str) -> None:
    """Tuned for the first replicas alone, which do not depend on how many follow; other files are compared whole."""
    recipe = RECIPES[name]
    built = build(replace(recipe, tuning=replace(recipe.tuning, replicas=FIRST, spare=FIRST)))
    stored = members(DEMONSTRATIONS[name].path)
    made = {f"{name}/{path}": text for path, text in files(built)}
    assert len(made) > FIRST * len(recipe.systems) * len(recipe.sizes)
    assert made == {path: stored.get(path) for path in made}
    assert DEMONSTRATIONS[name].nbest is not None
    assert tar(f"{name}-nbest", lists(built)) == lzma.decompress(DEMONSTRATIONS[name].nbest.read_bytes())


@pytest.mark.slow
def test_the_judged_demonstration_is_what_its_seed_gives() -> None:
    """Compared unpacked: another version of the compressor may pack the same bytes otherwise."""
    assert list(archives("judged").values()) == [lzma.decompress(DEMONSTRATIONS["judged"].path.read_bytes())]


def members(path: Path) -> dict[str, str]:
    """Return the files of an archive."""
    with tarfile.open(path) as archive:
        return {
            item.name: content.read().decode()
            for item in archive
            if (content := archive.extractfile(item)) is not None
        }


def test_build_refuses_a_name_that_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["weather"])
    assert "there are: travel, news" in capsys.readouterr().err

import numpy as np
import pytest

from mtsig_core.analysis.replicas.lottery import lottery
from mtsig_core.resampling import Settings
from mtsig_core.significance import run_preset

QUICK = Settings(n_permutations=400, seed=3)


def numbers(n_a=4, n_b=5, shift=0.4, length=60, seed=0):
    rng = np.random.default_rng(seed)

    def system(n, mean):
        return mean + rng.normal(0, 0.5, (n, 1)) + rng.normal(0, 2, (n, length))

    return {"A": system(n_a, 20.0), "B": system(n_b, 20.0 + shift)}


def test_each_pair_is_tested_as_if_there_were_no_others(statistics_of):
    data = numbers(2, 3)
    found = lottery(statistics_of(data), "A", "B", Settings(n_permutations=4000))
    for i, a in enumerate(found.replicas_a):
        for j, b in enumerate(found.replicas_b):
            pair = statistics_of({"A": data["A"][int(a[4:]) - 1], "B": data["B"][int(b[4:]) - 1]})
            single = run_preset("ar-segment", pair, "A", "B", Settings(n_permutations=4000, seed=9))
            assert found.p[i, j] == pytest.approx(single.p, abs=0.03)
            assert found.differences[i, j] == pytest.approx(single.difference)


@pytest.mark.parametrize("higher", [True, False])
def test_replicas_stand_from_worst_to_best(higher, statistics_of):
    found = lottery(statistics_of(numbers(), higher=higher), "A", "B", QUICK)
    for scores in (found.scores_a, found.scores_b):
        steps = np.diff(scores)
        assert (steps >= 0).all() if higher else (steps <= 0).all()


@pytest.mark.parametrize("higher", [True, False])
def test_rows_of_table_2(higher, statistics_of):
    statistics = statistics_of(numbers(), higher=higher)
    found = lottery(statistics, "A", "B", QUICK)
    rows = [(s.rank_a, s.rank_b) for s in found.scenarios]
    assert rows == [("best", "worst"), ("median", "median"), ("worst", "best")]
    best, worst = (max, min) if higher else (min, max)
    first, middle, last = found.scenarios
    assert first.score_a == best(statistics.scores_of("A"))
    assert first.score_b == worst(statistics.scores_of("B"))
    assert last.score_b == best(statistics.scores_of("B"))
    assert middle.score_a == sorted(statistics.scores_of("A"), reverse=not higher)[1]  # the worse of the middle two
    assert first.p == found.p[-1, 0]
    assert last.p == found.p[0, -1]


def test_shares_count_verdicts_and_wrong_ones(statistics_of):
    rng = np.random.default_rng(1)
    base = 20 + rng.normal(0, 0.1, 80)
    levels_a, levels_b = np.array([0.0, 0, 3]), np.array([1.0, 1, 4])
    data = {
        name: base + levels[:, None] + rng.normal(0, 0.1, (3, 80))
        for name, levels in (("A", levels_a), ("B", levels_b))
    }
    found = lottery(statistics_of(data), "A", "B", QUICK)
    expected = np.sign(levels_b[None] - levels_a[:, None])
    assert found.significant == 1
    assert found.wrong == pytest.approx(np.mean(expected < 0)) == pytest.approx(2 / 9)
    assert found.winner(1.0) == "b"
    assert found.winner(0.0) == "none"


def test_direction_turns_the_winner(statistics_of):
    found = lottery(statistics_of(numbers(), higher=False), "A", "B", QUICK)
    assert found.winner(1.0) == "a"


def test_equal_averages_have_no_wrong_side(statistics_of):
    data = numbers(3, 3)
    found = lottery(statistics_of({"A": data["A"], "B": data["A"]}), "A", "B", QUICK)
    assert found.wrong is None
    assert np.diag(found.p) == pytest.approx(1)


def test_large_pools_are_represented_by_a_random_part(statistics_of):
    statistics = statistics_of(numbers(12, 30, length=20))
    found = lottery(statistics, "A", "B", Settings(n_permutations=50), most_pairs=49)
    assert found.is_subset
    assert found.p.shape == (7, 7)
    assert (found.pool_a, found.pool_b) == (12, 30)
    assert found.scenarios[0].score_a == statistics.scores_of("A").max()
    assert (np.diff(found.scores_b) >= 0).all()
    again = lottery(statistics, "A", "B", Settings(n_permutations=50), most_pairs=49)
    assert again.replicas_b == found.replicas_b
    assert not lottery(statistics, "A", "B", Settings(n_permutations=50)).is_subset


def test_one_replica_each_is_a_single_pair(statistics_of):
    found = lottery(statistics_of(numbers(1, 1)), "A", "B", QUICK)
    assert found.p.shape == (1, 1)
    assert len({s.p for s in found.scenarios}) == 1


def test_frames(statistics_of):
    found = lottery(statistics_of(numbers(2, 3)), "A", "B", QUICK)
    assert list(found.to_frame()) == ["A", "B", "difference", "p"]
    assert len(found.to_frame()) == 6
    assert found.matrix().loc[found.replicas_a[1], found.replicas_b[2]] == found.p[1, 2]
    assert found.scenario_frame()["p"].tolist() == [s.p for s in found.scenarios]


@pytest.mark.slow
def test_multevals_example_is_a_lottery(multeval):
    found = lottery(multeval, "baseline", "sys1", Settings(n_permutations=2000))
    assert found.p.max() > 0.9
    assert found.p.min() < 0.003
    assert 0.3 < found.significant < 0.9

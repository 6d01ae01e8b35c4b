import numpy as np
import pytest

from mtsig_core.analysis.replicas.lottery import lottery
from mtsig_core.analysis.replicas.p_by_n import PByNDesign, p_by_n
from mtsig_core.resampling import Settings

QUICK = Settings(n_permutations=199, seed=3)


def numbers(n_a=8, n_b=9, shift=0.4, length=60, replica=0.3, segment=0.0, seed=0):
    rng = np.random.default_rng(seed)

    def system(n, mean):
        own = rng.normal(0, segment, length)
        return mean + own + rng.normal(0, replica, (n, 1)) + rng.normal(0, 2, (n, length))

    return {"A": system(n_a, 20.0), "B": system(n_b, 20.0 + shift)}


def test_one_replica_each_is_the_lottery(statistics_of):
    statistics = statistics_of(numbers())
    found = p_by_n(statistics, "A", "B", QUICK, PByNDesign((1,), 2000, ("segment",)))
    share = lottery(statistics, "A", "B", QUICK).significant
    assert found.of("segment")[0].share == pytest.approx(share, abs=0.05)


def test_units_agree_at_one_replica_and_part_ways_with_more(statistics_of):
    statistics = statistics_of(numbers(10, 10, shift=0.0, replica=0.0, segment=2.0))
    found = p_by_n(statistics, "A", "B", QUICK, PByNDesign((1, 10), 60))
    one, many = ({u: row for u in ("segment", "hypothesis") for row in found.of(u) if row.n == n} for n in (1, 10))
    assert one["segment"].median == pytest.approx(one["hypothesis"].median, abs=0.12)
    assert many["hypothesis"].median < many["segment"].median  # the same data, treated as ten times as many


def test_more_replicas_of_a_better_system_are_found_better_more_often(statistics_of):
    found = p_by_n(statistics_of(numbers(12, 12, shift=0.8)), "A", "B", QUICK, PByNDesign((1, 3, 9), 100))
    for unit in ("segment", "hypothesis"):
        shares = [row.share for row in found.of(unit)]
        assert shares == sorted(shares)
        assert shares[-1] > shares[0] + 0.2
        assert all(row.low <= row.median <= row.high for row in found.of(unit))


@pytest.mark.parametrize("higher", [True, False])
def test_a_wrong_side_is_one_that_loses_by_all_replicas(higher, statistics_of):
    design = PByNDesign((1,), 300, ("segment",))
    found = p_by_n(statistics_of(numbers(replica=1.5), higher=higher), "A", "B", QUICK, design)
    (row,) = found.of("segment")
    assert 0 < row.wrong < row.share


def test_numbers_beyond_the_pool_say_so(statistics_of):
    found = p_by_n(statistics_of(numbers(3, 5)), "A", "B", QUICK, PByNDesign((1, 3, 4), 10))
    missing = [row for row in found.rows if row.n == 4]
    assert len(missing) == 2
    assert all(row.low is None and "3 replicas" in row.reason for row in missing)
    assert "note" in found.to_frame()
    whole = p_by_n(statistics_of(numbers(3, 3)), "A", "B", QUICK, PByNDesign((1, 3), 10))
    assert any("whole pool" in note for note in whole.notes)
    full = [row for row in whole.rows if row.n == 3]
    assert all(row.low == row.median == row.high and "no width" in row.reason for row in full)
    assert "note" not in p_by_n(statistics_of(numbers(3, 3)), "A", "B", QUICK, PByNDesign((1, 2), 10)).to_frame()


def test_one_seed_one_answer_whatever_else_is_asked(statistics_of):
    statistics = statistics_of(numbers())
    alone = p_by_n(statistics, "A", "B", QUICK, PByNDesign((2,), 20))
    among = p_by_n(statistics, "A", "B", QUICK, PByNDesign((1, 2, 3), 20))
    np.testing.assert_array_equal(alone.p["hypothesis", 2], among.p["hypothesis", 2])


@pytest.mark.parametrize("options", [{"ns": ()}, {"ns": (0,)}, {"draws": 0}])
def test_nothing_to_draw_is_refused(options, statistics_of):
    with pytest.raises(ValueError, match="at least 1"):
        p_by_n(statistics_of(numbers(2, 2)), "A", "B", QUICK, PByNDesign(**options))


def test_large_pools_are_represented_by_a_random_part(statistics_of):
    statistics = statistics_of(numbers(60, 60, length=10))
    found = p_by_n(statistics, "A", "B", Settings(n_permutations=20), PByNDesign((1,), 5, ("hypothesis",)))
    assert any("50 of the 60" in note for note in found.notes)

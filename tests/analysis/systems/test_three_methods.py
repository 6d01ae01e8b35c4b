import numpy as np
import pytest

from mtsig_core.analysis.systems.three_methods import METHODS, three_methods
from mtsig_core.resampling import Settings, hypothesis_bootstrap

QUICK = Settings(n_bootstrap=800, n_permutations=400)


def numbers(levels=(0, 0.3, 2), n=6, length=80, replica=0.3, seed=0):
    rng = np.random.default_rng(seed)
    base = rng.normal(0, 3, length)
    return {
        f"s{k}": 20 + level + base + rng.normal(0, replica, (n, 1)) + rng.normal(0, 1, (n, length))
        for k, level in enumerate(levels)
    }


def test_every_method_judges_every_pair(statistics_of):
    found = three_methods(statistics_of(numbers()), QUICK)
    assert len(found.intervals) == len(METHODS) * 3
    assert len(found.pairs) == len(METHODS) * 3
    assert len(found.interval_frame()) == len(found.pair_frame()) == 9
    for pair in found.pairs:
        assert 0 < pair.randomization <= 1
        assert 0 < pair.bootstrap <= 1
        assert 0 <= pair.overlap <= 1
    far = [p for p in found.pairs if (p.a, p.b) == ("s0", "s2")]
    assert max(p.bootstrap for p in far) < 0.01


def test_pooling_replicas_narrows_by_the_root_of_their_number(statistics_of):
    found = three_methods(statistics_of(numbers(n=9, replica=0)), Settings(n_bootstrap=4000, n_permutations=50))
    sd = {m: np.mean([i.interval.sd for i in found.intervals if i.method == m]) for m in METHODS}
    assert sd["riezler"] / sd["clark"] == pytest.approx(3, rel=0.1)


def test_pooled_outputs_have_the_variance_of_their_pool(statistics_of):
    statistics = statistics_of(numbers(n=4))
    drawn = hypothesis_bootstrap(statistics, 4000, 1)
    for k, system in enumerate(statistics.systems):
        y = statistics.of(system)[..., 0].ravel()
        assert drawn[:, k].std() == pytest.approx(y.std() / np.sqrt(y.size), rel=0.05)
        assert drawn[:, k].mean() == pytest.approx(y.mean(), abs=0.02)
    assert np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1] > 0.5  # the places are shared
    np.testing.assert_array_equal(hypothesis_bootstrap(statistics, 4000, 1, systems=["s1"])[:, 0], drawn[:, 1])
    with pytest.raises(ValueError, match="at least 1"):
        hypothesis_bootstrap(statistics, 0, 1)


def test_unequal_numbers_of_replicas(statistics_of):
    data = numbers(levels=(0, 0.5), n=6)
    data["s1"] = data["s1"][:4]
    found = three_methods(statistics_of(data), QUICK)
    assert all(p.bootstrap is not None and p.randomization is not None for p in found.pairs)


def test_one_replica_has_no_test_set_level(statistics_of):
    found = three_methods(statistics_of(numbers(levels=(0, 0.5), n=1)), QUICK)
    by = {p.method: p for p in found.pairs}
    assert by["test-set level"].bootstrap is None
    assert "one replica" in by["test-set level"].reason
    assert by["riezler"].bootstrap == pytest.approx(by["clark"].bootstrap, abs=0.08)
    assert "note" in found.pair_frame()


@pytest.mark.parametrize("higher", [True, False])
def test_riezler_uses_the_median_replica(higher, statistics_of):
    statistics = statistics_of(numbers(n=4), higher=higher)
    found = three_methods(statistics, QUICK, systems=("s0", "s2"))
    order = sorted(zip(statistics.scores_of("s0"), statistics.names("s0"), strict=True), reverse=not higher)
    assert found.replica["s0"] == order[1][1]
    assert found.systems == ("s0", "s2")


def test_copies_do_not_differ(statistics_of):
    data = numbers(levels=(0,), n=3)
    found = three_methods(statistics_of({**data, "copy": data["s0"]}), QUICK)
    assert {p.randomization for p in found.pairs} == {p.bootstrap for p in found.pairs} == {1}


def test_draws_that_never_differ_give_no_p(statistics_of):
    base = numbers(levels=(0,), n=3)["s0"]
    # one run copied three times: whole outputs redrawn are always the same
    found = three_methods(statistics_of({"a": base[[0, 0, 0]], "b": base[[1, 1, 1]]}), QUICK)
    by = {p.method: p for p in found.pairs}
    assert by["test-set level"].bootstrap is None
    assert "same in every draw" in by["test-set level"].reason
    assert by["riezler"].bootstrap is not None
    single = three_methods(statistics_of({"a": [[1.0]], "b": [[2.0]]}), QUICK)
    assert {p.bootstrap for p in single.pairs} == {None}

"""Which replicas are partners, and what is left out of a comparison."""

import numpy as np
import pytest

from mtsig_core.experiment.partners import matched_replicas
from mtsig_core.metrics.pairs import Basis, PairingError, narrowed, paired_statistics
from tests.significance.conftest import of_means


@pytest.mark.parametrize(
    ("names_a", "names_b", "expected"),
    [
        (["seed2", "seed3", "seed4", "seed5"], ["seed1", "seed2", "seed3", "seed4"], [(0, 1), (1, 2), (2, 3)]),
        (["a-1", "a-3"], ["b-3", "b-2", "b-1"], [(0, 2), (1, 0)]),
        (["v2-seed1", "v2-seed2"], ["v3-seed2", "v3-seed1"], [(0, 1), (1, 0)]),
        (["run01", "run02"], ["seed1", "seed2"], [(0, 0), (1, 1)]),
        (["left", "right"], ["up", "down"], []),
        (["x1", "y1"], ["z1", "z2"], []),
    ],
)
def test_partners_have_the_same_name_or_number(names_a, names_b, expected):
    assert matched_replicas(names_a, names_b) == expected


def statistics(n_a=4, n_b=4, names=None):
    rng = np.random.default_rng(1)
    made = of_means({"a": rng.normal(size=(n_a, 6)), "b": rng.normal(size=(n_b, 6)), "c": rng.normal(size=(2, 6))})
    return made if names is None else type(made)(**{**made.__dict__, "replicas": names})


def test_those_without_a_partner_are_left_out_and_named():
    names = (("seed2", "seed3", "seed4", "seed5"), ("seed1", "seed2", "seed3", "seed4"), ("x", "y"))
    whole = statistics(names=names)
    kept, left_out = paired_statistics(whole, "a", "b")
    assert kept.replicas == (("seed2", "seed3", "seed4"),) * 2
    np.testing.assert_array_equal(kept.of("b"), whole.of("b")[1:])
    assert left_out == ("a/seed5", "b/seed1")


def test_fewer_than_two_partners_are_refused():
    names = (("left", "right"), ("up", "down"), ("x", "y"))
    with pytest.raises(PairingError, match="none of them has a partner by name or number"):
        paired_statistics(statistics(2, 2, names), "a", "b")


def test_one_replica_has_no_use_for_partners():
    kept, left_out = paired_statistics(statistics(1, 3), "a", "b")
    assert (kept.systems, left_out) == (("a", "b"), ())


def test_all_of_two_systems_is_the_same_object():
    whole = statistics()
    two = narrowed(whole, ("a", "b"))
    assert narrowed(two, ("a", "b")) is two
    assert narrowed(two, ("b", "a")).systems == ("b", "a")


def test_sentences_say_what_is_left_out_and_why():
    basis = Basis(24, 20, (("c/seed1", 4),), tuple(f"a/seed{k}" for k in range(7)))
    assert basis.sentences() == (
        "20 of 24 segments are used; the others lack a score of c/seed1 (4).",
        "Replicas without a partner are left out: a/seed0, a/seed1, a/seed2, a/seed3, a/seed4 and 2 more.",
    )
    assert Basis(24, 24).sentences() == ()

"""All test sets and metrics: where there is nothing to put together, the page says what is missing."""

from types import SimpleNamespace

from pages.parts.compare import all_sets

METRIC = SimpleNamespace(label="MQM")


def view(*roles: str) -> SimpleNamespace:
    sets = [SimpleNamespace(role=role) for role in roles]
    return SimpleNamespace(experiment=SimpleNamespace(test_sets=sets), baseline="one")


def test_one_test_set_is_told_from_sets_that_the_pair_does_not_share():
    assert "There is one test set" in all_sets._why_not(view("dev", "test"), "two", METRIC)
    assert "one and two do not share two test sets under MQM" in all_sets._why_not(view("test", "test"), "two", METRIC)

"""Do significance tests agree with people? Verdicts per pair, accuracy, and the kinds of disagreement (Graham 2016)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mtsig_core.analysis.people.meta_evaluation.frames import check_columns
from mtsig_core.significance.scope import Result

Pair = tuple[str, str]
#: Columns of the frame of automatic tests.
COLUMNS = ("preset", "metric", "a", "b", "p", "better")
RIGHT, MISSED, FALSE, WRONG_SIDE = "right", "missed", "false", "wrong side"
KINDS = (RIGHT, MISSED, FALSE, WRONG_SIDE)


@dataclass(frozen=True)
class TestAgreement:
    """How often one test with one metric agrees with people at one significance level.

    Attributes
    ----------
    preset, metric : str
    alpha : float
        Significance level of the test.
    n : int
        Pairs that both people and the test judged.
    right : int
        Pairs with the same verdict: the same better system, or no significant difference for both.
    missed : int
        People see a difference, the test does not.
    false : int
        The test sees a difference, people do not.
    wrong_side : int
        Both see a difference, in opposite directions.
    accuracy : float
        right / n.
    interval : tuple of two float
        Exact binomial interval (Clopper and Pearson 1934). It treats pairs as independent; pairs share systems, so the
        real uncertainty is larger.
    """

    __test__ = False  # not a pytest class, whatever its name

    preset: str
    metric: str
    alpha: float
    n: int
    right: int
    missed: int
    false: int
    wrong_side: int
    accuracy: float
    interval: tuple[float, float]


@dataclass(frozen=True, eq=False)
class TestsAgainstPeople(Result):
    """All tests, metrics and significance levels against the verdicts of people.

    Attributes
    ----------
    systems : tuple of str
        Best first by people.
    level : float
        Confidence level of the intervals.
    people : mapping of alpha to (mapping of pair to str)
        The better system by people, ``""`` for no significant difference.
    tests : DataFrame
        One row per preset, metric and pair, as given.
    rows : tuple of TestAgreement
    """

    __test__ = False  # not a pytest class, whatever its name

    systems: tuple[str, ...]
    level: float
    people: Mapping[float, Mapping[Pair, str]]
    tests: pd.DataFrame
    rows: tuple[TestAgreement, ...]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per significance level, preset and metric."""
        rows = [
            (r.alpha, r.preset, r.metric, r.n, r.right, r.missed, r.false, r.wrong_side, r.accuracy, *r.interval)
            for r in self.rows
        ]
        names = ["alpha", "preset", "metric", "pairs", *KINDS, "accuracy", "low", "high"]
        return pd.DataFrame(rows, columns=names)

    def people_matrix(self, alpha: float) -> pd.DataFrame:
        """Return the verdicts of people as `verdict_matrix` does."""
        return verdict_matrix(self.people[alpha], self.systems)

    def test_matrix(self, preset: str, metric: str, alpha: float) -> pd.DataFrame:
        """Return the verdicts of one test as `verdict_matrix` does."""
        return verdict_matrix(_verdicts(self._chosen(preset, metric), alpha), self.systems)

    def pair_frame(self, preset: str, metric: str, alpha: float) -> pd.DataFrame:
        """Return one row per pair: what people and the test say, and the kind of (dis)agreement."""
        people = _unordered(self.people[alpha])
        rows = []
        for own, better in zip(
            self._chosen(preset, metric).itertuples(),
            _verdicts(self._chosen(preset, metric), alpha).values(),
            strict=True,
        ):
            human = people.get(frozenset((own.a, own.b)))
            if human is not None:
                rows.append((own.a, own.b, human, better, own.p, kind_of(human, better)))
        return pd.DataFrame(rows, columns=["A", "B", "people", "test", "p", "agreement"])

    def _chosen(self, preset: str, metric: str) -> pd.DataFrame:
        return self.tests[(self.tests["preset"] == preset) & (self.tests["metric"] == metric) & self.tests["p"].notna()]


def compare_tests_with_people(
    people: Mapping[float, Mapping[Pair, str]], tests: pd.DataFrame, systems: Sequence[str], *, level: float = 0.95
) -> TestsAgainstPeople:
    """Compare the verdicts of automatic tests with those of people, pair by pair.

    Parameters
    ----------
    people : mapping of alpha to (mapping of (a, b) to the better system)
        For each significance level of the tests the verdicts to compare with, ``""`` for no significant difference.
        The same verdicts at all levels hold people fixed; verdicts at the same level compare like with like.
    tests : DataFrame
        One row per preset, metric and pair, with the columns `COLUMNS`: ``p`` two-sided (NaN where not defined),
        ``better`` the system with the better score.
    systems : sequence of str
        In the order of the matrices.
    level : float
        Confidence level of the accuracies' intervals.

    Raises
    ------
    ValueError
        When a column is missing, or no pair was judged by both.

    References
    ----------
    Graham, Mathur and Baldwin 2014, "Randomized significance tests in machine translation"; Graham 2016, "MT
    significance testing".
    """
    check_columns(tests, COLUMNS, "tests")
    rows = [row for alpha, verdicts in people.items() for row in _agreements(_unordered(verdicts), tests, alpha, level)]
    if not rows:
        raise ValueError("No pair of systems was judged by both people and a test. Check the names of the systems.")
    return TestsAgainstPeople(tuple(systems), level, people, tests, tuple(rows))


def _agreements(
    human: Mapping[frozenset[str], str], tests: pd.DataFrame, alpha: float, level: float
) -> Iterator[TestAgreement]:
    """Yield how each preset agrees with people under each metric, at one significance level of the tests."""
    for (preset, metric), own in tests[tests["p"].notna()].groupby(["preset", "metric"], sort=False):
        by_test = _unordered(_verdicts(own, alpha))
        kinds = Counter(kind_of(human[pair], better) for pair, better in by_test.items() if pair in human)
        n = sum(kinds.values())
        if n:
            yield TestAgreement(
                str(preset), str(metric), alpha, n, kinds[RIGHT], kinds[MISSED], kinds[FALSE], kinds[WRONG_SIDE],
                kinds[RIGHT] / n, clopper_pearson(kinds[RIGHT], n, level),
            )  # fmt: skip


def kind_of(people: str, test: str) -> str:
    """Return how a test's verdict compares with that of people; ``""`` is no significant difference."""
    if people == test:
        return RIGHT
    if not test:
        return MISSED
    return WRONG_SIDE if people else FALSE


def _verdicts(tests: pd.DataFrame, alpha: float) -> dict[Pair, str]:
    significant = tests["p"] < alpha
    return {
        (a, b): better if decided else ""
        for a, b, better, decided in zip(tests["a"], tests["b"], tests["better"], significant, strict=True)
    }


def _unordered(verdicts: Mapping[Pair, str]) -> dict[frozenset[str], str]:
    return {frozenset(pair): better for pair, better in verdicts.items()}


def verdict_matrix(verdicts: Mapping[Pair, str], systems: Sequence[str]) -> pd.DataFrame:
    """Return verdicts as a matrix: 1 where the row's system is better than the column's, -1 worse, 0 undecided.

    NaN on the diagonal and for pairs without a verdict.
    """
    matrix = pd.DataFrame(np.nan, index=list(systems), columns=list(systems))
    for (a, b), better in verdicts.items():
        if a in matrix.index and b in matrix.index:
            side = 0.0 if not better else 1.0 if better == a else -1.0
            matrix.loc[a, b], matrix.loc[b, a] = side, -side + 0.0
    return matrix


def clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the exact binomial interval of a share of k in n (Clopper and Pearson 1934)."""
    from scipy.stats import binomtest  # takes a second to import

    ends = binomtest(k, n).proportion_ci(level, method="exact")
    return float(ends.low), float(ends.high)

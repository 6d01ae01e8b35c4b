"""Measure the headline: error rates of the coherent test in known worlds and on real score structure, and its power."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np

from mtsig_core.analysis.calibration.rates import (
    SHAPES,
    NullWorld,
    Rate,
    family_rates,
    lognormal,
    null_experiments,
    rarely_failing,
    rate_of,
    worst_of,
    worst_rates,
)
from mtsig_core.loading import load
from mtsig_core.metrics import compute_statistics, get_metric
from mtsig_core.metrics.base import SegmentStatistics
from mtsig_core.significance.simulation.mean_squares import MeanSquares, Pool, of_scores, of_subsets, two_sided

DATA = Path(__file__).resolve().parents[1] / "data"
EQUAL = ((2, 2), (3, 3), (4, 4), (5, 5), (10, 10))
UNEQUAL = ((2, 3), (2, 5), (2, 10), (3, 4), (3, 5), (3, 10), (4, 5), (4, 8), (5, 10))
PAIRED = ((2,), (3,), (5,), (10,))
REAL_NUMBERS = ((2, 2), (3, 3), (5, 5), (10, 10), (2, 3), (2, 10), (3, 10))
POWER_WORLDS = (
    (NullWorld((0.3, 0.3), 0.0), 2.2), (NullWorld((1.0, 1.0), 10.0), 3.0), (NullWorld((3.0, 1.0), 10.0), 5.0),
    (NullWorld((3.0, 0.3), 10.0), 2.5),
)  # fmt: skip
SEED = 12345
Number = tuple[int, ...]


def title_of(numbers: Number) -> str:
    """Return the heading of a row."""
    return f"paired {numbers[0]}" if len(numbers) == 1 else f"{numbers[0]}, {numbers[1]}"


def cell(rate: Rate) -> str:
    """Return both shares of a rate."""
    return f"{rate.at_5:.3f}/{rate.at_1:.3f}"


def lines(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table."""
    table = [heading, ["---"] * len(heading), *rows]
    return ["| " + " | ".join(row) + " |" for row in table] + [""]


def orders(numbers: Number) -> list[Number]:
    """Return numbers of replicas in both orders, where they differ."""
    return [numbers] if len(set(numbers)) == 1 else [numbers, numbers[::-1]]


def known_worlds(trials: int) -> list[str]:
    """Return the section on known worlds: the worst of sixteen worlds for each number of replicas and shape."""
    rows = []
    for numbers in (*EQUAL, *UNEQUAL, *PAIRED):
        cells: list[Rate] = []
        for shape in SHAPES.values():
            pairs = [worst_rates(x, shape, trials) for x in orders(numbers)]
            cells += [worst_of([crossed for crossed, _ in pairs])] if not cells else []
            cells.append(worst_of([coherent for _, coherent in pairs]))
        rows.append([title_of(numbers), *map(cell, cells)])
    return [
        "## Known worlds\n",
        "The worst of 16 worlds for each number of replicas (for unequal numbers of both orders): sd of whole replicas",
        "0, 0.3, 1 or 3 in both systems, or 0 in one and 1 or 3 in the other; of strengths by segment 0 or 10; of the",
        f"residual 10; 1000 segments; mean squares of {trials} experiments per world are simulated. Paired: sd of the",
        "replicas' differences 0, 0.3, 1 or 3.\n",
        *lines(["replicas", "crossed alone, normal", *(f"coherent, {name}" for name in SHAPES)], rows),
    ]


def beyond(trials: int) -> list[str]:
    """Return the section on worlds that no test can guard against."""
    rows = []
    for numbers in (*EQUAL, (2, 10), (3, 10), (5, 8)):
        skewed = [
            rate_of(null_experiments(x, world, shape, trials).coherent_p())
            for x in orders(numbers)
            for world, shape in (
                (NullWorld((3.0, 0.0), 0.0), (lognormal, None)), (NullWorld((0.0, 3.0), 0.0), (None, lognormal)),
            )
        ]  # fmt: skip
        rare = [
            rate_of(null_experiments(x, NullWorld((0.3, 0.3), 0.0), rarely_failing, trials).coherent_p())
            for x in orders(numbers)
        ]
        rows.append([title_of(numbers), cell(worst_of(skewed)), cell(worst_of(rare))])
    heading = ["replicas", "very skewed (lognormal) replica effects in one system", "one run in 100 fails by 10 sd"]
    return [
        "## Beyond any test\n",
        "A few replicas do not show how skewed the effects of all replicas are, nor a failure that has not happened",
        "yet.\n",
        *lines(heading, rows),
    ]


def few_segments(trials: int) -> list[str]:
    """Return the section on short test sets, documents and a metric near its ceiling."""
    rows = [
        [title_of(numbers), *(cell(worst_rates(numbers, None, trials, segments=s)[1]) for s in (30, 60)),
         cell(rate_of(_document_world(numbers, trials // 8).coherent_p())),
         cell(rate_of(_ceiling_world(numbers, trials // 8).coherent_p()))]
        for numbers in ((2, 2), (3, 3), (5, 5), (10, 10), (3, 10))
    ]  # fmt: skip
    heading = ["replicas", "30 segments", "60 segments", "30 documents of 4 segments", "right or wrong, 97% right"]
    return [
        "## Short test sets, documents, a metric near its ceiling\n",
        "Short sets: the worst of the 16 normal worlds. Documents: strengths shared by a document (sd 7) besides those",
        "of segments (7), replicas' sd 1; the test knows the documents. Near the ceiling: 200 segments, each right or",
        f"wrong, with effects of replicas and of strengths on the log odds; {trials // 8} experiments in the last",
        "two.\n",
        *lines(heading, rows),
    ]


def _rng(*key: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64DXSM(np.random.SeedSequence(SEED, spawn_key=(0xCB, *key))))


def _in_blocks(
    trials: int, size: int, make: Callable[[int, np.random.Generator], MeanSquares], *key: int
) -> MeanSquares:
    """Return mean squares of many experiments, simulated a block at a time."""
    blocks = [make(min(size, trials - start), _rng(*key, start)) for start in range(0, trials, size)]
    first = blocks[0]
    replica, residual = (
        tuple(np.concatenate(x) for x in zip(*(getattr(b, name) for b in blocks), strict=True))
        for name in ("replica", "residual")
    )
    return MeanSquares(
        np.concatenate([b.difference for b in blocks]), replica, residual, np.concatenate([b.text for b in blocks]),
        first.numbers, first.n_segments, first.text_df,
    )  # fmt: skip


def _document_world(numbers: Number, trials: int) -> MeanSquares:
    documents = np.arange(120) // 4

    def make(k: int, rng: np.random.Generator) -> MeanSquares:
        def system(n: int) -> np.ndarray:
            y = 10 * rng.standard_normal((k, n, 120)) + rng.standard_normal((k, n, 1))
            y += 7 * rng.standard_normal((k, 1, 120))
            return y + 7 * rng.standard_normal((k, 1, 30))[:, :, documents]

        return of_scores(system(numbers[0]), system(numbers[-1]), documents=documents)

    return _in_blocks(trials, 500, make, 1, *numbers)


def _ceiling_world(numbers: Number, trials: int) -> MeanSquares:
    def make(k: int, rng: np.random.Generator) -> MeanSquares:
        difficulty = 3.9 + rng.standard_normal((k, 1, 200))

        def system(n: int) -> np.ndarray:
            odds = difficulty + 0.4 * rng.standard_normal((k, n, 1)) + 0.7 * rng.standard_normal((k, 1, 200))
            return 100.0 * (rng.random((k, n, 200)) < 1 / (1 + np.exp(-odds)))

        return of_scores(system(numbers[0]), system(numbers[-1]))

    return _in_blocks(trials, 500, make, 2, *numbers)


def families(trials: int) -> list[str]:
    """Return the section on Holm's correction over all pairs."""
    worlds = [NullWorld(sds, s) for sds in ((0.0, 0.0), (1.0, 1.0), (3.0, 3.0), (3.0, 0.0)) for s in (0.0, 10.0)]
    rows = []
    for n in (2, 3, 5):
        cells = []
        for systems in (3, 5, 7):
            rates = [family_rates(systems, n, world, trials) for world in worlds]
            cells += [f"{max(r[0] for r in rates):.3f}", f"{max(r[1] for r in rates):.3f}"]
        rows.append([str(n), *cells])
    tests = ("crossed", "coherent")
    heading = ["replicas each", *(f"{pairs} pairs, {name}" for pairs in (3, 10, 21) for name in tests)]
    return [
        "## All pairs, corrected by Holm\n",
        "How often any pair of 3, 5 or 7 equal systems has a corrected p < .05 (family-wise); the worst of 8 worlds,",
        f"{trials} experiments each.\n",
        *lines(heading, rows),
    ]


# Real score structure


@cache
def demonstration(name: str, metric: str, test_set: str) -> SegmentStatistics:
    """Return the statistics of a demonstration's test set."""
    experiment, _ = load(DATA / f"{name}.tar.xz")
    return compute_statistics(experiment, test_set, get_metric(metric, tokenize="none" if metric == "bleu" else None))


def real_statistics(real: Path, folder: str, metric: str) -> SegmentStatistics | None:
    """Return the statistics of a real experiment, or None where it is absent."""
    if not (real / folder).is_dir():
        return None
    experiment, _ = load(real / folder)
    return compute_statistics(experiment, experiment.test_sets[0].name, get_metric(metric))


def subsets(pool: Pool, numbers: Number, trials: int, *key: int) -> MeanSquares:
    """Return experiments of random disjoint subsets of a pool."""
    paired = len(numbers) == 1
    n_a, n_b = numbers[0], numbers[-1]
    order = _rng(3, *key, *numbers).random((trials, len(pool.means))).argsort(axis=1)
    return of_subsets(pool, order[:, :n_a], order[:, n_a : n_a + n_b], paired=paired)


def many_replicas(trials: int) -> list[str]:
    """Return the section on random disjoint subsets of one system's many replicas."""
    rows, sizes = [], {}
    for name, test_set in (("travel", "test"), ("news", "test")):
        for metric in ("bleu", "chrf", "ter"):
            statistics = demonstration(name, metric, test_set)
            pools = [Pool.of(statistics.pseudo_values(s), statistics.documents) for s in statistics.systems]
            sizes[name] = len(pools[0].means)
            cells = []
            for numbers in (*REAL_NUMBERS, (3,), (10,)):
                rates = [rate_of(subsets(pool, numbers, trials, k).coherent_p()) for k, pool in enumerate(pools)]
                cells.append(cell(worst_of(rates)))
            rows.append([f"{name}, {statistics.metric.label}", *cells])
    return [
        "## Many replicas of one system\n",
        f"Disjoint random subsets of the replicas of one system of the demonstrations "
        f"({', '.join(f'{n} on {name}' for name, n in sizes.items())}), the",
        f"worse of the two systems; {trials} draws. The test set and the pool are fixed.\n",
        *lines(["data", *map(title_of, (*REAL_NUMBERS, (3,), (10,)))], rows),
    ]


def _recombined(
    y_a: np.ndarray, y_b: np.ndarray, numbers: Number, sds: tuple[float, float], trials: int, key: int
) -> MeanSquares:
    """Return null experiments made of real segment effects and residuals, resampled, with new replica effects."""
    length = y_a.shape[1]
    parts = []
    for y in (y_a, y_b):
        strength = y.mean(axis=0) - y.mean()
        residual = (y - y.mean(axis=1, keepdims=True) - strength) * (len(y) / (len(y) - 1)) ** 0.5
        parts.append((strength, residual))

    def make(k: int, rng: np.random.Generator) -> MeanSquares:
        place = rng.integers(0, length, (k, 1, length))

        def system(n: int, sd: float, strength: np.ndarray, residual: np.ndarray) -> np.ndarray:
            # each output takes its residuals from one real replica on each segment, at random
            source = rng.integers(0, len(residual), (k, n, length))
            return strength[place] + residual[source, place] + sd * rng.standard_normal((k, n, 1))

        return of_scores(*(system(n, sd, *p) for n, sd, p in zip((numbers[0], numbers[-1]), sds, parts, strict=True)))

    return _in_blocks(trials, 100, make, 4, key, *numbers)


def recombined(real: Path, trials: int) -> list[str]:
    """Return the section on worlds made of the E2E replicas' segment effects and residuals."""
    rows = []
    for metric in ("bleu", "ter"):
        e2e = real_statistics(real, "e2e-cleaning-train-orig_test-orig", metric)
        statistics = e2e or demonstration("news", metric, "test")
        pairs = [("tgen-std", "tgen-plus"), ("sclstm", "tgen-plus")] if e2e else [statistics.systems]
        for a, b in pairs:
            y_a, y_b = (statistics.pseudo_values(s)[:5] for s in (a, b))
            for k, sds in enumerate(((0.0, 0.0), (0.5, 0.5), (2.0, 0.3), (0.3, 2.0))):
                cells = [
                    cell(rate_of(_recombined(y_a, y_b, n, sds, trials, k).coherent_p()))
                    for n in ((2, 2), (3, 3), (5, 5), (10, 10), (2, 10))
                ]
                rows.append([f"{a} and {b}, {statistics.metric.label}", f"{sds[0]:g}, {sds[1]:g}", *cells])
    heading = ["made of", "replica sd", "2, 2", "3, 3", "5, 5", "10, 10", "2, 10"]
    return [
        "## Worlds made of real outputs\n",
        "Segment effects (of each system its own) and residuals of real replicas, segments and residuals resampled,",
        f"means made equal, normal replica effects added; {trials} experiments.\n",
        *lines(heading, rows),
    ]


def hans(real: Path, trials: int) -> list[str]:
    """Return the section on 100 fine-tunings of one model: the replica test, which needs no segments."""
    table = real / "runs-hans-berts" / "accuracies_by_run.csv"
    if not table.is_file():
        return []
    with table.open(encoding="utf-8-sig", newline="") as file:
        heading, *records = csv.reader(file)
    runs = [row for row in records if row and row[0].startswith("Run ")]
    scores = {name: np.array([float(row[k]) for row in runs]) for k, name in enumerate(heading) if k and name}
    rows = []
    for numbers in REAL_NUMBERS:
        rates = {name: rate_of(_replica_test(x, numbers, trials)) for name, x in scores.items() if np.ptp(x) > 0}
        worst = max(rates, key=lambda name: rates[name].at_5)
        median = float(np.median([r.at_5 for r in rates.values()]))
        rows.append([title_of(numbers), cell(rates[heading[1]]), f"{median:.3f}", f"{cell(rates[worst])} ({worst})"])
    return [
        "## A hundred fine-tunings of one model\n",
        f"{len(runs)} runs that differ in the seed alone (BERTs of a feather, McCoy et al. 2020), accuracy on MNLI and",
        f"on {len(scores) - 1} sets of HANS: the replica test, as the coherent test uses it, of disjoint random",
        f"subsets; {trials} draws. On some sets of HANS accuracies pile up at 0 or at 1.\n",
        *lines(["replicas", "MNLI", "median of all sets, at .05", "worst set"], rows),
    ]


def _replica_test(scores: np.ndarray, numbers: Number, trials: int) -> np.ndarray:
    pool = Pool(scores, np.zeros((len(scores),) * 2), np.zeros((len(scores),) * 2), 2, 2)
    squares = subsets(pool, numbers, trials, 5)
    se, df = squares.replicas_alone()
    return np.where(se > 0, two_sided(squares.difference, se, df), 1.0)  # not defined where no score varies


def splits_of_small_sets(real: Path) -> list[str]:
    """Return the section on A/A splits of systems with five replicas, which bound nothing."""
    statistics = real_statistics(real, "e2e-cleaning-train-orig_test-orig", "bleu")
    if statistics is None:
        return []
    rows = []
    for system in statistics.systems:
        pool = Pool.of(statistics.pseudo_values(system))
        halves = np.array([[*a, *(set(range(5)) - set(a))] for a in combinations(range(5), 2)])
        p = of_subsets(pool, halves[:, :2], halves[:, 2:]).coherent_p()
        rows.append([system, str(len(p)), str(int((p < 0.05).sum())), f"{p.min():.3f}"])
    return [
        "## Splits of small real sets\n",
        "Two against three of a system's five replicas, every split: it shows the data and bounds nothing, since the",
        "splits share the replicas.\n",
        *lines(["system", "splits", "p < .05", "smallest p"], rows),
    ]


def power(trials: int) -> list[str]:
    """Return the section on power: what a replica more does."""
    rows = []
    for world, size in POWER_WORLDS:
        grid = {n: _power(world, n, size, trials) for n in _grid()}
        losses = [grid[before] - grid[after] for before, after in _steps() if after in grid]
        shown = ((2, 2), (2, 3), (2, 10), (3, 3), (3, 4), (3, 10), (4, 4), (5, 5), (10, 10))
        title = f"{world.replica_sds[0]:g} and {world.replica_sds[1]:g}, {world.strength_sd:g}, {size:g}"
        rows.append([title, *(f"{grid[n]:.2f}" for n in shown), f"{max(0.0, *losses):.3f}"])
    heading = ["sd of replicas, of strengths, difference", "2, 2", "2, 3", "2, 10", "3, 3", "3, 4", "3, 10", "4, 4",
               "5, 5", "10, 10", "largest loss by a replica more"]  # fmt: skip
    return [
        "## Power\n",
        f"Share of experiments with p < .05 where B is better; 1000 segments, {trials} experiments. The last column is",
        "over all steps of one replica more on one side, from 2 to 10 on each. Where systems vary alike a replica more",
        "costs no power that could be told from Monte-Carlo error. Where one varies far more it does, if that system",
        "gets it: from 2 against 2 to 3 against 2,",
        "where the false alarms fall too (docs/statistics.md, the coherent test).\n",
        *lines(heading, rows),
    ]


def _grid() -> Iterator[tuple[int, int]]:
    return ((a, b) for a in range(2, 11) for b in range(2, 11))


def _steps() -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for a, b in _grid():
        yield (a, b), (a + 1, b)
        yield (a, b), (a, b + 1)


def _power(world: NullWorld, numbers: tuple[int, int], difference: float, trials: int) -> float:
    squares = null_experiments(numbers, world, None, trials, difference=difference)
    return float(np.mean(squares.coherent_p() < 0.05))


def headline(real: Path, trials: int) -> list[str]:
    """Return all sections on the headline; tens of trials for a test, tens of thousands for the document."""
    few = max(20, trials // 4)
    sections: Sequence[Callable[[], list[str]]] = (
        lambda: known_worlds(trials), lambda: beyond(trials), lambda: few_segments(trials),
        lambda: families(trials // 2), lambda: many_replicas(trials // 2), lambda: recombined(real, few),
        lambda: hans(real, trials // 2), lambda: splits_of_small_sets(real), lambda: power(trials),
    )  # fmt: skip
    result = []
    for section in sections:
        result += section()
    return result


"""Tuned replicas as an Experiment, and their weights as files of Moses and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from mtsig_core.experiment import Experiment, Replica, System, TestSet
from mtsig_core.loading.writing import file_name, native_files, zip_of
from mtsig_core.optimizers.results import TunedReplica, TuningResult
from mtsig_core.optimizers.scored_list import ScoredList


def system_names(results: Sequence[TuningResult]) -> tuple[str, ...]:
    """Return a name per result: the optimizer's, the system's, or both, whatever tells them apart."""
    for parts in (
        [(r.optimizer.label,) for r in results],
        [(r.problem.system,) for r in results],
        [(r.problem.system, r.optimizer.label) for r in results],
    ):
        if max(Counter(parts).values()) == 1:
            return tuple(" ".join(words) for words in parts)
    return tuple(f"{r.problem.system} {r.optimizer.label} {i}" for i, r in enumerate(results, 1))


def to_experiment(results: Sequence[TuningResult], name: str = "tuned replicas") -> Experiment:
    """Return the outputs of all replicas as an experiment: one system per result.

    Parameters
    ----------
    results : sequence of TuningResult
        Of one dev and one test set: of several optimizers, or of several systems' lists.
    name : str

    Raises
    ------
    ValueError
        When the results have different references.
    """
    first = results[0].problem
    for result in results[1:]:
        for own, other in zip(_lists(result), _lists(results[0]), strict=True):
            if own.references != other.references:
                raise ValueError(
                    f"{result.problem.system}: its references of {own.test_set!r} differ from those of "
                    f"{first.system}. Tune on the same sets."
                )
    sets = tuple(
        TestSet(one.test_set, "dev" if one is first.dev else "test", one.references) for one in _lists(results[0])
    )
    systems = []
    for system, result in zip(system_names(results), results, strict=True):
        scaled = result.problem.scaled(result.weights)
        places = {one.test_set: one.choose(scaled) for one in _lists(result)}
        replicas = [
            Replica(replica.name, {one.test_set: one.output(places[one.test_set][i]) for one in _lists(result)})
            for i, replica in enumerate(result.replicas)
        ]
        systems.append(System(system, tuple(replicas)))
    # weights were tuned on the words of the lists as they stand
    tokenizer = getattr(first.metric, "tokenize", None)
    return Experiment(name, sets, tuple(systems), baseline=systems[0].name, tokenizer=tokenizer,
                      replicas_are="optimizer-run")  # fmt: skip


def _lists(result: TuningResult) -> list[ScoredList]:
    return [one for one in (result.problem.dev, result.problem.test) if one is not None]


def moses_ini(result: TuningResult, replica: TunedReplica) -> str:
    """Return the ``[weight]`` section of a moses.ini: one line per feature function, all its values in order."""
    test = "" if replica.test is None else f", test {replica.test:.2f}"
    metric = result.problem.metric.label
    lines = [f"# {result.optimizer.label} {replica.name}: {metric} on dev {replica.dev:.2f}{test}", "[weight]"]
    column = 0
    for name, size in result.problem.dev.nbest.groups:
        values = replica.weights[column : column + size]
        lines.append(f"{name or 'feature'}= {' '.join(_digits(value) for value in values)}")
        column += size
    return "\n".join(lines) + "\n"


def _digits(value: float) -> str:
    return f"{float(value) + 0.0:.10g}"


def weights_document(results: Sequence[TuningResult]) -> dict:
    """Return weights, scores and options of all replicas, for a JSON file."""
    return {
        "schema": 1,
        "results": [
            {
                "system": result.problem.system,
                "optimizer": result.optimizer.name,
                "options": result.optimizer.options,
                "seed": result.seed,
                "metric": result.problem.metric.name,
                "features": list(result.problem.feature_names),
                "replicas": [
                    {
                        "replica": replica.name,
                        "dev": replica.dev,
                        "test": replica.test,
                        "weights": [float(value) + 0.0 for value in replica.weights],
                    }
                    for replica in result.replicas
                ],
            }
            for result in results
        ],
    }


def replica_files(results: Sequence[TuningResult], name: str = "tuned replicas") -> Iterator[tuple[str, bytes]]:
    """Yield path and content of every file of the native layout, of weights of Moses and of ``weights.json``."""
    yield from native_files(to_experiment(results, name))
    for system, result in zip(system_names(results), results, strict=True):
        for replica in result.replicas:
            yield f"weights/{file_name(system)}/{replica.name}.ini", moses_ini(result, replica).encode()
    yield "weights/weights.json", weights_json(results)


def replica_zip(results: Sequence[TuningResult], name: str = "tuned replicas") -> bytes:
    """Return the files of `replica_files` as a zip, which loads as an experiment."""
    return zip_of(replica_files(results, name))


def moses_zip(results: Sequence[TuningResult]) -> bytes:
    """Return a zip with the weights of every replica as a moses.ini."""
    return zip_of(
        (f"{file_name(system)}/{replica.name}.ini", moses_ini(result, replica).encode())
        for system, result in zip(system_names(results), results, strict=True) for replica in result.replicas
    )  # fmt: skip


def weights_json(results: Sequence[TuningResult]) -> bytes:
    """Return `weights_document` as the content of a file."""
    return (json.dumps(weights_document(results), indent=1) + "\n").encode()

"""Replicas: mtsig's own optimizer, run many times on the lists of the dev set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from data.builder.candidates import Lists
from data.builder.nbest import as_data, as_list
from mtsig_core.metrics import get_metric
from mtsig_core.optimizers import TuningResult, get_optimizer, score_list, tune_replicas, tuning_problem


@dataclass(frozen=True)
class Tuning:
    """How replicas are tuned.

    Parameters
    ----------
    replicas : int
    spare : int
        Replicas tuned besides, to stand in for those whose output equals that of an earlier one.
    options : mapping of name to value
        Of MERT.
    seed : int
    """

    replicas: int
    spare: int
    options: Mapping[str, float]
    seed: int = 1


@dataclass(frozen=True)
class Outputs:
    """The outputs of one system's replicas on one test set.

    Parameters
    ----------
    texts : tuple of R tuples of L str
    choices : ndarray of int of shape (replica, segment)
        Which candidate of the list each one is.
    """

    texts: tuple[tuple[str, ...], ...]
    choices: np.ndarray


def tune(
    system: str, lists: Mapping[str, Lists], references: Mapping[str, tuple[str, ...]], tuning: Tuning
) -> dict[str, Outputs]:
    """Return the outputs of a system's replicas on every test set.

    Parameters
    ----------
    system : str
    lists : mapping of test set to Lists
        The set named ``dev`` is tuned on, for BLEU of the words as they stand.
    references : mapping of test set to L segments
    tuning : Tuning

    Raises
    ------
    ValueError
        When too few replicas differ.
    """
    metric = get_metric("bleu", tokenize="none")
    data = as_data({(system, "dev"): lists["dev"]}, {"dev": references["dev"]})
    problem = tuning_problem(data, metric, dev_segments=range(len(references["dev"])), test_segments=())
    optimizer = get_optimizer("mert", **tuning.options)
    result = tune_replicas(problem, optimizer, tuning.replicas + tuning.spare, seed=tuning.seed)
    outputs = {test_set: _outputs(result, test_set, own, references[test_set]) for test_set, own in lists.items()}
    distinct = _unlike([own.choices for own in outputs.values()])[: tuning.replicas]
    if len(distinct) < tuning.replicas:
        raise ValueError(f"{system}: {len(distinct)} replicas differ on every set, {tuning.replicas} are asked for.")
    return {
        test_set: Outputs(tuple(own.texts[i] for i in distinct), own.choices[distinct])
        for test_set, own in outputs.items()
    }


def _outputs(result: TuningResult, test_set: str, lists: Lists, reference: tuple[str, ...]) -> Outputs:
    dev = result.problem.dev
    scored = score_list(test_set, as_list(lists, test_set), (reference,), dev.metric, scale=dev.scale)
    choices = scored.choose(result.problem.scaled(result.weights))
    return Outputs(tuple(scored.output(row) for row in choices), choices)


def _unlike(choices: list[np.ndarray]) -> list[int]:
    """Return the replicas whose output equals that of no earlier one, on any set.

    Real optimizers do meet in one place; people who open a demonstration would take it for a copied file.
    """
    firsts = [set(np.unique(one, axis=0, return_index=True)[1].tolist()) for one in choices]
    return sorted(set.intersection(*firsts))

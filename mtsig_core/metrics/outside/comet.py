"""Segment scores by unbabel-comet, where it is installed with a model on disk; nothing is downloaded."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pandas as pd

from mtsig_core.experiment import Experiment
from mtsig_core.runtime.jobs import Progress, no_progress

CHECKPOINT = Path("checkpoints") / "model.ckpt"
COLUMNS = ("test_set", "system", "replica", "segment", "metric", "score")
Key = tuple[str, int, str]


def find_checkpoint(model: str) -> Path:
    """Return the checkpoint file of a model on disk.

    Parameters
    ----------
    model : str
        The file, the folder that was downloaded (``checkpoints/model.ckpt`` is in it), or a name such as
        ``Unbabel/wmt22-comet-da`` that Hugging Face's cache has already.

    Raises
    ------
    ValueError
        When there is no such file; the message says how to get one.
    """
    path = Path(model).expanduser()
    cache = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface") / "hub"
    cached = sorted((cache / f"models--{model.replace('/', '--')}" / "snapshots").glob(f"*/{CHECKPOINT.as_posix()}"))
    checkpoint = next((p for p in (path, path / CHECKPOINT, *cached) if p.is_file()), None)
    if checkpoint is None:
        raise ValueError(
            f"No COMET model {model!r} on this disk, and nothing is downloaded here. Download one yourself (python -c "
            "'import comet; print(comet.download_model(\"Unbabel/wmt22-comet-da\"))') and give its path with --model."
        )
    if not (checkpoint.parents[1] / "hparams.yaml").is_file():
        folder = checkpoint.parents[1]
        raise ValueError(f"{checkpoint}: COMET needs the file hparams.yaml in {folder}; download the whole model.")
    return checkpoint


@dataclass(frozen=True)
class CometOptions:
    """How COMET is run, and what its scores are called.

    Parameters
    ----------
    name : str
        What the metric is called in the table.
    batch_size, gpus : int
        Passed to COMET; 0 GPUs for the processor.
    """

    name: str = "COMET"
    batch_size: int = 8
    gpus: int = 0


def comet_scores(
    experiment: Experiment,
    test_sets: Sequence[str],
    model: str,
    options: CometOptions = CometOptions(),  # noqa: B008 (frozen)
    *,
    progress: Progress = no_progress,
) -> pd.DataFrame:
    """Return a score table of all outputs, as loading reads it beside the text; each distinct pair is scored once.

    Parameters
    ----------
    experiment : Experiment
    test_sets : sequence of str
        Each needs the source text; the first reference of a segment is used, if there is one.
    model : str
        See `find_checkpoint`.
    options : CometOptions
    progress : Progress

    Returns
    -------
    DataFrame
        Columns test_set, system, replica, segment (counted from 1), metric and score.

    Raises
    ------
    ValueError
        When the package or the model is missing, or a test set has no source.
    """
    if find_spec("comet") is None:
        raise ValueError("COMET is not installed: pip install unbabel-comet (it brings PyTorch), then call this again.")
    checkpoint = find_checkpoint(model)
    samples = {key: sample for test_set in test_sets for key, sample in _samples(experiment, test_set)}
    if not samples:
        raise ValueError(f"No output on {', '.join(test_sets)}: COMET has nothing to score.")
    scores = dict(zip(samples, _predict(checkpoint, list(samples.values()), options, progress), strict=True))
    return pd.DataFrame(_rows(experiment, test_sets, options.name, scores), columns=list(COLUMNS))


def _predict(
    checkpoint: Path, samples: list[dict[str, str]], options: CometOptions, progress: Progress
) -> list[float]:
    progress(0, f"COMET: loading {checkpoint}")
    predictor = _loaded(checkpoint)
    progress(0, f"COMET: {len(samples):,} distinct segments")
    return _scores(predictor.predict(samples, batch_size=options.batch_size, gpus=options.gpus))


def _loaded(checkpoint: Path) -> Any:
    # Asked to, COMET fetches the encoder below its model; these keep every library under it from doing so.
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    return importlib.import_module("comet").load_from_checkpoint(str(checkpoint))


def _scores(prediction: Any) -> list[float]:
    """Return the scores of COMET's prediction: an object with `scores`, or before version 2 a tuple."""
    return [float(score) for score in (prediction.scores if hasattr(prediction, "scores") else prediction[0])]


def _outputs(experiment: Experiment, test_set: str) -> Iterator[tuple[str, str, Sequence[str]]]:
    for system in experiment.systems_on(test_set):
        for replica in system.on(test_set):
            yield system.name, replica.name, replica.outputs[test_set]


def _samples(experiment: Experiment, test_set: str) -> Iterator[tuple[Key, dict[str, str]]]:
    target = experiment.test_set(test_set)
    if target.source is None:
        raise ValueError(f"Test set {test_set!r} has no source text, and COMET needs it: add source.txt.")
    references = [next((r for r in row if r is not None), None) for row in zip(*target.references, strict=True)]
    for _, _, lines in _outputs(experiment, test_set):
        for i, line in enumerate(lines):
            reference = references[i] if references else None
            sample = {"src": target.source[i], "mt": line}
            yield (test_set, i, line), sample | ({} if reference is None else {"ref": reference})


def _rows(
    experiment: Experiment, test_sets: Sequence[str], name: str, scores: dict[Key, float]
) -> Iterator[tuple[str, str, str, int, str, float]]:
    for test_set in test_sets:
        for system, replica, lines in _outputs(experiment, test_set):
            for i, line in enumerate(lines):
                yield test_set, system, replica, i + 1, name, scores[test_set, i, line]

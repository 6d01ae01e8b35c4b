"""One folder a training run: system and replica from the folder's name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from mtsig_core.loading.recognition.names import split_marked

_CHECKPOINT = re.compile(r"checkpoint[-_.]?(?:\d+|best|last|avg\w*)", re.IGNORECASE)
_REPLICA = re.compile(r"(?:seed|run|opt|rep|replica|init|random|rand|fold|trial)?[._-]?\d+", re.IGNORECASE)


def names_of_runs(folders: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, str]]:
    """Return system and replica of each file.

    ``model-seed1`` and ``model/seed1`` are replica *seed1* of *model*; any other name is a system with one
    replica. A checkpoint's folder below belongs to the run; where a run has several, each is a system of
    its own, for two checkpoints of one training are no replicas.

    Parameters
    ----------
    folders : mapping of path to the names of its folders
    """
    runs: dict[str, tuple[tuple[str, ...], str]] = {}
    for path, parts in folders.items():
        has_checkpoint = len(parts) > 1 and _CHECKPOINT.fullmatch(parts[-1]) is not None
        runs[path] = (tuple(parts[:-1]), parts[-1]) if has_checkpoint else (tuple(parts), "")
    checkpoints: dict[tuple[str, ...], set[str]] = {}
    for run, checkpoint in runs.values():
        checkpoints.setdefault(run, set()).add(checkpoint)
    several = any(len(own) > 1 for own in checkpoints.values())
    named = {}
    for path, (run, checkpoint) in runs.items():
        system, replica = _name(run)
        named[path] = (f"{system}-{checkpoint}" if several and checkpoint else system, replica)
    return named


def _name(run: Sequence[str]) -> tuple[str, str]:
    if len(run) > 1 and _REPLICA.fullmatch(run[-1]):
        return "-".join(run[:-1]), run[-1]
    *before, last = run or ("system",)
    system, replica = split_marked(last) or (last, "1")
    return "-".join([*before, system]), replica

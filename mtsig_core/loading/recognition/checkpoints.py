"""Several checkpoints of one training: no replicas of each other, so one of them is taken, or all under protest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mtsig_core.experiment import natural_key
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import LoadError, Reporter, some

#: What ``checkpoints`` in experiment.toml may be, besides the name of one checkpoint.
CHOICES = ("last", "best", "all")
_LAST = re.compile(r"last|final|avg", re.IGNORECASE)
_BEST = re.compile(r"best", re.IGNORECASE)


def choose_checkpoints(plan: Plan, choice: str, report: Reporter) -> Plan:
    """Return the plan with one output of each replica and test set, or with all as replicas that depend on each other.

    Parameters
    ----------
    plan : Plan
    choice : str
        ``last`` (also for ""), ``best`` (the one whose name says so), ``all``, or the name of a checkpoint.
    report : Reporter

    Raises
    ------
    LoadError
        When some run has no checkpoint of that name.
    """
    runs: dict[tuple[str, str, str], list[FileRole]] = {}
    for role in plan.roles:
        if role.kind == "output" and role.checkpoint:
            runs.setdefault((role.system, role.replica, role.test_set), []).append(role)
    several = {key: own for key, own in runs.items() if len({role.checkpoint for role in own}) > 1}
    if not several:
        return plan
    _report(several, choice, report)
    changed: dict[str, FileRole] = {}
    for own in several.values():
        if choice == "all":
            changed |= {role.path: replace(role, replica=_joined(role)) for role in own}
            continue
        chosen = _chosen(own, choice or "last")
        reason = f"another checkpoint of this run is taken, {chosen}"
        changed |= {r.path: replace(r, kind="ignored", reason=reason) for r in own if r.checkpoint != chosen}
    return replace(plan, roles=tuple(changed.get(role.path, role) for role in plan.roles))


def _joined(role: FileRole) -> str:
    return role.checkpoint if role.replica == "1" else f"{role.replica}-{role.checkpoint}"


def _chosen(own: Sequence[FileRole], choice: str) -> str:
    names = sorted({role.checkpoint for role in own}, key=natural_key)
    if choice == "last":
        numbered = [name for name in names if not _BEST.search(name)] or names
        return next((name for name in numbered if _LAST.search(name)), numbered[-1])
    fitting = [name for name in names if _BEST.search(name)] if choice == "best" else [n for n in names if n == choice]
    if fitting:
        return fitting[0]
    raise LoadError(
        f"{own[0].path}: checkpoints = {choice!r}, but its run has {some(names)} alone. Name one of these, or take "
        "'last' or 'all'.",
        own[0].path,
    )


def _report(several: dict[tuple[str, str, str], list[FileRole]], choice: str, report: Reporter) -> None:
    files = [role.path for own in several.values() for role in own]
    names = some(sorted({role.checkpoint for own in several.values() for role in own}, key=natural_key))
    if choice == "all":
        report.add(
            "warning",
            "dependent-checkpoints",
            f"Checkpoints of one training ({names}) are used as replicas: they depend on each other, so tests over "
            "replicas claim too much.",
            files,
        )
        return
    message = f"Steps or epochs in names ({names}) were read as checkpoints of one training run."
    taken = f"The {'last' if choice in ('', 'last') else choice} one of each run is used."
    remedy = f'To take others: checkpoints = "best", "all" or a name such as "{_example(several)}" in experiment.toml.'
    report.assume("checkpoints", f"{message} {taken}", remedy, files)


def _example(several: dict[tuple[str, str, str], list[FileRole]]) -> str:
    """Return the name of some checkpoint, as an example."""
    return next(iter(several.values()))[0].checkpoint

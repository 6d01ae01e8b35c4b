"""Write corrections as ``experiment.toml``, and keep them for a new upload of the same files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from mtsig_core.experiment import Experiment
from mtsig_core.loading.corrections import Corrections, lines_left_out
from mtsig_core.loading.recognition.declared import TEXTS, keys_of, left_out_keys, toml_text
from mtsig_core.loading.recognition.plan import ScoredNames
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.settings import DeclaredFile, NamedTables
from mtsig_core.loading.result import Recognition
from mtsig_core.loading.unrecognised import LAYOUT


def manifest_of(recognition: Recognition, corrections: Corrections, experiment: Experiment) -> str:
    """Return an ``experiment.toml`` which, put beside the files, makes of them what corrections made.

    Parameters
    ----------
    recognition : Recognition
        What was recognised in the files.
    corrections : Corrections
    experiment : Experiment
        As corrected.
    """
    before = {role.path: role for role in recognition.plan.roles}
    by_hand = recognition.layout == LAYOUT  # where nothing was recognised, all that was said is said again
    changed = [role for role in corrections.roles if before.get(role.path) != role or by_hand]
    lines = [f"baseline = {toml_text(experiment.baseline)}", f"paired = {str(experiment.paired).lower()}"]
    for key, value in (("name", recognition.settings.name), ("checkpoints", recognition.settings.checkpoints)):
        lines += [f"{key} = {toml_text(value)}"] if value else []
    left_out = lines_left_out(recognition, corrections)
    for test_set in experiment.test_sets:
        lines += ["", f"[test_sets.{toml_text(test_set.name)}]", f"role = {toml_text(test_set.role)}"]
        lines += left_out_keys(left_out.get(test_set.name, ()))
    for metric, higher in experiment.outside_metrics.items():
        if metric not in experiment.assumed_directions:
            lines += ["", f"[metrics.{toml_text(metric)}]", f"higher_is_better = {str(higher).lower()}"]
    for key, names in (("systems", corrections.scored.systems), ("test_sets", corrections.scored.sets)):
        renamed = {old: new for old, new in names.items() if old != new}
        lines += ["", f"[rename.{key}]"] if renamed else []
        lines += [f"{toml_text(old)} = {toml_text(new)}" for old, new in renamed.items()]
    for role in changed:
        keys = keys_of(DeclaredFile(role))
        lines += ["", "[[files]]", *(f"{key} = {toml_text(value)}" for key, value in keys if value)]
        if role.columns:
            lines.append(_columns(role.columns))
    for path, columns in corrections.named_columns.items():
        lines += ["", "[[files]]", f"path = {toml_text(path)}", f"kind = {toml_text(TEXTS)}", _columns(columns)]
    return "\n".join(lines) + "\n"


def _columns(columns: Sequence[tuple[str, str]]) -> str:
    return f"columns = {{ {', '.join(f'{toml_text(name)} = {toml_text(role)}' for name, role in columns)} }}"


def to_json(corrections: Corrections) -> str:
    """Return corrections as text."""
    return json.dumps(asdict(corrections), ensure_ascii=True)


def named_columns_in(text: str) -> NamedTables | None:
    """Return the columns of tables of texts that corrections name, by which they are read first; None if damaged."""
    try:
        return _named(json.loads(text).get("named_columns", {}))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _named(content: Mapping[str, Sequence[Sequence[str]]]) -> NamedTables:
    return {path: tuple((str(name), str(role)) for name, role in columns) for path, columns in content.items()}


def from_json(text: str, recognition: Recognition) -> Corrections | None:
    """Return corrections that were written by `to_json`; None where they are not of these files, or damaged."""
    try:
        content = json.loads(text)
        roles = tuple(
            FileRole(**{**own, "columns": tuple((str(a), str(b)) for a, b in own["columns"])})
            for own in content["roles"]
        )
        scored = ScoredNames(**content["scored"])
        corrections = Corrections(
            roles, content["baseline"], content["paired"], content["set_roles"], scored, content["directions"],
            _named(content.get("named_columns", {})),
        )  # fmt: skip
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return corrections if {role.path for role in roles} <= {role.path for role in recognition.plan.roles} else None

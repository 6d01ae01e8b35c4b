"""Write corrections as ``experiment.toml``, and keep them for a new upload of the same files."""

from __future__ import annotations

import json
from dataclasses import asdict
from hashlib import sha256

from mtsig_core.experiment import Experiment
from mtsig_core.loading.corrections import Corrections, lines_left_out
from mtsig_core.loading.recognition.declared import keys_of, left_out_keys, toml_text
from mtsig_core.loading.recognition.plan import ScoredNames
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.recognition.settings import DeclaredFile
from mtsig_core.loading.report import LoadError
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
            lines.append(f"columns = {{ {', '.join(f'{toml_text(a)} = {toml_text(b)}' for a, b in role.columns)} }}")
    return "\n".join(lines) + "\n"


def upload_digest(recognition: Recognition) -> str:
    """Return a digest of the files of an upload: names and content, whatever they were taken for."""
    sha = sha256()
    for role in sorted(recognition.plan.roles, key=lambda role: role.path):
        sha.update(f"{role.path}\0".encode("utf-8", "surrogatepass"))
        if role.path in recognition.files:
            sha.update(_digest_of_file(recognition, role.path))
        elif role.path in recognition.plan.texts:
            lines = "\n".join(recognition.plan.texts[role.path])
            sha.update(sha256(lines.encode("utf-8", "surrogatepass")).digest())
    return sha.hexdigest()


def _digest_of_file(recognition: Recognition, path: str) -> bytes:
    """Return a digest of a file; of one that is damaged in its archive, of what is said of it."""
    try:
        return sha256(recognition.files[path]).digest()
    except LoadError as error:
        return sha256(str(error).encode("utf-8", "surrogatepass")).digest()


def to_json(corrections: Corrections) -> str:
    """Return corrections as text."""
    return json.dumps(asdict(corrections), ensure_ascii=True)


def from_json(text: str, recognition: Recognition) -> Corrections | None:
    """Return corrections that were written by `to_json`; None where they are not of these files, or damaged."""
    try:
        content = json.loads(text)
        roles = tuple(
            FileRole(**{**own, "columns": tuple((str(a), str(b)) for a, b in own["columns"])})
            for own in content["roles"]
        )
        scored = ScoredNames(**content["scored"])
        corrections = Corrections(roles, content["baseline"], content["paired"], content["set_roles"], scored,
                           content["directions"])  # fmt: skip
    except (ValueError, TypeError, KeyError):
        return None
    return corrections if {role.path for role in roles} <= {role.path for role in recognition.plan.roles} else None

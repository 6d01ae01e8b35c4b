"""MultEval's layout: ``hyps.*.NAME.optK`` and ``refs.*.K`` in one folder.

The test set is called what stands between ``refs.`` and the last number; the system is the part before
``.optK``. ``src.*`` or ``source*`` is the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mtsig_core.loading.recognition.names import base_name, special
from mtsig_core.loading.recognition.plan import Plan
from mtsig_core.loading.recognition.roles import FileRole
from mtsig_core.loading.report import Reporter
from mtsig_core.loading.sources.tree import FileTree

NAME = "MultEval"
_HYPOTHESES = re.compile(r"hyps\.(?:(?P<middle>.+)\.)?(?P<system>[^.]+)\.(?P<replica>opt\d+)")
_REFERENCES = re.compile(r"refs\.(?:(?P<middle>.+)\.)?(?P<stream>\d+)")


def recognise(files: FileTree) -> int:
    """Return 90 when hypotheses and references of these names lie at the top, else 0."""
    names = [base_name(path) for path in files if "/" not in path]
    return 90 if any(map(_HYPOTHESES.fullmatch, names)) and any(map(_REFERENCES.fullmatch, names)) else 0


def read(files: FileTree, report: Reporter) -> Plan:
    """Say what each file is."""
    references = _matches(files, _REFERENCES)
    sets = sorted({match["middle"] or "test" for match in references.values()})
    roles = [FileRole(p, "reference", m["middle"] or "test", stream=m["stream"]) for p, m in references.items()]
    roles += _outputs(_matches(files, _HYPOTHESES), sets)
    done = {role.path for role in roles}
    for path in files:
        if path in done:
            continue
        if "/" not in path and special(path) == "source" and len(sets) == 1:
            roles.append(FileRole(path, "source", sets[0]))
        else:
            roles.append(FileRole(path, "ignored", reason="not part of this layout"))
    return Plan(tuple(roles))


def _matches(files: FileTree, pattern: re.Pattern[str]) -> dict[str, re.Match[str]]:
    candidates = ((path, pattern.fullmatch(base_name(path))) for path in files if "/" not in path)
    return {path: match for path, match in candidates if match}


def _outputs(hypotheses: Mapping[str, re.Match[str]], sets: Sequence[str]) -> Iterator[FileRole]:
    for path, match in hypotheses.items():
        middle = match["middle"] or ""
        fitting = sets if len(sets) == 1 else [s for s in sets if s == middle or s.endswith("." + middle)]
        if len(fitting) == 1:
            yield FileRole(path, "output", fitting[0], match["system"], match["replica"])
        else:
            yield FileRole(path, "ignored", reason="its name does not say which of several test sets it belongs to")

"""Virtual environments that hold chosen packages only, linked from the one that runs the tests.

Installing numpy, pandas and scipy again would take minutes; a link to what is installed already takes none, and a
package that is not linked cannot be imported.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import venv
from collections.abc import Iterable
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def requirements(*extras: str) -> list[Requirement]:
    """Return what the library needs, with what some extras add."""
    listed = [*PROJECT["dependencies"]]
    for extra in extras:
        listed += PROJECT["optional-dependencies"][extra]
    return [Requirement(line) for line in listed]


def with_dependencies(wanted: Iterable[Requirement]) -> dict[str, Distribution]:
    """Return the installed packages that requirements ask for, directly or not, by canonical name."""
    packages: dict[str, Distribution] = {}
    waiting = [(requirement, frozenset(requirement.extras)) for requirement in wanted]
    while waiting:
        requirement, extras = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in packages:
            continue
        packages[name] = distribution(name)
        for line in packages[name].requires or ():
            needed = Requirement(line)
            applies = needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in (*extras, ""))
            if applies:
                waiting.append((needed, frozenset(needed.extras)))
    return packages


def installed_megabytes(packages: Iterable[Distribution]) -> float:
    """Return the disk space that packages take, with their compiled Python files."""
    paths = {Path(str(file.locate())) for package in packages for file in package.files or ()}
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def create(folder: Path, wheel: Path, packages: Iterable[Distribution]) -> Path:
    """Create an environment with the wheel and links to packages; return its folder of programs."""
    venv.create(folder, with_pip=False, symlinks=True)
    programs = folder / "bin"
    site = next((folder / "lib").glob("python*/site-packages"))
    for package in packages:
        for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
            source = Path(str(package.locate_file(name)))
            if source.exists() and not (site / name).exists():
                (site / name).symlink_to(source)
    command = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "install", "--quiet"]
    command += ["--disable-pip-version-check", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return programs


def environment(home: Path, **more: str) -> dict[str, str]:
    """Return variables for a process that sees neither the checkout nor the user's own caches."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return kept | {"MTSIG_HOME": str(home)} | more

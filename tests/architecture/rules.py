"""Rules of the architecture that import-linter does not check: cycles of modules, and modules named by strings.

``python tests/architecture/rules.py FOLDER`` prints what breaks them in a folder that holds the packages and
pyproject.toml, and exits with 1 if anything does.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("mtsig_core", "pages")
#: Files that may name modules by strings: lazy names, and registries of what is imported when it is asked for.
MAY_NAME_MODULES = frozenset({
    "app.py",
    "mtsig_core/__init__.py",
    "mtsig_core/metrics/registry.py",
    "mtsig_core/metrics/compiled/__init__.py",
    "mtsig_core/metrics/compiled/kernels.py",
    "mtsig_core/resampling/compiled/__init__.py",
    "mtsig_core/optimizers/compiled/__init__.py",
    "mtsig_core/loading/layouts/__init__.py",
})  # fmt: skip
_MODULE = re.compile(r"(mtsig_core|pages)((\.[a-z_][a-z0-9_]*)+)(:\w+)?")


def contract(root: Path, name: str) -> dict:
    """Return one import contract of pyproject.toml."""
    settings = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]
    return next(one for one in settings["contracts"] if one["id"] == name)


def layers(root: Path, name: str = "layers") -> list[list[str]]:
    """Return the packages of each layer, from the top down."""
    return [[package.strip(" ()") for package in line.split("|")] for line in contract(root, name)["layers"]]


def cycles(root: Path) -> list[str]:
    """Return the groups of modules that import each other, also inside functions or by way of others."""
    import grimp
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    sys.path.insert(0, str(root))
    graph = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    modules = sorted(graph.modules)
    place = {module: i for i, module in enumerate(modules)}
    edges = [(place[a], place[b]) for a in modules for b in graph.find_modules_directly_imported_by(a)]
    rows, columns = zip(*edges, strict=True)
    matrix = csr_array(([1] * len(edges), (rows, columns)), shape=(len(modules), len(modules)))
    n, labels = connected_components(matrix, connection="strong")
    groups: list[list[str]] = [[] for _ in range(n)]
    for module, label in zip(modules, labels, strict=True):
        groups[label].append(module)
    return [f"import each other: {', '.join(group)}" for group in groups if len(group) > 1]


def named_modules(root: Path) -> Iterator[str]:
    """Yield what is wrong with each module that a string names."""
    rank = {package: i for i, line in enumerate(layers(root)) for package in line}
    for path in [*(p for name in PACKAGES for p in sorted((root / name).rglob("*.py"))), root / "app.py"]:
        if not path.is_file():
            continue
        place = path.relative_to(root).as_posix()
        for line, module in _strings(path):
            if problem := _problem(root, place, module, rank):
                yield f"{place}:{line}: {module!r} {problem}"


def _strings(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of strings that name a module, or begin to."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.JoinedStr):
            first = node.values[0] if node.values else None
            if isinstance(first, ast.Constant) and str(first.value).startswith(tuple(f"{p}." for p in PACKAGES)):
                yield node.lineno, str(first.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _MODULE.fullmatch(node.value):
            yield node.lineno, node.value


def _problem(root: Path, place: str, name: str, rank: dict[str, int]) -> str:
    if place not in MAY_NAME_MODULES:
        return "names a module by a string; import it, or name it in a registry"
    target = name.split(":")[0].rstrip(".")
    path = root / target.replace(".", "/")
    if not (path.is_dir() or path.with_suffix(".py").is_file()):
        return "names no module"
    parts = Path(place).with_suffix("").parts
    if len(parts) < 3 or parts[0] != "mtsig_core":  # app.py, and the lazy names at the top
        return ""
    other = target.split(".")
    if other[0] != "mtsig_core":
        return "names a page; the library knows no page"
    above, below = rank[parts[1]], rank[other[1]]
    return "" if above < below or parts[1] == other[1] else "names a module that is not in a layer below"


def main(folder: str) -> int:
    """Print what breaks the rules; return 1 if anything does."""
    root = Path(folder).resolve()
    problems = [*cycles(root), *named_modules(root)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""The shape of the loading package: few floors of imports, no cycles, small folders and files."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

PACKAGE = "mtsig_core.loading"
FOLDER = Path(__file__).resolve().parents[2] / "mtsig_core" / "loading"
MOST_FLOORS, MOST_MODULES, MOST_LINES = 8, 15, 400


def imports_within(package: str, *, with_typing: bool) -> dict[str, set[str]]:
    """Return which modules of a package each of them imports, also inside functions."""
    graph = grimp.build_graph("mtsig_core", cache_dir=None, exclude_type_checking_imports=not with_typing)
    modules = {name for name in graph.modules if f"{name}.".startswith(f"{package}.")}
    return {name: graph.find_modules_directly_imported_by(name) & modules for name in modules}


def floors(imports: Mapping[str, set[str]]) -> list[str]:
    """Return the longest chain of imports, the topmost module first; CycleError where there is a cycle."""
    longest: dict[str, list[str]] = {}
    for name in TopologicalSorter(imports).static_order():
        below = max((longest[other] for other in imports.get(name, ())), key=len, default=[])
        longest[name] = [name, *below]
    return max(longest.values(), key=len)


def test_the_measure_finds_the_longest_chain_and_a_cycle():
    assert floors({"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"c"}}) == ["a", "b", "c"]
    with pytest.raises(CycleError):
        floors({"a": {"b"}, "b": {"a"}})


@pytest.mark.slow
def test_loading_is_at_most_eight_floors_deep():
    chain = floors(imports_within(PACKAGE, with_typing=False))
    assert len(chain) <= MOST_FLOORS, chain


@pytest.mark.slow
def test_there_is_no_cycle_even_for_types_alone():
    floors(imports_within(PACKAGE, with_typing=True))


def test_folders_and_files_are_small():
    sizes = {folder: len(list(folder.glob("*.py"))) for folder in (FOLDER, *FOLDER.rglob("*")) if folder.is_dir()}
    assert {folder: n for folder, n in sizes.items() if n > MOST_MODULES} == {}
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in FOLDER.rglob("*.py")}
    assert {path: n for path, n in lengths.items() if n > MOST_LINES} == {}

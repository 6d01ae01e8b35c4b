"""Draw the layers of the import contract: ``python -m tests.architecture.drawing`` writes docs/architecture.svg."""

from __future__ import annotations

import ast
from html import escape
from pathlib import Path

from tests.architecture.rules import layers

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "docs" / "architecture.svg"
WIDTH, HEIGHT, GAP, MARGIN = 860, 46, 14, 16
STYLE = """
  text { font: 13px sans-serif; fill: #1f2933; }
  .name { font-weight: bold; }
  rect { fill: #eef3fb; stroke: #2563b8; rx: 5px; }
  .pages { fill: #fdf3e3; stroke: #b3660a; }
  path { stroke: #5c6873; fill: none; marker-end: url(#head); }
"""


def svg(root: Path = ROOT) -> str:
    """Return the drawing: a row for each layer, a box for each package with the first line of its docstring."""
    rows = [row for row in (_existing(root, line) for line in layers(root)) if row]
    rows[0].insert(0, "pages")  # beside the command line: neither imports the other
    height = len(rows) * (HEIGHT + GAP) - GAP + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="title">',
        '<title id="title">The layers of mtsig, top to bottom; each imports only layers below it</title>',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z" style="fill: #5c6873; stroke: none; marker-end: none"/></marker></defs>',
    ]
    for i, packages in enumerate(rows):
        top = MARGIN + i * (HEIGHT + GAP)
        parts += _row(root, packages, top)
        if i + 1 < len(rows):
            parts.append(f'<path d="M{WIDTH / 2:g} {top + HEIGHT} v{GAP - 1}"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _existing(root: Path, packages: list[str]) -> list[str]:
    """Leave out the library's entry point, which only calls the command line, and packages that are not there."""
    return [p for p in packages if p != "__main__" and _source(root, p).is_file()]


def _row(root: Path, packages: list[str], top: int) -> list[str]:
    width = (WIDTH - 2 * MARGIN - GAP * (len(packages) - 1)) / len(packages)
    parts = []
    for i, package in enumerate(packages):
        left = MARGIN + i * (width + GAP)
        parts += [
            f'<rect class="{package}" x="{left:g}" y="{top}" width="{width:g}" height="{HEIGHT}"/>',
            f'<text class="name" x="{left + 12:g}" y="{top + 19}">{escape(package)}</text>',
            f'<text x="{left + 12:g}" y="{top + 36}">{escape(_purpose(root, package, int((width - 24) / 7.1)))}</text>',
        ]
    return parts


def _source(root: Path, package: str) -> Path:
    folder = root if package == "pages" else root / "mtsig_core"
    module = folder / f"{package}.py"
    return module if module.is_file() else folder / package / "__init__.py"


def _purpose(root: Path, package: str, most: int) -> str:
    """Return the first line of a package's docstring, cut at a word where it is too long for its box."""
    docstring = ast.get_docstring(ast.parse(_source(root, package).read_text())) or ""
    line = docstring.split("\n")[0].rstrip(".").replace("``", "").replace("->", "→")
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


if __name__ == "__main__":
    TARGET.write_text(svg(), encoding="utf-8")
    print(f"written to {TARGET.relative_to(ROOT)}")

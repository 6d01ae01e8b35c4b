"""Fail the build when a page loads anything from another host."""

import re
from pathlib import Path

from sphinx.errors import ExtensionError

TAGS = re.compile(
    r"""<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*?\s(?:src|href|data)=["']?(?:https?:)?//[^\s"'>]+""",
    re.IGNORECASE,
)
CODE = re.compile(r"""import\s*\(?\s*["']https?://[^"']+|url\(\s*["']?(?:https?:)?//[^)]+|@import\s+["']https?://[^"']+""")


def loads(page: Path) -> list[str]:
    """Return what a page or a style sheet would fetch from another host."""
    text = page.read_text(encoding="utf-8")
    return [*CODE.findall(text), *(TAGS.findall(text) if page.suffix == ".html" else ())]


def check(app, exception: Exception | None) -> None:
    """Name each page that is not complete without a network."""
    pages = [page for page in Path(app.outdir).rglob("*") if page.suffix in (".html", ".css")]
    outside = {page.relative_to(app.outdir).as_posix(): found for page in pages if (found := loads(page))}
    if exception is None and outside:
        raise ExtensionError("\n".join(f"{page} loads {', '.join(found)}" for page, found in outside.items()))


def setup(app) -> dict[str, bool]:
    """Register the check."""
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

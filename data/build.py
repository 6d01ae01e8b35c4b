"""Build the demonstration archives: ``python -m data.build [travel] [news] [--into FOLDER]``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from data.builder import nbest
from data.builder.archive import compress, tar
from data.builder.assemble import Built, build, files
from data.builder.recipes import RECIPES


def archives(name: str) -> dict[str, bytes]:
    """Return the uncompressed tars of a demonstration by the name of the file: its experiment, its n-best lists."""
    built = build(RECIPES[name])
    return {name: tar(name, files(built)), f"{name}-nbest": tar(f"{name}-nbest", _lists(built))}


def _lists(built: Built) -> Iterator[tuple[str, str]]:
    """Yield the n-best lists of the sets that the optimizer lab shows."""
    sets = built.recipe.lists_shipped
    references = {name: text for name, text in built.references.items() if name in sets}
    return nbest.files(built.lists, references)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the archives asked for, all by default."""
    parser = argparse.ArgumentParser(prog="python -m data.build", description="Build the demonstration archives.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(RECIPES)}; all when none is given")
    parser.add_argument("--into", type=Path, default=Path(__file__).parent, help="folder to write to")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(RECIPES))
    if unknown:
        parser.error(f"no demonstration {unknown[0]!r}; there are: {', '.join(RECIPES)}")
    for name in options.names or RECIPES:
        for file, content in archives(name).items():
            path = options.into / f"{file}.tar.xz"
            path.write_bytes(compress(content))
            print(f"{path}: {path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()

"""Build the demonstration archives: ``python -m data.build [travel] [news] [--into FOLDER]``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from data.builder.archive import compress, tar
from data.builder.assemble import build, files
from data.builder.recipes import RECIPES


def archive(name: str) -> bytes:
    """Return the uncompressed tar of a demonstration."""
    return tar(name, files(build(RECIPES[name])))


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
        path = options.into / f"{name}.tar.xz"
        path.write_bytes(compress(archive(name)))
        print(f"{path}: {path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()

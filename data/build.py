"""Build the demonstration archives: ``python -m data.build [travel] [news] [judged] [--into FOLDER]``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from data.builder.archive import compress, tar
from data.builder.assemble import build, files
from data.builder.judged import NAME as JUDGED
from data.builder.judged import judged_experiment, judgement_files
from data.builder.recipes import RECIPES

NAMES = (*RECIPES, JUDGED)


def archive(name: str) -> bytes:
    """Return the uncompressed tar of a demonstration."""
    if name == JUDGED:
        return tar(name, judged_experiment())
    built = build(RECIPES[name])
    return tar(name, [*files(built), *judgement_files(built, list(built.recipe.systems))])


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the archives asked for, all by default."""
    parser = argparse.ArgumentParser(prog="python -m data.build", description="Build the demonstration archives.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all when none is given")
    parser.add_argument("--into", type=Path, default=Path(__file__).parent, help="folder to write to")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - set(NAMES))
    if unknown:
        parser.error(f"no demonstration {unknown[0]!r}; there are: {', '.join(NAMES)}")
    for name in options.names or NAMES:
        path = options.into / f"{name}.tar.xz"
        path.write_bytes(compress(archive(name)))
        print(f"{path}: {path.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()

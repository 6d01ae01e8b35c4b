"""Build the demonstration archives: ``python -m data.build [travel] [news] [judged] [--into FOLDER]``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from data import first_screens, verdict_limits
from data.builder import nbest
from data.builder.archive import compress, tar
from data.builder.assemble import Built, build, files
from data.builder.judged import NAME as JUDGED
from data.builder.judged import judged_experiment, judgement_files
from data.builder.recipes import RECIPES

NAMES = (*RECIPES, JUDGED)


def archives(name: str) -> dict[str, bytes]:
    """Return the uncompressed tars of a demonstration by the name of the file: its experiment, its n-best lists."""
    if name == JUDGED:
        return {name: tar(name, judged_experiment())}
    built = build(RECIPES[name])
    experiment = [*files(built), *judgement_files(built, list(built.recipe.systems))]
    return {name: tar(name, experiment), f"{name}-nbest": tar(f"{name}-nbest", lists(built))}


def lists(built: Built) -> Iterator[tuple[str, str]]:
    """Yield the n-best lists of the sets that the optimizer lab shows."""
    sets = built.recipe.lists_shipped
    references = {name: text for name, text in built.references.items() if name in sets}
    return nbest.files(built.lists, references)


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
        for file, content in archives(name).items():
            path = options.into / f"{file}.tar.xz"
            path.write_bytes(compress(content))
            print(f"{path}: {path.stat().st_size / 1024:.0f} KiB")
    if options.into == Path(__file__).parent:
        first_screens.write()
        verdict_limits.write()


if __name__ == "__main__":
    main()

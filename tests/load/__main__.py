"""Several people at once on one server: ``python -m tests.load --people 20 --owners 5 --minutes 10``.

People look at the demonstrations; owners share an uploaded experiment of 60 replicas. All use the loopback, each
thinks five seconds between two actions, and the number of actions is bounded. What was measured is printed as Markdown.
``--trouble lost-worker`` kills one of two Dask workers half-way, ``--trouble full-disk`` fills the caches' file system.
``--kill`` instead uploads, kills the server in the middle of the next upload, and looks what is there afterwards.
Exit status 1 when anything went wrong.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.load import uploads
from tests.load.people import Answer, Crowd, Person
from tests.load.server import Server
from tests.load.trouble import Trouble, troubled

DEMONSTRATIONS = (("demo=news", ("words", "segmented")), ("demo=travel", ("phrase", "hierarchical")))


async def crowd(server: Server, options: argparse.Namespace, trouble: Trouble) -> tuple[Crowd, dict[str, float]]:
    """Let people come; return what they met, and the server's memory in MiB."""
    rng = random.Random(options.seed)
    link = await uploads.upload(server.host, uploads.experiment(options.replicas, options.segments)) \
        if options.owners else ""  # fmt: skip
    memory = {"before": server.megabytes()}
    met = Crowd(server.host, options.think, 0.0, options.most)
    people = [Person(met, f"visitor {i}", DEMONSTRATIONS[i % 2][0], frozenset(DEMONSTRATIONS[i % 2][1]),
                     random.Random(rng.random())) for i in range(options.people)]  # fmt: skip
    people += [Person(met, f"owner {i}", link, frozenset(uploads.SYSTEMS), random.Random(rng.random()))
               for i in range(options.owners)]  # fmt: skip
    watch = asyncio.create_task(_watch(server, memory))
    for round in range(1, options.rounds + 1):
        met.until = time.monotonic() + 60 * options.minutes
        strike = asyncio.create_task(_half_way(trouble, options)) if round == options.rounds else None
        await asyncio.gather(*(person.visit(rng.uniform(0, options.think)) for person in people))
        memory[f"at the end of round {round}"] = server.megabytes()
        if strike is not None:
            await strike
    watch.cancel()
    met.errors += await trouble.aftermath(server, link)
    await asyncio.sleep(options.rest)
    memory["after all have left"] = server.megabytes()
    return met, memory


async def _half_way(trouble: Trouble, options: argparse.Namespace) -> None:
    await asyncio.sleep(30 * options.minutes)
    await asyncio.to_thread(trouble.strike)


async def _watch(server: Server, memory: dict[str, float]) -> None:
    while True:
        memory["most"] = max(memory.get("most", 0.0), server.megabytes())
        await asyncio.sleep(1)


def rows(answers: Sequence[Answer]) -> list[str]:
    """Return the table of times, a row for each kind of action."""
    lines = ["| who, and what | answers | drawn, median | 95% | settled, median | 95% |",
             "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for who in ("visitor", "owner"):
        for title, is_warm in (("warm", True), ("cold", False)):
            chosen = [a for a in answers if a.who.startswith(who) and a.is_warm == is_warm and a.what != "first visit"]
            lines += [_row(f"{who}s, {title}", chosen)] if len(chosen) > 1 else []
        first = [a for a in answers if a.who.startswith(who) and a.what == "first visit"]
        lines += [_row(f"{who}s, first visit", first)] if len(first) > 1 else []
    return lines


def _row(title: str, answers: Sequence[Answer]) -> str:
    cells = []
    for times in ([a.drawn for a in answers], [a.settled for a in answers]):
        late = statistics.quantiles(times, n=20, method="inclusive")[-1]
        cells += [f"{statistics.median(times):.2f} s", f"{late:.2f} s"]
    return f"| {title} | {len(answers)} | " + " | ".join(cells) + " |"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__.split("\n\n")[0])
    parser.add_argument("--people", type=int, default=20, help="on the demonstrations")
    parser.add_argument("--owners", type=int, default=5, help="on an uploaded experiment")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=1, help="so many times, all people leaving in between")
    parser.add_argument("--think", type=float, default=5.0, help="seconds between two actions")
    parser.add_argument("--most", type=int, default=5000, help="actions altogether")
    parser.add_argument("--replicas", type=int, default=30, help="of each of the experiment's two systems")
    parser.add_argument("--segments", type=int, default=1000)
    parser.add_argument("--rest", type=float, default=150.0, help="seconds to wait when all have left")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="keep the server's log in this file")
    parser.add_argument("--trouble", choices=("none", "lost-worker", "full-disk"), default="none")
    parser.add_argument("--kill", action="store_true", help="kill the server in the middle of an upload")
    return parser.parse_args()


def main() -> int:
    """Run it; print what was measured."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        try:
            with troubled(options.trouble, Path(folder)) as (trouble, home):
                server = Server(home, options.log or Path(folder) / "log.txt", **trouble.variables).start()
                try:
                    return _run(server, options, trouble)
                finally:
                    server.stop()
        except PermissionError as error:
            print(f"Skipped: {error}.")
            return 0


def _run(server: Server, options: argparse.Namespace, trouble: Trouble) -> int:
    if options.kill:
        errors = asyncio.run(uploads.killed(server, options))
    else:
        busy = os.getloadavg()[0]
        met, memory = asyncio.run(crowd(server, options, trouble))
        errors = met.errors
        print(f"{options.people} people and {options.owners} owners for {options.minutes:g} minutes; processes "
              f"that wanted a core: {busy:.1f} before, {os.getloadavg()[0]:.1f} after.\n")  # fmt: skip
        print("\n".join(rows(met.answers)))
        print("\nMemory, MiB: " + ", ".join(f"{name} {size:.0f}" for name, size in memory.items()))
    print(f"Of its log: {server.complaints() or 'nothing'}; timers that came too late: {server.late_timers()}. "
          f"Errors: {len(errors)}")  # fmt: skip
    print("\n".join([*errors[:20], server.last_complaint()]), file=sys.stderr)
    return int(bool(errors) or bool(server.complaints()))


if __name__ == "__main__":
    raise SystemExit(main())

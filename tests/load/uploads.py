"""An experiment of 60 replicas as a browser uploads it, and what a killed server leaves of uploads."""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import time
import zipfile
from urllib.parse import parse_qs

import numpy as np

from tests.load.server import Server
from tests.load.session import Session

SYSTEMS = ("alder", "birch")
UPLOADER = "A zip or tar of a run folder, or its files"


def experiment(replicas: int, segments: int, seed: int = 1) -> bytes:
    """Return a ZIP of two systems of made text on two test sets; the second system has fewer words wrong."""
    rng = np.random.default_rng(seed)
    words = np.array(["".join(rng.choice(list("etaoinshrdlu"), size=rng.integers(2, 9))) for _ in range(800)])
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for test_set in ("test", "test-second"):
            lengths = rng.integers(5, 30, segments)
            right = [rng.integers(0, words.size, n) for n in lengths]
            archive.writestr(f"{test_set}/reference.txt", _text(words, right))
            for system, wrong in zip(SYSTEMS, (0.30, 0.28), strict=True):
                for replica in range(replicas):
                    luck = wrong + rng.normal(0, 0.01)
                    lines = [np.where(rng.random(line.size) < luck, rng.integers(0, words.size, line.size), line)
                             for line in right]  # fmt: skip
                    archive.writestr(f"{test_set}/systems/{system}/seed{replica}.txt", _text(words, lines))
    return file.getvalue()


def _text(words: np.ndarray, lines: list[np.ndarray]) -> str:
    return "".join(" ".join(words[line]) + "\n" for line in lines)


async def upload(host: str, data: bytes, name: str = "own.zip", seconds: float = 120) -> str:
    """Upload an experiment in a tab of its own; return the address that opens it again.

    Raises
    ------
    RuntimeError
        When it is not kept in time, or the server has gone; its note is all that the page says.
    """
    async with Session(host, "demo=news") as tab:
        await tab.open("data")
        await tab.settle(seconds)
        await tab.upload(UPLOADER, name, data)
        end = time.monotonic() + seconds
        while time.monotonic() < end and not tab.is_lost:
            if id := parse_qs(tab.address).get("experiment"):
                return f"experiment={id[0]}"
            await asyncio.sleep(0.1)
        problem = RuntimeError(f"not kept in {seconds:.0f} s: {tab.errors} {tab.text[-500:]}")
        problem.add_note(tab.text.replace("\u2060", ""))
        raise problem


async def not_open(host: str, link: str, replicas: int | None = None) -> list[str]:
    """Open an uploaded experiment again; return what is not as it was."""
    async with Session(host, link) as tab:
        await tab.open("data")
        if not await tab.settle(120) or set(tab.widgets["selectbox", "Baseline (A)"].options) != set(SYSTEMS):
            return [f"does not open: {tab.text[-300:]}"]
        if replicas is not None and f"{replicas} replicas" not in tab.text:
            return [f"is not whole: {tab.text[:300]}"]
        return []


async def killed(server: Server, options: argparse.Namespace) -> list[str]:
    """Upload, kill the server in the middle of the next upload, start it, and return what is not as it was."""
    rng, errors = random.Random(options.seed), []
    sizes = [(3 + k, 200 + k) for k in range(3)]
    links = [await upload(server.host, experiment(*size, seed=k)) for k, size in enumerate(sizes)]
    for round in range(4):
        late = asyncio.create_task(upload(server.host, experiment(30, 400, seed=100 + round)))
        await asyncio.sleep(rng.uniform(0.5, 4.0))
        server.kill()
        await asyncio.gather(late, return_exceptions=True)
        server.start()
        for k, link in enumerate(links):
            errors += [f"round {round}: upload {k} {problem}"
                       for problem in await not_open(server.host, link, 2 * sizes[k][0])]  # fmt: skip
        kept = (server.home / "workspace").glob("*.mtsig.zip")
        errors += [f"round {round}: {path.name} is half written" for path in kept if zipfile.ZipFile(path).testzip()]
        if not late.cancelled() and late.exception() is None and late.result() not in links:
            links.append(late.result())
            sizes.append((30, 400))
    print(f"{len(links)} uploads, the server killed 4 times in the middle of another.")
    return errors

"""What goes wrong on a server while people look: a worker that dies, a disk that is full."""

from __future__ import annotations

import contextlib
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from tests.load import uploads
from tests.load.server import MIB, Server
from tests.runtime.clusters import LocalCluster

DISK_MIB = 96


class Trouble(Protocol):
    """Comes when half of the time is over.

    Attributes
    ----------
    variables : dict of str to str
        The environment that the server needs.
    """

    variables: dict[str, str]

    def strike(self) -> None:
        """Let it happen."""

    async def aftermath(self, server: Server, link: str) -> list[str]:
        """Return what is not as it should be after it."""


class NoTrouble:
    """Nothing goes wrong."""

    variables: dict[str, str] = {}

    def strike(self) -> None:
        """Do nothing."""

    async def aftermath(self, server: Server, link: str) -> list[str]:
        """Find nothing."""
        return []


class LostWorker(NoTrouble):
    """One of two Dask workers is killed."""

    def __init__(self, cluster: LocalCluster) -> None:
        self._cluster = cluster
        self.variables = {"MTSIG_SCHEDULER": cluster.address}

    def strike(self) -> None:
        """Kill the first worker."""
        self._cluster.workers[0].kill()


class FullDisk(NoTrouble):
    """The file system of caches and uploads has no room left."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def strike(self) -> None:
        """Fill it to the last byte."""
        with (self._home / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(MIB))

    async def aftermath(self, server: Server, link: str) -> list[str]:
        """Upload while it is full, then make room, and look whether all uploads are whole."""
        errors = []
        try:
            await uploads.upload(server.host, uploads.experiment(3, 300, seed=7), seconds=30)
            errors.append("an upload was kept on a full disk")
        except RuntimeError as refusal:
            if "No space left" not in refusal.__notes__[0]:
                errors.append(f"a full disk is not named: {refusal.__notes__[0]}")
        (self._home / "filler").unlink()
        kept = (self._home / "workspace").glob("*.mtsig.zip")
        errors += [f"{path.name} is half written" for path in kept if zipfile.ZipFile(path).testzip()]
        return errors + await uploads.not_open(server.host, link)


@contextlib.contextmanager
def troubled(kind: str, folder: Path) -> Iterator[tuple[Trouble, Path]]:
    """Make the trouble possible; gives it, and the server's home.

    Raises
    ------
    PermissionError
        Without the right to mount a small file system.
    """
    home = folder / "home"
    home.mkdir()
    if kind == "lost-worker":
        cluster = LocalCluster(folder)
        try:
            yield LostWorker(cluster), home
        finally:
            cluster.stop()
    elif kind == "full-disk":
        with _small_disk(home):
            yield FullDisk(home), home
    else:
        yield NoTrouble(), home


@contextlib.contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        raise PermissionError("no right to mount a small file system")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=False)

"""A real Dask scheduler with worker processes of one thread each, on the loopback."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
QUIET = ("--host", "127.0.0.1", "--no-dashboard")


class LocalCluster:
    """Start a scheduler and workers; `stop` ends what is left of them.

    Parameters
    ----------
    folder : Path
        For what they say and keep.
    workers : int
    """

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.address = ""
        self.scheduler = self._start("scheduler", "--port", "0", *QUIET)
        self.address = self._said(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")
        self.workers = [self.start_worker() for _ in range(workers)]
        for worker in self.workers:
            self._said(worker, "(Registered to)")

    def start_worker(self, wait: bool = False) -> subprocess.Popen[bytes]:
        """Start a worker as the documents say, without the process that would start it again when it is killed."""
        made = self._start("worker", self.address, "--nthreads", "1", "--no-nanny", *QUIET)
        if wait:
            self._said(made, "(Registered to)")
        return made

    def stop(self) -> None:
        """End all processes."""
        for process in self.processes:
            process.kill()
            process.wait(PATIENCE)

    def _log(self, process: subprocess.Popen[bytes]) -> Path:
        return self.folder / f"{self.processes.index(process)}.log"

    def _start(self, *arguments: str) -> subprocess.Popen[bytes]:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, "-m", "dask", *arguments]
        with (self.folder / f"{len(self.processes)}.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=self.folder, env=env, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def _said(self, process: subprocess.Popen[bytes], pattern: str) -> str:
        """Wait until a process has written something; return what it is."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and process.poll() is None:
            found = re.search(pattern, self._log(process).read_text())
            if found:
                return found[1]
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"no {pattern!r} from {process.args}: {self._log(process).read_text()[-2000:]}")

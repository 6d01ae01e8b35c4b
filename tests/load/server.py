"""The app as a process of its own, and what it takes of the machine."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MIB = 1024 * 1024


class Server:
    """The app on the loopback, for several people, with a home of its own."""

    def __init__(self, home: Path, log: Path, **variables: str):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.home, self.log = home, log
        self._variables = {"MTSIG_HOME": str(home), "MTSIG_SHARED": "1"} | variables
        self._process: subprocess.Popen | None = None

    def start(self, seconds: float = 60) -> Server:
        """Start it and wait until it answers.

        Raises
        ------
        RuntimeError
            When it ends, or does not answer in time.
        """
        command = [
            sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={self.port}", "--server.headless=true",
            "--server.address=127.0.0.1", "--server.enableXsrfProtection=false", "--logger.enableRich=false",
        ]  # fmt: skip
        with self.log.open("a") as sink:
            self._process = subprocess.Popen(command, cwd=ROOT, stdout=sink, stderr=subprocess.STDOUT,
                                             env=os.environ | self._variables)  # fmt: skip
        end = time.monotonic() + seconds
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://{self.host}/_stcore/health", timeout=1) as reply:
                    if reply.read() == b"ok":
                        return self
            except OSError:
                time.sleep(0.1)
        self.kill()
        raise RuntimeError(f"the server did not answer:\n{self.log.read_text()}")

    def kill(self) -> None:
        """End it at once, as a machine does that runs out of memory."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it as its owner does."""
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self.kill()

    def megabytes(self) -> float:
        """Return the resident memory of the process."""
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024 / MIB
        return 0.0

    def last_complaint(self, lines: int = 60) -> str:
        """Return the end of its log after the last traceback, or nothing."""
        parts = self.log.read_text().rpartition("Traceback")
        return "\n".join("".join(parts[1:]).splitlines()[:lines]) if parts[1] else ""

    def late_timers(self) -> int:
        """Return how often a browser's timer came for a part of a page that was gone; a few are no harm."""
        return self.log.read_text().count("does not exist anymore")

    def complaints(self) -> dict[str, int]:
        """Return how often its log speaks of what should not be."""
        text = self.log.read_text()
        words = ("Traceback", "WARNING", "ERROR", "Error")
        return {word: text.count(word) for word in words if word in text}

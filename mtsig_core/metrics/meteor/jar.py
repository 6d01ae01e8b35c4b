"""METEOR 1.5's own program, a Java archive, kept running and asked over its standard input and output."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import numpy as np

JAR_SETTING = "MTSIG_METEOR_JAR"
JAR_NAME = "meteor-1.5.jar"
#: Numbers that the program prints for a segment.
N_RAW = 23
# It holds a gigabyte of paraphrases in memory, so it is ended when nothing was asked for this long.
IDLE_SECONDS = 120.0
_HEAP = "-Xmx2G"
_SEPARATOR = " ||| "
_REMEDY = (
    "install Java (Debian: apt-get install default-jre-headless) and the jar (pip install pycocoevalcap, or set "
    f"{JAR_SETTING} to the path of {JAR_NAME})"
)


def find_jar() -> Path | None:
    """Return the jar that ``MTSIG_METEOR_JAR`` names, else the one in the package pycocoevalcap; None if absent."""
    setting = os.environ.get(JAR_SETTING)
    if setting:
        return Path(setting) if Path(setting).is_file() else None
    package = find_spec("pycocoevalcap")
    places = (package.submodule_search_locations or []) if package else []
    jars = (Path(place) / "meteor" / JAR_NAME for place in places)
    return next((jar for jar in jars if jar.is_file()), None)


def missing_programs() -> str:
    """Return why METEOR 1.5 cannot be used here, with the remedy; empty when it can."""
    missing = [] if shutil.which("java") else ["java"]
    if find_jar() is None:
        setting = os.environ.get(JAR_SETTING)
        missing.append(f"the file {setting} that {JAR_SETTING} names" if setting else JAR_NAME)
    return f"METEOR 1.5 needs {' and '.join(missing)}, not found here: {_REMEDY}." if missing else ""


class JarScorer:
    """One running program for English; safe between threads, which take turns.

    Parameters
    ----------
    normalise : bool
        Let the program tokenize and lowercase; else it only lowercases.
    """

    def __init__(self, normalise: bool) -> None:
        self._arguments = ("-l", "en", "-norm" if normalise else "-lower")
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._idle: threading.Timer | None = None

    def statistics(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> np.ndarray:
        """Return the program's statistics of each segment, shape (N, 23).

        Raises
        ------
        ValueError
            When the program ends or answers something else.
        """
        lines = ["SCORE" + _SEPARATOR + _SEPARATOR.join(map(_line, [*r, h])) for h, r in zip(
            hypotheses, references, strict=True)]  # fmt: skip
        rows = [line.split() for line in self._ask(lines, len(lines))]
        if any(len(row) != N_RAW for row in rows):
            raise ValueError(f"METEOR 1.5 answered {next(' '.join(r) for r in rows if len(r) != N_RAW)!r}.")
        return np.array(rows, dtype=float).reshape(len(rows), N_RAW)

    def evaluate(self, statistics: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the program's own scores of segments, shape (N,), and of all together.

        Parameters
        ----------
        statistics : ndarray of shape (N, 23)
            As `statistics` returns them.
        """
        rows = (" ".join(str(value) for value in row) for row in statistics)
        answers = self._ask(["EVAL" + _SEPARATOR + _SEPARATOR.join(rows)], len(statistics) + 1)
        return np.array(answers[:-1], dtype=float), float(answers[-1])

    def close(self) -> None:
        """End the program, if it runs."""
        with self._lock:
            self._end()

    def _ask(self, lines: Sequence[str], n_answers: int) -> list[str]:
        """Write lines and read answers; written by another thread, since both pipes may fill up."""
        with self._lock:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            writer = threading.Thread(target=_write, args=(process.stdin, lines), daemon=True)
            writer.start()
            answers = [process.stdout.readline() for _ in range(n_answers)]
            writer.join()
            if not all(answers):
                self._end()
                raise ValueError(
                    "METEOR 1.5 ended without an answer; check that Java can run it (java -jar METEOR-JAR), or that 2 "
                    "GB of memory are free."
                )
            self._wait_for_more()
            return answers

    def _running(self) -> subprocess.Popen[str]:
        if self._idle:
            self._idle.cancel()
        if self._process is None or self._process.poll() is not None:
            problem = missing_programs()
            jar = find_jar()
            if problem or jar is None:
                raise ValueError(problem)
            self._end()
            self._process = subprocess.Popen(
                ["java", _HEAP, "-jar", str(jar.resolve()), "-", "-", "-stdio", *self._arguments],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
                errors="replace",
            )  # fmt: skip
        return self._process

    def _wait_for_more(self) -> None:
        self._idle = threading.Timer(IDLE_SECONDS, self.close)
        self._idle.daemon = True
        self._idle.start()

    def _end(self) -> None:
        if self._idle:
            self._idle.cancel()
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what was not sent yet has nobody to go to
                    pipe.close()
        process.wait()


def _write(pipe: IO[str], lines: Sequence[str]) -> None:
    try:
        for line in lines:
            pipe.write(line + "\n")
        pipe.flush()
    except (OSError, ValueError):  # it ended: reading says so
        return


def _line(text: str) -> str:
    """Return a text without line ends and without what separates texts."""
    return " ".join(text.replace("|||", " ").split())

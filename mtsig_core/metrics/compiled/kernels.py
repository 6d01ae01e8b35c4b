"""Kernels that become ready in the background, so that nobody ever waits for a compiler.

A module of kernels compiles when it is imported, or loads what an earlier process compiled. Compiling takes
many seconds, in which it would keep every other thread of this process waiting again and again; so another
process of low priority compiles into the cache on disk, and this one loads the result, which takes a second.

The cache is where numba keeps it: ``NUMBA_CACHE_DIR`` if set, else ``__pycache__`` beside the kernels if that
can be written to, else ``compiled`` in the folder of all caches. Without any folder that can be written to,
or without numba, kernels never become ready. ``python -m mtsig_core.resampling.compiled`` fills the cache ahead,
as for an image of a container.
"""

from __future__ import annotations

import atexit
import hashlib
import importlib
import os
import subprocess
import sys
import threading
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from mtsig_core.runtime.optional import optional_hint
from mtsig_core.storage.home import home

State = Literal["idle", "coming", "ready", "failed"]
COMPILE_SECONDS = 600
LOAD_SECONDS = 1.0  # that loading from disk takes, with numba
_STEP = 0.02
COMMAND = ("-m", "mtsig_core.metrics.compiled")
_ROOT = Path(__file__).resolve().parents[3]
# One at a time: those asked for first should be ready first.
_one_compiler = threading.Lock()


class Kernels:
    """A module of compiled functions that is imported in the background.

    Parameters
    ----------
    module : str
        Its full name.

    Attributes
    ----------
    problem : str
        Why the kernels will not become ready; empty as long as they may.
    compiling : bool
        Whether another process is compiling them.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self.problem = ""
        self.compiling = False
        self._loaded: ModuleType | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._importing = threading.Lock()
        self._closing = False
        self._followers: list[Kernels] = []

    @property
    def state(self) -> State:
        """Return idle (nobody asked for them), coming, ready or failed."""
        if self._loaded is not None:
            return "ready"
        if self.problem:
            return "failed"
        return "idle" if self._thread is None else "coming"

    @property
    def loaded(self) -> ModuleType | None:
        """The module once it is ready, else None; never waits."""
        return self._loaded

    def then(self, follower: Kernels) -> None:
        """Register kernels of a higher layer that are wanted soon after these; see `start_followers`."""
        self._followers.append(follower)

    def start_followers(self) -> None:
        """Start the registered followers: loading them takes no time once numba is loaded."""
        for follower in self._followers:
            follower.start()

    def start(self) -> State:
        """Begin to make the kernels ready, unless that was begun before; return the state."""
        with self._lock:
            if self._thread is None and self.state == "idle":
                if hint := optional_hint("numba"):
                    self.problem = hint
                else:
                    self._thread = threading.Thread(target=self._run, name="mtsig-kernels", daemon=True)
                    self._thread.start()
                    atexit.register(self._close)
        return self.state

    def wait(self, seconds: float | None = None) -> ModuleType | None:
        """Start, and wait until the kernels are ready or have failed, at most so long; return the module or None."""
        self.start()
        if self._thread is not None:
            self._thread.join(seconds)
        return self._loaded

    def wait_while_loading(self, seconds: float = LOAD_SECONDS) -> State:
        """Start, and wait at most so long for kernels on disk, but never for a compiler; return the state.

        For work that takes longer without them: done meanwhile, it would slow down their loading.
        """
        self.start()
        end = time.monotonic() + seconds
        while self._thread is not None and self.state == "coming" and not self.compiling and time.monotonic() < end:
            self._thread.join(_STEP)
        return self.state

    def compile_here(self) -> None:
        """Compile in this process and record on disk that it was done."""
        try:
            folder = _prepare_cache()
            self._loaded = importlib.import_module(self.module)
            self._marker(folder).touch()
        except Exception as error:
            self.problem = f"{self.module} cannot be compiled: {error}"

    def _run(self) -> None:
        try:
            folder = _prepare_cache()
            if not self._marker(folder).exists():
                self.compiling = True
                with _one_compiler:
                    self._compile_elsewhere()
                self.compiling = False
            with self._importing:
                if not self._closing:
                    self._loaded = importlib.import_module(self.module)
        except Exception as error:  # whatever it is, sacrebleu computes instead
            self.problem = f"{self.module} is not compiled: {error}"

    def _compile_elsewhere(self) -> None:
        path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
        command = [sys.executable, *COMMAND, self.module]
        completed = subprocess.run(
            command,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=COMPILE_SECONDS,
            start_new_session=True,  # it goes on, for the next process, when this one ends or is interrupted
        )
        if completed.returncode:
            lines = completed.stderr.strip().splitlines() or ["the compiler failed"]
            raise OSError(lines[-1])

    def _marker(self, folder: Path) -> Path:
        """Return the file that says that these kernels, from this source, are in the cache for this processor."""
        processor: Any = importlib.import_module("llvmlite.binding")
        spec = find_spec(self.module)
        source = Path(str(spec.origin if spec else "")).stat()
        parts = [
            self.module,
            f"{source.st_mtime_ns} {source.st_size}",
            sys.version,
            version("numba"),
            processor.get_host_cpu_name(),
            processor.get_host_cpu_features().flatten(),
        ]
        return folder / f"mtsig-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:20]}.compiled"

    def _close(self) -> None:
        """Let an import under way end before the interpreter does: native code would outlive it."""
        self._closing = True
        with self._importing:
            pass


def _prepare_cache() -> Path:
    """Set the folder in which numba caches compiled kernels; return it.

    Raises
    ------
    OSError
        When there is no folder that can be written to.
    """
    config: Any = importlib.import_module("numba").config
    if not config.CACHE_DIR:
        beside = Path(__file__).parent / "__pycache__"
        if _writable(beside):
            return beside
        config.CACHE_DIR = str(home() / "compiled")
    folder = Path(config.CACHE_DIR)
    if not _writable(folder):
        raise OSError(f"{folder} cannot be written to; set NUMBA_CACHE_DIR to a folder that can")
    return folder


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

REALDATA = Path(__file__).resolve().parents[3] / "shared" / "realdata"
Files = dict[str, bytes]


@pytest.fixture(scope="session")
def realdata() -> Path:
    if not REALDATA.is_dir():
        pytest.skip("no folder of real data")
    return REALDATA


def _text(*words: str, n: int = 12) -> bytes:
    return "".join(f"{' '.join(words)} number{i} of{i * i}\n" for i in range(n)).encode()


@pytest.fixture
def text() -> Callable[..., bytes]:
    """Bytes of n distinct lines that hold the given words."""
    return _text


@pytest.fixture
def files() -> Files:
    """Two systems with two replicas and one reference, plain layout."""
    return {
        "systems/alpha/seed1.txt": _text("a", "red"),
        "systems/alpha/seed2.txt": _text("a", "blue"),
        "systems/beta/seed1.txt": _text("the", "red"),
        "systems/beta/seed2.txt": _text("the", "blue"),
        "refs/ref0.txt": _text("one", "red"),
    }


def _zip(files: Files) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return stream.getvalue()


@pytest.fixture
def make_zip() -> Callable[[Files], bytes]:
    return _zip


def _tar(files: Files, mode: str = "w:gz", links: dict[str, str] | None = None) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        for path, content in files.items():
            info = tarfile.TarInfo(path)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
        for path, target in (links or {}).items():
            info = tarfile.TarInfo(path)
            info.type = tarfile.SYMTYPE
            info.linkname = target
            archive.addfile(info)
    return stream.getvalue()


@pytest.fixture
def make_tar() -> Callable[..., bytes]:
    return _tar


def _write(folder: Path, files: Files) -> Path:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


@pytest.fixture
def write() -> Callable[[Path, Files], Path]:
    return _write

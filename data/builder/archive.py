"""Archives that depend on their content alone: no clock, owner or file system shows in them."""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterable


def tar(folder: str, files: Iterable[tuple[str, str]]) -> bytes:
    """Return an uncompressed archive of (path, text) below one folder, in the order given."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, text in files:
            data = text.encode("utf-8")
            info = tarfile.TarInfo(f"{folder}/{path}")
            info.size, info.mtime, info.mode = len(data), 0, 0o644
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def compress(data: bytes) -> bytes:
    """Return data as .xz: replicas repeat each other, so the dictionary must span the whole archive."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": 1 << 25, "nice_len": 273}]
    return lzma.compress(data, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC64, filters=filters)

"""Small texts by key in a folder below the cache's home: the oldest give way to new ones."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from mtsig_core.storage.home import home


@dataclass(frozen=True)
class SmallTexts:
    """Texts of one kind.

    Parameters
    ----------
    kind : str
        Name of the folder.
    most : int
        Texts that are kept.
    """

    kind: str
    most: int = 500

    def any(self) -> bool:
        """Say whether there is any text."""
        try:
            return next((home() / self.kind).iterdir(), None) is not None
        except OSError:
            return False

    def get(self, key: str) -> str:
        """Return a text; "" where there is none."""
        try:
            return self._path(key).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def put(self, key: str, text: str) -> None:
        """Keep a text; "" removes it. A folder that cannot be written keeps nothing."""
        path = self._path(key)
        try:
            if not text:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
                file.write(text)
            os.replace(file.name, path)
            files = sorted(path.parent.iterdir(), key=lambda each: each.stat().st_mtime)
            for each in files[: -self.most]:
                each.unlink(missing_ok=True)
        except OSError:
            return

    def _path(self, key: str) -> Path:
        if not re.fullmatch(r"[\w-]+", key):
            raise ValueError(f"The key {key!r} is no file name.")
        return home() / self.kind / key

"""The folder of every cache: ``MTSIG_HOME``, else the platform's user cache folder."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path


def home() -> Path:
    """Return the folder for files that mtsig can compute again (not created here)."""
    chosen = os.environ.get("MTSIG_HOME")
    return Path(os.path.expanduser(chosen)) if chosen else user_cache_path("mtsig", appauthor=False)

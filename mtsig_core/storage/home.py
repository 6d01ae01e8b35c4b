"""What the environment says: the folder of every cache, and the experiment that the app shows first."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

#: Environment variable with the id of what the app shows first; `mtsig app PATH` sets it.
OPEN_AT_START = "MTSIG_EXPERIMENT"


def home() -> Path:
    """Return the folder of every cache (not created here): ``MTSIG_HOME``, else the platform's user cache folder."""
    chosen = os.environ.get("MTSIG_HOME")
    return Path(os.path.expanduser(chosen)) if chosen else user_cache_path("mtsig", appauthor=False)

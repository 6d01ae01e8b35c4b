"""What every question takes besides its subject: settings, as one object or by name, and a progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypedDict, cast

from mtsig_core.resampling import Settings
from mtsig_core.runtime.jobs import Progress, no_progress

SETTING_NAMES = tuple(field.name for field in fields(Settings))


class Options(TypedDict, total=False):
    """Keywords of every question.

    Parameters
    ----------
    settings : Settings
        Takes the place of the workbench's settings.
    progress : Progress
        Called with the fraction done and what is being done; what it raises stops the computation.
    n_bootstrap, n_permutations, alpha, seed, paired, assume_equal_variation
        Each changes one of the `Settings`.
    """

    settings: Settings
    progress: Progress
    n_bootstrap: int
    n_permutations: int
    alpha: float
    seed: int
    paired: bool
    assume_equal_variation: bool


def resolved(options: Options, default: Settings) -> tuple[Settings, Progress]:
    """Return the settings and the progress that the keywords of a question ask for.

    Raises
    ------
    TypeError
        For a keyword that is none of these.
    ValueError
        When a setting is out of its range.
    """
    given = dict(cast(Mapping[str, Any], options))
    settings = given.pop("settings", None) or default
    progress = given.pop("progress", None) or no_progress
    unknown = sorted(set(given) - set(SETTING_NAMES))
    if unknown:
        names = ", ".join(("settings", "progress", *SETTING_NAMES))
        raise TypeError(f"Unknown keyword {unknown[0]!r}; the keywords of every question are {names}.")
    return (replace(settings, **given) if given else settings), progress

"""The demonstration experiments that come with mtsig."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Demonstration:
    """A stored experiment.

    Parameters
    ----------
    name : str
        What people type on the command line.
    path : Path
        Its archive, in the native layout.
    title : str
    description : str
        One sentence.
    nbest : Path, optional
        The archive of its n-best lists; a demonstration that nothing was tuned for has none.
    """

    name: str
    path: Path
    title: str
    description: str
    nbest: Path | None = None


#: The demonstration that has the most of human judgements.
JUDGED = "judged"

_HERE = Path(__file__).parent
#: What the app's first screen says of the demonstrations, computed ahead.
FIRST_SCREENS = _HERE / "first-screens.json"
#: In which cases the verdict itself errs too often, measured ahead.
VERDICT_LIMITS = _HERE / "verdict-limits.json"
#: The demonstration that is open at first.
DEFAULT_DEMONSTRATION = "travel"

DEMONSTRATIONS: Mapping[str, Demonstration] = {
    demonstration.name: demonstration
    for demonstration in (
        Demonstration(
            "travel",
            _HERE / "travel.tar.xz",
            "Travel phrasebook: phrase-based against hierarchical",
            "About one point on a small test set: two systems, 100 replicas each, synthetic text.",
            _HERE / "travel-nbest.tar.xz",
        ),
        Demonstration(
            "news",
            _HERE / "news.tar.xz",
            "Local news: whole words against segmented words",
            "A small difference, often missed with one replica: two systems, 50 replicas each, synthetic text.",
            _HERE / "news-nbest.tar.xz",
        ),
        Demonstration(
            JUDGED,
            _HERE / "judged.tar.xz",
            "Local news: eight systems and simulated judgements",
            "What people would say: eight systems, four replicas each, synthetic text, and simulated judgements by "
            "annotators of different scales, one of them careless.",
        ),
    )
}

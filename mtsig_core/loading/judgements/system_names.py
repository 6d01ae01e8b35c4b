"""Names of judged systems -> names of the systems whose outputs are there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pandas as pd

#: Campaigns that stand before a name, as in "wmt23.AIRC".
_CAMPAIGN = re.compile(r"^(?:wmt|newstest|generaltest|iwslt)[-_]?\d{2,4}[._-]", re.IGNORECASE)
#: WMT's file names, as in "generaltest2022.en-liv.hyp.TartuNLP.liv.txt" and "newstest2021.en-de.hyp.Nemo.de".
_FILE = re.compile(
    r"^[^.]+\.[a-z]{2,3}-[a-z]{2,3}\.(?:hyp|ref|src)\.(?P<name>.+?)(?:\.[a-z]{2,3})?(?:\.txt)?$", re.IGNORECASE
)
#: Numbers of submissions that stand behind a name, as in "TartuNLP.1" and "eTranslation.737".
_SUBMISSION = re.compile(r"[._-]\d+$")
_ENDING = re.compile(r"\.(?:txt|hyp|out)$", re.IGNORECASE)


@dataclass(frozen=True)
class SystemMatch:
    """Which judged system is which system of the outputs.

    Attributes
    ----------
    names : mapping of judged name to output name
        Those that match.
    unmatched : tuple of str
        Judged systems without outputs.
    not_judged : tuple of str
        Systems with outputs that nobody judged.
    changed : mapping of judged name to output name
        Matches between names that are not spelled alike, for people to check.
    """

    names: dict[str, str]
    unmatched: tuple[str, ...]
    not_judged: tuple[str, ...]

    @property
    def changed(self) -> dict[str, str]:
        """Return the matches between names that are not spelled alike."""
        return {judged: name for judged, name in self.names.items() if judged != name}

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system: judged as, name of the outputs, what was matched."""
        rows: list[tuple[str | None, str | None, str]] = [
            (judged, name, "same name" if judged == name else "matched") for judged, name in self.names.items()
        ]
        rows += [(judged, None, "judged, but without outputs") for judged in self.unmatched]
        rows += [(None, name, "not judged") for name in self.not_judged]
        return pd.DataFrame(rows, columns=["judged as", "outputs", "match"])


def match_systems(judged: Iterable[str], outputs: Iterable[str]) -> SystemMatch:
    """Match the names of judged systems with those of systems whose outputs are there.

    The same name first; then names that are equal without the campaign before it, the number of the submission behind
    it, the parts of WMT's file names, case and punctuation. A simplified name that fits several systems matches none.

    Parameters
    ----------
    judged, outputs : iterable of str
    """
    judged, outputs = list(dict.fromkeys(judged)), list(dict.fromkeys(outputs))
    names = {name: name for name in judged if name in set(outputs)}
    for level in range(4):
        by_form: dict[str, set[str]] = {}
        for name in outputs:
            by_form.setdefault(_forms(name)[level], set()).add(name)
        open_names = [name for name in judged if name not in names]
        taken = set(names.values())
        wanted: dict[str, list[str]] = {}
        for name in open_names:
            fits = by_form.get(_forms(name)[level], set()) - taken
            if len(fits) == 1:
                wanted.setdefault(next(iter(fits)), []).append(name)
        names |= {own[0]: target for target, own in wanted.items() if len(own) == 1}
    unmatched = tuple(name for name in judged if name not in names)
    ordered = {name: names[name] for name in judged if name in names}
    return SystemMatch(ordered, unmatched, tuple(name for name in outputs if name not in set(names.values())))


def _forms(name: str) -> list[str]:
    """Return ever simpler forms of a name, four of them."""
    return list(_simplified(name))


def _simplified(name: str) -> Iterator[str]:
    match = _FILE.match(name)
    plain = _CAMPAIGN.sub("", _ENDING.sub("", match["name"] if match else name))
    yield plain
    yield plain.casefold()
    plain = re.sub(r"[\W_]+", "", _SUBMISSION.sub("", plain).casefold())
    yield _loose(_CAMPAIGN.sub("", name))
    yield plain


def _loose(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def plain_system_names(judged: Iterable[str]) -> dict[str, str]:
    """Return names without the campaign and parts of file names; unchanged where two systems would share a name."""
    listed = list(dict.fromkeys(judged))
    short = {name: next(_simplified(name)) for name in listed}
    return short if len(set(short.values())) == len(listed) else {name: name for name in listed}

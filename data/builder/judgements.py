"""Simulated human judgements for a demonstration, as an export of Appraise: they are made up, not collected."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

#: Mean, spread and seconds per judgement of each careful annotator: from strict to lenient, narrow to wide.
_HABITS = ((45.0, 14.0, 24.0), (60.0, 24.0, 15.0), (74.0, 12.0, 19.0), (82.0, 9.0, 12.0), (66.0, 18.0, 31.0))
_CARELESS = "simulated-careless"
_START = 1_700_000_000.0


@dataclass(frozen=True)
class Campaign:
    """How a simulated campaign is run.

    Parameters
    ----------
    annotators : int
        Careful ones, 1 to 5, each with an own scale; one careless annotator is added.
    noise : float
        Standard deviation of a judgement about the quality, in standard deviations of quality.
    damaged : float
        Share of outputs of which a damaged copy is judged, too.
    repeated : float
        Share of outputs that their annotator judges again.
    seed : int
    """

    annotators: int = 4
    noise: float = 0.8
    damaged: float = 0.12
    repeated: float = 0.03
    seed: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.annotators <= len(_HABITS):
            raise ValueError(f"annotators must be 1 to {len(_HABITS)}; got {self.annotators}.")


@dataclass(frozen=True)
class _Judged:
    """One item of an annotator's task, in the order in which it is judged."""

    annotator: str
    system: str
    document: str
    segment: int
    kind: str
    score: int
    spans: list[dict[str, object]]
    seconds: float


def simulate_judgements(
    quality: Mapping[str, Sequence[float]], documents: Sequence[str], lengths: Mapping[str, Sequence[int]],
    languages: tuple[str, str], campaign: Campaign = Campaign(),
) -> str:  # fmt: skip
    """Return a campaign of direct assessment with error spans, as comma-separated lines that Appraise exports.

    Every output of a document is judged by one annotator, drawn at random. Its score follows the quality of the output
    on the annotator's own scale; a damaged copy is far worse to a careful annotator, and as good as any other output to
    the careless one. Segments are numbered within documents.

    Parameters
    ----------
    quality : mapping of system to a number for each segment, higher is better
    documents : sequence of str
        Document of each segment.
    lengths : mapping of system to the number of characters of each output
        For the places of marked errors.
    languages : tuple of (source, target)
    campaign : Campaign

    Raises
    ------
    ValueError
        When numbers of segments differ.
    """
    _check_lengths(quality, lengths, documents)
    rng = np.random.Generator(np.random.PCG64DXSM(campaign.seed))
    standard = _standardised(quality)
    people = [f"simulated-{k + 1}" for k in range(campaign.annotators)] + [_CARELESS]
    judged: list[_Judged] = []
    for document in dict.fromkeys(documents):
        places = [i for i, name in enumerate(documents) if name == document]
        for k, system in enumerate(quality):
            who = _draw_annotator(rng, campaign.annotators)
            common = [(people[who], system, document, i - places[0] + 1) for i in places]
            own = [each for i, one in zip(places, common, strict=True)
                   for each in _outputs(rng, one, who, standard[k, i], lengths[system][i], campaign)]  # fmt: skip
            # repeats come when the document is done, so that its segments stay in order
            judged += sorted(own, key=lambda each: each.kind == "CHK")
    return _export(judged, languages, people)


def _standardised(quality: Mapping[str, Sequence[float]]) -> np.ndarray:
    """Return quality with mean 0 and spread 1 over all outputs, shape (system, segment)."""
    values = np.array([quality[name] for name in quality], dtype=float)
    return (values - values.mean()) / (values.std() or 1.0)


def _draw_annotator(rng: np.random.Generator, careful: int) -> int:
    """Return a careful annotator or, last, the careless one, who did little before it was noticed."""
    shares = np.array([1.0] * careful + [0.4])
    return int(rng.choice(careful + 1, p=shares / shares.sum()))


def _check_lengths(
    quality: Mapping[str, Sequence[float]], lengths: Mapping[str, Sequence[int]], documents: Sequence[str]
) -> None:
    for name in quality:
        if not len(quality[name]) == len(lengths[name]) == len(documents):
            raise ValueError(f"{name}: give quality, length and document of every segment, {len(documents)} each.")


def _outputs(
    rng: np.random.Generator, common: tuple[str, str, str, int], who: int, quality: float, length: int,
    campaign: Campaign,
) -> list[_Judged]:  # fmt: skip
    """Return the judgement of one output, and those of its damaged copy and its repeat, where there are any."""
    kinds = ["TGT"]
    kinds += ["BAD"] if rng.random() < campaign.damaged else []
    kinds += ["CHK"] if rng.random() < campaign.repeated else []
    return [_judgement(rng, common, who, (quality, length), kind, campaign) for kind in kinds]


def _judgement(
    rng: np.random.Generator, common: tuple[str, str, str, int], who: int, output: tuple[float, int], kind: str,
    campaign: Campaign,
) -> _Judged:  # fmt: skip
    quality, length = output
    careless = common[0] == _CARELESS
    mean, spread, pace = (85.0, 8.0, 2.0) if careless else _HABITS[who]
    seen = rng.normal() if careless else quality + campaign.noise * rng.normal() - (3.0 if kind == "BAD" else 0.0)
    score = int(np.clip(round(mean + spread * seen), 0, 100))
    n_spans = 0 if careless else int(rng.poisson(max(0.05, 0.7 - 0.6 * seen)))
    spans = [_span(rng, length, seen) for _ in range(min(n_spans, 5))]
    return _Judged(*common, kind, score, spans, float(pace * rng.lognormal(sigma=0.4)))


def _span(rng: np.random.Generator, length: int, seen: float) -> dict[str, object]:
    start = int(rng.integers(0, max(1, length - 3)))
    end = min(length, start + int(rng.integers(3, 15)))
    severity = "major" if rng.random() < 1 / (1 + np.exp(1.5 + seen)) else "minor"
    return {"start_i": start, "end_i": end, "severity": severity, "error_type": None}


def _export(judged: Sequence[_Judged], languages: tuple[str, str], people: Sequence[str]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    clock = {name: _START + 86_400.0 * k for k, name in enumerate(people)}
    for each in judged:
        start = clock[each.annotator]
        clock[each.annotator] = end = start + each.seconds
        document = f"{each.document}#{each.system}" + ("#bad1" if each.kind == "BAD" else "")
        row = [each.annotator, each.system, each.segment, each.kind, *languages, each.score, document, "False"]
        writer.writerow([*row, json.dumps(each.spans), f"{start:.3f}", f"{end:.3f}"])
    return stream.getvalue()

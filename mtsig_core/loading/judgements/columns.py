"""What the columns of a table of human judgements mean, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mtsig_core.loading.report import LoadError, some
from mtsig_core.loading.scores.columns import NAMES, columns_of
from mtsig_core.loading.text.headings import check_distinct

_PAIR = ("lp", "language pair", "lang pair", "langpair")
#: Names of each role, the surest first; blanks, dots, hyphens and underscores are one.
ROLES: dict[str, tuple[str, ...]] = {
    "system": (*NAMES["system"], "sys id"),
    "segment": ("sid", "mr id", "global seg id", *(name for name in NAMES["segment"] if name != "task id")),
    "annotator": (
        "annotator", "annotator id", "annotator name", "rater", "rater id", "judge", "judge id", "worker", "worker id",
        "workerid", "evaluator", "evaluator id", "assessor", "assessor id", "participant", "participant id",
    ),
    "document": NAMES["document"],
    "item": ("item id", "item", "hit id", "hitid", "hit", "assignment id", "task id"),
    "type": ("type", "item type"),
    "dimension": ("dimension", "criterion", "aspect", "attribute", "input item"),
    "metric": NAMES["metric"],
    "replica": tuple(name for name in NAMES["replica"] if name != "repeat"),
    "test_set": (*(name for name in NAMES["test_set"] if name not in _PAIR), "data"),
    "pair": _PAIR,
    "source_language": ("input src", "source language", "srclang", "src lang"),
    "target_language": ("input trg", "target language", "trglang", "trg lang", "tgtlang", "tgt lang"),
    "higher_is_better": NAMES["higher_is_better"],
}  # fmt: skip
#: Names of the columns of each dimension.
VALUES: dict[str, tuple[str, ...]] = {
    "human": ("human", "human score"),
    "score": (
        "score", "rating", "raw score", "raw scr", "raw", "da", "da score", "direct assessment", "mean score",
        "average score", "value", "esa", "esa score", "sqm", "sqm score",
    ),
    "z": ("z", "z score", "zscore", "score z", "z scr", "z mean", "mean z"),
    "adequacy": ("adequacy", "adequacy score", "ad"),
    "fluency": ("fluency", "fluency score", "fl"),
    "quality": ("quality", "quality score"),
    "naturalness": ("naturalness", "naturalness score"),
    "informativeness": ("informativeness", "informativeness score"),
    "coherence": ("coherence", "coherence score"),
    "relevance": ("relevance", "relevance score"),
    "mqm": ("mqm", "mqm score", "mqm avg score", "avg mqm", "mqm avg", "mqm average", "mean mqm"),
    "errors": ("errors", "error count", "n errors", "number of errors"),
}  # fmt: skip
#: Dimensions that only people give, by their column's name.
_OF_PEOPLE = frozenset(VALUES) - {"score", "quality", "errors", "z"}


@dataclass(frozen=True)
class JudgementColumns:
    """Where everything stands in a heading.

    Parameters
    ----------
    header : tuple of str
    places : mapping of role to column number
    values : mapping of dimension to column number
    repeats_by_metric : bool
        Whether each row has the score of a metric, and a human score that the rows of other metrics repeat.
    """

    header: tuple[str, ...]
    places: dict[str, int]
    values: dict[str, int]
    repeats_by_metric: bool = False

    @property
    def is_of_people(self) -> bool:
        """Whether the heading alone says that people judged: annotators, or dimensions that only people give."""
        if "system" not in self.places or not self.values:
            return False
        return "annotator" in self.places or bool(self.values.keys() & _OF_PEOPLE) or {"score", "z"} <= set(self.values)

    @property
    def unused(self) -> list[str]:
        """The names of the columns without use."""
        used = {*self.places.values(), *self.values.values()}
        return [name for i, name in enumerate(self.header) if i not in used]

    @property
    def description(self) -> str:
        """What each column in use was read as."""
        roles = {**self.places, **self.values}
        return ", ".join(f"{role.replace('_', ' ')} = {self.header[place]!r}" for role, place in roles.items())


def columns_of_people(header: Sequence[str]) -> JudgementColumns:
    """Return what the columns of a heading mean, whether or not that is enough."""
    places = columns_of(header, ROLES).places
    values = columns_of(header, VALUES).places
    if places.get("item") == places.get("segment"):
        places.pop("item", None)
    by_metric = False
    if "human" in values:
        # beside it, a score is that of the metric in the row
        by_metric = "metric" in places
        values = {"score": values["human"]} | {k: v for k, v in values.items() if k not in ("human", "score")}
    elif "metric" in places:
        places.setdefault("dimension", places.pop("metric"))
    return JudgementColumns(tuple(header), places, values, by_metric)


def judgement_columns(header: Sequence[str], file: str) -> JudgementColumns:
    """Return what the columns of a table of judgements mean.

    Raises
    ------
    LoadError
        When there is no system or no value among them, or one name stands twice.
    """
    names = some([repr(name) for name in header], 12) or "empty"
    check_distinct(header, f"{file}, line 1", file)
    columns = columns_of_people(header)
    plain = {name.strip().casefold() for name in header}
    if not columns.values and {"severity", "category"} <= plain:
        raise LoadError(
            f"{file}, line 1: holds marked errors (columns 'category' and 'severity') and no scores; their weights "
            "differ between studies. Give the scores of the segments, with a column 'mqm'.",
            file,
        )
    if "system" not in columns.places:
        raise LoadError(
            f"{file}, line 1: the heading ({names}) names no column of systems. Call it 'system'; if there is no "
            "heading, add one: system, segment, annotator, score.",
            file,
        )
    if not columns.values:
        raise LoadError(
            f"{file}, line 1: the heading ({names}) names no column of judgements. Call it 'score', or 'adequacy', "
            "'fluency' or 'mqm'.",
            file,
        )
    if "dimension" in columns.places and not columns.values.keys() <= {"score", "z"}:
        own = columns.header[columns.places["dimension"]]
        raise LoadError(
            f"{file}, line 1: the column {own!r} names the dimension of each row, and so does the name of the column "
            f"{columns.header[next(v for k, v in columns.values.items() if k not in ('score', 'z'))]!r}. Keep one.",
            file,
        )
    return columns

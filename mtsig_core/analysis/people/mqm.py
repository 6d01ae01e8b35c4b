"""MQM: marked error spans as penalties, by category and severity, with weights as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import pandas as pd

from mtsig_core.analysis.people.items import item_names, item_scores
from mtsig_core.loading.judgements.frame import OF_OUTPUTS, Span
from mtsig_core.significance.scope import Result


@dataclass(frozen=True)
class Weights:
    """Penalties of errors.

    Parameters
    ----------
    severities : mapping of severity to float
        Lower case; a severity that is not listed is refused by `penalty`.
    exceptions : mapping of (category, severity) to float
        A category holds for everything below it; ``*`` stands for every severity. The longest category wins.
    """

    severities: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "critical": 5.0,
                "major": 5.0,
                "minor": 1.0,
                "neutral": 0.0,
                "no-error": 0.0,
                "no error": 0.0,
                "trivial": 0.0,
                "undecided": 0.0,
            }
        )
    )
    exceptions: Mapping[tuple[str, str], float] = field(
        default_factory=lambda: MappingProxyType({
            ("non-translation", "*"): 25.0, ("fluency/punctuation", "minor"): 0.1,
        })
    )  # fmt: skip

    def penalty(self, span: Span) -> float:
        """Return the penalty of one error, at least 0.

        Raises
        ------
        ValueError
            For a severity without a weight; the message names those that have one.
        """
        category, severity = _plain(span.category), _plain(span.severity)
        names = category.split("/")
        for depth in range(len(names), 0, -1):
            above = "/".join(names[:depth]).rstrip("!")
            for key in ((above, severity), (above, "*")):
                if key in self.exceptions:
                    return self.exceptions[key]
        if severity not in self.severities:
            weighted = ", ".join(self.severities)
            raise ValueError(f"No weight for the severity {span.severity!r}; there are weights for {weighted}.")
        return self.severities[severity]


#: Freitag et al. 2021, table 3; "critical" and "trivial", which other protocols have, as major and without penalty.
FREITAG_2021 = Weights()
#: The two severities of ESA and Appraise alone.
TWO_SEVERITIES = Weights(exceptions=MappingProxyType({}))
#: Weights that people choose from, by name.
WEIGHTS = MappingProxyType({"freitag-2021": FREITAG_2021, "major-minor": TWO_SEVERITIES})


def _plain(name: str) -> str:
    return " ".join(name.casefold().split())


@dataclass(frozen=True, eq=False)
class Penalties(Result):
    """Errors marked in each system.

    Attributes
    ----------
    weights : Weights
    frame : DataFrame
        The judgements with ``dimension`` mqm and ``score`` minus the sum of penalties: 0 is perfect, higher is better.
    errors : DataFrame
        One row per system, category and severity: number of errors, their number and their penalty per judged item.
    means : mapping of system to float
        Mean over items of the mean over judgements, the best first.
    """

    weights: Weights
    frame: pd.DataFrame
    errors: pd.DataFrame
    means: Mapping[str, float]

    def to_frame(self) -> pd.DataFrame:
        """Return one row per system, the best first: mean score and mean number of errors of each severity."""
        wide = self.errors.pivot_table(index="system", columns="severity", values="per item", aggfunc="sum")
        table = pd.DataFrame({"system": list(self.means), "mqm": list(self.means.values())})
        return table.join(wide, on="system").fillna(dict.fromkeys(wide.columns, 0.0))

    def by_category(self) -> pd.DataFrame:
        """Return one row per category, the costliest first: errors of all systems, and the penalty per item of each.

        Without rows where errors have no category, as in ESA.
        """
        if not self.errors["category"].map(bool).any():
            return pd.DataFrame(columns=["category", "errors", *self.means])
        wide = self.errors.pivot_table(index="category", columns="system", values="penalty per item", aggfunc="sum")
        wide = wide.reindex(columns=list(self.means)).fillna(0.0)
        counted = self.errors.groupby("category")["errors"].sum()
        table = pd.concat([counted, wide], axis=1)
        return table.loc[wide.mean(axis=1).sort_values(ascending=False, kind="stable").index].reset_index()


def mqm_penalties(frame: pd.DataFrame, weights: Weights = FREITAG_2021) -> Penalties:
    """Count marked spans as MQM penalties.

    A judgement's score is minus the sum of the penalties of its spans; an item's is the mean over its judgements, a
    system's the mean over items. Spans of ESA count in the same way.

    Parameters
    ----------
    frame : DataFrame
        Judgements; those of outputs whose protocol marks spans are used.
    weights : Weights

    Raises
    ------
    ValueError
        When no judgement has spans, or a severity has no weight.

    References
    ----------
    Freitag, Foster, Grangier, Ratnakar, Tan and Macherey 2021, "Experts, errors, and context", section 3.3.
    """
    chosen = frame[frame["item_type"].isin(OF_OUTPUTS) & frame["spans"].notna()]
    if chosen.empty:
        raise ValueError("No judgement marks error spans, so there are no penalties to count.")
    scores = [0.0 - sum(weights.penalty(span) for span in spans) for spans in chosen["spans"]]
    scored = chosen.assign(dimension="mqm", score=[score + 0.0 for score in scores])
    items = item_scores(scored, "mqm")
    errors = _errors(scored, weights, {name: len(items.of(name)) for name in items.systems})
    means = dict(zip(items.systems, items.means.tolist(), strict=True))
    return Penalties(weights, scored, errors, {name: means[name] for name in items.best_first})


def _errors(scored: pd.DataFrame, weights: Weights, n_items: Mapping[str, int]) -> pd.DataFrame:
    """Return one row per system, category and severity: errors, and errors and penalties per item."""
    rows = [
        (system, _plain(span.category), _plain(span.severity), weights.penalty(span), 1 / n)
        for system, spans, n in zip(scored["system"], scored["spans"], _judgements_per_item(scored), strict=True)
        for span in spans
    ]
    marked = pd.DataFrame(rows, columns=["system", "category", "severity", "penalty", "share"])
    marked["weighted"] = marked["penalty"] * marked["share"]
    groups = marked.groupby(["system", "category", "severity"], sort=True)
    errors = groups.agg(errors=("share", "size"), share=("share", "sum"), weighted=("weighted", "sum")).reset_index()
    per = errors["system"].map(n_items)
    errors = errors.assign(**{"per item": errors["share"] / per, "penalty per item": errors["weighted"] / per})
    return errors.drop(columns=["share", "weighted"])


def _judgements_per_item(scored: pd.DataFrame) -> pd.Series:
    """Return, for each judgement, how many its item has: each counts that part of one."""
    return scored.groupby([item_names(scored), scored["system"]])["score"].transform("size")

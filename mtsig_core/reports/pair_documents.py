"""Documents of all pairs, and of p against the number of replicas."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.replicas.p_by_n import ReplicatedP
from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.experiment import Experiment
from mtsig_core.reports.documents import Document, plain, settings_document
from mtsig_core.resampling import Settings


def pairs_document(
    found: Sequence[Pairwise], settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``pairs``: a row a pair, and the clusters of ranks of each test set and metric.

    Parameters
    ----------
    found : sequence of Pairwise
    settings : Settings
    experiment : Experiment
    notes : sequence of str
        What was left out.
    """
    return plain({
        "rows": [row for pairs in found for row in _rows(pairs)],
        "clusters": [_clusters(pairs) for pairs in found],
        "notes": notes,
        "settings": settings_document(settings, experiment),
    })


def _rows(pairs: Pairwise) -> list[Document]:
    names = ("a", "b", "difference", "better", "p", "p_holm", "p_bh", "smallest_p", "note")
    where = {"test_set": pairs.test_set, "metric": pairs.metric, "preset": pairs.preset}
    return [
        {
            **where, **{name: getattr(row, name) for name in names}, "better": row.better if pairs.is_quality else "",
            "overlap_ratio": row.overlap,
        }
        for row in pairs.rows
    ]


def _clusters(pairs: Pairwise) -> Document:
    return {
        "test_set": pairs.test_set,
        "metric": pairs.metric,
        "preset": pairs.preset,
        "question": pairs.question,
        "warning": pairs.warning,
        "clusters": pairs.clusters,
        "systems": [
            {"system": name, "replicas": pairs.replicas[name], "score": pairs.scores[name],
             "interval": None if (i := pairs.intervals[name]) is None else [i.low, i.high]}
            for name in pairs.systems
        ],
    }


def p_by_n_rows(test_set: str, metric: str, found: ReplicatedP) -> list[Document]:
    """Return the rows of ``p_by_n``: p of drawn experiments with n replicas, by what is swapped."""
    names = ("unit", "n", "low", "median", "high", "share", "wrong", "reason")
    where = {"test_set": test_set, "metric": metric, "draws": found.draws, "n_permutations": found.n_permutations}
    return [plain({**where, **{name: getattr(row, name) for name in names}}) for row in found.rows]

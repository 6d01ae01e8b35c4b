"""Documents of all pairs, and of p against the number of replicas."""

from __future__ import annotations

from collections.abc import Sequence

from mtsig_core.analysis.replicas.p_by_n import PByN
from mtsig_core.analysis.systems.pairwise import Pairwise
from mtsig_core.experiment import Experiment
from mtsig_core.reports.documents import Document, basis_document, plain, settings_document
from mtsig_core.resampling import Settings


def pairs_document(
    results: Sequence[Pairwise], settings: Settings, experiment: Experiment, notes: Sequence[str] = ()
) -> Document:
    """Return the document of ``pairs``: one row per pair, and the clusters of ranks of each test set and metric.

    Parameters
    ----------
    results : sequence of Pairwise
    settings : Settings
    experiment : Experiment
    notes : sequence of str
        What was left out.
    """
    return plain({
        "rows": [row for pairs in results for row in _rows(pairs)],
        "clusters": [_clusters(pairs) for pairs in results],
        "notes": notes,
        "settings": settings_document(settings, experiment),
    })


def _rows(pairs: Pairwise) -> list[Document]:
    names = ("a", "b", "difference", "better", "p", "p_holm", "p_bh", "smallest_p", "note")
    where = {"test_set": pairs.test_set, "metric": pairs.metric, "preset": pairs.preset.name}
    return [
        {
            **where, **{name: getattr(row, name) for name in names}, "better": row.better if pairs.is_quality else "",
            "overlap_ratio": row.overlap, "interval": row.interval,
            "basis": None if row.basis is None else basis_document(row.basis),
            **({} if pairs.margin is None else {
                "p_equivalent": row.p_equivalent, "p_equivalent_holm": row.p_equivalent_holm,
            }),
        }
        for row in pairs.rows
    ]


def _clusters(pairs: Pairwise) -> Document:
    return {
        "test_set": pairs.test_set,
        "metric": pairs.metric,
        "preset": pairs.preset.name,
        "question": pairs.preset.question,
        "warning": pairs.preset.warning,
        "clusters": pairs.clusters,
        **({} if pairs.margin is None else {"margin": pairs.margin, "equivalent": pairs.equivalents}),
        "systems": [
            {"system": name, "replicas": pairs.replicas[name], "score": pairs.scores[name],
             "interval": None if (i := pairs.intervals[name]) is None else [i.low, i.high]}
            for name in pairs.systems
        ],
    }


def p_by_n_rows(result: PByN) -> list[Document]:
    """Return the rows of ``p_by_n``: p of drawn experiments with n replicas, by the unit that is permuted."""
    names = ("unit", "n", "low", "median", "high", "share", "wrong", "reason")
    about = {
        "test_set": result.test_set, "metric": result.metric, "draws": result.design.draws,
        "n_permutations": result.n_permutations,
    }  # fmt: skip
    return [plain({**about, **{name: getattr(row, name) for name in names}}) for row in result.rows]

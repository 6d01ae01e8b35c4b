"""Clark et al. (2011), Table 2: p of single replicas, then of n replicas with its 95% band."""

from __future__ import annotations

import pandas as pd

from mtsig_core.analysis.replicas.lottery import Lottery
from mtsig_core.analysis.replicas.p_by_n import PByN
from mtsig_core.formatting import format_p, format_percent, rare_share
from mtsig_core.reports.documents import Document, plain

PERMUTED = {"segment": "segments as blocks", "hypothesis": "single outputs"}


def table2_frame(single: Lottery, several: PByN) -> pd.DataFrame:
    """Return all rows of Table 2, as text.

    Parameters
    ----------
    single : Lottery
        Its scenarios are the first rows: one replica of each system, chosen by quality.
    several : PByN
        Rows by the permuted unit and the number of replicas.
    """
    floor = 1 / (single.n_permutations + 1)
    rows = [
        (f"A {s.rank_a}, B {s.rank_b}", 1, PERMUTED["segment"], format_p(s.p, floor), "", "") for s in single.scenarios
    ]
    rows.append((
        "any pair of replicas", 1, PERMUTED["segment"], "", format_percent(single.significant),
        format_percent(single.wrong),
    ))
    floor = 1 / (several.n_permutations + 1)
    for row in several.rows:
        if row.low is None:
            continue
        ends = format_p(row.low, floor), format_p(row.high, floor)
        band = ends[0] if ends[0] == ends[1] else " to ".join(ends)
        rows.append(("drawn replicas", row.n, PERMUTED[row.unit], band, rare_share(row.share, several.design.draws),
                     rare_share(row.wrong, several.design.draws)))
    columns = ["experiment", "n", "permuted", "p (95% of draws)", f"p < {several.alpha:g}", "for the wrong side"]
    return pd.DataFrame(rows, columns=columns)


def table2_numbers(single: Lottery, several: PByN) -> pd.DataFrame:
    """Return all rows of Table 2, as numbers; nothing where a row has none."""
    block = PERMUTED["segment"]
    rows: list[tuple[str | int | float | None, ...]] = [
        (f"A {s.rank_a}, B {s.rank_b}", 1, block, s.p, None, None, None, None) for s in single.scenarios
    ]
    rows.append(("any pair of replicas", 1, block, None, None, None, single.significant, single.wrong))
    rows += [
        ("drawn replicas", row.n, PERMUTED[row.unit], None, row.low, row.high, row.share, row.wrong)
        for row in several.rows if row.low is not None
    ]
    columns = ["experiment", "n", "permuted", "p", "p, 2.5%", "p, 97.5%", f"share of p < {several.alpha:g}",
               "share for the wrong side"]
    return pd.DataFrame(rows, columns=columns)


def lottery_document(result: Lottery) -> Document:
    """Return the single-replica lottery: shares of significant pairs, and the worst, median and best choice."""
    names = ("rank_a", "rank_b", "replica_a", "replica_b", "score_a", "score_b", "difference", "p")
    return plain(
        {
            "test_set": result.test_set,
            "metric": result.metric,
            "pairs": result.p.size,
            "n_permutations": result.n_permutations,
            "significant": result.significant,
            "wrong": result.wrong,
            "scenarios": [{name: getattr(s, name) for name in names} for s in result.scenarios],
        }
    )

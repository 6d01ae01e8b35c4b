"""Tables that only a report has: what was loaded, and MultEval's table with s_sel, s_test and p."""

from __future__ import annotations

import pandas as pd

from mtsig_core.analysis.comparison import Comparison
from mtsig_core.analysis.replicas.variance import VarianceTable
from mtsig_core.experiment import Experiment
from mtsig_core.formatting import UNDEFINED, format_p
from mtsig_core.reports.paper.model import Table
from mtsig_core.reports.paper.results import Results
from mtsig_core.reports.tables import table1_best, table1_frame
from mtsig_core.significance.conventions import SETUP_NEW_TEXT

ONE_RUN = "ar-segment"  # what stands for the verdict's test where every system has one replica


def data_tables(experiment: Experiment) -> tuple[Table, Table]:
    """Return the test sets, and the replicas of every system on each."""
    sets = pd.DataFrame({
        "test set": [t.name for t in experiment.test_sets],
        "role": [t.role for t in experiment.test_sets],
        "segments": [t.n_segments if t.has_segments else None for t in experiment.test_sets],
        "references": [len(t.references) for t in experiment.test_sets],
        "documents": [None if t.documents is None else len(set(t.documents)) for t in experiment.test_sets],
    }).astype({"segments": object, "documents": object})
    systems = pd.DataFrame({
        "system": [s.name for s in experiment.systems],
        **{t.name: [len(s.present_on(t.name)) for s in experiment.systems] for t in experiment.test_sets},
    })
    return Table("test-sets", "Test sets", sets), Table("replicas", "Replicas of each system on each test set", systems)


def p_of(comparison: Comparison) -> tuple[float | None, str, str]:
    """Return the p of the verdict's test, that p as text, and the preset; with single replicas that of one run each."""
    if comparison.coherent is not None:
        p = comparison.coherent.p
        return p, format_p(p), "coherent-paired" if comparison.coherent.kind == "paired" else "coherent"
    test = comparison.test(ONE_RUN)
    if test is None:
        return None, UNDEFINED, ""
    return test.p, format_p(test.p, test.smallest_p, exact=test.exact), ONE_RUN


def multeval_table(table: VarianceTable, results: Results) -> Table:
    """Return average, s_sel, s_dev and s_test of every system, and p against the baseline, as MultEval prints them."""
    by_row = {(c.test_set, c.metric, c.b): p_of(c) for c in results.comparisons}
    groups = [by_row.get((row.test_set, row.metric, row.system), (None, UNDEFINED, "")) for row in table.rows]
    shown, numbers = table1_frame(table), table.to_frame()
    if by_row:
        shown["p"] = [text for _, text, _ in groups]
        numbers.insert(numbers.columns.get_loc("s_test") + 1, "p", [p for p, _, _ in groups])
    notes = [f"{UNDEFINED} in {columns}: {reason}." for reason, columns in table.reasons.items()]
    if by_row:
        notes.insert(0, _p_note(results, {preset for _, _, preset in groups}))
    return Table("table1", "Average, and variation by test set (s_sel) and by replica (s_dev, s_test)", shown,
                 numbers, table1_best(table), tuple(notes))


def _p_note(results: Results, presets: set[str]) -> str:
    single = "approximate randomization over segments (these outputs on new text)"
    if not presets & {"coherent", "coherent-paired"}:
        test = f"{single}: each system has one run"
    else:
        decided = (t for c in results.comparisons for t in c.tests if t.preset.form in ("coherent", "coherent-paired"))
        test = f"the coherent test ({next((t.preset.question for t in decided), SETUP_NEW_TEXT)})"
        test += f"; where both systems have one run, {single}" if ONE_RUN in presets else ""
    return f"p is against {results.request.baseline}, by {test}."

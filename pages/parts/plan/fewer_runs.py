"""Plan, What fewer runs would have shown: the difference, and the wrong winner, against the number of replicas."""

from __future__ import annotations

import streamlit as st

from mtsig_core.analysis.replicas.by_n import ByN
from mtsig_core.analysis.replicas.by_n_results import SMALL_POOL
from mtsig_core.figures.by_n import difference_band, difference_frequencies, wrong_sign
from mtsig_core.metrics import Metric
from mtsig_core.reports.tables import by_n_frame
from pages.parts import address, downloads, explanations
from pages.parts.background import answer
from pages.parts.text import literal
from pages.parts.view import View

OF_THE_POOL = "The figures draw from the replicas at hand instead, so their shares differ a little from this model's."


def draw(now: View, system: str, metric: Metric) -> None:
    """Draw the section."""
    pair = now.pair(metric, system)
    smallest = min(now.experiment.system(name).runs_on(now.test_set) for name in (now.baseline, system))
    replace = smallest < SMALL_POOL or st.toggle(  # small pools are not redrawn at all
        "Draw replicas with replacement", **address.switch("replace", "replace", usual=True),
        help="Off: each replica at most once in a draw, while n is smaller than the pool.",
    )
    result: ByN | None = answer(
        "by n", (*now.key, metric.key, replace),
        lambda progress, publish: pair.by_n(replace=bool(replace), settings=now.settings, progress=progress),
    )
    if result is None:
        return
    if result.note:
        st.markdown(f"**{literal(result.note)}**")
    if result.differences:
        st.caption(literal(result.model_note or OF_THE_POOL))
    _figures(now, result, metric.label)
    with st.expander("Numbers"):
        downloads.table(now, result.to_frame(), "by-n", shown=by_n_frame(result),
                        caption=f"Difference between {system} and {now.baseline} against the number of replicas, "
                                f"{metric.label} on {now.test_set}")


def _figures(now: View, result: ByN, label: str) -> None:
    frame = result.to_frame()
    shares = [name for name in frame if name.startswith("P(")]
    left, right = st.columns(2, gap="large")
    with left:
        explanations.heading("Differences you might have found", "frequency")
        downloads.figure(now, difference_frequencies(result, label=label), "difference-frequencies",
                         alt="Relative frequency of the difference, one curve per number of replicas")
    with right:
        explanations.heading("The middle 95%", "band")
        downloads.figure(now, difference_band(result, label=label), "difference-band", frame=frame.drop(columns=shares),
                         alt="Middle 95% of the difference against the number of replicas")
    explanations.heading("Probability of the wrong winner", "wrong")
    downloads.figure(now, wrong_sign(result), "wrong-sign", frame=frame[["replicas", *shares]],
                     alt="Probability of the wrong sign against the number of replicas")

"""The simulated arena: sliders for what varies, bars for how often each test rejects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mtsig_core.analysis.calibration.arena import DRAWS, TRIALS, AlarmTable, Arena, ArenaDesign, alarm_table, arena
from mtsig_core.figures.calibration import arena_bars
from mtsig_core.formatting import format_percent
from mtsig_core.reports.pairs.tables import TOO_OFTEN, alarm_frame
from mtsig_core.runtime.jobs import Progress, subprogress
from mtsig_core.significance.simulated import World
from mtsig_core.workbench import Pair
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.matrices import coloured
from pages.parts.text import keep_together, literal
from pages.parts.view import View

QUICK_TRIALS, QUICK_DRAWS = 200, 199
SEGMENTS = (50, 100, 200, 300, 500)
MOST_REPLICAS, MOST_EFFECT, MOST_STRENGTH, MOST_GAIN = 10, 5.0, 20.0, 5.0
_START = {"arena n": 3, "arena segments": 100, "arena effect": 1.0, "arena strength": 5.0, "arena gain": 0.0}
MOST_TABLES = 50
_TABLES: dict[tuple[int, float, int], AlarmTable] = {}


def table(now: View) -> None:
    """Show what each test answers, and how often it errs in four simulated worlds."""
    explanations.heading("How often each test rejects a true null hypothesis", "error-rates")
    asked = (_draws(now), now.settings.alpha, now.settings.seed)
    result: AlarmTable | None = answer("alarm table", (now.experiment.digest, *asked),
                                      lambda progress, publish: _table(asked, progress, publish))
    if result is None:
        return
    alpha, first = now.settings.alpha, result.arenas[0][1]
    trials = first.design.trials
    st.caption(keep_together(
        f"Share of {trials:,} simulated experiments that each test calls significant at level {alpha:g} although "
        f"the training setups do not differ: {first.world.n} replicas of each system, {first.world.segments} segments. "
        "By column: only single outputs vary; replicas differ as a whole too; strengths differ by segment too; both. "
        f"⚠ marks more than {format_percent(TOO_OFTEN * alpha)}."
    ))
    frame = result.to_frame()
    titles = [title for title, _ in result.arenas]
    words = frame[titles].map(lambda share: "worse" if share > TOO_OFTEN * alpha else "undecided")
    widths = {"test": 190, "question": 180, **dict.fromkeys(titles, 90)}
    st.dataframe(
        coloured(alarm_frame(result, alpha), words), hide_index=True, key="alarm table", height="content",
        row_height=62, column_order=("test", *titles, "question"),  # the numbers first where a screen is narrow
        column_config={name: st.column_config.TextColumn(width=width) for name, width in widths.items()},
        alt="False alarms of every test in four simulated worlds",
    )
    downloads.buttons(frame, "alarm-table", downloads.file_name("mtsig", "false-alarms"),
                      caption=f"Share of p < {alpha:g} of each test in simulated worlds without a true difference")


def _draws(now: View) -> int:
    return min(DRAWS, now.settings.n_permutations)


def _table(asked: tuple[int, float, int], progress: Progress, publish: Callable[[Any], None]) -> AlarmTable:
    n_draws, alpha, seed = asked
    if asked not in _TABLES:  # the same whatever is open
        publish(alarm_table(design=ArenaDesign(QUICK_TRIALS, min(QUICK_DRAWS, n_draws), alpha, seed)))
        if len(_TABLES) > MOST_TABLES:
            _TABLES.clear()
        _TABLES[asked] = alarm_table(design=ArenaDesign(n_draws=n_draws, alpha=alpha, seed=seed), progress=progress)
    return _TABLES[asked]


def section(now: View, pair: Pair | None) -> None:
    """Show the arena."""
    explanations.heading("Simulated worlds", "simulated-worlds")
    st.markdown(
        "Simulated experiments whose truth is known. Scores of single outputs vary with a standard deviation of 10; "
        "turn up what replicas and systems add to that, and see which tests fail."
    )
    _like_mine(pair)
    world = _controls()
    result: Arena | None = answer(
        "arena", (now.experiment.digest, world, _draws(now), now.settings.alpha, now.settings.seed),
        lambda progress, publish: _compute(now, world, progress, publish),
    )
    if result is None:
        return
    if world.gain == 0:
        said = (
            "Neither system is better, so every rejection is a **false positive**: a calibrated test stays near the "
            "dashed line."
        )
    else:
        said = f"B is better by {world.gain:g}: shown is the **power**, how often a test finds a difference."
    quick = " (quick answer)" if result.design.trials < TRIALS else ""
    size = f"{result.design.trials:,} experiments{quick}, {result.design.n_draws} draws per test"
    st.caption(keep_together(f"{said} {size}; whiskers: 95% intervals."))
    downloads.figure(now, arena_bars(result), "arena", frame=result.to_frame(),
                     alt="How often each test rejects in simulated experiments")


def _like_mine(pair: Pair | None) -> None:
    for key, value in _START.items():
        st.session_state.setdefault(key, value)
    if pair is None:
        return
    world = pair.simulated_world()
    if world is None:
        st.caption(f"{literal(pair.a)} or {literal(pair.b)} has one replica, so how replicas vary is unknown.")
        return
    st.button(
        "Vary as my data do", on_click=_take, args=(world,), icon=":material/tune:",
        help=f"{literal(pair.metric.label)} of {literal(pair.a)} and {literal(pair.b)}, in units in which single "
        f"outputs vary with a standard deviation of 10: replicas {world.replica_sd:.2f}, "
        f"strength {world.strength_sd:.1f}, {world.n} replicas, {world.segments} segments.",
    )


def _take(world: World) -> None:
    st.session_state["arena n"] = min(MOST_REPLICAS, world.n)
    st.session_state["arena segments"] = min(SEGMENTS, key=lambda n: abs(n - world.segments))
    st.session_state["arena effect"] = min(MOST_EFFECT, round(world.replica_sd, 1))
    st.session_state["arena strength"] = min(MOST_STRENGTH, round(2 * world.strength_sd) / 2)
    st.session_state["arena gain"] = 0.0


def _controls() -> World:
    first, second, third = st.columns(3)
    n = first.slider("Replicas of each system", 1, MOST_REPLICAS, key="arena n", persist_state="session")
    segments = first.select_slider("Segments", SEGMENTS, key="arena segments", persist_state="session")
    effect = second.slider(
        "Replicas differ as a whole by", 0.0, MOST_EFFECT, step=0.1, key="arena effect", persist_state="session",
        help="Standard deviation of the effect that a replica has on all its segments: run-to-run variation.",
    )
    strength = second.slider(
        "Strengths vary across segments by", 0.0, MOST_STRENGTH, step=0.5, key="arena strength",
        persist_state="session",
        help="Standard deviation of what all replicas of a system share in one segment: what a system is good at.",
    )
    gain = third.slider(
        "B is better by", 0.0, MOST_GAIN, step=0.1, key="arena gain", persist_state="session",
        help="0: every rejection is a false alarm. More: shows the power of each test.",
    )
    return World(n=int(n), segments=int(segments), replica_sd=float(effect), strength_sd=float(strength),
                 gain=float(gain))


def _compute(now: View, world: World, progress: Progress, publish: Callable[[Any], None]) -> Arena:
    alpha, seed = now.settings.alpha, now.settings.seed
    n_draws = _draws(now)
    quick = ArenaDesign(QUICK_TRIALS, min(QUICK_DRAWS, n_draws), alpha, seed)
    publish(arena(world, quick, progress=subprogress(progress, 0, 0.1)))
    return arena(world, ArenaDesign(TRIALS, n_draws, alpha, seed), progress=subprogress(progress, 0.1, 1))

"""Optimizer lab, Step by step: a slow run of MERT for a lecture, then thirty at once."""

from __future__ import annotations

import html

import streamlit as st

from mtsig_core.analysis.tuning import (
    LineObjective,
    SegmentEnvelope,
    SlowRun,
    most_changing_segment,
    objective_along_line,
    segment_envelope,
    slow_run,
    trajectories,
)
from mtsig_core.figures.theme import PALETTE
from mtsig_core.figures.tuning import envelope_lines, line_steps, score_paths
from mtsig_core.formatting import format_score
from mtsig_core.optimizers import TuningProblem, get_optimizer
from pages.parts import downloads, explanations
from pages.parts.background import answer
from pages.parts.lab import lists, plan
from pages.parts.lab.plan import Plan
from pages.parts.lab.replicas import colours
from pages.parts.text import literal
from pages.parts.view import View

LINE, PLACE, PLAYING, SEED, THIRTY = "lab step", "lab place", "lab playing", "lab slow seed", "lab thirty"
SECONDS = 0.9  # between two pictures
MOST_TEXTS = 8


def draw(now: View) -> None:
    """Draw the section."""
    problems = lists.problems()
    if problems is None:
        return
    problem = lists.one(problems)
    st.session_state.setdefault(SEED, 1)
    seed = st.number_input("Start number", 1, 1000, key=SEED, persist_state="session", width=140,
                           help="Each number is another random start.")
    run: SlowRun | None = answer(
        "lab slow run", (*lists.current().key, problem.system, seed),
        lambda progress, publish: slow_run(problem, seed=int(seed)), keep=False,
    )
    if run is None:
        return
    explanations.heading("One start of MERT, line by line", "lab-steps")
    _player(now, problem, run)
    _thirty(now, problem)


def _player(now: View, problem: TuningProblem, run: SlowRun) -> None:
    playing = bool(st.session_state.get(PLAYING))

    @st.fragment(run_every=SECONDS if playing else None)
    def play() -> None:
        if playing:
            _advance(run)
        line, place = _position(run)
        _controls(run, line, playing)
        step = run.steps[line]
        segment = most_changing_segment(problem, step.start, step.direction, run.half_width(line))
        envelope = segment_envelope(problem, step.start, step.direction, segment)
        at = run.positions(line)[place]
        _say(run, line, place)
        left, right = st.columns(2)
        with left:
            drawn = line_steps(_objective(problem, run, line), at, height=330)
            downloads.figure(now, drawn, "lab-step-line", alt="The dev score along the line that is searched")
        with right:
            drawn = envelope_lines(envelope, at, run.half_width(line), height=330)
            downloads.figure(now, drawn, "lab-step-envelope", alt=f"The candidates of segment {segment + 1} as lines")
        _candidates(problem, envelope, at)

    play()


def _position(run: SlowRun) -> tuple[int, int]:
    """Return the line search and the place on it, within the run."""
    line = min(int(st.session_state.get(LINE, 1)), len(run.steps)) - 1
    place = min(int(st.session_state.get(PLACE, 0)), len(run.positions(line)) - 1)
    return line, place


def _advance(run: SlowRun) -> None:
    """Go to the next place, or to the next line; stop at the end."""
    line, place = _position(run)
    if place + 1 < len(run.positions(line)):
        st.session_state[PLACE] = place + 1
    elif line + 1 < len(run.steps):
        st.session_state[LINE], st.session_state[PLACE] = line + 2, 0
    else:
        st.session_state[PLAYING] = False
        st.rerun()


def _controls(run: SlowRun, line: int, playing: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Pause" if playing else "Play", key="lab play", type="primary",
                     icon=":material/pause:" if playing else ":material/play_arrow:"):
            st.session_state[PLAYING] = not playing
            st.rerun()
        st.button("Step", key="lab next", icon=":material/skip_next:", on_click=_advance, args=(run,), disabled=playing)
        st.session_state[LINE] = line + 1
        st.slider("Line search", 1, len(run.steps), key=LINE, on_change=_to_start, disabled=playing)


def _to_start() -> None:
    st.session_state[PLACE] = 0


def _say(run: SlowRun, line: int, place: int) -> None:
    before, after = run.scores(line)
    feature = literal(run.direction(line))
    if place + 1 < len(run.positions(line)):
        st.markdown(f"Line {line + 1} of {len(run.steps)}: the weight of **{feature}** moves from left to right. "
                    f"Dev score at the start of this line: {format_score(before)}.")
    elif run.moves(line):
        x = run.steps[line].x
        outside = ", outside the figure" if abs(x) > run.half_width(line) else ""
        st.markdown(f"Line {line + 1} of {len(run.steps)}: **{feature}** moves to the middle of the best step "
                    f"(at {format_score(x)}{outside}): {format_score(before)} → **{format_score(after)}**.")
    else:
        st.markdown(f"Line {line + 1} of {len(run.steps)}: nothing on the line of **{feature}** is better than "
                    f"{format_score(before)}; the weights stay.")


def _objective(problem: TuningProblem, run: SlowRun, line: int) -> LineObjective:
    """Return the objective along a line, computed once per line."""
    known = st.session_state.get("lab step objective")
    if known is None or known[0] is not run or known[1] != line:
        step = run.steps[line]
        result = objective_along_line(problem, problem.plain(step.start), run.direction(line),
                                      half_width=run.half_width(line), sharpness=())
        known = st.session_state["lab step objective"] = (run, line, result)
    return known[2]


def _candidates(problem: TuningProblem, envelope: SegmentEnvelope, at: float) -> None:
    """List the candidates that the line chooses, the one chosen now in its colour."""
    current = envelope.at(at)
    first = max(0, min(current - MOST_TEXTS // 2, len(envelope.chosen) - MOST_TEXTS))
    rows = []
    for i in range(first, min(first + MOST_TEXTS, len(envelope.chosen))):
        colour = PALETTE[i % len(PALETTE)]
        marked = f"background:{colour}33;font-weight:600" if i == current else "opacity:0.65"
        mark = "▶" if i == current else "&nbsp;"
        said = f"candidate {envelope.chosen[i] + 1} ({format_score(float(envelope.gains[i]))})"
        rows.append(
            f'<div style="border-left:6px solid {colour};padding:1px 8px;{marked}">{mark} {said}: '
            f"{html.escape(envelope.texts[i])}</div>"
        )
    reference = html.escape(problem.dev.references[0][envelope.segment])
    st.html(f'<div style="margin-bottom:4px">Segment {envelope.segment + 1}, reference: <em>{reference}</em></div>'
            + "".join(rows))


def _thirty(now: View, problem: TuningProblem) -> None:
    """Offer thirty replicas at once."""
    if not st.toggle("Now thirty at once", key=THIRTY, persist_state="session"):
        return
    wanted = Plan((get_optimizer("mert"),), 30, 12345)
    results = plan.results((problem,), wanted, "thirty")
    if results:
        paths = trajectories(results)
        explanations.heading("Thirty runs of MERT on the same lists", "lab-paths")
        downloads.figure(now, score_paths(paths, colours(), height=340), "lab-thirty", frame=paths.to_frame(),
                         alt="Dev score of thirty runs of MERT after each iteration")

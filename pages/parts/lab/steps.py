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
from pages.parts.text import keep_together, literal
from pages.parts.view import View

POSITION, GO_TO, PLAYING, PACE, SEED = "lab position", "lab step", "lab playing", "lab pace", "lab slow seed"
SHOWN, THIRTY = "lab slow run shown", "lab thirty"
SECONDS = 0.9  # between two pictures
PACES = {"slow": 1, "quick": 3, "a line at a time": 1000}  # places of a line from one picture to the next
MOST_TEXTS = 8


def draw(now: View) -> None:
    """Draw the section."""
    problems = lists.problems()
    if problems is None:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        problem = lists.chosen(problems)
        st.session_state.setdefault(SEED, 1)
        seed = st.number_input("Start number", 1, 1000, key=SEED, persist_state="session", width=140,
                               help="Each number is another random start.")
    lists.describe(problem)
    key = (*lists.current().key, problem.system, seed)
    run: SlowRun | None = answer(
        "lab slow run", key, lambda progress, publish: slow_run(problem, seed=int(seed)), keep=False
    )
    if run is None:
        return
    if st.session_state.get(SHOWN) != key:
        st.session_state[SHOWN] = key
        _go_to(0)
    explanations.heading("One start of MERT, line by line", "lab-steps")
    _player(now, problem, run)
    _thirty(now, problem)


def _player(now: View, problem: TuningProblem, run: SlowRun) -> None:
    """Draw the controls, and below them what is drawn again while the run plays."""

    @st.fragment
    def player() -> None:
        playing = bool(st.session_state.get(PLAYING))
        _controls(run, playing)

        @st.fragment(run_every=SECONDS if playing else None)
        def play() -> None:
            if playing and not _advance(run, PACES[st.session_state[PACE]]):
                st.rerun()
            _pictures(now, problem, run)

        play()

    player()


def _pictures(now: View, problem: TuningProblem, run: SlowRun) -> None:
    line, place = _position(run)
    at = run.positions(line)[place]
    objective, envelope = _on_line(problem, run, line)
    _say(run, line, place)
    left, right = st.columns(2)
    with left:
        drawn = line_steps(objective, at, height=330)
        downloads.figure(now, drawn, "lab-step-line", alt="The dev score along the line that is searched")
    with right:
        drawn = envelope_lines(envelope, at, run.half_width(line), height=330)
        alt = f"The candidates of segment {envelope.segment + 1} as lines"
        downloads.figure(now, drawn, "lab-step-envelope", alt=alt)
    _candidates(problem, envelope, at)


def _position(run: SlowRun) -> tuple[int, int]:
    """Return the line search and the place on it, within the run."""
    line, place = st.session_state.get(POSITION, (0, 0))
    line = min(line, len(run.steps) - 1)
    return line, min(place, len(run.positions(line)) - 1)


def _step(run: SlowRun) -> None:
    _advance(run, 1)


def _advance(run: SlowRun, stride: int) -> bool:
    """Go on by some places, or to the next line; at the end stop, and return False."""
    line, place = _position(run)
    last = len(run.positions(line)) - 1
    if place < last:
        st.session_state[POSITION] = line, min(place + stride, last)
    elif line + 1 < len(run.steps):
        st.session_state[POSITION] = line + 1, last if stride > last else 0
    else:
        st.session_state[PLAYING] = False
        return False
    return True


def _controls(run: SlowRun, playing: bool) -> None:
    """Draw the buttons; the position is no control's value, or a slow browser would send a former one back."""
    state = st.session_state
    line, place = _position(run)
    is_over = (line, place) == (len(run.steps) - 1, len(run.positions(line)) - 1)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Pause" if playing else "Play", key="lab play", type="primary", on_click=_play,
                  args=(not playing, is_over), icon=":material/pause:" if playing else ":material/play_arrow:")
        st.button("Step", key="lab next", icon=":material/skip_next:", on_click=_step, args=(run,),
                  disabled=playing or is_over)
        st.button("Start again", key="lab again", icon=":material/restart_alt:", type="tertiary",
                  on_click=_go_to, args=(0,), disabled=(line, place) == (0, 0))
        st.segmented_control("Pace", list(PACES), default=None if PACE in state else "slow", key=PACE, required=True,
                             persist_state="session")
        if not playing and len(run.steps) > 1:
            state[GO_TO] = line + 1
            st.slider("Line search", 1, len(run.steps), key=GO_TO, on_change=lambda: _go_to(state[GO_TO] - 1))


def _play(playing: bool, is_over: bool) -> None:
    st.session_state[PLAYING] = playing
    if playing and is_over:
        _go_to(0)


def _go_to(line: int) -> None:
    st.session_state[POSITION] = line, 0


def _say(run: SlowRun, line: int, place: int) -> None:
    scores = run.scores(line)
    before, after = (format_score(score) for score in scores)
    if before == after and run.moves(line):
        before, after = (format_score(score, 4) for score in scores)
    feature = literal(run.direction(line))
    if place + 1 < len(run.positions(line)):
        st.markdown(keep_together(
            f"Line {line + 1} of {len(run.steps)}: the weight of **{feature}** moves from left to right. "
            f"Dev score at the start of this line: {before}."
        ))
    elif run.moves(line):
        x = run.steps[line].x
        outside = ", outside the figure" if abs(x) > run.half_width(line) else ""
        st.markdown(keep_together(
            f"Line {line + 1} of {len(run.steps)}: **{feature}** moves to the middle of the best step "
            f"(at {format_score(x)}{outside}): {before} → **{after}**."
        ))
    else:
        st.markdown(keep_together(
            f"Line {line + 1} of {len(run.steps)}: nothing on the line of **{feature}** is better than "
            f"{before}; the weights stay."
        ))


def _on_line(problem: TuningProblem, run: SlowRun, line: int) -> tuple[LineObjective, SegmentEnvelope]:
    """Return the objective along a line and the segment whose choice changes most, computed once per line."""
    known = st.session_state.get("lab step objective")
    if known is None or known[0] is not run or known[1] != line:
        step, width = run.steps[line], run.half_width(line)
        objective = objective_along_line(problem, problem.plain(step.start), run.direction(line), half_width=width,
                                         sharpness=())
        segment = most_changing_segment(problem, step.start, step.direction, width)
        envelope = segment_envelope(problem, step.start, step.direction, segment)
        known = st.session_state["lab step objective"] = (run, line, objective, envelope)
    return known[2], known[3]


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

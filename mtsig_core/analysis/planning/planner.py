"""How many replicas and segments a difference takes: power of the coherent test by simulated mean squares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from mtsig_core.formatting import count, format_percent, format_score
from mtsig_core.runtime.jobs import Progress, no_progress
from mtsig_core.significance import Result
from mtsig_core.significance.distributions import ndtr, stdtrit
from mtsig_core.significance.simulation.designs import Design, Variation, simulate

SIMULATIONS = 10_000
REPLICAS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 70, 100)
_FAR = 5.0  # standard errors beyond which the wrong sign is rarer than 3 in 10 million
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
_STREAM = 0x9A


@dataclass(frozen=True)
class Pilot:
    """Variances of a pilot experiment, from which others are planned.

    Attributes
    ----------
    replica, residual : tuple of float
        Variances in squared score units: one per system, or one of the differences of paired replicas.
    interaction : float
        Variance over segments of the difference between the systems.
    n_segments, n_units : int
        Of the pilot's test set; units are documents where these are known.
    replica_upper : tuple of float
        Upper ends of the two-sided 80% intervals of `replica`.
    """

    replica: tuple[float, ...]
    residual: tuple[float, ...]
    interaction: float
    n_segments: int
    n_units: int
    replica_upper: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.replica or len(self.replica) != len(self.residual) or min(self.n_segments, self.n_units) < 2:
            raise ValueError(
                "A plan needs the spread of replicas (two or more of each system) and two or more segments; "
                f"got {len(self.replica)} spreads, {self.n_segments} segments, {self.n_units} independent units."
            )

    def cautious(self) -> Pilot:
        """Return the same with the replicas' variances at their upper limits."""
        return replace(self, replica=self.replica_upper or self.replica)


@dataclass(frozen=True)
class PlanCell:
    """Expected result of an experiment with n replicas per system on n_segments segments.

    Attributes
    ----------
    power : float
        Share of experiments with p < alpha, in the right direction or not.
    exaggeration : float or None
        Type M: mean size of the significant differences over the true one; None where none is significant.
    wrong_sign : float or None
        Type S: share of the significant differences with the wrong sign.
    """

    n: int
    n_segments: int
    power: float
    exaggeration: float | None
    wrong_sign: float | None

    @property
    def smallest_p(self) -> float:
        """Smallest p that permuting whole replicas can give: 2 / C(2n, n)."""
        return 2 / math.comb(2 * self.n, self.n)


@dataclass(frozen=True)
class PlanDesign:
    """What a plan aims at, and how it is simulated.

    Parameters
    ----------
    target : float
        Power wanted.
    alpha : float
    seed : int
    segments : tuple of int, optional
        Numbers of segments to try besides the pilot's own; by default a quarter of it to eight times as many.
    simulations : int
        Experiments simulated for each pair of numbers.

    Raises
    ------
    ValueError
        When a number is out of its range.
    """

    target: float = 0.8
    alpha: float = 0.05
    seed: int = 12345
    segments: tuple[int, ...] | None = None
    simulations: int = SIMULATIONS

    def __post_init__(self) -> None:
        for name, value in (("power", self.target), ("alpha", self.alpha)):
            if not 0 < value < 1:
                raise ValueError(f"The {name} must lie between 0 and 1; got {value}.")
        if self.simulations < 1:
            raise ValueError(f"A plan takes one or more simulations; got {self.simulations}.")


@dataclass(frozen=True)
class Plan(Result):
    """A plan: power over replicas and segments, and what is needed.

    Attributes
    ----------
    cells : tuple of PlanCell
        At the pilot's own variation.
    cautious_cells : tuple of PlanCell
        On the pilot's test set, with replicas that vary as much as the pilot still allows: what to plan by.
    difference : float
    design : PlanDesign
    n_segments : int
        Of the pilot's test set, which `needed` and `needed_cautious` are for.
    needed, needed_cautious : int or None
        Smallest number of replicas of each system; None where 100 do not suffice.
    replicas_help, segments_help : bool
        Whether any number of replicas (on these segments), of segments (with the largest n tried), would suffice.
    least_segments : int or None
        Smallest number of segments, of those tried, on which some number of replicas tried suffices.
    text_needs : int
        Segments below which no number of replicas suffices.

    Examples
    --------
    >>> import mtsig_core
    >>> pair = mtsig_core.Workbench(mtsig_core.load_example()).pair()
    >>> plan = pair.planner(0.5, simulations=200)
    >>> plan.difference
    0.5
    """

    cells: tuple[PlanCell, ...]
    cautious_cells: tuple[PlanCell, ...]
    difference: float
    design: PlanDesign
    n_segments: int
    needed: int | None
    needed_cautious: int | None
    replicas_help: bool
    segments_help: bool
    least_segments: int | None
    text_needs: int

    def to_frame(self) -> pd.DataFrame:
        """Return one row per number of replicas and of segments."""
        return pd.DataFrame(
            [
                {
                    "replicas": c.n, "segments": c.n_segments, "power": c.power, "exaggeration": c.exaggeration,
                    "wrong sign": c.wrong_sign, "smallest p of permuting replicas": c.smallest_p,
                }
                for c in self.cells
            ]
        )  # fmt: skip

    def here(self) -> pd.DataFrame:
        """Return the rows of the pilot's number of segments, the cautious power first."""
        frame = self.to_frame()
        here = frame[frame["segments"] == self.n_segments].reset_index(drop=True)
        here.insert(2, "power, cautious", [c.power for c in self.cautious_cells])
        return here

    def sentence(self, label: str, decimals: int = 2) -> str:
        """Return the answer in words."""
        size = f"{format_score(self.difference, decimals)} {label}"
        aim = f"To find a true difference of {size} in {format_percent(self.design.target)} of experiments"
        on = f"on a test set of {self.n_segments:,} segments"
        if self.needed is not None:
            return f"{aim}, {self._cautious_phrase(on)}"
        if not self.replicas_help:
            text = f"{aim}, no number of replicas is enough {on}: the variance between segments alone is too large."
        else:
            text = f"{aim} {on}, {REPLICAS[-1]} replicas of each system are not enough."
        if not self.segments_help:
            text += f" Nor is any number of segments, with up to {REPLICAS[-1]} replicas: replicas differ too much."
        elif self.least_segments is not None:
            text += f" With {self.least_segments:,} segments it can be reached: read the figure."
        elif not self.replicas_help:
            text += f" It takes at least about {self.text_needs:,} segments of this kind."
        else:
            most = max(cell.n_segments for cell in self.cells)
            text += f" It takes more of both: with {REPLICAS[-1]} replicas even {most:,} segments are too few."
        return text

    def _cautious_phrase(self, on: str) -> str:
        """Lead with the cautious number: the pilot's own variation leads to too small an experiment in most cases."""
        own = f"at the pilot's own variation {self.needed} would do"
        if self.needed_cautious is None:
            return (
                f"more than {REPLICAS[-1]} replicas of each system may be needed {on}, if runs vary as much as the "
                f"pilot still allows (upper end of its 80% interval); {own}."
            )
        text = f"run {count(self.needed_cautious, 'replica')} of each system {on}"
        if self.needed_cautious == self.needed:
            return f"{text}."
        return f"{text}: runs may vary as much as that (upper end of the pilot's 80% interval); {own}."


def plan_cell(
    pilot: Pilot, difference: float, n: int, n_segments: int, design: PlanDesign | None = None
) -> PlanCell:
    """Return the expected result of experiments with n replicas per system on n_segments segments, by simulation.

    MSa ~ (L s2_a + s2_e) chi2/df, MSe ~ s2_e chi2/df, MSd ~ (s2_c + sum s2_e/n) chi2/df and D ~ N(delta, V),
    independent; each simulated experiment goes through the coherent test.

    Parameters
    ----------
    pilot : Pilot
    difference : float
        The true difference, in score units; not 0.
    n, n_segments : int
        At least 2 of each.
    design : PlanDesign, optional

    Raises
    ------
    ValueError
        When a number is out of its range.
    """
    design = design or PlanDesign()
    _check(difference)
    if n < 2 or n_segments < 2:
        raise ValueError(f"A plan takes two or more replicas and segments; got {n} and {n_segments}.")
    sequence = np.random.SeedSequence(design.seed, spawn_key=(_STREAM, n, n_segments))
    text_df = max(1.0, n_segments * pilot.n_units / pilot.n_segments - 1)
    variation = Variation(pilot.replica, pilot.residual, pilot.interaction)
    experiments = simulate(
        Design((n,) * len(pilot.replica), n_segments, text_df), variation, design.simulations,
        np.random.Generator(np.random.PCG64DXSM(sequence)), difference=abs(difference),
    )  # fmt: skip
    significant = experiments.coherent_p() < design.alpha
    if not significant.any():
        return PlanCell(n, n_segments, 0.0, None, None)
    differences = experiments.difference[significant]
    exaggeration = float(np.abs(differences).mean() / abs(difference))
    return PlanCell(n, n_segments, float(significant.mean()), exaggeration, float((differences < 0).mean()))


def plan(
    pilot: Pilot, difference: float, design: PlanDesign | None = None, *, progress: Progress = no_progress
) -> Plan:
    """Return power over numbers of replicas and of segments, and how many replicas are needed on the pilot's text.

    Parameters
    ----------
    pilot : Pilot
    difference : float
        The smallest difference that matters, in score units; its sign does not count.
    design : PlanDesign, optional
    progress : Progress

    Raises
    ------
    ValueError
        When the difference is 0 or no number.
    """
    design = design or PlanDesign()
    _check(difference)
    target, alpha = design.target, design.alpha
    sizes = sorted({*(design.segments or [max(2, round(f * pilot.n_segments)) for f in FACTORS]), pilot.n_segments})
    cells = []
    for k, length in enumerate(sizes):
        progress(k / (len(sizes) + 1))
        cells += [plan_cell(pilot, difference, n, length, design) for n in REPLICAS]
    cautious = [plan_cell(pilot.cautious(), difference, n, pilot.n_segments, design) for n in REPLICAS]
    progress(1.0)
    here = [c for c in cells if c.n_segments == pilot.n_segments]
    enough = [c.n_segments for c in cells if c.power >= target]
    return Plan(
        tuple(cells), tuple(cautious), abs(difference), design, pilot.n_segments, _first(here, target),
        _first(cautious, target), text_alone(pilot, difference, pilot.n_segments, alpha) >= target,
        _replicas_alone(pilot, difference, REPLICAS[-1], alpha) >= target, min(enough, default=None),
        _text_needed(pilot, difference, target, alpha),
    )  # fmt: skip


def _check(difference: float) -> None:
    if not math.isfinite(difference) or difference == 0:
        raise ValueError(f"The difference to plan for must be a number other than 0; got {difference}.")


def _first(cells: Sequence[PlanCell], target: float) -> int | None:
    return next((c.n for c in cells if c.power >= target), None)


def text_alone(pilot: Pilot, difference: float, n_segments: int, alpha: float) -> float:
    """Return the power with infinitely many replicas: what the variance between segments alone allows."""
    df = max(1.0, n_segments * pilot.n_units / pilot.n_segments - 1)
    return _power(difference, pilot.interaction / n_segments, df, alpha)


def _text_needed(pilot: Pilot, difference: float, target: float, alpha: float) -> int:
    """Return the smallest number of segments, to two digits, on which infinitely many replicas reach the target."""
    if text_alone(pilot, difference, 2, alpha) >= target:
        return 2
    low, high = 2, 4
    while text_alone(pilot, difference, high, alpha) < target and high < 10**12:
        low, high = high, 2 * high
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (low, middle) if text_alone(pilot, difference, middle, alpha) >= target else (middle, high)
    step = 10 ** max(0, len(str(high)) - 2)
    return -(-high // step) * step


def _replicas_alone(pilot: Pilot, difference: float, n: int, alpha: float) -> float:
    """Return the power with infinitely many segments and n replicas of each system."""
    terms = [a / n for a in pilot.replica]
    squares = sum(t**2 for t in terms) / (n - 1)
    return _power(difference, sum(terms), sum(terms) ** 2 / squares if squares else n - 1.0, alpha)


def _power(difference: float, variance: float, df: float, alpha: float) -> float:
    """Return the power of a t-test; without variance every difference is significant."""
    if variance <= 0:
        return 1.0
    shift, critical = abs(difference) / math.sqrt(variance), float(stdtrit(df, 1 - alpha / 2))
    if shift > critical + 10:
        return 1.0
    from scipy.stats import nct  # takes a second to import: when it is needed

    # SciPy gives nan for the wrong tail where it is far: there it is next to nothing, as is the normal one
    wrong = float(nct.cdf(-critical, df, shift)) if shift < _FAR else 0.0
    return float(nct.sf(critical, df, shift)) + (float(ndtr(-critical - shift)) if math.isnan(wrong) else wrong)

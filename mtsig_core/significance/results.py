"""What a test answers with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class TestResult:
    """What one test says of one pair of systems.

    Parameters
    ----------
    preset, label : str
    scheme, unit : str
        What was drawn or exchanged.
    rule, question : str
        How p comes about; whom the answer is about.
    difference : float
        D, B minus A, in score units, as this test computes it.
    p : float or None
        In (0, 1]; None where the test is not defined, with the reason in `note`.
    smallest_p : float or None
        The least p that the test can give for so many replicas and draws; None for closed forms, and for rules
        that have no honest floor (`strict`).
    exact : bool
        Whether every distinct exchange was counted, or a closed form used.
    draws : int
        Number of draws or exchanges; 0 for closed forms.
    interval : tuple of two float, or None
        Interval of D at level 1 - alpha.
    null : ndarray of shape (draw,), or None
        What the observed statistic was compared with: centred, and oriented to the winner where one tail counts.
    observed : float or None
        The statistic compared with `null`: D, or Welch's t for deals of unequal numbers of replicas.
    shares : tuple of three float, or None
        Shares of the draws that A wins, that B wins (by score, larger taken as the winner; the metric's
        direction is for the caller), and that are tied.
    note, warning : str
    headline : bool
    one_tail : bool
        Whether only draws on the observed side count.
    strict : bool
        Whether ties count against chance.
    alarms : str
        Measured false alarms of the preset, in words.

    Examples
    --------
    >>> import numpy as np, mtsig_core
    >>> values = np.random.default_rng(1).normal(size=(2, 3, 50))  # 2 systems, 3 replicas, 50 segments
    >>> pair = mtsig_core.Workbench(mtsig_core.load_scores(values, axes=("system", "replica", "segment"))).pair()
    >>> result = pair.single_pair("1", "2", n_permutations=100)
    >>> result.smallest_p <= result.p <= 1
    True
    """

    __test__ = False  # not a pytest class, whatever its name

    preset: str
    label: str
    scheme: str
    unit: str
    rule: str
    question: str
    difference: float
    p: float | None
    smallest_p: float | None = None
    exact: bool = False
    draws: int = 0
    interval: tuple[float, float] | None = None
    null: np.ndarray | None = None
    observed: float | None = None
    shares: tuple[float, float, float] | None = None
    note: str = ""
    warning: str = ""
    headline: bool = False
    one_tail: bool = False
    strict: bool = False
    alarms: str = ""

"""The coherent test under the assumption that both systems vary alike: a second line for two replicas against many."""

from __future__ import annotations

import numpy as np

from mtsig_core.significance.coherent import CoherentResult, TTest, coherent_test
from mtsig_core.significance.crossed import segment_mean_square, two_way

ASSUMPTION = "Assumes that both systems vary alike from replica to replica, which two replicas cannot show."


def pooled_test(
    y_a: np.ndarray, y_b: np.ndarray, *, alpha: float = 0.05, documents: np.ndarray | None = None
) -> CoherentResult | None:
    """Return the coherent test with one variance of replicas for both systems; None where it is not defined.

    The mean squares of both systems are pooled, MSa with n_A + n_B - 2 degrees of freedom, in the crossed test as in
    the t-test of replica scores; p is the larger and the interval the wider, as in `coherent_test`.

    Parameters
    ----------
    y_a, y_b : ndarray of shape (replica, segment)
        Pseudo-values of at least two replicas each.
    alpha : float
    documents : ndarray of shape (segment,), optional
    """
    result = coherent_test(y_a, y_b, alpha=alpha, documents=documents)
    if result.kind != "unpaired" or not result.tests:
        return None
    n_a, n_b, length = len(y_a), len(y_b), y_a.shape[1]
    weight, df = 1 / n_a + 1 / n_b, n_a + n_b - 2
    squares = np.array([two_way(y_a), two_way(y_b)])
    ms_replica, ms_residual = np.average(squares, axis=0, weights=[n_a - 1, n_b - 1])
    if ms_replica <= 0:
        return None
    ms_text, df_text = segment_mean_square(y_b.mean(axis=0) - y_a.mean(axis=0), documents)
    terms = np.array([weight * ms_replica, -weight * ms_residual, ms_text]) / length
    variance = max(float(terms.sum()), ms_text / length)
    doubt = float((terms**2 / [df, df * (length - 1), df_text]).sum())
    tests = (
        TTest("crossed", variance**0.5, max(1.0, variance**2 / doubt)),
        TTest("replica", float(terms[0]) ** 0.5, float(df)),
    )
    half, d = max(test.half_width(alpha) for test in tests), result.difference
    p = max(test.p(d) for test in tests)
    return CoherentResult(d, p, d - half, d + half, tests, result.crossed, "", ASSUMPTION, "unpaired", alpha)

"""Distribution functions are scipy's, which is imported when one is asked for."""

import math

import numpy as np
import pytest
from scipy import stats

from mtsig_core.significance import distributions
from mtsig_core.significance.distributions import normal_quantile

P = np.array([1e-12, 1e-4, 0.025, 0.3, 0.5, 0.8, 0.975, 1 - 1e-9])
X = np.array([-38.0, -4.2, -0.5, 0.0, 1e-3, 1.96, 7.0])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (distributions.ndtr(X), stats.norm.cdf(X)),
        (distributions.ndtri(P), stats.norm.ppf(P)),
        (distributions.stdtr(3.5, X), stats.t.cdf(X, 3.5)),
        (distributions.stdtrit(3.5, P), stats.t.ppf(P, 3.5)),
        (distributions.fdtrc(2, 9, abs(X)), stats.f.sf(abs(X), 2, 9)),
        (distributions.fdtri(2, 9, P), stats.f.ppf(P, 2, 9)),
        (distributions.chdtri(4, P), stats.chi2.isf(P, 4)),
        (distributions.betaincinv(3, 8, P), stats.beta.ppf(P, 3, 8)),
        (distributions.gammaln([0.5, 1, 30.5]), [math.lgamma(x) for x in (0.5, 1, 30.5)]),
    ],
)
def test_values_are_those_of_scipys_distributions(ours, theirs):
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-300)


def test_normal_quantiles_without_scipy_are_the_same():
    np.testing.assert_allclose([normal_quantile(p) for p in P], stats.norm.ppf(P), rtol=1e-14, atol=1e-15)
    assert (normal_quantile(0.0), normal_quantile(1.0)) == (-math.inf, math.inf)

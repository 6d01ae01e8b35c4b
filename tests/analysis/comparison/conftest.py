"""Numbers and comparisons that the tests of two systems share."""

import numpy as np

from mtsig_core.analysis.comparison import compare
from mtsig_core.resampling import Settings

QUICK = Settings(n_bootstrap=400, n_permutations=400, seed=3)


def numbers(n_a=4, n_b=4, shift=1.0, length=150, replica_sd=0.2, seed=0, strength=0.0):
    """Return one number per replica and segment of A and B, each of shape (replica, segment).

    Segments share their difficulty, replicas differ as a whole, and where *strength* is above 0 each system is
    better at some segments than at others.
    """
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(0, 3, length)

    def system(n, mean):
        effect = rng.normal(0, replica_sd, (n, 1))
        own = rng.normal(0, strength, length) if strength else 0.0
        return mean + difficulty + effect - effect.mean() + own - np.mean(own) + rng.normal(0, 1, (n, length))

    return {"A": system(n_a, 20.0), "B": system(n_b, 20.0 + shift)}


def of(make, data, settings=QUICK, higher=True, **kwargs):
    return compare(make(data, higher=higher), "A", "B", settings, **kwargs)

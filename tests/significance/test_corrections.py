import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from mtsig_core.significance import benjamini_hochberg, holm


@pytest.fixture(scope="module", autouse=True)
def little_garbage():
    """Keep what is there out of the garbage collection that statsmodels asks for at each call."""
    gc.freeze()


ROWS = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@pytest.mark.slow
@given(ROWS)
def test_holm_is_statsmodels(p):
    np.testing.assert_allclose(holm(p), multipletests(p, method="holm")[1], atol=1e-12)


@pytest.mark.slow
@given(ROWS)
def test_benjamini_hochberg_is_statsmodels(p):
    np.testing.assert_allclose(benjamini_hochberg(p), multipletests(p, method="fdr_bh")[1], atol=1e-12)


def test_no_questions_need_no_correction():
    assert holm([]).size == benjamini_hochberg([]).size == 0


@pytest.mark.parametrize("correct", [holm, benjamini_hochberg])
@pytest.mark.parametrize("p", [[0.1, 1.2], [np.nan, 0.5], [[0.1]]])
def test_only_p_values_are_corrected(correct, p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        correct(p)

"""Kernels that are ready, and odd text."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from mtsig_core.metrics.compiled import EDITS, KERNELS_OF, NGRAMS

WORDS = (
    "a b c the The don't U.S. 3.14 1,000 - -- 5-6 x- .5 5. ., ,. ... (a) [b] {c} \"q\" 'q' & # ~ ` @ / $5 €5 +1 "
    "&amp; &quot; &amp;quot; &lt; <skipped> <skip a<skipped>b é É ß İ ΑΣ ς Σ 天气 。 、 ، ১২ Ⅷ ½ 𝔸 👩\u200d👧 e\u0301 "
    "\u200b \ud800 \x00"
)
SPACES = [" ", " ", " ", "  ", "\t", "\u00a0", "\u3000", "\u2028", "\x1c", "\x85", "\r", ""]


@pytest.fixture(scope="session")
def kernels():
    """Wait for all kernels; the tests are skipped where there is no numba."""
    pytest.importorskip("numba")
    for module in (NGRAMS, EDITS):
        assert module.wait(300) is not None, module.problem
    return KERNELS_OF


@pytest.fixture(scope="session")
def lines():
    """Return a strategy of lines: odd words, odd white space, or few words repeated a lot."""

    def join(parts):
        return "".join(word + space for word, space in parts)

    odd = st.lists(st.tuples(st.sampled_from(WORDS.split(" ")), st.sampled_from(SPACES)), max_size=15).map(join)
    dull = st.lists(st.sampled_from("abc"), max_size=90).map(" ".join)
    anything = st.text(max_size=20)
    return odd | dull | anything

import numpy as np
import pytest

from mtsig_core.analysis.replicas.lottery import lottery
from mtsig_core.analysis.replicas.p_by_n import PByNDesign, p_by_n
from mtsig_core.formatting import format_p, format_percent
from mtsig_core.reports.pairs.p_by_n import lottery_document, table2_frame
from mtsig_core.resampling import Settings

QUICK = Settings(n_permutations=99)


@pytest.fixture
def pair(paired_statistics):
    return lottery(paired_statistics, "A", "B", QUICK), p_by_n(
        paired_statistics, "A", "B", QUICK, PByNDesign((1, 3), 20)
    )


def test_all_rows_of_the_table(pair):
    single, several = pair
    frame = table2_frame(single, several)
    assert frame["experiment"].tolist()[:3] == ["A best, B worst", "A median, B median", "A worst, B best"]
    assert frame.iloc[1, 3] == format_p(single.scenarios[1].p, 1 / 100)
    assert frame.iloc[3, 4] == format_percent(single.significant)
    drawn = frame[frame["experiment"] == "drawn replicas"]
    assert set(drawn["permuted"]) == {"segments as blocks", "single outputs"}
    assert drawn["p (95% of draws)"].str.contains(" to ").all()
    assert len(drawn) == sum(row.low is not None for row in several.rows)


def test_document(pair):
    told = lottery_document(pair[0])
    assert told["pairs"] == pair[0].p.size
    assert np.isclose(told["significant"], pair[0].significant)

"""One experiment with its statistics and resamples, and every question that can be asked of it."""

from mtsig_core.workbench.memo import Memo
from mtsig_core.workbench.options import Options
from mtsig_core.workbench.pair import Pair
from mtsig_core.workbench.workbench import Workbench

__all__ = ["Memo", "Options", "Pair", "Workbench"]

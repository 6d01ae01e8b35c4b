"""n-best lists with features and references: the input of tuning."""

from mtsig_core.loading.nbest.data import NbestData, NbestFile, holds_nbest, load_nbest
from mtsig_core.loading.nbest.lists import NbestList
from mtsig_core.loading.nbest.merge import merge_lists
from mtsig_core.loading.nbest.read import read_nbest

__all__ = ["NbestData", "NbestFile", "NbestList", "holds_nbest", "load_nbest", "merge_lists", "read_nbest"]

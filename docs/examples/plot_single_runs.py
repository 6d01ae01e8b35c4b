"""
What would single runs have shown?
==================================

The difference of each run of one system and each run of the other. A paper with one run of each system shows one of
them, by chance.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/single_runs.png"
import mtsig_core
from mtsig_core.figures.s_diff import single_difference_histogram

experiment, report = mtsig_core.load("../../data/news.tar.xz")
pair = mtsig_core.Workbench(experiment).pair("test")

single_difference_histogram(pair.observed_difference().singles, label="BLEU")

# %%
# How many of these experiments would have found a significant difference (p < 0.05)?

lottery = pair.lottery(n_permutations=1000)
print(f"{(lottery.p < 0.05).mean():.0%} of {lottery.p.size}")

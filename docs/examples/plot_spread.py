"""
How far do the runs of a system spread?
=======================================

The 50 replicas of each of two systems, as histograms (Figure 1 of Clark et al. 2011). The systems differ, and yet
many single pairs of runs would have shown the opposite.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/spread.png"
import mtsig_core
from mtsig_core.figures.variance import replica_histograms

experiment, report = mtsig_core.load("../../data/news.tar.xz")
table = mtsig_core.Workbench(experiment).table(["test"])

replica_histograms(*table.rows)

# %%
# The same in numbers (Table 1 there): s_test is the spread of the runs, s_sel that of other test sets.

table.to_frame()

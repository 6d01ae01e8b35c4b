"""
What would fewer runs have shown?
=================================

The difference of the two systems, had each been run n times: Figure 2 of Clark et al. (2011). Below zero the wrong
system wins.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/fewer_runs.png"
import mtsig_core
from mtsig_core.figures.by_n import difference_band

experiment, report = mtsig_core.load("../../data/news.tar.xz")
by_n = mtsig_core.Workbench(experiment).pair("test").by_n([1, 2, 3, 5, 10, 20, 50])

difference_band(by_n, label="BLEU")

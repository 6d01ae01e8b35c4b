"""
Where does the uncertainty come from?
=====================================

The variance of the difference, divided among the runs of each system, the segments of the test set, and what both
do together. The largest share tells what to buy next: more runs, or more text.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/shares.png"
import mtsig_core
from mtsig_core.figures.components import luck_shares

experiment, report = mtsig_core.load("../../data/news.tar.xz")
components = mtsig_core.Workbench(experiment).pair("test").components()

luck_shares(components)

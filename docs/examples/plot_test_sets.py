"""
What do several test sets say together?
=======================================

The difference on each test set, and on all of them together, with intervals that count runs and text.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/test_sets.png"
import mtsig_core
from mtsig_core.figures.combined import forest

experiment, report = mtsig_core.load("../../data/news.tar.xz")

forest(mtsig_core.Workbench(experiment).combined())

"""
How many runs and segments do I need?
=====================================

The power to find a difference of 1 BLEU, with the demonstration as the pilot. The thick line is a power of 80%.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/plan.png"
import mtsig_core
from mtsig_core.figures.planner import power_contour

experiment, report = mtsig_core.load("../../data/news.tar.xz")
plan = mtsig_core.Workbench(experiment).pair("test").planner(1.0)

power_contour(plan)

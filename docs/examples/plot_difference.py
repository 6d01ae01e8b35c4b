"""
Is one system better?
=====================

The difference with its intervals: one counts new text only, one counts new runs only, and one counts both. The
verdict rests on the last.
"""

# sphinx_gallery_thumbnail_path = "thumbnails/difference.png"
import mtsig_core
from mtsig_core.figures.comparison import difference_intervals

experiment, report = mtsig_core.load("../../data/news.tar.xz")
comparison = mtsig_core.Workbench(experiment).pair("test").compare()

difference_intervals(comparison)

# %%
# What the app writes above this figure:

print(comparison.verdict.headline)

# %%
# The recommended tests, each with its question, its p, and the smallest p that it can reach:

comparison.to_frame()[["test", "question", "difference", "p", "smallest p"]].head(7)

"""mtsig tells whether one text-generation system is better when every run gives another result.

Text files become an `Experiment` (`mtsig_core.loading`), a metric turns it into sufficient
statistics (`mtsig_core.metrics`), the engine resamples those (`mtsig_core.resampling`), tests and
analyses ask one question each (`mtsig_core.significance`, `mtsig_core.analysis`), and figures and
reports show the answers. Nothing here imports Streamlit.
"""

__version__ = "0.1.0"

"""Result objects become Plotly figures; one module beside each analysis, one theme for all.

No statistics happen here beyond binning, and no figure knows of an experiment or of a page.
"""

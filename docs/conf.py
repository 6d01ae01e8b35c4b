"""How the documentation is built: ``make docs``. Nothing on its pages is loaded from another host.

The library and ``extensions`` must be on Python's path (``PYTHONPATH``), as ``make docs`` sees to.
"""

import os
from pathlib import Path

import offline_figures
from plotly.offline import get_plotlyjs

import mtsig_core

DOCS = Path(__file__).resolve().parent
GENERATED = DOCS / "_build"

project = "mtsig"
author = "the authors of mtsig"
version = release = mtsig_core.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_nb",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "nothing_outside",
]
exclude_patterns = ["_build", "examples", "extensions", "static", "gallery/*.ipynb", "gallery/*.py"]
templates_path = ["_templates"]
suppress_warnings = ["config.cache"]  # the order of the gallery is a function
default_role = "py:obj"

# Text
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

# The library
autosummary_generate = True
autodoc_typehints = "none"  # the sections Parameters and Returns say it
numpydoc_show_class_members = False

# Examples: each is run at building, and a figure finds the script below on its own page
for folder in (GENERATED / "figures", GENERATED / "ipython/profile_default/startup"):
    folder.mkdir(parents=True, exist_ok=True)
(GENERATED / "figures/plotly.min.js").write_text(get_plotlyjs(), encoding="utf-8")
kernel = GENERATED / "ipython/profile_default"
(kernel / "startup/figures.py").write_text("import offline_figures\n\noffline_figures.use()\n", encoding="utf-8")
(kernel / "ipython_kernel_config.py").write_text("c.IPKernelApp.log_level = 40  # errors\n", encoding="utf-8")
os.environ["IPYTHONDIR"] = str(GENERATED / "ipython")
os.environ["MTSIG_HOME"] = str(GENERATED / "home")
offline_figures.use()

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "within_subsection_order": "ExampleTitleSortKey",
    "image_scrapers": (),
    "reset_modules": (),
    "run_stale_examples": True,
    "abort_on_example_error": True,
    "only_warn_on_example_error": False,
    "download_all_examples": False,
    "show_signature": False,
    "write_computation_times": False,
}

# Pages
html_theme = "pydata_sphinx_theme"
html_title = "mtsig"
html_static_path = [str(GENERATED / "figures"), "static"]
html_css_files = ["pages.css"]
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "light"}
html_theme_options = {
    "navbar_end": [],  # figures are drawn for a light page
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": False,
}
html_sidebars = {"index": []}


def add_plotly(app, pagename, templatename, context, doctree) -> None:
    """Give pages with figures the script that draws them."""
    if pagename == "ten-lines" or pagename.startswith("gallery/plot_"):
        app.add_js_file("plotly.min.js", loading_method=None)


def setup(app) -> None:
    """Register what is above."""
    app.connect("html-page-context", add_plotly)

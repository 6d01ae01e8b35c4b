"""A report of one experiment: what a paper needs, as HTML, Markdown, LaTeX, CSV and JSON."""

"""Result objects and frames become LaTeX, Markdown, CSV and JSON."""

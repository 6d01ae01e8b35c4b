"""Human judgements as one table: formats, names of systems, post-edits."""

"""Human judgements that come in files: tables, annotation sheets, lists of scores by system."""

"""Outside metrics: segment scores that were not computed from text here."""

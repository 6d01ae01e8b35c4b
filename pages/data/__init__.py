"""Pages about the data."""

"""One experiment with its statistics and resamples, and every question that can be asked of it."""

"""Many systems: every pair, ranks, and the overlap of their intervals."""

"""n-best lists of tuning tools."""

"""Metrics and significance tests of an experiment against what people judged."""

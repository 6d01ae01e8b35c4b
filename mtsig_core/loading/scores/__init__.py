"""Segment scores of outside metrics: recognised by name and content, read by format, attached to outputs."""

"""A report made from a workbench: what goes in, its numbers, its sections, and the same numbers again."""

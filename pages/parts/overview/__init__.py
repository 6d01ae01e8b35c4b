"""The first screen: what stands there at once, and what is computed for other data."""

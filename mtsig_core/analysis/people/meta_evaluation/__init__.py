"""Meta-evaluation: how well automatic tests and metrics agree with people."""

"""Simulated experiments: the tests over arrays of experiments, designs under a normal model, and power."""

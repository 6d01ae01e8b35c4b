"""Calibration of the tests: A/A splits, simulated experiments, whole-replica effects, variance inflation."""

"""Can the tests be trusted? A/A calibration, simulated worlds, and what hypothesis-level tests overstate."""

"""The sections of the optimizer lab."""

"""What is reported of two systems, and of all pairs of systems."""

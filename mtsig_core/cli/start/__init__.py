"""Commands that open and check an experiment."""

"""Pages that explore an experiment."""

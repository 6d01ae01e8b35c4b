"""Names and contents of files as systems, replicas and roles; what `experiment.toml` declares."""

"""Pages that make something: replicas from n-best lists."""

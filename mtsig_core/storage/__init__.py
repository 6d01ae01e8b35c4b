"""What is stored on disk: the cache and its eviction, size limits, and the workspace of uploaded experiments."""

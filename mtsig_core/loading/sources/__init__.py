"""A path, an archive or an upload as a tree of named bytes, within limits."""

"""What loading found, kept on disk by content, so that the same bytes are not read twice."""

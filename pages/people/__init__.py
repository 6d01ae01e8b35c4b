"""Pages about what people judged."""

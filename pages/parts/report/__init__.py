"""The sections of the page Report."""

"""Commands about systems on test sets: what the pages of Explore show."""

"""Which outputs to read: the median replica, segments side by side, and what annotators say of them."""

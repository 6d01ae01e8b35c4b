"""Tests in closed form: crossed, coherent, Welch, pooled, and equivalence within a margin."""

"""Builds the demonstration experiments: a grammar, a noise channel, a decoder's features, an unstable tuner."""

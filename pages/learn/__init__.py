"""Learn: lessons to play with, one page each."""

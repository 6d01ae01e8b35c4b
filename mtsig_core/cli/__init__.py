"""The command line: one folder per group of commands, one module per command."""

"""Layouts whose files are JSON: outputs, scores of evaluation harnesses, and the JSON lines of shared tasks."""

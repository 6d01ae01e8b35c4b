"""Commands about metrics and tuning."""

"""How far replicas of one system differ, and what their number changes."""

"""How large must an experiment be? Variance components, and power by replicas and segments."""

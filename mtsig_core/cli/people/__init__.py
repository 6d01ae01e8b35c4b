"""Commands about human judgements."""

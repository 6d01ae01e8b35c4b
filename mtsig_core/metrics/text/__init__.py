"""Words: tokenizers, target languages, normal forms, and what words outputs and references share."""

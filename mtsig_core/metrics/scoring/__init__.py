"""From outputs to sufficient statistics: chunks, blocks, the cache, sacrebleu."""

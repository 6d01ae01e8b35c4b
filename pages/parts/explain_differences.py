"""What the views of 'Where do they differ?' are: in plain words, with formulas and sources."""

TEXTS = {
    "buckets": r"""
The segments are put into buckets, and each bucket is scored as a test set of its own: the metric's statistics of its
segments are summed, $m_{x,i,k} = f(\sum_{l \in k} T_{x,i,l})$ for replica $i$ of system $x$. Shown is the mean over
replicas; the interval of the difference is Welch's, with the **replicas as units**. It speaks of *new runs of these
recipes on these very segments*; other segments of the kind are another question. With one replica of a system there is
no interval.

- **Length**: words of the references (their mean where there are several); fifths of about equal size, equal lengths
  together.
- **Frequent or rare words**: how often a word occurs in the references *of this test set*; a segment counts by the
  geometric mean over its reference words. No training data are looked at.
- **Difficulty**: the mean segment score over both systems, $(\bar s_{A,l} + \bar s_{B,l})/2$, each the mean of its
  replicas. **Regression to the mean**: the scores that choose a bucket are those that are then shown in it, so the
  hardest look harder than they would to new replicas, and the system whose scores vary more falls lower among the
  hardest and rises higher among the easiest, by luck alone.

*Length of* a system: words of its output in percent of those of the references. After compare-mt (Neubig et al.
2019).""",
    "edits": r"""
TER counts the edits that turn an output into its nearest reference (Snover et al. 2006); here they are counted by kind,
per 100 words of reference, as the mean over replicas.

- **Insertions**: words of the reference that the output lacks. **Deletions**: words of the output that are too many.
- **Substitutions**: a word for another. **Shifts**: phrases that stand in the wrong place, one edit each.

The kinds add up to TER exactly. How an output could be edited with equally few edits is a matter of convention: the
kinds are those of sacreBLEU's trace. Case is ignored. Intervals are Welch's over replicas: new runs on this very
text.""",
}

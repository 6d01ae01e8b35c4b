"""What the views of 'Where do they differ?' are: in plain words, with formulas and sources."""

TEXTS = {
    "buckets": r"""
The segments are put into buckets, and each bucket is scored as a test set of its own: the metric's statistics of its
segments are summed, $m_{x,i,k} = f(\sum_{l \in k} T_{x,i,l})$ for replica $i$ of system $x$. Shown is the mean over
replicas; the interval of the difference is Welch's, with the **replicas as units**. It speaks of *new runs of these
recipes on these very segments*; other segments of the kind are another question. With one replica of a system there
is no interval.

- **Length**: words of the references (their mean where there are several); fifths of about equal size, equal lengths
  together.
- **Frequent or rare words**: how often a word occurs in the references *of this test set*; a segment counts by the
  geometric mean over its reference words. No training data are looked at.
- **Difficulty**: the mean segment score over both systems, $(\bar s_{A,l} + \bar s_{B,l})/2$, each the mean of its
  replicas. **Regression to the mean**: the scores that choose a bucket are those that are then shown in it, so the
  hardest look harder than they would to new replicas, and the system whose scores vary more falls lower among the
  hardest and rises higher among the easiest, by luck alone. In simulations of equal recipes, intervals at both ends
  missed 0 in 2 to 4 % of cases where both systems vary alike, in 24 to 38 % where one varies three times as much.

*Length, A / B*: words of the baseline's and of the system's outputs in percent of those of the references.
After compare-mt (Neubig et al. 2019).""",
    "edits": r"""
TER counts the edits that turn an output into its nearest reference (Snover et al. 2006); here they are counted by
kind, per 100 words of reference, as the mean over replicas.

- **Insertions**: words of the reference that the output lacks. **Deletions**: words of the output that are too many.
- **Substitutions**: a word for another. **Shifts**: phrases that stand in the wrong place, one edit each.

The kinds add up to TER exactly. How an output could be edited with equally few edits is a matter of convention: the
kinds are those of sacreBLEU's trace. Case is ignored. Intervals are Welch's over replicas: new runs on this very
text.""",
    "words": r"""
A word of an output is right as often as its segment's reference has it, wherever it stands (clipped as in BLEU's
counts of single words). Over all segments, for the words of one frequency: *recall* is the share of their occurrences
in the references that the output has, *precision* the share of the output's words that are right, and

$$
F_1 = \frac{2 \cdot \text{right}}{\text{in the references} + \text{in the output}}
$$

**Frequency** is how often the word occurs in the references of *this test set*; no training data are looked at. Words
that no reference has belong to no row, yet they are wrong: their share stands below. Several references of a segment
count together. Each replica has its own F1; the interval is Welch's over replicas. After compare-mt (Neubig et al.
2019).""",
    "output lengths": """
Words of the output minus words of the reference (of several the mean, rounded), segment by segment. Shown is the
share of segments in each range, as the mean over replicas, with Welch's interval of the difference: new runs on this
very text.""",
    "n-grams": r"""
An n-gram (1 to 4 words) of a reference is right in an output as often as the output has it, at most as often as the
reference does: BLEU's clipped matches. Each **replica** has a count over all segments, and the replicas are the units
of the test, since words of one output are not independent of each other.

- **p**: were the runs of both recipes alike, every way to deal the replicas to the systems would be equally likely; p
  is the share of deals whose means differ as much. All deals are counted where they are few, or where the counts take
  two values (Fisher's exact test); else p is that of Welch's t-test. It speaks of new runs on this very text.
  Declared pairs of replicas are not used.
- **Corrected p**: after Benjamini and Hochberg (1995) over all n-grams tested; of those found at .05 about one in
  twenty is expected to be luck at most. Not tested are n-grams whose counts do not vary or could not reach the level
  however they fell (Tarone 1990), and parts of a longer n-gram with the same counts: none of this looks at which
  system has which count.
- Among replicas of *one* system, split at random into two "systems" (300 splits of each demonstration), something was
  found in 0 to 3 % of the splits. When luck strikes it strikes many n-grams at once: they share segments and
  replicas.
- With few replicas no n-gram can be found: 3 against 3 give no p below .1.""",
    "stability": r"""
Each occurrence of a word (or n-gram) in a reference is right in a replica whose output of that segment has it often
enough. **Stable errors** are those of *every* replica: the recipe cannot do it. **Unstable** ones are made by some:
the luck of the run, or what choosing or combining replicas might mend.

The more replicas, the fewer errors all of them share. So the *stable share*, the part of what one replica misses on
average that all miss, is told for as many replicas as the smaller system has: of $n$ replicas of which $w$ are wrong,
$m$ drawn without replacement are all wrong with probability $\binom{w}{m}/\binom{n}{m}$.

A word counts wherever it stands in the output, and a synonym counts as an error. Of several references only what all
of them have is asked for.""",
}

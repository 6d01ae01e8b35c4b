"""What each result is: in plain words, with its formula and its source."""

from __future__ import annotations

import streamlit as st

CLARK = "Clark, Dyer, Lavie and Smith (2011), *Better Hypothesis Testing for Statistical Machine Translation*"
FU = "Fu, Xue, Zhang and Hao, *Document Based Significance Testing for MT*"
NEUBIG = "Neubig, *Practicalities 2: Evaluating MT Systems* (lecture notes)"
KOEHN = "Koehn (2004), *Statistical Significance Tests for Machine Translation Evaluation*"
RIEZLER = "Riezler and Maxwell (2005), *On Some Pitfalls in Automatic Evaluation and Significance Testing for MT*"
GRAHAM = "Graham, *MT Significance Testing* (lecture, MT Marathon 2016)"

TEXTS = {
    "table": rf"""
One row for each metric and system; *n* is the number of replicas.

- **Avg**: the mean of the replicas' scores, $\bar m = \frac1n \sum_i m_i$.
- **s_sel** (test-set luck): how much the score would move on another test set of this size and kind. For each
  replica,
  bootstrap test sets are drawn from the segments; $s_i$ is the standard deviation of the score over the draws, and
  $s_{{sel}} = \frac1n \sum_i s_i$.
- **s_dev** (optimizer luck on the tuning set): standard deviation of the replicas' scores on the dev set,
  $\sqrt{{\sum_i (m_i - \bar m)^2 / (n-1)}}$.
- **s_test** (optimizer luck on the test set): the same on the test set. MultEval prints it as s_opt.

A dash means *not defined*: a spread needs two replicas, and s_dev needs a dev set. Source: {CLARK}, Table 1.""",
    "histogram": rf"""
Each replica of a system gives one score; the histogram shows how often each score occurs, with both systems on the
same
bins and a line at each mean. Where the two overlap, a single unlucky pair of replicas can suggest the opposite
conclusion. Source: {CLARK}, Figure 1.""",
    "strip": """
Each mark is one replica. Replicas of one system differ only by luck (random seed, order of the data, optimizer), so
their spread is what a single run hides.""",
    "dev": rf"""
Each mark is one replica: its score on the tuning (dev) set against its score on the test set. When s_test is
larger than
s_dev, tuning has found weights that do well on the dev set and not as well elsewhere. This happens half the time by
chance; mtsig says so only when the interval of the ratio $s_{{test}}/s_{{dev}}$ (from the F distribution with
$n-1$ and $n-1$ degrees of freedom) does not cover 1. Source: {CLARK}, section 3.""",
    "verdict": r"""
The verdict rests on the **crossed test**: it asks whether *new runs* of both recipes on *new text* of this kind would
differ. A two-way analysis of variance (replicas by segments) of each system gives the noise of both kinds of luck:

$$V = \frac{MS_{a,A}}{n_A L} + \frac{MS_{a,B}}{n_B L} + \frac{MS_d}{L} - \frac{MS_{e,A}}{n_A L} -
\frac{MS_{e,B}}{n_B L}$$

($MS_a$: between replicas; $MS_d$: of the systems' difference between segments; $MS_e$: the rest; $V$ is never
taken below
$MS_d/L$.) Then $t = D/\sqrt V$ with Satterthwaite's degrees of freedom. Scores that are not averages (BLEU, chrF,
TER) are
made linear around each replica's own sums.

Segment tests answer another question, *these outputs on new text*, and tests over replicas *this recipe on this
text*;
both can be significant by one kind of luck alone.""",
    "intervals": r"""
$D$ is the difference of the systems' mean scores. Each interval answers another question:

- **test set**: these very outputs on other text of this kind (bootstrap over segments, percentile interval);
- **optimizer**: new runs on this very text (Welch's interval over the replicas' scores);
- **both**: new runs on new text (the crossed test's interval). The verdict uses this one.""",
    "tests": rf"""
Each row is a test, each column a metric. A small p says: if there were no difference *of the kind the test asks
about*, a
difference as large as this one would be rare. The smallest p that a test can reach is shown beside it: with 3
replicas
against 3, no test over whole replicas can go below 0.1, however large the difference.

- **Bootstrap**: test sets are drawn from the segments with replacement, the same for both systems ({KOEHN};
  {NEUBIG}).
  *Paired*: does the interval of $D$ cover 0? *Centred*: how often is $|D_b - \bar D| \ge |D|$ ({GRAHAM})?
- **Approximate randomization (AR)**: outputs are exchanged between the systems at random;
  $p = (c+1)/(R+1)$ with $c$ the number of shuffles whose $|D_r| \ge |D|$, or the exact share where all exchanges
  can be
  listed ({RIEZLER}). What is exchanged decides the question: *segments* (all replicas of a segment together), single
  *hypotheses* ({CLARK}), or whole *replicas* ({FU}).
- **Welch**: a t-test on the replicas' scores. **Crossed**: see the verdict.

AR by hypothesis tests that both recipes would produce the very same outputs. When replicas differ, or when systems
are
strong on different segments, it finds "significance" far too often, so it never decides the verdict.""",
    "null": """
What the test expects where there is no difference: the differences under random exchange (or the centred bootstrap
differences). The lines mark the difference that was found, on both sides; p is the shaded share.""",
    "overlap": rf"""
Each system's score on bootstrap test sets, with a normal curve and its interval. The ratio is the area shared by both
curves over the area covered by either, each curve taken over its own interval: 1 for identical, 0 for disjoint
intervals.

Overlapping intervals do **not** mean "no significant difference": both systems were scored on the same segments,
so look
at the interval of the difference above. Source: {FU}, Figure 1.""",
    "shares": rf"""
The same segments are drawn for both systems; counted is how often each wins ({KOEHN}). A share of .95 is not a
p-value
of .05: the winner was chosen after looking, so such a rule errs about twice as often as it claims.""",
    "frequency": rf"""
What you would have found with only *n* replicas of each system: many times, *n* replicas are drawn from each pool
and the
difference of the two means is taken. With one replica each, the difference may be anything in the widest curve.
Source: {CLARK}, Figure 2.""",
    "band": r"""
The middle 95 % of the differences found with *n* replicas of each system. Dotted: the closed form for redrawing
from this
pool, $\pm 1.96 \sqrt{\sigma_A^2/n + \sigma_B^2/n}$ with ddof 0 (times $\sqrt{1 - n/N}$ without replacement).
Dashed: what
to expect from *new* replicas (ddof 1). This is optimizer luck alone: the text stays the same.""",
    "wrong": r"""
The share of draws in which the worse system comes out ahead (ties count half). "Wrong" takes the difference of all
your
replicas as the truth, so a small pool makes this look safer than it is.""",
    "median": rf"""
Replicas are ordered by quality on the *selection* set, worst first, and the middle one is taken: with an even
number the
worse of the two in the middle, so that it is a real output and never a flattering one. Ties go to the first name.
Read the median replica, not the best, and on another set than it was chosen on. Source: {CLARK}, section 5.""",
    "segments": r"""
The chosen replica of A beside that of B. *Gain* is B's segment score minus A's, turned so that positive means B is
better.
The spread columns give the lowest and highest score of that segment over **all** replicas of a system: where the two
ranges overlap, the difference is this replica's luck as much as the system's.""",
}


def what_is_this(topic: str) -> None:
    """Draw the closed explanation of a result."""
    with st.expander("What is this?"):
        st.markdown(TEXTS[topic])

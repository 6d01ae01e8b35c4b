"""What each result is: in plain words, with its formula and its source."""

from __future__ import annotations

import streamlit as st

from pages.parts.read import explain_differences

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

A dash means *not defined*: a spread needs two replicas, and s_dev needs a dev set. Source: {CLARK}, Table 1.

A metric *from file* is the mean of segment scores that came with the experiment, over the segments that every output
has a score for; the sidebar says how many that are.""",
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

$$
V = \frac{MS_{a,A}}{n_A L} + \frac{MS_{a,B}}{n_B L} + \frac{MS_d}{L} - \frac{MS_{e,A}}{n_A L} -
\frac{MS_{e,B}}{n_B L}
$$

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
against 3, no exchange of whole replicas can go below 0.1, however large the difference.

- **Bootstrap**: test sets are drawn from the segments with replacement, the same for both systems ({KOEHN};
  {NEUBIG}).
  *Paired*: does the interval of $D$ cover 0? *Centred*: how often is $|D_b - \bar D| \ge |D|$ ({GRAHAM})?
- **Approximate randomization (AR)**: outputs are exchanged between the systems at random;
  $p = (c+1)/(R+1)$ with $c$ the number of shuffles whose $|D_r| \ge |D|$, or the exact share where all exchanges
  can be
  listed ({RIEZLER}). What is exchanged decides the question: *segments* (all replicas of a segment together), single
  *hypotheses* ({CLARK}), or whole *replicas* ({FU}).
- **Welch**: a t-test on the replicas' scores. **Crossed**: see the verdict.

**As published**: the rules of papers and programs count and centre in their own ways; each row says how, and how often
it was found to err at level .05 in simulations without a difference.

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
Where a pool has fewer than 10 replicas nothing is drawn: the curves are normal ones with the spread
$\sqrt{{s_A^2/n + s_B^2/n}}$ that new replicas are expected to have. Source: {CLARK}, Figure 2.""",
    "band": r"""
The middle 95 % of the differences found with *n* replicas of each system. Dotted: the closed form for redrawing
from this
pool, $\pm 1.96 \sqrt{\sigma_A^2/n + \sigma_B^2/n}$ with ddof 0 (without replacement: ddof 1, times $1 - n/N$ below
the root).
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
Read the median replica, not the best, and on another set than it was chosen on. Source: {CLARK}, section 6.

Of several trusted metrics each has its own median replica. Taken is the one closest to all of them: the smallest mean
distance, in ranks, to the median of each metric (equal scores share the average of their ranks). *Best* and *worst*
have the best and worst mean rank.""",
    "segments": r"""
The chosen replica of A beside that of B. *Gain* is B's segment score minus A's, turned so that positive means B is
better. The bars show the lowest and highest score of that segment over **all** replicas of a system: where the two
overlap, the difference is this replica's luck as much as the system's. *All replicas agree* where they do not.

**Marks.** Words are aligned by the longest stretches that both texts share (Ratcliff and Metzener 1988, as in Python's
`difflib`); scripts without spaces by character. *Against the reference* takes, for each output, the reference that
shares most words with it in order. A word that moved is marked where it stands, and struck through where it is missing.

**Keys.** J goes to the next segment, K to the previous one, when no text field is being typed in. A changed filter
keeps the segment, or goes on to the next that is left; a changed order begins at the top. Regular expressions are
searched for at most 3 seconds.""",
    "annotation": r"""
**The sheet.** Segments are drawn without replacement from those whose outputs differ. *Spread over the differences*
cuts them into fifths by the difference in segment score and draws the same number from each: means stay unbiased.
Each output stands first in half of the rows. The same settings and seed give the same sheet, byte for byte; its id is a
digest of its contents, so a key of another sheet is noticed.

**The result.** The segment is the unit: several people's judgements of a segment are averaged first. Wins are segments
on which B has the higher mean; their share, without ties, has the exact interval of Clopper and Pearson (1934). *p* is
two-sided, of **Wilcoxon's signed-rank test** (1945) over segments: the differences are ranked by size, and the ranks of
those in favour of B summed. Without ties among sizes, or with few segments, it is exact. It asks whether *people prefer
one of these two outputs on text such as this*; whether another run of B would be preferred, too, it cannot tell.

*Ranking*: 1 to the better output, 0 to the other, ½ each for a tie. *Errors*: how many are marked; fewer are better. A
row that somebody judged without marking an error counts as 0 errors.""",
}


TEXTS |= {
    "lottery": rf"""
Every replica of A is tested against every replica of B as if nobody had run either system twice: approximate
randomization over segments, p = (c+1)/(R+1), all pairs with the same shuffles. The rows of the table are the
unluckiest, the middle and the luckiest choice for B. "The wrong side" is the one that loses by the averages of all
replicas.

Each single p is a fair test of *these two outputs on new text*. What it cannot know is that other runs of the same
recipes would have given other outputs. Source: {CLARK}, Table 2.""",
    "p by n": rf"""
Again and again *n* replicas are drawn from each pool, without replacement, and tested by approximate randomization.
Shown are the median p, its 2.5 % and 97.5 % points, and the share of draws below the level: power *on this test set
and from these pools*, not on new text.

- **Segments swapped as blocks** ask about these outputs on new text. More replicas make the choice of outputs matter
  less, not the test set larger: p settles where the test set alone puts it.
- **Single outputs swapped** is the test of {CLARK}, Table 2. It counts *n* replicas of a segment as *n* segments, so p
  falls with *n* even where the recipes do not differ: read it as reproduction, not as evidence.""",
    "table 2": rf"""
The rows of {CLARK}, Table 2. First one replica of each system: the unluckiest, the middle and the luckiest choice for
B, and the share of all pairs of replicas that would have been called significant. Then *n* replicas of each: the 2.5 %
and 97.5 % points of p over the draws, and the share below the level.""",
    "bootstrap": rf"""
Test sets are drawn from the segments again and again. *Full* draws take L segments with replacement; *half* draws L/2
without, which gives the same width. From the draws four intervals:

- **percentile**: their quantiles; **sorted elements**: the elements $M\alpha/2$ and $M(1-\alpha/2)$ of the sorted draws
  ({NEUBIG}, Algorithm 4);
- **basic**: the percentile interval mirrored at the score; **BCa** (Efron 1987): percentiles shifted for bias and skew,
  with the acceleration from leaving out each segment once.

**Do the intervals of A and B overlap?** is the wrong question for outputs of the same segments: a hard test set lowers
both scores together. Two intervals can overlap widely while B wins on nearly every draw. Ask whether the interval of
the *difference* covers 0 ({GRAHAM}).""",
    "three tests": rf"""
What three tests draw, on one axis. The *paired bootstrap* draws differences around D and asks how many lie beyond 0
({KOEHN}). The *centred bootstrap* moves the same draws to 0 and asks how many lie beyond D: it assumes that the shape
stays when the mean moves. *Approximate randomization* draws around 0 by itself ({RIEZLER}). On most data the three
agree ({GRAHAM}); where they do not, a few segments carry the difference.""",
    "pairs": rf"""
p of the chosen test for every pair. With many pairs some are "significant" by chance, so p is corrected: **Holm**
bounds the chance of even one false alarm, **Benjamini–Hochberg** the expected share of false ones among the alarms.
Both run over all pairs whose p is defined. Source of the table: {FU}, Table 8.""",
    "clusters": """
Systems stand best first. A new cluster starts below a system when every system above beats every system below it
(Holm-corrected p below the level). Systems in one cluster are not shown to be equal; they are just not told apart by
this test on this text.""",
    "three methods": rf"""
Three ways to use replicas, each with a bootstrap and with approximate randomization ({FU}, Tables 6 to 8):

- **Riezler**: one replica of each system (here the median one), segments drawn or swapped;
- **Clark**: all replicas, their n·L single outputs pooled as if they were independent;
- **Test-set level**: whole outputs drawn or swapped, n of them.

p counts draws that *exceed* the observed difference and adds one, as the paper does. Narrow is not honest: pooling *n*
replicas of the *same* L segments narrows the interval by $\sqrt n$ although the test set is no larger, and the
test-set level knows nothing of other text. The overlap ratio is the area that two normal fits share over the area that
they cover, each within its interval.""",
    "s_diff": rf"""
The difference that each single pair of replicas would have shown, with a normal curve of its mean and of the standard
deviation $\sqrt{{s_A^2 + s_B^2}}$ that new replicas are expected to have. Source: {FU}, Figure 4.""",
    "p curve": rf"""
For each test, the p that a difference of that size would have had: the share of the draws by chance that reach it.
Where a curve crosses the level stands the smallest difference that this test would call significant *on this very test
set with these replicas*; on another one it is another. Tests without such draws (closed forms, rules that look at one
side) are left out. Source: {FU}, Figure 5.""",
}


TEXTS |= {
    "alarms": """
Every experiment is simulated without a difference between the recipes: new replicas, new segments, normal scores
(a single output's standard deviation is 10; where replicas differ as a whole theirs is 2, where strengths differ by
segment theirs is 10). Counted is how often p falls below the level. With 2,000 experiments a share of 5 % is known to
about one percent point.

A test is not bad because a column is marked: it answers *another* question. Segment tests ask about **these outputs on
new text**, so replicas that differ as a whole deceive whoever takes them for the recipe. Replica tests ask about **this
recipe on this text**, so strengths that differ by segment deceive whoever takes them for other text. A long table of
false alarms, with other numbers of replicas and other distributions, is in `docs/false-alarms.md`.""",
    "calibration": r"""
One system's replicas are split in two halves, in every distinct way (4 replicas: 3; 6: 10; 8: 35; 10: 126; of more a
random part; of an odd number one half has one more), and each test compares the halves. The line of a calibrated test
follows the diagonal; one above it at the dashed level raises false alarms.

The splits share the same *n* replicas, so the share has no binomial interval. What to expect of tests that take the
outputs as given comes from the whole-replica effect $F = MS_a/MS_e$: the rate is $2\Phi(-z/\sqrt F)$, its limits at
$(n-1)F/q$ with $q$ the .975 and .025 points of $\chi^2_{n-1}$. At $F = 1$ that is 0.05 % to 60 % for 4 replicas and
0.4 % to 28 % for 10: few replicas can convict a test, never acquit it.

Permutations of whole replicas are left out: they reject at most as often as the level says by construction. And one
system's replicas say nothing of two systems whose strengths differ by segment: see the arena for that.""",
    "replica effect": rf"""
Do replicas differ *as a whole*, or only as much as the luck of single outputs makes them differ?

$$
F = \frac{{s_{{test}}^2}}{{\text{{mean of }} s_{{test}}^2 \text{{ when each segment's outputs are dealt again}}}}
\approx \frac{{MS_a}}{{MS_e}}
$$

p is the share of deals with a spread as large, $(c+1)/(R+1)$; for large pools the F distribution with $n-1$ and
$(n-1)(L-1)$ degrees of freedom stands in. *Replica sd* is the standard deviation of whole replicas that F implies,
$\sqrt{{(MS_a - MS_e)/L}}$, not below 0, with its interval.

A p above the level with few replicas is no evidence that there is no effect, so no verdict depends on it. After
{CLARK}, who tell optimizer luck from test-set luck.""",
    "overclaim": r"""
Tests that exchange single outputs reckon with the variance
$V_{hyp} = (1/n_A + 1/n_B) \sum_l S^2_l / L^2$, where $S^2_l$ is the variance of the $n_A + n_B$ outputs' values in
segment $l$. The variance of the difference over new replicas on new text is the crossed test's $V$. Their ratio
$VR = V/V_{hyp}$ gives the false alarms to expect at level $\alpha$: $2\Phi(-z_{1-\alpha/2}/\sqrt{VR})$.

*These outputs on new text* leaves the replicas' effect out of $V$: what remains is that systems are strong on different
segments.""",
    "arena": r"""
The score of replica *i* of system *x* on segment *l* is effect$[x, i]$ + strength$[x, l]$ + residual$[x, i, l]$, all
normal, and the test set's score is their mean. Every experiment has new replicas and new segments. Whiskers are exact
95 % intervals (Clopper and Pearson). Tests for paired replicas and for documents are left out.

Try: (1) nothing but the luck of outputs: which tests err even there, and by how much? (2) turn up *replicas differ as
a whole*: which tests fall first? (3) turn it down and *strengths differ by segment* up, with more and more replicas:
which test gets worse the more replicas it has?""",
}


TEXTS |= {
    "effect": r"""
Significance says whether luck explains a difference, not whether anybody would notice it.

**Probability of improvement**: of all pairs of a replica of A and one of B, the share in which B's score is better,
ties counting half (Agarwal et al. 2021, *Deep Reinforcement Learning at the Edge of the Statistical Precipice*; the
statistic of Mann and Whitney). Its interval is Newcombe's (2006, method 5): it solves
$(\theta - \hat\theta)^2 = z^2\,\theta(1-\theta)\,[1 + (\frac{n_A+n_B}{2} - 1)(\frac{1-\theta}{2-\theta} +
\frac{\theta}{1+\theta})]/(n_A n_B)$ and keeps its width where all replicas of B beat all of A. It speaks of replicas
on this text.

**What people say**: of pairs of machine-translation systems that differ by this much, the share on which people prefer
the same one (Kocmi et al. 2024, *Navigating the Metrics Maze*; package mt-thresholds). There are curves for BLEU, chrF
and COMET. It speaks of pairs of systems of the WMT campaigns, not of yours.""",
    "all sets": r"""
The difference on every test set (tuning sets left out) with its crossed interval, and their plain mean: every set
counts the same, however long. Three intervals of the mean:

- **other text**: segments redrawn within each set, independently from set to set (a bootstrap stratified by set, as
  rliable's is by task: Agarwal et al. 2021);
- **other replicas**: Welch's interval of the replicas' means over the sets (redrawing few replicas, as rliable does
  with runs, gives one that is too narrow);
- **both**: the crossed test of the mean over $K$ sets, with $M$ the replicas' means over the sets:
  $V = s^2(M_A)/n_A + s^2(M_B)/n_B + \sum_k (MS_{d,k} - MS_{e,A,k}/n_A - MS_{e,B,k}/n_B)/(K^2 L_k)$, not below the
  part of the text, and Satterthwaite's degrees of freedom. The sentence rests on it.

It speaks of new replicas on new text of *these* kinds; other kinds of text are another question.""",
}


TEXTS |= {
    "components": r"""
A score of one segment is taken apart: the segment's difficulty (which both systems share, so it cancels in the
difference), how well a system does on this segment, the luck of the whole run, and the rest. With the mean squares of
the crossed test,

$$
s^2_{replica} = \frac{MS_a - MS_e}{L},\quad s^2_{residual} = MS_e,\quad s^2_{system \times segment} = MS_d -
\frac{MS_{e,A}}{n_A} - \frac{MS_{e,B}}{n_B}
$$

The luck in the difference is $s^2_{replica}/n + s^2_{system \times segment}/L + s^2_{residual}/(nL)$: **more replicas**
shrink the first and the last part, **more segments** the second and the last. Estimates below 0 count as 0 and are
marked. Intervals are generalised confidence intervals (Weerahandi 1993): every mean square is divided by draws of
$\chi^2_{df}/df$ and the components made again, as for normal effects.

*Shared seeds*: where outputs of equal index are clearly more alike, replicas may share a seed; only you know.""",
    "planner": r"""
Your replicas are the pilot: their variance components say how much luck an experiment of $n$ replicas and $L$ segments
would have. Such experiments are simulated 10000 times: the mean squares $MS_a \sim (L s^2_a + s^2_e)\chi^2/df$,
$MS_e \sim s^2_e\,\chi^2/df$, $MS_d \sim (s^2_c + \sum s^2_e/n)\,\chi^2/df$ and the difference $D \sim N(\delta, V)$;
each goes through the crossed test.

- **Power**: the share of experiments that find the difference. Read the figure along the red line: every point on it
  reaches the power you asked for. The star is the least number of replicas on your test set.
- **Exaggerated** (type M) and **wrong sign** (type S; Gelman and Carlin 2014): among *significant* results, how many
  times too large they are on average, and how many point the wrong way. Weak experiments do both.
- **Smallest p**: what an exact test of whole replicas can reach at best, $2/\binom{2n}{n}$.

Plan for the smallest difference that matters to you, never for the one you found. A pilot of few replicas hardly knows
how much runs vary: with 2 the true spread may be .45 to 32 times the one seen, with 3 .52 to 6.3, with 5 .60 to 2.9,
with 10 .69 to 1.8. So the plan is made again at the upper 80 % limit.""",
}

TEXTS |= explain_differences.TEXTS


def what_is_this(topic: str) -> None:
    """Draw the closed explanation of a result."""
    with st.expander("What is this?"):
        st.markdown(TEXTS[topic])

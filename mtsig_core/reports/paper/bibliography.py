"""The works that a report cites, as BibTeX and as short citations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mtsig_core import __version__

ACL = "Annual Meeting of the Association for Computational Linguistics"


@dataclass(frozen=True)
class Work:
    """A work: how it is cited, its kind of BibTeX entry, and the fields of that."""

    short: str
    kind: str
    fields: dict[str, str]


def _work(short: str, kind: str, author: str, title: str, year: str, **fields: str) -> Work:
    return Work(short, kind, {"author": author, "title": title, **fields, "year": year})


def _talk(short: str, author: str, title: str, booktitle: str, year: str, pages: str) -> Work:
    return _work(short, "inproceedings", author, title, year, booktitle=booktitle, pages=pages)


def _article(short: str, author: str, title: str, journal: str, year: str, **fields: str) -> Work:
    return _work(short, "article", author, title, year, journal=journal, **fields)


WORKS: dict[str, Work] = {
    "mtsig": Work("mtsig", "misc", {
        "key": "mtsig",
        "title": "{mtsig}: significance of differences between text-generation systems with replicas",
        "note": f"Version {__version__}",
    }),
    "clark-2011": _talk(
        "Clark et al. 2011", "Jonathan H. Clark and Chris Dyer and Alon Lavie and Noah A. Smith",
        "Better Hypothesis Testing for Statistical Machine Translation: Controlling for Optimizer Instability",
        f"Proceedings of the 49th {ACL}: Human Language Technologies", "2011", "176--181",
    ),
    "koehn-2004": _talk(
        "Koehn 2004", "Philipp Koehn", "Statistical Significance Tests for Machine Translation Evaluation",
        "Proceedings of the 2004 Conference on Empirical Methods in Natural Language Processing", "2004", "388--395",
    ),
    "riezler-2005": _talk(
        "Riezler and Maxwell 2005", "Stefan Riezler and John T. Maxwell",
        "On Some Pitfalls in Automatic Evaluation and Significance Testing for {MT}",
        "Proceedings of the ACL Workshop on Intrinsic and Extrinsic Evaluation Measures for Machine Translation and/or "
        "Summarization", "2005", "57--64",
    ),
    "graham-2014": _talk(
        "Graham et al. 2014", "Yvette Graham and Nitika Mathur and Timothy Baldwin",
        "Randomized Significance Tests in Machine Translation",
        "Proceedings of the Ninth Workshop on Statistical Machine Translation", "2014", "266--274",
    ),
    "post-2018": _talk(
        "Post 2018", "Matt Post", "A Call for Clarity in Reporting {BLEU} Scores",
        "Proceedings of the Third Conference on Machine Translation: Research Papers", "2018", "186--191",
    ),
    "papineni-2002": _talk(
        "Papineni et al. 2002", "Kishore Papineni and Salim Roukos and Todd Ward and Wei-Jing Zhu",
        "{BLEU}: a Method for Automatic Evaluation of Machine Translation", f"Proceedings of the 40th {ACL}", "2002",
        "311--318",
    ),
    "popovic-2015": _talk(
        "Popović 2015", r"Maja Popovi{\'c}", "chr{F}: character n-gram {F}-score for automatic {MT} evaluation",
        "Proceedings of the Tenth Workshop on Statistical Machine Translation", "2015", "392--395",
    ),
    "popovic-2017": _talk(
        "Popović 2017", r"Maja Popovi{\'c}", "chr{F}++: words helping character n-grams",
        "Proceedings of the Second Conference on Machine Translation", "2017", "612--618",
    ),
    "snover-2006": _talk(
        "Snover et al. 2006",
        "Matthew Snover and Bonnie Dorr and Rich Schwartz and Linnea Micciulla and John Makhoul",
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        "Proceedings of the 7th Conference of the Association for Machine Translation in the Americas", "2006",
        "223--231",
    ),
    "kocmi-2024": _talk(
        "Kocmi et al. 2024",
        "Tom Kocmi and Vil{\\'e}m Zouhar and Christian Federmann and Matt Post",
        "Navigating the Metrics Maze: Reconciling Score Magnitudes and Accuracies", f"Proceedings of the 62nd {ACL}",
        "2024", "1999--2014",
    ),
    "fu": Work("Fu et al.", "misc", {
        "author": "Bin Fu and Zhengshan Xue and Dakun Zhang and Jie Hao",
        "title": "Document Based Significance Testing for {MT}", "note": "In Chinese",
    }),
    "noreen-1989": _work(
        "Noreen 1989", "book", "Eric W. Noreen",
        "Computer-Intensive Methods for Testing Hypotheses: An Introduction", "1989", publisher="Wiley",
    ),
    "welch-1947": _article(
        "Welch 1947", "B. L. Welch",
        "The Generalization of `{Student}'s' Problem when Several Different Population Variances are Involved",
        "Biometrika", "1947", volume="34", number="1/2", pages="28--35",
    ),
    "satterthwaite-1946": _article(
        "Satterthwaite 1946", "F. E. Satterthwaite",
        "An Approximate Distribution of Estimates of Variance Components", "Biometrics Bulletin", "1946",
        volume="2", number="6", pages="110--114",
    ),
    "schuirmann-1987": _article(
        "Schuirmann 1987", "Donald J. Schuirmann",
        "A Comparison of the Two One-Sided Tests Procedure and the Power Approach for Assessing the Equivalence of "
        "Average Bioavailability", "Journal of Pharmacokinetics and Biopharmaceutics", "1987", volume="15",
        number="6", pages="657--680",
    ),
    "holm-1979": _article(
        "Holm 1979", "Sture Holm", "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics", "1979", volume="6", number="2", pages="65--70",
    ),
    "benjamini-1995": _article(
        "Benjamini and Hochberg 1995", "Yoav Benjamini and Yosef Hochberg",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
        "Journal of the Royal Statistical Society: Series B", "1995", volume="57", number="1", pages="289--300",
    ),
}  # fmt: skip

#: What a metric is cited by.
OF_METRIC = {
    "bleu": ("papineni-2002", "post-2018"), "chrf": ("popovic-2015", "post-2018"),
    "chrf++": ("popovic-2017", "post-2018"), "ter": ("snover-2006", "post-2018"),
}  # fmt: skip
#: What a preset is cited by.
OF_PRESET = {
    "crossed": ("satterthwaite-1946",), "crossed-paired": ("satterthwaite-1946",),
    "coherent": ("satterthwaite-1946", "welch-1947"), "coherent-paired": ("satterthwaite-1946",),
    "ar-segment": ("noreen-1989", "riezler-2005"), "ar-document": ("noreen-1989", "riezler-2005"),
    "ar-replica": ("noreen-1989",), "ar-replica-paired": ("noreen-1989",), "welch-replicas": ("welch-1947",),
    "bootstrap-centred": ("graham-2014",), "bootstrap-document": ("graham-2014",),
    "bootstrap-paired": ("koehn-2004",), "koehn": ("koehn-2004",), "lecture-bootstrap": ("graham-2014",),
    "lecture-ar": ("graham-2014",), "sacrebleu-bootstrap": ("post-2018",), "sacrebleu-ar": ("post-2018",),
    "ar-hypothesis": ("clark-2011",), "multeval-ar": ("clark-2011",), "fu-bootstrap": ("fu",), "fu-ar": ("fu",),
}  # fmt: skip


def short_citation(keys: Iterable[str]) -> str:
    """Return works as a text cites them; mtsig, which the text names with its version, is not cited again.

    Examples
    --------
    >>> short_citation(["koehn-2004", "clark-2011"])
    '(Koehn 2004; Clark et al. 2011)'
    """
    shown = [WORKS[key].short for key in keys if key != "mtsig"]
    return f"({'; '.join(shown)})" if shown else ""


def bibtex(keys: Iterable[str]) -> str:
    """Return works as BibTeX entries."""
    return "\n".join(_entry(key, WORKS[key]) for key in keys)


def _entry(key: str, work: Work) -> str:
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in work.fields.items())
    return f"@{work.kind}{{{key},\n{lines}}}\n"

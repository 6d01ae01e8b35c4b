import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtsig_core.reports.files.latex import escape_latex, latex_label, latex_table
from mtsig_core.reports.pairs.comparator import SYMBOLS
from mtsig_core.reports.tables import to_latex

# what an escaped text may consist of: known commands, groups of ours, and plain characters
_COMMAND = (
    r"\\(text(backslash|asciitilde|asciicircum|less|greater|bar|asciigrave|quotesingle)\{\}|ldots\{\}|[&%$#_{}])"
    r"|\{\\char34\}|\{[\[\]*]\}|\{\}|\$(-|\\(pm|times|leq|geq|(up|down|left|right)arrow|bigtriangle(up|down)|circ|surd|infty|alpha|sigma))\$|~"
)


def _rest(escaped):
    """Return what stays when all known commands are taken out."""
    return re.sub(_COMMAND, "", escaped)


@given(st.text())
def test_no_special_character_survives_unescaped(text):
    rest = _rest(escape_latex(text))
    assert not re.search(r'[\\&%$#_{}~^<>|"`\'\[\]*]', rest)
    assert not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", rest)


@pytest.mark.slow
@given(st.text(alphabet="\\&%$#_{}~^<>|\"`'[]*-,?!ab"))
def test_specials_in_any_company_are_escaped_and_braces_balance(text):
    escaped = escape_latex(text)
    assert not re.search(r'[\\&%$#_{}~^<>|"`\'\[\]*]', _rest(escaped))
    unescaped_braces = re.sub(r"\\[{}]", "", escaped)
    depth = np.cumsum([{"{": 1, "}": -1}.get(c, 0) for c in unescaped_braces] or [0])
    assert depth.min() >= 0
    assert depth[-1] == 0


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50% & $x_1$", r"50\% \& \$x\_1\$"),
        ("a\\b", r"a\textbackslash{}b"),
        ("--lr", "-{}-lr"),
        ("---", "-{}-{}-"),
        ("[x] *", "{[}x{]} {*}"),
        ("line\nbreak\x00", "line break "),
        ("−0.30", "$-$0.30"),
        ("—", "---"),
        ("BLEU ↑", r"BLEU $\uparrow$"),
        ("⚠ 0.031 ▲", r"(!) 0.031 $\bigtriangleup$"),
        ("Übersetzung 翻译", "Übersetzung 翻译"),
    ],
)
def test_known_escapes(text, latex):
    assert escape_latex(text) == latex


def test_the_symbols_of_outcomes_need_no_package():
    assert all(escape_latex(symbol).isascii() for symbol in SYMBOLS.values())


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX engine")
def test_every_symbol_compiles(tmp_path):
    table = latex_table([("symbol", False)], [[text] for text in [*SYMBOLS.values(), *"−±×≤≥↑↓→←…ασ√∞⚠·"]])
    packages = r"\documentclass{article}\usepackage{booktabs}\usepackage{textcomp}"
    (tmp_path / "table.tex").write_text(rf"{packages}\begin{{document}}{table}\end{{document}}", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_label_has_only_harmless_characters():
    assert latex_label("tab:table 1_{x}%") == "tab:table-1_-x"


def test_table_has_booktabs_rules_and_one_cell_a_column():
    frame = pd.DataFrame({"system": ["[A]", "b & c"], "BLEU": [48.4, -0.3], "s_dev": [None, 0.25], "n": [3, 10]})
    lines = to_latex(frame, "A caption, 50%", "tab:x", "A note.").splitlines()
    rules = [line for line in lines if line.endswith("rule")]
    assert rules == [r"\toprule", r"\midrule", r"\bottomrule"]
    assert r"\begin{tabular}{lrrr}" in lines
    assert r"\caption{A caption, 50\%}" in lines
    assert r"\label{tab:x}" in lines
    body = [line for line in lines if line.endswith(r"\\")]
    assert body == [
        r"system & BLEU & $s_{\mathrm{dev}}$ & n \\",
        r"{[}A{]} & 48.40 & --- & 3 \\",
        r"b \& c & $-$0.30 & 0.25 & 10 \\",
    ]
    assert any("A note." in line for line in lines)
    begins, ends = (re.findall(rf"\\{word}{{(\w+)}}", "\n".join(lines)) for word in ("begin", "end"))
    assert begins == ends[::-1] == ["table", "tabular"]


def test_caption_and_label_are_left_out_when_empty():
    text = latex_table([("a", True)], [["1"]])
    assert "caption" not in text
    assert "label" not in text


def test_bold_marks_the_cells_asked_for():
    frame = pd.DataFrame({"system": ["A", "B"], "avg": [1.0, 2.0]})
    text = to_latex(frame, bold=pd.DataFrame({"avg": [False, True]}))
    assert r"B & \textbf{2.00} \\" in text
    assert text.count("textbf") == 1


def test_bold_of_another_height_is_refused():
    with pytest.raises(ValueError, match="bold has 1 rows, the table has 2"):
        to_latex(pd.DataFrame({"avg": [1.0, 2.0]}), bold=pd.DataFrame({"avg": [True]}))


def test_an_empty_frame_is_a_table_without_rows():
    assert r"\midrule" + "\n" + r"\bottomrule" in to_latex(pd.DataFrame({"a": [], "b": []}))

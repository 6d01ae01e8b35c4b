"""Text for people is plain English: no blank before a percent sign, no private dialect, one word per plural."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ("mtsig_core", "pages", "data", "mtsig_app")
#: What interface.md's "Words" never says, and the dialect that stood for "one row per segment".
PHRASES = (
    "told from luck", "wrongs it", "overclaims", "how p comes about", "answers for", "same letters, same code",
    "pictures as", "is no ZIP",
)  # fmt: skip
THINGS = "row|line|score|file|column|number|point|bar|cell|page|method|module|test|segment|output|replica|system|metric"
EACH = f"{THINGS}|reference|value|person|colour|word|draw|pair|run|item"
RULES = {
    "a blank before a percent sign": re.compile(r"(?<![%\w.{])\d[\d.,]* %(?![\w(%])"),
    "a phrase that is no standard English": re.compile("|".join(map(re.escape, PHRASES))),
    "'a row a segment': write 'one row per segment'": re.compile(
        rf"\b(?:a|an|one) (?:{EACH}) an? (?:{EACH})\b", re.IGNORECASE
    ),
    "a plural after 1 or a singular after a larger number": re.compile(
        rf"\b1 (?:{THINGS})s\b|(?<![\w.,])(?<!output )(?<!system )(?:[2-9]|\d\d+) (?:{THINGS})\b(?! ?[-/×(\w])"
    ),
    "'(s)' for a plural: use formatting.count": re.compile(r"[a-z]\(s\)"),
}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string and comment of a module, or of each line of a document."""
    if path.suffix == ".md":
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield number, line
        return
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, " ".join(node.value.split())
    for number, line in enumerate(source.splitlines(), 1):
        if (comment := re.search(r"(?:^|\s)#\s(.*)$", line)) and '"' not in comment[1]:
            yield number, comment[1]


def problems(root: Path) -> list[str]:
    files = [path for folder in PYTHON for path in sorted((root / folder).rglob("*.py"))]
    files += sorted((root / "docs").glob("*.md")) + sorted(root.glob("*.md")) + sorted((root / "pages").rglob("*.md"))
    return [
        f"{path.relative_to(root)}:{line}: {rule}: {match[0]!r}"
        for path in files
        for line, text in texts(path)
        for rule, pattern in RULES.items()
        if (match := pattern.search(text))
    ]


@pytest.mark.slow
def test_texts_are_plain_english():
    assert "\n".join(problems(ROOT)) == ""


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("95 % of the draws", 1), ("95% of the draws", 0), ("a row a segment", 1), ("One row a reference", 1),
        ("one row per segment", 0),
        ("not told from luck", 1), ("1 segments", 1), ("3 segment", 1), ("3 segments", 0), ("segment(s)", 1),
        ("13 %", 1), ("a %b", 0),
    ],
)  # fmt: skip
def test_the_rules_find_what_they_should(tmp_path, text, n):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/one.md").write_text(text)
    assert len(problems(tmp_path)) == n
    (tmp_path / "docs/one.md").unlink()
    (tmp_path / "mtsig_core").mkdir()
    (tmp_path / "mtsig_core/one.py").write_text(f'"""{text}"""\n\nX = f"{text} {{1}}"\n')
    assert len(problems(tmp_path)) == 2 * n

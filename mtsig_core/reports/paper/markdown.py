"""A report as Markdown: sentences and tables; figures are in the HTML file."""

from __future__ import annotations

from functools import singledispatch

from mtsig_core.reports.paper.bibliography import short_citation
from mtsig_core.reports.paper.model import Answers, Block, Claim, Code, Figure, Items, Prose, Report, Table, cited
from mtsig_core.reports.tables import escape_markdown, to_markdown


def to_markdown_report(report: Report) -> str:
    """Return the report as Markdown."""
    parts = [f"# {escape_markdown(report.title)}"]
    for section in report.sections:
        parts.append(f"## {escape_markdown(section.title)}")
        parts += filter(None, map(_block, section.blocks))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


@singledispatch
def _block(block: Block) -> str:
    raise TypeError(f"{type(block).__name__} is not a block of a report.")


@_block.register
def _(block: Prose) -> str:
    return " ".join(escape_markdown(cited(sentence, short_citation)) for sentence in block.sentences)


@_block.register
def _(block: Claim) -> str:
    return f"**{escape_markdown(block.text)}**"


@_block.register
def _(block: Items) -> str:
    return "\n".join(f"- {escape_markdown(text)}" for text in block.texts)


@_block.register
def _(block: Answers) -> str:
    return "\n".join(f"- **{escape_markdown(asked)}** {escape_markdown(answer)}" for asked, answer in block.pairs)


@_block.register
def _(block: Code) -> str:
    return f"```bibtex\n{block.text}```" if block.text else ""


@_block.register
def _(block: Table) -> str:
    notes = "".join(f"\n\n{escape_markdown(note)}" for note in block.notes)
    return f"{escape_markdown(block.title)}\n\n{to_markdown(block.shown).rstrip()}{notes}"


@_block.register
def _(block: Figure) -> str:
    return ""

"""Human judgement: what people say of the systems, and who those people are."""

from __future__ import annotations

from pages.parts.people import annotators, judged, set_aside, systems

judged.draw_page("Human judgement", "What do people say about the systems, and how well do annotators agree?", [
    ("systems", "Systems", systems.draw),
    ("annotators", "Annotators", annotators.draw),
    ("details", "Details and what was set aside", set_aside.draw),
])  # fmt: skip

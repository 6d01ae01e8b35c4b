"""Play lessons and keep what is seen as animated pictures: ``python -m tests.browser.animations``.

Writes ``docs/lesson-NAME.gif``, small enough for a README, from the real pages.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Sequence

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import QUIET, Tab, find_chromium, serving
from tests.browser.pictures import DOCS, Folders

#: Address, and which buttons are pressed: a frame before the first and after each.
LESSONS = {
    "sampling-distribution": ("shape=skewed", (1, 1, 1, 10, 10, 10, 10, 10, 10, 10, 1000)),
    "luck-of-one-run": ("", (1, 1, 1, 1, 1, 10, 10, 10, 10, 10, 1000)),
    "many-comparisons": ("better=3", (1, 1, 1, 1, 1, 1, 10, 10, 10, 10, 10)),
}
_VIEW = {"width": 1180, "height": 740}
_WIDTH, _COLOURS = 820, 128
_SHOWN, _LAST = 900, 3000  # milliseconds of a frame, and of the last one


def play(tab: Tab, slug: str, query: str, steps: Sequence[int]) -> list[Image.Image]:
    """Return what is seen of a lesson after each step."""
    tab.open(f"{slug}?present=1&demo=news&metrics=bleu&{query}")
    n, frames = 0, [_seen(tab)]
    for step in steps:
        tab.page.get_by_role("button", name=f"+{step}", exact=True).click()
        n += step
        tab.page.get_by_text(re.compile(f"^{n:,} ")).first.wait_for()
        tab.settle()
        frames.append(_seen(tab))
    return frames


def _seen(tab: Tab) -> Image.Image:
    tab.page.mouse.move(0, 0)
    tab.page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(tab.page.screenshot())).convert("RGB")
    return picture.resize((_WIDTH, round(_WIDTH * picture.height / picture.width)), Image.Resampling.LANCZOS)


def save(name: str, frames: Sequence[Image.Image]) -> int:
    """Write an animation in few colours, the same for all frames; return its bytes."""
    everything = Image.new("RGB", (frames[0].width, sum(frame.height for frame in frames)))
    for place, frame in enumerate(frames):
        everything.paste(frame, (0, place * frame.height))
    palette = everything.quantize(_COLOURS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    path = DOCS / f"lesson-{name}.gif"
    few[0].save(path, save_all=True, append_images=few[1:], loop=0, optimize=True,
                duration=[_SHOWN] * (len(few) - 1) + [_LAST])
    return path.stat().st_size


def animate(browser: Browser) -> None:
    """Animate all lessons of the list."""
    with tempfile.TemporaryDirectory() as base, serving(Folders(base)) as (url, _):
        for name, (query, steps) in LESSONS.items():
            page = browser.new_page(viewport=_VIEW)
            size = save(name, play(Tab(page, url), name, query, steps))
            print(f"lesson-{name}.gif: {size / 1000:.0f} kB")
            page.close()


def main() -> int:
    """Animate the lessons in Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        animate(browser)
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

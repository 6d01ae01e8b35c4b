"""How long a visitor waits for the first screen, beside a Streamlit app of three lines in the same browser.

Both apps are served in turn from a new process; cold runs have an empty cache and a server that nobody has visited,
warm runs a server that has been visited. Run with ``python -m tests.benchmarks.first_screen``; needs Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from tests.browser.conftest import QUIET, ROOT, find_chromium, free_port

THREE_LINES = """
import plotly.graph_objects as go
import streamlit as st
st.title("Three lines")
st.plotly_chart(go.Figure(go.Scatter(y=[1, 3, 2])))
"""
PLOTLY = ".js-plotly-plot .main-svg"
THEIRS = {"title": "h1", "chart": PLOTLY}
# the first screen's chart stands twice: as plain HTML, and when Plotly has been loaded in its place
OURS = {"title": "h1", "verdict": ".st-key-verdict p", "chart": f".still i, {PLOTLY}", "interactive chart": PLOTLY}
# notes in the page when each part is first on screen: from outside, a busy page answers late
WATCH = """
(parts => {
    window.seconds = {}
    const look = () => {
        for (const [name, selector] of Object.entries(parts)) {
            const drawn = [...document.querySelectorAll(selector)].some(e => e.getBoundingClientRect().width > 0)
            if (drawn) window.seconds[name] ??= performance.now() / 1000
        }
        requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
})(PARTS)
"""


@contextmanager
def served(script: Path, folder: Path, home: Path) -> Iterator[tuple[str, psutil.Process]]:
    """Serve an app with an empty cache; gives its address and process."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}",
               "--server.address=127.0.0.1", "--server.headless=true", "--server.fileWatcherType=none"]  # fmt: skip
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=os.environ | {"MTSIG_HOME": str(home)})  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url)
        yield url, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(10)


def _wait_until_healthy(url: str, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as reply:
                if reply.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"{url} was not healthy in {seconds} s")


def wait_until_resting(process: psutil.Process, seconds: float = 60) -> None:
    """Wait until the server has finished what its visitor set off."""
    end = time.monotonic() + seconds
    while process.cpu_percent(interval=1) > 5 and time.monotonic() < end:
        pass


def visit(browser, url: str, parts: dict[str, str]) -> dict[str, float]:
    """Return the seconds from asking for a page until each of its parts, by selector, is visible."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(WATCH.replace("PARTS", json.dumps(parts)))
    page = context.new_page()
    page.goto(url, wait_until="commit")
    page.wait_for_function("count => Object.keys(window.seconds).length == count", arg=len(parts), timeout=60_000)
    seconds = page.evaluate("window.seconds")
    context.close()
    return seconds


def measure(browser, runs: int) -> dict[str, dict[str, list[float]]]:
    """Return seconds by app and state ("mtsig cold") and part."""
    times: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "three.py").write_text(THREE_LINES)
        apps = {
            "three lines": (folder / "three.py", folder, THEIRS),
            "mtsig": (ROOT / "app.py", ROOT, OURS),
        }
        for run in range(runs):
            for app, (script, where, parts) in apps.items():
                with served(script, where, folder / f"home {app} {run}") as (url, process):
                    for state in ("cold", "warm"):
                        if state == "warm":
                            wait_until_resting(process)
                        for part, seconds in visit(browser, url, parts).items():
                            times.setdefault(f"{app} {state}", {}).setdefault(part, []).append(seconds)
    return times


def main() -> None:
    """Print medians, and their ratios to the app of three lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(playwright), args=QUIET)
        times = measure(browser, runs)
        browser.close()
    median = {key: {part: statistics.median(all_) for part, all_ in parts.items()} for key, parts in times.items()}
    for state in ("cold", "warm"):
        ours, theirs = median[f"mtsig {state}"], median[f"three lines {state}"]
        print(f"{state}: an app of three lines shows its title after {theirs['title']:.2f} s, "
              f"its chart after {theirs['chart']:.2f} s")  # fmt: skip
        for part in OURS:
            base = "title" if part == "title" else "chart"
            print(f"  mtsig's {part}: {ours[part]:.2f} s, {ours[part] / theirs[base]:.2f} times its {base}")


if __name__ == "__main__":
    main()

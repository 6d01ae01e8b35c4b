"""One real server and one headless Chromium for each worker, one fresh tab a test."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-quic",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 90_000  # milliseconds that anything may take on a busy machine
# Counts how often in a row the page was found drawn, without a running script, without a computation on its way, and
# without a grey box where the browser still loads a control: it answers no key yet.
SETTLED = """
often => {
    const app = document.querySelector('[data-testid="stApp"]')
    const ready = app?.dataset.testScriptState === 'notRunning'
        && app.querySelector('[data-testid="stMain"] h1') && !app.querySelector('[class*="st-key-cancel-"] button')
        && ![...app.querySelectorAll('[data-testid="stSkeleton"]')].some(box => box.offsetParent)
    window.foundReady = ready ? (window.foundReady ?? 0) + 1 : 0
    return window.foundReady >= often
}
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_healthy(url: str, process: subprocess.Popen, log: Path, seconds: float = PATIENCE / 1000) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as reply:
                if reply.read() == b"ok":
                    return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"the server was not healthy in {seconds} s:\n{log.read_text()}")


@contextmanager
def serving(tmp_path_factory):
    """Start the app with an empty cache; gives (address, log file)."""
    port, log = free_port(), tmp_path_factory.mktemp("server") / "log.txt"
    command = [
        sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={port}", "--server.address=127.0.0.1",
        "--server.headless=true", "--server.fileWatcherType=none",
    ]  # fmt: skip
    home = tmp_path_factory.mktemp("home")
    with log.open("w") as sink:
        process = subprocess.Popen(command, cwd=ROOT, stdout=sink, stderr=subprocess.STDOUT,
                                   env=os.environ | {"MTSIG_HOME": str(home)})  # fmt: skip
    url = f"http://127.0.0.1:{port}"
    try:
        wait_until_healthy(url, process, log)
        yield url, log
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests of a worker."""
    with serving(tmp_path_factory) as running:
        yield running


@pytest.fixture
def cold_server(tmp_path_factory):
    """A server that nobody has visited yet."""
    with serving(tmp_path_factory) as running:
        yield running


def find_chromium(playwright) -> str | None:
    own = playwright.chromium.executable_path
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, ("chromium", "chromium-browser", "google-chrome")), own]
    return next((path for path in found if path and Path(path).exists()), None)


@pytest.fixture(scope="session")
def browser():
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        chromium = find_chromium(playwright)
        if chromium is None:
            reason = "no Chromium found: install the package chromium, or set CHROMIUM to its path"
            (pytest.fail if os.environ.get("MTSIG_REQUIRE_BROWSER") else pytest.skip)(reason)
        api.expect.set_options(timeout=PATIENCE)
        instance = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        yield instance
        instance.close()


class Tab:
    """A page of the browser, with what a person does there."""

    def __init__(self, page, url: str):
        self.page, self.url = page, url
        self.problems: list[str] = []
        self.outside: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("request", lambda request: self._note(request.url))

    def _note(self, address: str) -> None:
        if not address.startswith((self.url, self.url.replace("http", "ws"), "data:", "blob:")):
            self.outside.append(address)

    def open(self, path: str = "") -> Tab:
        self.page.goto(f"{self.url}/{path}")
        return self.settle()

    def settle(self) -> Tab:
        """Wait until the app is drawn, no script runs, and no computation is on its way, for a third of a second."""
        from playwright.sync_api import TimeoutError as Late

        self.page.evaluate("window.foundReady = 0")
        try:
            self.page.wait_for_function(SETTLED, arg=5, polling=60)
        except Late as error:
            raise AssertionError(f"not settled: {self.text()[-600:]}") from error
        return self

    def pause(self) -> None:
        """Press Pause until the run stands: a press is lost while a busy browser draws the pictures on their way."""
        from playwright.sync_api import TimeoutError as Late

        for _ in range(6):
            with suppress(Late):  # where the run has come to its end, it stands already
                self.page.get_by_role("button", name="Pause").click(timeout=8_000)
            with suppress(Late):
                return self.page.get_by_role("button", name="Play").wait_for(timeout=15_000)
        raise AssertionError("the run does not stop")

    def section(self, title: str) -> Tab:
        """Choose a section of the page."""
        self.page.get_by_test_id("stMain").get_by_role("radio", name=title, exact=True).click()
        return self.settle()

    def text(self) -> str:
        """Return what stands on the page, with plain blanks for those that keep words in one line."""
        return self.page.locator('[data-testid="stApp"]').inner_text().replace("\u00a0", " ")

    def goto(self, title: str) -> Tab:
        self.page.get_by_test_id("stSidebarNav").get_by_role("link", name=title, exact=True).click()
        self.page.get_by_role("heading", name=title, level=1, exact=True).wait_for()
        return self.settle()


@pytest.fixture(scope="session")
def contexts(browser):
    """Give a light and a dark browser that all tests share: what the app is made of is fetched and compiled once."""
    made = {}

    def of(scheme: str):
        if scheme not in made:
            made[scheme] = browser.new_context(
                viewport={"width": 1280, "height": 720}, accept_downloads=True, color_scheme=scheme,
                reduced_motion="reduce",
            )  # fmt: skip
        return made[scheme]

    yield of
    for each in made.values():
        each.close()


@pytest.fixture
def tab(contexts, server, request):
    """A fresh tab of a new visitor; ``@pytest.mark.parametrize("tab", ["dark"], indirect=True)`` asks for dark."""
    context = contexts(getattr(request, "param", "light"))
    page = context.new_page()
    forget = {"origin": server[0], "storageTypes": "cookies,local_storage,indexeddb"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", forget)
    page.set_default_timeout(PATIENCE)
    made = Tab(page, server[0])
    yield made
    page.close()
    assert made.problems == []
    assert made.outside == [], "the app asked for something outside of its own server"

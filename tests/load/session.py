"""A browser session without a browser: Streamlit's messages over a websocket, with timers as a browser has them.

A browser runs the timers of fragments (progress bars ask for themselves again), sends what a person changed, and goes
to another page. That is all that a server feels of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import urllib.request
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

FAILED = ("FINISHED_WITH_COMPILE_ERROR",)


@dataclass
class Session:
    """One visitor's tab.

    Attributes
    ----------
    widgets : dict
        What the page offers: (kind, label) -> protobuf of the widget.
    pages : dict
        Path in the address -> hash by which the server knows the page.
    errors : list of str
        What a person would have seen go wrong.
    """

    host: str
    query: str = ""
    widgets: dict[tuple[str, str], Any] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    page: str = ""
    id: str = ""
    address: str = ""
    errors: list[str] = field(default_factory=list)
    n_messages: int = 0
    _timers: dict[str, asyncio.Task] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _pending: list[str] = field(default_factory=list)
    _is_whole: bool = True
    _drawn: asyncio.Event = field(default_factory=asyncio.Event)
    _urls: asyncio.Future | None = None
    _socket: ClientConnection | None = None
    _reader: asyncio.Task | None = None

    async def __aenter__(self) -> Session:
        """Connect; nothing is drawn yet."""
        self._socket = await connect(f"ws://{self.host}/_stcore/stream", subprotocols=["streamlit"], max_size=None,
                                     origin=f"http://{self.host}", ping_interval=None)  # fmt: skip
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Close the tab."""
        self._stop_timers()
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionClosed):
            await self._reader
        await self._socket.close()

    # What a person does

    async def open(self, page: str = "") -> None:
        """Open the page that an address names, as the first visit."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = page
        await self._ask(message)
        self.page = self.pages.get(page, self.page)

    async def go_to(self, page: str) -> None:
        """Choose a page of the navigation."""
        self.page = self.pages[page]
        self._stop_timers()
        await self._ask(BackMsg())

    async def choose(self, label: str, option: str) -> None:
        """Choose an option of a list."""
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id=self.widgets["selectbox", label].id)
        state.string_value = option
        await self._ask(message)

    async def type_number(self, label: str, number: int) -> None:
        """Type a whole number."""
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id=self.widgets["number_input", label].id)
        state.int_value = number
        await self._ask(message)

    async def upload(self, label: str, name: str, data: bytes) -> None:
        """Choose a file in an uploader."""
        self._urls = asyncio.get_running_loop().create_future()
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append(name)
        message.file_urls_request.session_id = self.id
        await self._socket.send(message.SerializeToString())
        urls: FileURLs = await asyncio.wait_for(self._urls, 60)
        await asyncio.to_thread(_put, f"http://{self.host}{urls.upload_url}", name, data)
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id=self.widgets["file_uploader", label].id)
        state.file_uploader_state_value.uploaded_file_info.add(
            name=name, size=len(data), file_id=urls.file_id, file_urls=urls
        )
        await self._ask(message)

    async def settle(self, seconds: float) -> bool:
        """Wait until nothing is on its way any more; say whether that came in time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._drawn.is_set() and not self._timers:
                return True
            await asyncio.sleep(0.02)
        return False

    async def first_drawn(self, seconds: float) -> bool:
        """Wait until the page is drawn, perhaps with results on their way; say whether that came in time."""
        try:
            await asyncio.wait_for(self._drawn.wait(), seconds)
        except TimeoutError:
            return False
        return True

    @property
    def is_lost(self) -> bool:
        """Whether the server has gone."""
        return self._reader.done()

    @property
    def text(self) -> str:
        """What the last whole drawing showed in words."""
        return "\n".join(self._texts)

    # What the browser does by itself

    async def _ask(self, message: BackMsg) -> None:
        self._drawn.clear()
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.query_string = self.address or self.query
        await self._socket.send(message.SerializeToString())

    async def _read(self) -> None:
        async for data in self._socket:
            self.n_messages += 1
            message = ForwardMsg.FromString(data)
            handle = getattr(self, f"_on_{message.WhichOneof('type')}", None)
            if handle is not None:
                handle(message)

    def _on_new_session(self, message: ForwardMsg) -> None:
        self.id = message.new_session.initialize.session_id or self.id
        self._is_whole = not message.metadata.run.fragment_ids
        if self._is_whole:
            self._stop_timers()
            self._drawn.clear()
            self._pending = []
            self.page = message.new_session.page_script_hash or self.page

    def _on_navigation(self, message: ForwardMsg) -> None:
        self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        self.page = message.navigation.page_script_hash or self.page

    def _on_page_info_changed(self, message: ForwardMsg) -> None:
        self.address = message.page_info_changed.query_string

    def _on_auto_rerun(self, message: ForwardMsg) -> None:
        timer = message.auto_rerun
        if timer.fragment_id not in self._timers:
            self._timers[timer.fragment_id] = asyncio.create_task(self._tick(timer.fragment_id, timer.interval))

    def _on_stop_auto_rerun(self, message: ForwardMsg) -> None:
        for fragment in message.stop_auto_rerun.fragment_ids:
            if fragment in self._timers:
                self._timers.pop(fragment).cancel()

    def _on_file_urls_response(self, message: ForwardMsg) -> None:
        if message.file_urls_response.error_msg:
            self._urls.set_exception(OSError(message.file_urls_response.error_msg))
        else:
            self._urls.set_result(message.file_urls_response.file_urls[0])

    def _on_delta(self, message: ForwardMsg) -> None:
        if message.delta.WhichOneof("type") != "new_element":
            return
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        content = getattr(element, kind) if kind else None
        if kind == "exception":
            self.errors.append(f"{content.type}: {content.message}")
        if getattr(content, "id", "") and isinstance(getattr(content, "label", None), str):
            self.widgets[kind, content.label] = content
        for name in ("body", "label"):
            if isinstance(text := getattr(content, name, None), str):
                self._pending.append(text)

    def _on_session_event(self, message: ForwardMsg) -> None:
        if message.session_event.WhichOneof("type") == "script_compilation_exception":
            self.errors.append(message.session_event.script_compilation_exception.message)

    def _on_script_finished(self, message: ForwardMsg) -> None:
        status = ForwardMsg.ScriptFinishedStatus.Name(message.script_finished)
        if status in FAILED:
            self.errors.append(status)
        if status == "FINISHED_SUCCESSFULLY":
            self._texts = list(self._pending)
            self._drawn.set()

    async def _tick(self, fragment: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            message = BackMsg()
            message.rerun_script.fragment_id = fragment
            message.rerun_script.is_auto_rerun = True
            message.rerun_script.page_script_hash = self.page
            message.rerun_script.query_string = self.address or self.query
            await self._socket.send(message.SerializeToString())

    def _stop_timers(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()


def _put(url: str, name: str, data: bytes) -> None:
    """Send a file as a browser's form does."""
    mark = "----part"
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename={json.dumps(name)}\r\n'
    body = f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + data + f"\r\n--{mark}--\r\n".encode()
    request = urllib.request.Request(url, body, {"Content-Type": f"multipart/form-data; boundary={mark}"}, method="PUT")
    with urllib.request.urlopen(request, timeout=60) as reply:
        reply.read()

"""``mtsig app``: open the app in a browser, on a demonstration or on a run folder."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import mtsig_core
from mtsig_core.cli import output
from mtsig_core.cli.command import Command
from mtsig_core.storage.workspace import is_shared


def open_app(options: argparse.Namespace) -> int:
    """Serve the app until it is interrupted; return its exit code.

    Raises
    ------
    ValueError
        Where the app's packages are not installed, or the path does not load.
    """
    if find_spec("streamlit") is None or find_spec("plotly") is None:
        raise ValueError('The app needs the packages streamlit and plotly: pip install "mtsig[app]"')
    script = app_script()
    if options.path:
        _open_at_start(options)
    # -P: a file of the current folder never takes the place of a package
    command = [sys.executable, "-P", "-m", "streamlit", "run", str(script), f"--server.port={options.port}"]
    if (address := _address(options.address)) is not None:
        command.append(f"--server.address={address}")
    if os.name == "posix":  # signals reach the server itself
        sys.stdout.flush()
        os.execv(sys.executable, command)
    return subprocess.run(command, check=False).returncode


def _address(wanted: str | None) -> str | None:
    """Return the address to listen at; None leaves it to Streamlit's settings.

    One's own computer shows its files to whoever reaches the app, so others on the network do not.
    """
    if wanted is None and not is_shared() and "STREAMLIT_SERVER_ADDRESS" not in os.environ:
        return "localhost"
    return wanted


def app_script() -> Path:
    """Return the path of app.py: packed beside the library, or at the top of a checkout.

    Raises
    ------
    FileNotFoundError
        When there is neither.
    """
    root = Path(mtsig_core.__file__).resolve().parents[1]
    for script in (root / "mtsig_app" / "app.py", root / "app.py"):
        if (script.parent / "pages" / "parts").is_dir() and script.is_file():
            return script
    raise FileNotFoundError(f"No app beside the library in {root}: install mtsig again, or run it in a checkout.")


def _open_at_start(options: argparse.Namespace) -> None:
    """Load what the path holds, keep it in the workspace, and leave its id to the app."""
    from mtsig_core.loading import read
    from mtsig_core.storage.home import OPEN_AT_START
    from mtsig_core.workbench.saved_experiments import default_saved_experiments

    loaded = read(options.path, encoding=options.encoding, progress=output.report_progress)
    entry = default_saved_experiments().save(loaded.experiment, loaded.report, recognition=loaded.recognition,
                                             progress=output.report_progress)  # fmt: skip
    output.clear_line()
    os.environ[OPEN_AT_START] = entry.id


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8501, metavar="N", help="serve the app at this port (8501)")
    parser.add_argument("--address", metavar="A", help="listen at this address (localhost: this computer only; with "
                                                       "MTSIG_SHARED=1 every address of the computer)")


COMMAND = Command(
    "app", "open the app in a browser", open_app, own=_options,
    path="a run folder, or a zip or tar of one (default: a demonstration)", path_is_optional=True, prints_json=False,
)  # fmt: skip

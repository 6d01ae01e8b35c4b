"""What all simulated sessions share."""

from __future__ import annotations

from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner


@pytest.fixture(autouse=True, scope="session")
def installed_components():
    """Search the installed packages for components once, not anew for each session: that is two thirds of its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield

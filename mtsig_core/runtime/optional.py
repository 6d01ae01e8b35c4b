"""Packages that are not needed, what each makes faster or possible, and the extra that installs it."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec


@dataclass(frozen=True)
class OptionalPackage:
    """A package of an extra.

    Parameters
    ----------
    extra : str
        The extra of mtsig that installs it.
    purpose : str
        What it makes faster or possible, as a sentence without a full stop.
    """

    extra: str
    purpose: str


#: By the name that is imported.
OPTIONAL_PACKAGES = {
    "numba": OptionalPackage("fast", "it makes scoring and resampling several times faster"),
    "joblib": OptionalPackage("fast", "it scores slow metrics on all cores"),
    "nltk": OptionalPackage("metrics", "METEOR and RIBES need it"),
    "rapidfuzz": OptionalPackage("metrics", "ROUGE-L needs it"),
    "distributed": OptionalPackage("cluster", "it computes on the workers of a Dask scheduler"),
    "openpyxl": OptionalPackage("sheets", "it reads and writes XLSX files"),
    "pyarrow": OptionalPackage("parquet", "it reads and writes Parquet files"),
    "streamlit": OptionalPackage("app", "the app needs it"),
    "plotly": OptionalPackage("app", "figures need it"),
}


def is_installed(package: str) -> bool:
    """Return whether a package can be imported, without importing it."""
    return find_spec(package) is not None


def optional_hint(package: str) -> str:
    """Return one sentence that says what a missing package is for and how to install it.

    Parameters
    ----------
    package : str
        One of `OPTIONAL_PACKAGES`.

    Returns
    -------
    str
        Empty where the package is installed.

    Raises
    ------
    KeyError
        For any other package.
    """
    optional = OPTIONAL_PACKAGES[package]
    if is_installed(package):
        return ""
    return f'{package} is not installed; {optional.purpose}: pip install "mtsig[{optional.extra}]".'


def require(package: str) -> None:
    """Raise unless an optional package can be imported.

    Raises
    ------
    ValueError
        With the sentence of `optional_hint`.
    """
    if hint := optional_hint(package):
        raise ValueError(hint)

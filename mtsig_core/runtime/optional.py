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
    benefit : str
        What installing it makes faster or possible, as the predicate of a sentence.
    """

    extra: str
    benefit: str


#: By the name that is imported.
OPTIONAL_PACKAGES = {
    "numba": OptionalPackage("fast", "makes scoring and resampling several times faster"),
    "joblib": OptionalPackage("fast", "lets slow metrics use all cores"),
    "nltk": OptionalPackage("metrics", "adds METEOR and RIBES"),
    "rapidfuzz": OptionalPackage("metrics", "adds ROUGE-L"),
    "distributed": OptionalPackage("cluster", "lets the workers of a Dask scheduler compute"),
    "openpyxl": OptionalPackage("sheets", "reads and writes XLSX files"),
    "pyarrow": OptionalPackage("parquet", "reads and writes Parquet files"),
    "krippendorff": OptionalPackage("people", "measures the agreement of annotators"),
    "evalica": OptionalPackage("people", "ranks systems by people's comparisons"),
    "shtab": OptionalPackage("shell", "lets a shell complete commands and options"),
    "streamlit": OptionalPackage("app", "adds the app"),
    "plotly": OptionalPackage("app", "adds the figures"),
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
    return f'{package} is not installed; pip install "mtsig[{optional.extra}]" {optional.benefit}.'

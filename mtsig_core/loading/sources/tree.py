"""A tree of files, wherever they come from: relative POSIX path -> bytes, read when asked for."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from mtsig_core.experiment import natural_key
from mtsig_core.formatting import visible
from mtsig_core.loading.report import LoadError, Reporter
from mtsig_core.loading.sources.formats import HEAD, Format, format_of, head_of

if TYPE_CHECKING:
    from mtsig_core.loading.text.decoding import Decoder, Text

T = TypeVar("T")

#: Folder names that mean something: never taken for an enclosing folder.
STRUCTURE = frozenset(
    (
        "system", "systems", "ref", "refs", "reference", "references", "hyps", "outputs", "hypotheses", "scores",
        "metric-scores",
    )
)
#: Most folders of a path, with the file.
DEEPEST = 64

#: Hidden files and folders of tools: what they are.
_HIDDEN = {
    ".hydra": "Settings of a run, written by hydra; of these only overrides.yaml is read",
    ".git": "Files of git", ".gitattributes": "Files of git", ".gitignore": "Files of git",
    ".dvc": "Files of DVC", ".dvcignore": "Files of DVC", ".ipynb_checkpoints": "Copies kept by Jupyter",
}  # fmt: skip
_JUNK_NAMES = frozenset(("__macosx", "thumbs.db", "desktop.ini", "ehthumbs.db", "__pycache__", "icon\r"))


@dataclass(frozen=True)
class Entry:
    """One file: a way to read it, and one to read its first bytes only (else all is read for them).

    `original` reads what was uploaded, where another form of it is read in its place; `how` says what it was read as.
    """

    path: str
    read: Callable[[], bytes]
    start: Callable[[int], bytes] | None = None
    original: Callable[[], bytes] | None = None
    how: str = ""


class FileTree(Mapping[str, bytes]):
    """Files by normalised relative path, in natural order; read on access.

    Parameters
    ----------
    entries : mapping of path to Entry
    decoder : Decoder
        How bytes become text; shared by all trees of one upload.
    name : str
        What the upload is called.
    stripped : str
        Enclosing folders taken off every path, with a final slash; or "".
    """

    def __init__(
        self, entries: Mapping[str, Entry], decoder: Decoder, name: str = "", stripped: str = ""
    ) -> None:
        self._entries = {path: entries[path] for path in sorted(entries, key=_path_key)}
        self.name = name
        self.stripped = stripped
        self.decoder = decoder
        self._formats: dict[str, Format] = {}
        self._read: dict[str, Any] = {}

    def __getitem__(self, path: str) -> bytes:
        return self._entries[path].read()

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, path: object) -> bool:
        return path in self._entries

    def entry(self, path: str) -> Entry:
        """Return how a file is read."""
        return self._entries[path]

    def original(self, path: str) -> bytes:
        """Return a file as it was uploaded."""
        entry = self._entries[path]
        return (entry.original or entry.read)()

    def head(self, path: str) -> str:
        """Return the beginning of a file as text, never failing: to recognise what it holds."""
        entry = self._entries[path]
        return head_of(entry.start(HEAD) if entry.start else entry.read()[:HEAD])

    def format(self, path: str) -> Format:
        """Return what a file is by its content: a format of `formats`, or "" for plain text and all else."""
        if path not in self._formats:
            self._formats[path] = format_of(self.head(path))
        return self._formats[path]

    def read_once(self, path: str, read: Callable[[], T]) -> T:
        """Return what `read` makes of a file, which it does once: several layouts ask for it."""
        if path not in self._read:
            self._read[path] = read()
        return cast(T, self._read[path])

    def of_format(self, wanted: Format) -> list[str]:
        """Return the files of one format."""
        return [path for path in self if self.format(path) == wanted]

    def text(self, path: str) -> Text:
        """Return the segments of a file; LoadError when it is no text."""
        return self.decoder.text(self[path], path)

    def lines(self, path: str, report: Reporter) -> list[str]:
        """Return the segments of a file and add the notes on it to the report."""
        text = self.text(path)
        text.report_notes(path, report)
        return text.lines

    def below(self, folder: str) -> FileTree:
        """Return the tree of one folder (given without final slash), paths relative to it."""
        prefix = folder + "/"
        inner = {p.removeprefix(prefix): e for p, e in self._entries.items() if p.startswith(prefix)}
        return FileTree(inner, self.decoder, self.name, self.stripped + prefix)

    def called(self, name: str) -> FileTree:
        """Return the same files under another name of the upload."""
        return FileTree(self._entries, self.decoder, name, self.stripped)

    def only(self, paths: Iterable[str]) -> FileTree:
        """Return the tree of some of the files."""
        return FileTree({path: self._entries[path] for path in paths}, self.decoder, self.name, self.stripped)

    def joined(self, entries: Mapping[str, Entry]) -> FileTree:
        """Return the tree with more files."""
        return FileTree({**self._entries, **entries}, self.decoder, self.name, self.stripped)

    def renamed(self, paths: Mapping[str, str]) -> FileTree:
        """Return the tree of some files under other paths, by new path."""
        entries = {new: replace(self._entries[path], path=new) for new, path in paths.items()}
        return FileTree(entries, self.decoder, self.name, self.stripped)

    def folders(self) -> list[str]:
        """Return the names of the folders at the top."""
        return list(dict.fromkeys(p.split("/", 1)[0] for p in self if "/" in p))

    def without_enclosing(self) -> FileTree:
        """Return the tree without folders that merely enclose everything."""
        tree = self
        while tree and all("/" in path for path in tree):
            folders = tree.folders()
            if len(folders) != 1 or folders[0].casefold() in STRUCTURE:
                break
            tree = tree.below(folders[0])
        return tree


def _path_key(path: str) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    return tuple(natural_key(part) for part in path.split("/"))


def normalise(name: str) -> str:
    """Return a relative POSIX path in Unicode NFC.

    Raises
    ------
    ValueError
        When the path leaves its folder or names a drive; the message says which.
    """
    name = name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    name = unicodedata.normalize("NFC", name.replace("\\", "/"))
    if "\0" in name:
        raise ValueError("a NUL in the path")
    if name.startswith("/"):
        raise ValueError("an absolute path")
    if re.match(r"[A-Za-z]:(?![^/]*=)", name):  # t:lr=0.1 is a folder of a sweep
        raise ValueError("a path with a drive letter")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ValueError("a path that leaves its folder")
    if len(parts) > DEEPEST:
        raise ValueError(f"more than {DEEPEST} folders deep")
    if not parts or any(not part.strip() for part in parts):
        raise ValueError("an empty name")
    if any(len(part.encode()) > 255 for part in parts):
        raise ValueError("a name of more than 255 bytes")
    return visible("/".join(parts))


def left_behind(path: str) -> str:
    """Return what a file is that nobody means to upload: hidden, backup, thumbnails; "" for every other one."""
    parts = path.removesuffix(".hydra/overrides.yaml").split("/")  # what a run of a sweep was asked for
    hidden = next((part for part in parts if part.startswith(".")), "")
    if known := _HIDDEN.get(hidden.casefold()):
        return known
    is_left = any(part.casefold() in _JUNK_NAMES or part.startswith("._") for part in parts)
    if is_left or hidden in (".DS_Store", ".directory") or parts[-1].endswith(("~", ".pyc", ".swp")):
        return "Left by the desktop or an editor"
    return "Hidden files are not read" if hidden else ""


class Collector:
    """Gathers entries and refuses two files of one name."""

    def __init__(self, upload: str) -> None:
        self.upload = upload
        self.entries: dict[str, Entry] = {}
        self._folded: dict[str, str] = {}

    def add(self, entry: Entry) -> None:
        """Add an entry; LoadError if its path is taken, or taken but for upper and lower case."""
        folded = entry.path.casefold()
        other = self._folded.get(folded)
        if other is not None:
            difference = "twice" if other == entry.path else f"beside {other}, which differs in case only"
            raise LoadError(
                f"{entry.path}: occurs {difference} in {self.upload}. Rename one, or upload the folder or a "
                "ZIP of it, so that files of one name stay apart.",
                entry.path,
            )
        self._folded[folded] = entry.path
        self.entries[entry.path] = entry

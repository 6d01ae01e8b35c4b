"""Search with a regular expression that a person typed: it can take neither the time nor the memory of the program.

A pattern may need exponential time, or gigabytes when it is compiled. So it runs in a process of its own, which is
given a few seconds and a bounded memory; this file is that process's program, too, and needs nothing but Python.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import warnings
from contextlib import suppress
from functools import lru_cache

SECONDS = 3.0
MEMORY = 2**29  # bytes
LONGEST = 1000  # characters of a pattern


class PatternError(ValueError):
    """A pattern that is none, or that takes too long; the message is for people."""


@lru_cache(maxsize=8)
def matching(
    pattern: str, texts: tuple[str, ...], *, match_case: bool = False, seconds: float = SECONDS
) -> tuple[bool, ...]:
    """Return which texts a regular expression matches.

    Parameters
    ----------
    pattern : str
        In the notation of Python's `re`.
    texts : tuple of str
    match_case : bool
    seconds : float
        Time for all texts together.

    Raises
    ------
    PatternError
        When the pattern is not a regular expression, or takes too long or too much memory.
    """
    if len(pattern) > LONGEST:
        raise PatternError(f"The pattern has {len(pattern):,} characters; {LONGEST:,} is the limit. Shorten it.")
    request = json.dumps({"pattern": pattern, "match_case": match_case, "texts": texts, "seconds": seconds})
    try:
        completed = subprocess.run(
            [sys.executable or "python", "-I", "-S", __file__], input=request.encode("ascii"), capture_output=True,
            check=False, timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise PatternError(_too_much(pattern, f"more than {seconds:g} seconds")) from None
    except OSError as error:
        raise PatternError(f"Patterns cannot be searched for here ({error}); search for plain text.") from None
    try:
        reply = json.loads(completed.stdout)
    except ValueError:  # ended by one of its limits
        raise PatternError(_too_much(pattern, "too much time or memory")) from None
    if "error" in reply:
        problem = f"'{pattern}' is not a regular expression: {reply['error']}"
        raise PatternError(f"{problem}. Correct it, or search for it as plain text.")
    matched = set(reply["matched"])
    return tuple(i in matched for i in range(len(texts)))


def _too_much(pattern: str, what: str) -> str:
    return (f"The pattern '{pattern}' takes {what} on these texts. Repetitions inside repetitions, as in (a+)+, are "
            "the usual cause: simplify it, or search for plain text.")


def _search(request: dict) -> dict:
    flags = re.UNICODE if request["match_case"] else re.UNICODE | re.IGNORECASE
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = re.compile(request["pattern"], flags).search
    except (re.error, OverflowError) as error:
        return {"error": str(error)}
    except RecursionError:
        return {"error": "its groups are nested too deeply"}
    return {"matched": [i for i, text in enumerate(request["texts"]) if search(text)]}


def _limit(seconds: float) -> None:
    """Bound this process, where the system can, should its parent die before it stops it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, int(seconds) + 1)):
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    received = json.load(sys.stdin)
    _limit(received["seconds"])
    sys.stdout.write(json.dumps(_search(received)))

"""A row of the table of misuse: an input that careless people give, and what is right then."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    given: str  # the input, as its user writes it
    right: str  # the right result, in a few words
    check: Callable[[], None]  # raises where the result is another one


ROWS: list[Row] = []


def row(given: str, right: str):
    """Decorates the check of a row; an exception that leaves the check says what is wrong."""

    def add(check: Callable[[], None]) -> Callable[[], None]:
        ROWS.append(Row(given, right, check))
        return check

    return add


def refused(call: Callable[[], object], error: type[BaseException], *words: str) -> None:
    """call() raises an error of exactly this type or one derived, whose message has all the words."""
    try:
        result = call()
    except error as e:
        missing = [word for word in words if word not in str(e)]
        assert not missing, f"the error does not say {missing}: {e}"
        return
    raise AssertionError(f"accepted: {result!r}")


def command(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    """Runs `weft` (WEFT_COMMAND) with these arguments."""
    return subprocess.run([os.environ["WEFT_COMMAND"], *arguments], capture_output=True, text=True,
                          check=False, timeout=120, **options)

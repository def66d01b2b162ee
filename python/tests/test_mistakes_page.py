"""docs/mistakes.md: each program gives the message that stands below it. WEFT_UPDATE_DOCS=1 writes
the messages anew."""

import os
import pathlib
import re
import textwrap

import numpy as np
import pytest

import weft
from weft import Port, Rect

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "mistakes.md"
PAIR = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.S)


def message_of(code):
    """Of a design that is built as the page says, checked and run."""
    names = {"np": np, "weft": weft, "Port": Port, "Rect": Rect}
    with pytest.raises((weft.Error, weft.UsageError)) as caught:
        design = names["design"] = weft.Design(2, 1)
        east = names["east"] = design.color("east")
        exec(compile(code, "heat.py", "exec"), names)
        for name, where in (("sender", Rect(0, 0)), ("receiver", Rect(1, 0))):
            if name in names:
                design.program(where, name, names[name])
        if "sender" in names:
            design.route(Rect(0, 0), east, rx=Port.ramp, tx=Port.east)
            design.route(Rect(1, 0), east, rx=Port.west, tx=Port.ramp)
        if "program" in names:
            design.program(design.all, "heat", names["program"])
        fabric = design.fabric(check=True)
        names["host"](fabric) if "host" in names else fabric.run_until_idle(100_000)
    return str(caught.value)


def filled(text):
    lines = []
    for line in text.splitlines():
        lines += textwrap.wrap(line, 100, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(lines) + "\n"


def test_each_program_gives_its_message():
    text = PAGE.read_text()
    assert len(PAIR.findall(text)) == text.count("```python") >= 30

    def new(pair):
        return f"```python\n{pair[1]}```\n\n```text\n{filled(message_of(pair[1]))}```"

    found = PAIR.sub(new, text)
    if os.environ.get("WEFT_UPDATE_DOCS"):
        PAGE.write_text(found)
    assert found == text or os.environ.get("WEFT_UPDATE_DOCS")

"""The examples of docs/observing.md print what the page says. WEFT_UPDATE_DOCS=1 rewrites it."""

import contextlib
import io
import os
import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs/observing.md"
PAIR = re.compile(r"(```python\n(.*?)```\n\n```text\n)(.*?)```", re.S)


def test_the_example_prints_what_the_page_says():
    page = PAGE.read_text()
    names = {}
    for before, code, text in PAIR.findall(page):  # each goes on where the one before ended
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, "gather.py", "exec"), names)
        if "WEFT_UPDATE_DOCS" in os.environ:
            page = page.replace(before + text, before + printed.getvalue())
        else:
            assert printed.getvalue() == text
    if "WEFT_UPDATE_DOCS" in os.environ:
        PAGE.write_text(page)

"""The code of the tutorial is that of the examples, and they print what it says. With
WEFT_UPDATE_DOCS set, the printed parts are written anew."""

import os
import pathlib
import re
import subprocess

DOCS = pathlib.Path(__file__).parents[2] / "docs"
TUTORIAL = DOCS / "tutorial.md"
BUILT = pathlib.Path(os.environ["WEFT_EXAMPLES"])


def blocks(kind):
    return re.findall(rf"<!-- {kind} (\S+) -->\n```\w*\n(.*?)```", TUTORIAL.read_text(), re.DOTALL)


def test_code_is_that_of_the_examples():
    found = blocks("from")
    assert len(found) >= 8
    for name, code in found:
        assert code in (DOCS / name).read_text(), f"{name} is not the tutorial's:\n{code}"


def test_examples_print_what_it_says():
    def printed(name):
        return subprocess.run([BUILT / f"docs-example-{name}"], capture_output=True, text=True,
                              check=True).stdout

    if os.environ.get("WEFT_UPDATE_DOCS"):
        text = re.sub(r"(<!-- printed by (\S+) -->\n```\n).*?```",
                      lambda m: m[1] + printed(m[2]) + "```", TUTORIAL.read_text(), flags=re.DOTALL)
        TUTORIAL.write_text(text)
    found = blocks("printed by")
    assert len(found) == 4
    for name, text in found:
        assert text == printed(name)

"""Each example prints in Python what it prints in C++, or, where that differs, ends well."""

import os
import pathlib
import subprocess
import sys

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "docs" / "examples"
BUILT = pathlib.Path(os.environ["WEFT_EXAMPLES"])
NAMES = sorted(path.stem for path in FOLDER.glob("*.cpp"))
LONG = {"heat", "kraichnan"}  # seconds in each language
OWN_TEXT = {"fft_plan", "row_broadcast"}  # other random numbers; C++ uses the builder below


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_each_example_is_there_in_both_languages():
    assert NAMES == sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) if name in LONG else name
                                  for name in NAMES])
def test_example(name):
    python = run(sys.executable, str(FOLDER / f"{name}.py"))
    assert python.returncode == 0, python.stdout + python.stderr
    assert python.stdout.strip()
    if name not in OWN_TEXT:
        assert python.stdout == run(str(BUILT / f"docs-example-{name}")).stdout


def test_the_stencil_is_short():
    for suffix in ("cpp", "py"):
        assert len((FOLDER / f"stencil.{suffix}").read_text().splitlines()) <= 40

"""The version of CITATION.cff is that of the project."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def found(pattern, file):
    return re.search(pattern, (ROOT / file).read_text(), re.MULTILINE)[1]


def test_the_version_is_the_projects():
    assert (found(r"^version: (\S+)$", "CITATION.cff")
            == found(r"^project\(weft VERSION (\S+)", "CMakeLists.txt"))

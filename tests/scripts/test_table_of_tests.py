"""The table of tests/README.md says which target runs a folder's tests, as CMake labels them."""

import os
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "tests/README.md"
COLUMNS = {"test": "quick", "rest": "rest", "check": "check", "sanitize": "sanitize", "threads": "threads"}


def crosses():
    """Labels by folder, from the crosses of the table."""
    rows = [[cell.strip() for cell in line.strip("|\n").split("|")]
            for line in README.read_text().splitlines() if line.startswith("|")]
    head = next(row for row in rows if row[0] == "Folder")
    assert head[2:] == list(COLUMNS)
    return {row[0].strip("`"): {COLUMNS[column] for column, cell in zip(head[2:], row[2:]) if cell == "x"}
            for row in rows if len(row) == len(head) and row[0].startswith("`")}


def labelled(build):
    """Labels by folder, from what CMake wrote for CTest. Of a GoogleTest, labels are set when it is listed."""
    found = {}
    tests = (build / "tests/CTestTestfile.cmake").read_text()  # a folder that is gone leaves its file behind
    listed = [pathlib.Path(name) for name in re.findall(r'include\("(.*_labels[.]cmake)"\)', tests)]
    for file in [*build.glob("**/CTestTestfile.cmake"), *listed]:
        text = file.read_text()
        for labels in re.findall(r'LABELS "([^"]*)"', text):
            folder, *others = labels.split(";")
            if 'REGEX "^$"' in text:  # no test matches it
                others = [label for label in others if label != "rest"]
            found.setdefault(folder, set()).update(others)
    return found


def test_each_row_is_of_a_folder_that_cmake_knows():
    files = [*ROOT.glob("tests/**/CMakeLists.txt"), *ROOT.glob("bench/*/CMakeLists.txt"),
             ROOT / "python/CMakeLists.txt"]
    known = " ".join(file.read_text() for file in files)
    assert [folder for folder in crosses() if not re.search(rf"\b{folder}\b", known)] == []


def test_each_folder_has_the_crosses_of_its_labels():
    build = os.environ.get("WEFT_BUILD")
    if not build:
        pytest.skip("WEFT_BUILD names no build folder; ctest does")
    table, found = crosses(), labelled(pathlib.Path(build))
    assert len(found) > 20  # of some folders a build has no tests, as of fake_device without CUDA
    assert {folder: table.get(folder) for folder in found} == found

#!/usr/bin/env python3
"""Prints a regular expression for the tests of some sources that do less by `make test`.

  tests_of_the_rest.py SOURCE ...

These tests ask for the effort or for seeds, or name step variants. If a source does so outside its
tests, all of its tests count. tests/CMakeLists.txt gives them the label "rest".
"""

import pathlib
import re
import sys

LESS = re.compile(r"by_effort|many_cases|[^_]too_long|[^_]effort\(|seed_from|StepVariants")
# A test begins at the start of a line, and ends with the first brace there, or with its line.
TEST = re.compile(r"^(TYPED_)?TEST(?:_[FP])?\((\w+),\s*(\w+)\)(?:[^\n]*\}\n|.*?^\}\n)",
                  re.MULTILINE | re.DOTALL)


def tests_of_the_rest(text):
    all_do = LESS.search(TEST.sub("", text)) is not None
    found = []
    for test in TEST.finditer(text):
        typed, suite, name = test.groups()
        if all_do or LESS.search(test[0]):
            found.append(f"{suite}{'[^.]*' if typed else ''}[.]{name}")  # its suite is named SUITE/TYPE
    return found


def main(sources):
    names = [name for source in sources for name in tests_of_the_rest(pathlib.Path(source).read_text())]
    print("|".join(names), end="")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Sees that a build compiles the sources of Weft's libraries as another build does.

  same_commands.py BUILD PROJECT_BUILD FOLDER

BUILD is Weft's own, PROJECT_BUILD that of a project that has Weft in FOLDER of it. Commands and the
sources that they compile as one must be equal, but for the folders' names. The exit code is 1 where they
are not, and the output says how.
"""

import difflib
import json
import pathlib
import re
import sys


def commands(build, folder):
    """By object, the words of its command and, of several sources as one, these sources."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        directory = pathlib.Path(entry["directory"])
        place = re.search(r" -o (\S+)", entry["command"])[1]
        if not (directory / place).is_relative_to(build / folder):
            continue  # another part of the project
        name = str((directory / place).relative_to(build / folder))
        text = entry["command"].replace(place, name)
        if "Unity" in name:
            text += " " + pathlib.Path(entry["file"]).read_text()
        found[name] = text.replace(str(build / folder), "BUILD").split()
    return found


def main(build, project_build, folder):
    here = commands(pathlib.Path(build), "")
    there = commands(pathlib.Path(project_build), folder)
    if not there:
        sys.exit(f"{project_build} compiles nothing of Weft")
    differ = sorted(name for name in there if there[name] != here.get(name))
    for name in differ:
        print(f"{name}: not compiled alike")
        for line in difflib.unified_diff(here.get(name, []), there[name], build, project_build, n=1, lineterm=""):
            print(f"  {line}")
    return 1 if differ else 0


sys.exit(main(*sys.argv[1:]))

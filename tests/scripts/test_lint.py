"""scripts/lint finds what is wrong, changes nothing, and says what it skips."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

LINT = pathlib.Path(__file__).resolve().parents[2] / "scripts/lint"
WRONG = {
    "clang-format": ("wrong.cpp", "int  main( ){ return 0;}\n"),
    "codespell": ("wrong.md", "The recie" "ved wavelets.\n"),  # in two parts: this file is right
    "flake8": ("wrong.py", "import os\n"),
    "shellcheck": ("wrong", "#!/bin/bash\nfor x in $(ls); do unused=1; done\n"),
}
RIGHT = {
    "right.cpp": "int main() { return 0; }\n",
    "right.md": "The received wavelets.\n",
    "right.py": "print(1)\n",
    "right": "#!/bin/bash\necho right\n",
}


def lint(*arguments, path=None):
    environment = dict(os.environ, **({} if path is None else {"PATH": str(path)}))
    ended = subprocess.run([sys.executable, str(LINT), *map(str, arguments)], env=environment,
                           capture_output=True, text=True)
    return ended.returncode, ended.stdout + ended.stderr


def written(folder, name, text):
    file = folder / name
    file.write_text(text)
    return file


@pytest.mark.parametrize("tool", WRONG)
def test_each_tool_finds_its_fault(tool, tmp_path):
    if not shutil.which(tool):
        pytest.skip(f"{tool} is not installed")
    name, text = WRONG[tool]
    file = written(tmp_path, name, text)
    code, said = lint(file)
    if "clang-format 14 is not installed" in said:
        pytest.skip("clang-format 14 is not installed")
    assert code == 1
    assert f"failed  {tool}: 1 file" in said and "1 failed" in said
    assert file.read_text() == text


def test_right_files_pass(tmp_path):
    code, said = lint(*(written(tmp_path, name, text) for name, text in RIGHT.items()))
    assert code == 0 and "failed" not in said


def test_a_tool_that_is_missing_is_counted(tmp_path):
    code, said = lint(*(written(tmp_path, name, text) for name, text in RIGHT.items()),
                      path=tmp_path)
    assert code == 0
    assert said == ("0 checks passed, 4 skipped: clang-format 14 is not installed; codespell is "
                    "not installed; flake8 is not installed; shellcheck is not installed\n")


def test_formatting_needs_its_tool(tmp_path):
    code, said = lint("--format", written(tmp_path, *WRONG["clang-format"]), path=tmp_path)
    assert code == 1 and "no source was formatted (clang-format 14 is not installed)" in said

"""`pip install .` needs no network, and what it installs works."""

import os
import pathlib
import runpy
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).parents[2]


@pytest.mark.long
def test_pip_installs_without_network(tmp_path):
    pip = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True)
    if pip.returncode != 0:
        pytest.skip("pip is not installed")
    build = pathlib.Path(os.environ["WEFT_EXAMPLES"]).parents[1]
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                    "--target", tmp_path / "site", SOURCE], check=True,
                   env={**os.environ, "WEFT_BUILD": str(build)}, capture_output=True)
    code = ("import numpy, weft; x = numpy.ones((4, 4, 4)); y, r = weft.fft(x);"
            "print(weft.__file__, abs(y[0, 0, 0]), r.cycles > 0)")
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True,
                          cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "site")}).stdout
    assert said.split()[0].startswith(str(tmp_path)) and said.split()[1:] == ["64.0", "True"]


@pytest.mark.long
def test_a_build_by_pip_can_be_prepared(tmp_path):
    runpy.run_path(str(SOURCE / "python" / "backend.py"))["configure"](str(tmp_path / "build"))
    assert (tmp_path / "build" / "CMakeCache.txt").exists()

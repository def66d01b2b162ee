#!/usr/bin/env python3
"""Plants each fault of table.py in a copy of the sources, builds the test program, and says whether its tests fail.

run.py [--only WORD] [CMAKE-OPTION ...]: the copy is build/mutants. Ends with 1 if a fault was not found.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

from table import MUTANTS

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build/mutants"
BUILD = COPY / "build/dev"
LIMIT = 600  # seconds; a test that hangs has found a fault, too


def copy_changed(source, copy):
    """Else an object of a fault would be newer than the sound source."""
    if not os.path.exists(copy) or pathlib.Path(source).read_bytes() != pathlib.Path(copy).read_bytes():
        shutil.copy(source, copy)


def remove_gone(folder):
    """Else a test that has another name now is compiled twice."""
    for file in (COPY / folder).rglob("*"):
        if file.is_file() and not (ROOT / file.relative_to(COPY)).exists():
            file.unlink()


def copy_sources():
    for name in ("bench", "cmake", "cuda", "docs", "evaluation", "gpu_check", "include", "python", "scripts", "src",
                 "tests", "viewer"):
        shutil.copytree(ROOT / name, COPY / name, dirs_exist_ok=True, copy_function=copy_changed,
                        ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        remove_gone(name)
    for file in ROOT.iterdir():
        if file.is_file():
            copy_changed(file, COPY / file.name)


def quiet(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def build(program):
    """Ends the run if it does not compile: such a fault shows nothing."""
    done = quiet(["cmake", "--build", BUILD, "--target", program])
    if done.returncode != 0:
        sys.exit(f"{program} does not compile:\n{done.stdout[-4000:]}")


def fails(program, tests):
    command = [BUILD / "tests" / program, f"--gtest_filter={tests}", "--gtest_brief=1", "--gtest_fail_fast"]
    try:
        return subprocess.run(command, env=os.environ | {"WEFT_TEST_EFFORT": "quick"}, timeout=LIMIT, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def try_mutant(mutant):
    """Whether the fault was found."""
    file = COPY / mutant.file
    sound = file.read_text()
    if sound.count(mutant.old) != 1:
        sys.exit(f"{mutant.file} does not have this text exactly once: {mutant.old}")
    file.write_text(sound.replace(mutant.old, mutant.new))
    try:
        build(mutant.program)
        return fails(mutant.program, mutant.tests)
    finally:
        file.write_text(sound)


def main():
    parser = argparse.ArgumentParser(description="Are planted faults found?")
    parser.add_argument("--only", default="", help="only mutants whose name or file has this in it")
    given, options = parser.parse_known_args()
    chosen = [m for m in MUTANTS if given.only in m.name or given.only in m.file]
    copy_sources()
    subprocess.run(["cmake", "-S", COPY, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DWEFT_CUDA=OFF",
                    "-DWEFT_STEP_NATIVE=ON", "-DCMAKE_CXX_FLAGS=-w",  # a fault may leave something unused
                    *options], check=True, stdout=subprocess.DEVNULL)
    for program, tests in sorted({(m.program, m.tests) for m in chosen}):
        build(program)
        if fails(program, tests):
            sys.exit(f"{program} --gtest_filter={tests} fails without a fault")
    not_found = 0
    for mutant in chosen:
        found = try_mutant(mutant)
        not_found += not found
        print(f"{'found' if found else 'NOT FOUND'}: {mutant.name} ({mutant.file})", flush=True)
    print(f"{len(chosen) - not_found} of {len(chosen)} found")
    sys.exit(1 if not_found else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Instructions of the host's step for a strip (64 PEs) and a cycle, counted by valgrind.

count.py WEFT-STEP-COUNT [OPTION ...]

A load runs twice, once longer. The instructions that it executes more in the longer run are divided by the cycles that
it takes more, and by the strips, so that starts and ends do not count. valgrind knows no AVX-512, so the step is that
for AVX2.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

COUNTED = pathlib.Path(__file__).with_name("counted.json")
SIDE, TIMES = 64, (1, 5)
MORE = 1.014  # a load may take so many times what was counted


def run(program, load, times, windows):
    """Instructions within Fabric::run_until_idle, and cycles. `windows`: a list of the program's last argument."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out",
             "--toggle-collect=weft::*::Fabric::run_until_idle*", program, load, str(SIDE), str(times), *windows],
            text=True, capture_output=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not collected:
        sys.exit(f"{load} does not run: {done.stderr}")
    return int(collected[1]), int(done.stdout)


def count(program, load, windows):
    (few, short), (many, long) = (run(program, load, times, windows) for times in TIMES)
    return (many - few) / (long - short) / (SIDE * SIDE / 64)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", help="weft-step-count")
    parser.add_argument("--load", action="append", help="only this load; may be given several times")
    parser.add_argument("--check", action="store_true", help="fail where a load takes more than counted.json says")
    parser.add_argument("--write", action="store_true", help="write what is counted into counted.json")
    parser.add_argument("--windows", help="beside it: the fabric counts, in so many windows of time")
    given = parser.parse_args()
    known = json.loads(COUNTED.read_text())
    over = False
    for load in given.load or list(known):
        found, at_most = count(given.program, load, []), known.get(load, 0) * MORE
        if given.windows is not None:
            counting = count(given.program, load, [given.windows])
            print(f"{load}, counting: {counting:.0f}, {counting / found:.2f} times as many")
        over |= given.check and found > at_most
        print(f"{load}: {found:.0f} of at most {at_most:.0f}")
        known[load] = round(found)
    if given.write:
        COUNTED.write_text(json.dumps(known, indent=2) + "\n")
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()

"""The estimated times, and docs/gpu-performance.md, which shows them. To rewrite its table:

WEFT_UPDATE_DOCS=1 python3 -m pytest tests/gpu_check/test_estimate.py
"""

import os
import pathlib

from estimate import estimate, table

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/gpu-performance.md"
BEGIN, END = "<!-- generated: estimated -->\n", "<!-- end -->"


def test_table_is_that_of_the_documentation():
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    shown, _, after = rest.partition(END)
    assert after, f"{PAGE} has no table after {BEGIN}"
    if "WEFT_UPDATE_DOCS" in os.environ:
        PAGE.write_text(before + BEGIN + table() + END + after, encoding="utf-8")
    else:
        assert shown == table(), f"{PAGE} is behind the code; rewrite it with WEFT_UPDATE_DOCS=1"


def test_grows_with_the_side_and_with_the_bound():
    latency = 0
    for n in 4, 8, 16, 32, 64, 128, 256, 512:
        times = estimate(n)
        assert times["latency"] > latency
        assert times["missing"] > times["latency"] > max(times["issue"], times["waiting"])
        latency = times["latency"]

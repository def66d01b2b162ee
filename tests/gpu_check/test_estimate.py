"""The estimated times, and docs/gpu-performance.md, which shows them. To rewrite its tables:

WEFT_UPDATE_DOCS=1 python3 -m pytest tests/gpu_check/test_estimate.py
"""

import os
import pathlib

import estimate
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/gpu-performance.md"


@pytest.mark.parametrize("name, table", [("estimated", estimate.table()),
                                         ("counted", estimate.table_of_programs()),
                                         ("parts", estimate.table_of_parts())])
def test_table_is_that_of_the_documentation(name, table):
    begin, end = f"<!-- generated: {name} -->\n", "<!-- end -->"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    shown, _, after = rest.partition(end)
    assert after, f"{PAGE} has no table after {begin}"
    if "WEFT_UPDATE_DOCS" in os.environ:
        PAGE.write_text(before + begin + table + end + after, encoding="utf-8")
    else:
        assert shown == table, f"{PAGE} is behind the code; rewrite it with WEFT_UPDATE_DOCS=1"


def test_grows_with_the_side():
    before = 0
    for n in 4, 8, 16, 32, 64, 128, 256, 512:
        times = estimate.estimate(n)
        assert times["steps"] > before
        assert times["cycle"] > max(times["issue"], times["chain"], times["exchange"])
        before = times["steps"]


def test_a_program_with_more_instructions_is_slower():
    most = max(estimate.PROGRAMS, key=lambda name: estimate.PROGRAMS[name]["all"])
    least = min(estimate.PROGRAMS, key=lambda name: estimate.PROGRAMS[name]["all"])
    for n in 4, 64, 512:
        assert (1.5 * estimate.pe_cycles_each_second(most, n)
                < estimate.pe_cycles_each_second(least, n))


def test_each_part_that_was_counted_has_a_name():
    for program in estimate.PROGRAMS.values():
        assert set(program["parts"]) <= set(estimate.PARTS)
        assert abs(sum(program["parts"].values()) - program["all"]) <= len(estimate.PARTS) / 2

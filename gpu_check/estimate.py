"""The estimated time of the steps of a transform of n x n x n (FP32, forward), and the rate of other
programs, on an H200. docs/gpu-performance.md explains it, and shows the tables below."""

import json
import math
import pathlib

# Instructions of a warp by program, for 64 PEs and a cycle that the kernel stepped (of the loop that
# runs ahead: a cycle of the program): all, and the cores' own. The file is beside this one in the
# folder that travels, and in the build tree.
HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = json.loads(next(
    file for file in (HERE / "counted.json", HERE.parent / "bench/gpu_count/counted.json")
    if file.exists()).read_text(encoding="utf-8"))
COUNTED = PROGRAMS["transform, n = 32"]
COUNTED_CYCLES = 9536  # that the kernel stepped; it jumps over others
# The chain of a thread's dependent instructions: clocks for each that its warp executes. Reckoned
# from 5 clocks for arithmetic, 29 for shared memory and 280 for the second-level cache.
CHAIN = 5.2
EXCHANGE = 1470  # clocks of a word to a neighbouring block and back; measured
CLOCK_HZ = 1.98e9  # of an H200 at work
MULTIPROCESSORS, SCHEDULERS, MOST_THREADS = 132, 4, 1024
LEAST_TILE = 8 * 16  # PEs
# Cycles that must be stepped; counted on CPUs.
NEEDED = {64: 21_000, 128: 62_000, 256: 200_000, 512: 593_000}


# What a transform consists of, and the name of its row in the table.
ROWS = {"cycle": "a cycle that must be stepped",
        "issue": "of it, issue of instructions",
        "chain": "chain of a thread",
        "exchange": "exchange between tiles",
        "pencils": "the pencils",
        "steps": "the transform"}


def elements(n):
    """Of a PE's three pencils."""
    return 3 * (6.5 * n * math.log2(n) + 35 * n)


def needed(n):
    """Cycles that must be stepped; where nobody counted, as a formula for both transposes has it."""
    return NEEDED.get(n, 2.0 * (n * n + 72 * n))


# The kernel steps more cycles than it must: their instructions are shared out among those.
IN_A_CYCLE = (COUNTED["all"] - COUNTED["own"]) * COUNTED_CYCLES / needed(32)
FOR_AN_ELEMENT = COUNTED["own"] * COUNTED_CYCLES / elements(32)


def tile_of(n):
    """PEs of a tile: as few as all tiles on the device at once allow."""
    return min(max(LEAST_TILE, 2 ** math.ceil(math.log2(n * n / MULTIPROCESSORS))), n * n)


def clocks(instructions, tile):
    """Of so many instructions for 64 PEs: to issue them for a tile, and the chain of a thread."""
    sets = math.ceil(tile / MOST_THREADS)
    return instructions * tile / 64 / SCHEDULERS, CHAIN * instructions / 2 * sets


def estimate(n):
    """Seconds by row; n: a power of two from 4 to 512."""
    tile = tile_of(n)
    issue, chain = clocks(IN_A_CYCLE, tile)
    exchange = EXCHANGE if tile < n * n else 0
    cycle = issue + chain + exchange
    pencils = elements(n) * sum(clocks(FOR_AN_ELEMENT, tile))
    steps = cycle * needed(n) + pencils
    of_row = {"cycle": cycle, "issue": issue, "chain": chain, "exchange": exchange,
              "pencils": pencils, "steps": steps}
    return {name: count / CLOCK_HZ for name, count in of_row.items()}


def pe_cycles_each_second(program, n):
    """Of a program that was counted, on n x n PEs."""
    tile = tile_of(n)
    exchange = EXCHANGE if tile < n * n else 0
    return n * n * CLOCK_HZ / (sum(clocks(PROGRAMS[program]["all"], tile)) + exchange)


def time_text(seconds):
    if seconds < 1e-4:
        return f"{seconds * 1e6:.1f} us"
    if seconds < 1:
        return f"{seconds * 1e3:.0f} ms"
    return f"{seconds:.{1 if seconds < 10 else 0}f} s"


def in_markdown(lines):
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def table():
    """Of transforms, as in docs/gpu-performance.md."""
    sides = 64, 128, 256, 512
    lines = [["", *(f"{n}^3" for n in sides)], ["---"] + ["---:"] * len(sides)]
    lines += [[name, *(time_text(estimate(n)[row]) for n in sides)] for row, name in ROWS.items()]
    return in_markdown(lines)


def table_of_programs():
    """Of all that were counted, as in docs/gpu-performance.md."""
    lines = [["Program", "instructions", "of them the cores' own", "PE-cycles/s at 512 x 512"],
             ["---"] + ["---:"] * 3]
    for name, number in PROGRAMS.items():
        lines.append([name, f"{number['all']:,}", f"{number['own']:,}",
                      f"{pe_cycles_each_second(name, 512):.1e}".replace("e+", "e")])
    return in_markdown(lines)

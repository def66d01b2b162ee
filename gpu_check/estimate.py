"""The estimated time of the steps of a transform of n x n x n (FP32, forward), and the rate of other
programs, on an H200. docs/gpu-performance.md explains it, and shows the tables below."""

import json
import math
import pathlib

# Instructions of a warp by program, for 64 PEs and a cycle that the kernel stepped (of the loop that
# runs ahead: a cycle of the program): all, and by part; and these cycles. The file is beside this one
# in the folder that travels, and in the build tree.
HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = json.loads(next(
    file for file in (HERE / "counted.json", HERE.parent / "bench/gpu_count/counted.json")
    if file.exists()).read_text(encoding="utf-8"))
TRANSFORM = "transform, n = 32"
COUNTED = PROGRAMS[TRANSFORM]
# Instructions that a program should take at most: those of a prototype with 100 to 200 more.
AIMS = {"streams, 2 directions": 1200, "streams, 4 directions": 1150, "stencil": 1150, "data tasks": 800,
        "scalar loop": 600, "scalar loop, ahead": 150, TRANSFORM: 1000}
# The chain of a thread's dependent instructions: clocks for each that its warp executes. Computed
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


# Parts of a cycle: the model's step, and the part's work. Some are of no step.
PARTS = {"inbox": ("", "reads what the neighbours did"),
         "requests": ("1", "finds what waits, and where it may go"),
         "decide": ("1", "chooses what leaves"),
         "route": ("1", "puts these together"),
         "forward": ("1", "takes what leaves off its queues"),
         "links": ("1", "copies payloads into the neighbours' queues"),
         "tap": ("1", "copies payloads to the ramp"),
         "filters": ("1", "count what the core might get"),
         "control": ("1", "obeys control wavelets"),
         "room": ("2", "finds the colors that may leave the core"),
         "deliver": ("2", "takes a wavelet from the core"),
         "arrive": ("3", "shows each end of the ramp what has come"),
         "core": ("3", "puts microthreads, tasks and instructions together"),
         "microthreads": ("3.1", "do an element each"),
         "tasks": ("3.2", "chooses the next task"),
         "shapes": ("3", "addresses in memory of several dimensions"),
         "issue": ("3.3", "finds the instruction, and writes routers and filters"),
         "instructions": ("3.3", "the program's own instructions"),
         "stretches": ("3.3", "the program's own that waited"),
         "step": ("", "loads and stores a PE's state, and calls the others"),
         "due": ("", "the next cycle in which a PE has work"),
         "exchange": ("", "records between tiles"),
         "loop": ("", "finds whether a PE is due and when again, adds up facts"),
         "block of cycles": ("", "facts of 32 cycles for the clock"),
         "launch": ("", "of the kernel")}
OWN = "instructions", "stretches"  # the cores' own


def own(program):
    return sum(PROGRAMS[program]["parts"].get(part, 0) for part in OWN)


# The kernel steps more cycles than it must: their instructions are shared out among those.
IN_A_CYCLE = (COUNTED["all"] - own(TRANSFORM)) * COUNTED["cycles"] / needed(32)
FOR_AN_ELEMENT = own(TRANSFORM) * COUNTED["cycles"] / elements(32)


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
    lines = [["Program", "instructions", "aim", "of them the cores' own", "PE-cycles/s at 512 x 512"],
             ["---"] + ["---:"] * 4]
    for name, number in PROGRAMS.items():
        aim = f"{AIMS[name]:,}" if name in AIMS else ""
        lines.append([name, f"{number['all']:,}", aim, f"{own(name):,}",
                      f"{pe_cycles_each_second(name, 512):.1e}".replace("e+", "e")])
    return in_markdown(lines)


def table_of_parts():
    """Where the instructions of programs that miss their aims are, as in docs/gpu-performance.md: of
    the last, most first."""
    programs = [name for name, aim in AIMS.items() if PROGRAMS[name]["all"] > aim]
    parts = [PROGRAMS[program]["parts"] for program in programs]
    lines = [["Part", "Step", "Work", *programs], ["---"] * 3 + ["---:"] * len(programs)]
    for name, (step, work) in sorted(PARTS.items(), key=lambda row: -parts[-1].get(row[0], 0)):
        lines.append([name, step, work, *(f"{of.get(name, 0):,}" for of in parts)])
    return in_markdown(lines)

"""The estimated time of the steps of a transform of n x n x n (FP32, forward) on an H200, by their
bound. docs/gpu-performance.md explains it, and shows the table below."""

import math

# Counted: instructions of a warp for a strip-cycle in which its PEs stream both ways (the two
# lanes of a thread are among them), and the shares of strips that are awake in a transpose.
PARTS = {"route": (2713, 0.9), "deliver": (2741, 0.9), "core": (3132, 0.75)}
ELEMENT = 40  # instructions for an element of a pencil
# From an instruction to the next of its chain: measured where a tile's state stays in the caches,
# assumed where it does not.
CLOCKS, CLOCKS_MISSING = 12, 28
WAIT = 1.6e-6  # seconds for neighbouring tiles, a cycle
CLOCK_HZ = 1.98e9  # of an H200 at work
SCHEDULERS, MOST_WARPS = 4, 16  # of a block, which has a multiprocessor
STRIP_WIDTH = 16


# What bounds a transform, and the name of its row in the table.
BOUNDS = {"issue": "issue alone",
          "latency": f"latency of dependent instructions, {CLOCKS} clocks",
          "missing": f"the same with caches that miss often, {CLOCKS_MISSING} clocks",
          "waiting": "waiting for neighbours alone",
          "cycle": "a cycle of a transpose, by latency"}


def work_of(n):
    """Instructions of a cycle, one row of strips being a block: of all its warps, and of the chain
    of one warp, each waiting for the one before."""
    strips = max(n // STRIP_WIDTH, 1)
    of_a_warp = math.ceil(strips / MOST_WARPS)
    whole = sum(instructions for instructions, _ in PARTS.values())
    awake = sum(instructions * share for instructions, share in PARTS.values())
    # With one strip a warp, the block's slowest warp has all to do in nearly every cycle.
    return strips * awake, of_a_warp * (whole if of_a_warp == 1 else awake)


def pencil_chain(n):
    """Elements of a PE's three pencils times the instructions for each, for both lanes."""
    elements = 6.5 * n * math.log2(n) + 35 * n
    return 3 * elements * ELEMENT * 2 * max(n // STRIP_WIDTH // MOST_WARPS, 1)


def estimate(n):
    """Seconds by their bound, for a power of two from 4 to 512."""
    cycles = 2.0 * (n * n + 72 * n)  # of both transposes
    block, chain = work_of(n)

    def chained(clocks):
        return (cycles * chain + pencil_chain(n)) * clocks / CLOCK_HZ + cycles * WAIT

    return {"issue": cycles * block / SCHEDULERS / CLOCK_HZ,
            "latency": chained(CLOCKS),
            "missing": chained(CLOCKS_MISSING),
            "waiting": cycles * WAIT,
            "cycle": chain * CLOCKS / CLOCK_HZ + WAIT}


def time_text(seconds):
    if seconds < 1e-3:
        return f"{seconds * 1e6:.0f} us"
    if seconds < 1:
        return f"{seconds * 1e3:.0f} ms"
    return f"{seconds:.{1 if seconds < 10 else 0}f} s"


def table():
    """That of docs/gpu-performance.md, in Markdown."""
    sides = 64, 128, 256, 512
    lines = [["bound by", *(f"{n}^3" for n in sides)], ["---"] + ["---:"] * len(sides)]
    lines += [[name, *(time_text(estimate(n)[bound]) for n in sides)]
              for bound, name in BOUNDS.items()]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)

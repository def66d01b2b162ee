"""The sum of vectors along a row of 64 PEs, in three ways: a chain, a tree, and in two phases:
chains in groups of 8, then a chain of the groups' first PEs. The chains of the groups are side by
side and share their colors. Beside the cycles stands what the published model of such fabrics says
(Luczynski et al., HPDC 2024)."""

import sys

import numpy as np
import weft
from weft import Port

PES, GROUP = 64, 8
machine = weft.Machine()


def chain(design):
    return weft.ReduceChain(design, design.all, Port.west).reduce


def tree(design):
    return weft.ReduceTree(design, design.all, weft.Along.rows).reduce


def two_phase(design):
    groups = [weft.ReduceChain(design, (x, 0, GROUP, 1), Port.west) for x in range(0, PES, GROUP)]
    # The first PEs send by two colors in turn, and the routers between them pass these on.
    colors = [design.color(f"groups {k}") for k in range(2)]
    for k in range(1, PES // GROUP):
        color, x = colors[k % 2], k * GROUP
        design.route((x, 0, 1, 1), color, rx=Port.ramp, tx=Port.west)
        design.route((x - GROUP + 1, 0, GROUP - 1, 1), color, rx=Port.east, tx=Port.west)
        design.route((x - GROUP, 0, 1, 1), color, rx=Port.east, tx=Port.ramp)

    def reduce(pe, v):
        group = pe.pick(lambda x, y: x // GROUP)
        groups[group].reduce(pe, v)
        if pe.where(lambda x, y: x % GROUP != 0):
            return
        to, from_ = colors[group % 2], colors[(group + 1) % 2]
        if group == PES // GROUP - 1:
            pe.send(to, v)
        elif group > 0:
            pe.add(pe.to(to), v, pe.from_(from_))
        else:
            pe.add(v, v, pe.from_(from_))

    return reduce


def model(way, n):
    """T = max(C, E / N + L) + (2 T_R + 1) D: contention, hops per link, longest way, depth."""
    links, groups, steps = PES - 1, PES // GROUP, PES.bit_length() - 1
    contention, hops, depth = {
        "chain": (n, n * links, links),
        "tree": (n * steps, n * steps * PES // 2, steps),
        "two phases": (2 * n, n * (groups * (GROUP - 1) + (groups - 1) * GROUP),
                       GROUP - 1 + groups - 1)}[way]
    return max(contention, hops / links + links) + (2 * machine.ramp_cycles + 1) * depth


def cycles(make, n):
    design = weft.Design(PES, 1)
    reduce = make(design)

    def program(pe):
        v, end = pe.array("v", n), pe.array("end", 1, "int32")
        now = pe.scalar("now")
        reduce(pe, v)
        pe.tsc(now)
        pe.store(end, now)

    design.program(design.all, "sum", program)
    fabric = design.fabric()
    numbers = np.arange(PES * n, dtype=np.float32).reshape(1, PES, n) % 13
    fabric.write(design.all, "v", numbers)
    fabric.run_until_idle()
    right = np.array_equal(fabric.read((0, 0, 1, 1), "v")[0, 0], numbers[0].sum(axis=0))
    return right, fabric.read((0, 0, 1, 1), "end").item()


all_right = True
print("numbers          chain           tree     two phases   (cycles, model)")
for n in (1, 64, 512):
    texts = []
    for way, make in (("chain", chain), ("tree", tree), ("two phases", two_phase)):
        right, taken = cycles(make, n)
        all_right &= right
        texts.append(f"{taken:7} {model(way, n):6.0f}")
    print(f"{n:7}", *texts)
sys.exit(not all_right)

"""Poisson's equation L u = f on 64 x 64 points by conjugate gradients, on 8 x 8 PEs with blocks of
8 x 8. PEs exchange halos for the product L p. Chains along rows and down a column add up each dot
product, and a broadcast tells it to all. The fabric itself ends when the residual is small. Beyond
the edge u is 0. L is negative definite, which serves as well."""

import sys

import numpy as np
import weft

PES, BLOCK = 8, 8
SIDE, POINTS = PES * BLOCK, BLOCK * BLOCK
# Cycles of a division (docs/isa.md); of all other scalars: at the start, in an iteration.
DIVIDE, START, REST = 69, 60, 35
design = weft.Design(PES, PES)
halo = weft.HaloExchange(design, design.all)
rows = weft.ReduceChain(design, design.all, weft.Port.west, "rows")
column = weft.ReduceChain(design, (0, 0, 1, PES), weft.Port.north, "column")
tell = weft.Broadcast(design, design.all, 0, 0)


def solve(pe):
    u, r, q = (pe.array(name, (BLOCK, BLOCK)) for name in "urq")
    wide = pe.array("p", (BLOCK + 2, BLOCK + 2))
    product, end = pe.array("product", 1), pe.array("iterations", 1, "int32")
    rr, old, small, step = (pe.scalar(name, "float32") for name in ("rr", "old", "small", "step"))
    iterations = pe.scalar("iterations")

    def points(down, right):
        return wide.block(1 + down, 1 + right, BLOCK, BLOCK)

    def dot(d, a, b):
        pe.dot(product, a, b)
        rows.reduce(pe, product)
        if pe.where(lambda x, y: x == 0):
            column.reduce(pe, product)
        tell.broadcast(pe, product)
        pe.load(d, product)

    p = points(0, 0)
    pe.copy(p, r)
    dot(rr, r, r)
    pe.mul(small, rr, 1e-12)
    with pe.repeat_while(rr > small):  # a NaN ends it too
        halo.exchange(pe, wide)
        pe.add(q, points(-1, 0), points(1, 0))
        pe.add(q, q, points(0, -1))
        pe.add(q, q, points(0, 1))
        pe.multiply_add(q, p, -4)
        dot(step, p, q)
        pe.divide(step, rr, step)
        pe.multiply_add(u, p, step)
        pe.negate(step, step)
        pe.multiply_add(r, q, step)
        pe.set(old, rr)
        dot(rr, r, r)
        pe.divide(step, rr, old)
        pe.mul(p, p, step)
        pe.add(p, p, r)
        pe.add(iterations, iterations, 1)
    pe.store(end, iterations)


design.program(design.all, "solve", solve)
fabric = design.fabric()
f = np.zeros((SIDE, SIDE))
f[20, 13], f[41, 50] = -1, 1  # a positive charge and a negative one
fabric.scatter(design.all, "r", f.astype(np.float32))
fabric.run_until_idle()
u, iterations = fabric.gather(design.all, "u"), fabric.read((0, 0, 1, 1), "iterations").item()

wide = np.pad(u.astype(np.float64), 1)
product = (wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
           - 4 * wide[1:-1, 1:-1])
right = np.count_nonzero(np.abs(product - f) < 1e-5)
machine = weft.Machine()
vector = machine.vector_start_cycles + POINTS  # two sources or a multiply: rate 1
dot = (vector + 2 * weft.ReduceChain.cycles(machine, 1, PES)
       + weft.Broadcast.cycles(machine, 1, 2 * (PES - 1)))
loop = (weft.HaloExchange.most_cycles(machine, BLOCK, BLOCK) + 8 * vector + 2 * dot + 2 * DIVIDE
        + REST)
most = START + vector + dot + iterations * loop
print(f"L u is f in {right} of {SIDE * SIDE} points, after {iterations} iterations and "
      f"{fabric.cycle} cycles (at most {most})")
sys.exit(bool(right != SIDE * SIDE or fabric.cycle > most))

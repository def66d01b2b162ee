"""C = A B by SUMMA on 4 x 4 PEs, which have blocks of 8 x 8. In step k the PEs of column k send
their blocks of A along their rows, those of row k their blocks of B along their columns, and each
PE adds the product of the two. The next blocks travel while it multiplies."""

import sys

import numpy as np
import weft

PES, BLOCK, WORD = 4, 8, 4
N = BLOCK * BLOCK
design = weft.Design(PES, PES)
rows = weft.MovingBroadcast(design, design.all, weft.Along.rows, "A")
columns = weft.MovingBroadcast(design, design.all, weft.Along.columns, "B")


def summa(pe):
    a, b, c = (pe.array(name, (BLOCK, BLOCK)) for name in "ABC")
    # Two places for the blocks of a step: one is filled while the other is used.
    a_sent, b_sent = pe.array("A, sent", 2 * N), pe.array("B, sent", 2 * N)
    element = pe.scalar("A[i, j]", "float32")
    k, i, at = pe.scalar("k"), pe.scalar("i, in bytes"), pe.scalar("A[i], in bytes")
    now, then, other = pe.scalar("now"), pe.scalar("next"), pe.scalar("other")

    def start(place):
        return (rows.start(pe, a.flat(), a_sent.slice(0, N).moved_by_bytes(place), k)
                + columns.start(pe, b.flat(), b_sent.slice(0, N).moved_by_bytes(place), k))

    def multiply():
        with pe.range(i, 0, N * WORD, BLOCK * WORD):
            pe.add(at, now, i)
            for j in range(BLOCK):
                pe.load(element, a_sent.at(j).moved_by_bytes(at))
                row = b_sent.slice(BLOCK * j, BLOCK).moved_by_bytes(now)
                pe.multiply_add(c.row(0).moved_by_bytes(i), row, element)

    pe.set(then, N * WORD)
    pe.wait(start(now))
    with pe.range(k, 1, PES):
        coming = start(then)
        multiply()
        pe.wait(coming)
        pe.set(other, now)
        pe.set(now, then)
        pe.set(then, other)
    multiply()


design.program(design.all, "summa", summa)
fabric = design.fabric()
side = PES * BLOCK
r, col = np.indices((side, side))
a = ((3 * r + 5 * col) % 11 - 5).astype(np.float32)
b = ((7 * r + 2 * col) % 13 - 6).astype(np.float32)
fabric.scatter(design.all, "A", a)
fabric.scatter(design.all, "B", b)
fabric.run_until_idle()
right = np.count_nonzero(fabric.gather(design.all, "C") == a @ b)
# The first blocks travel, and then a PE does a multiply-add for each row and column of each step.
least = weft.MovingBroadcast.cycles(weft.Machine(), N, 0) + PES * BLOCK * N
print(f"{right} of {side * side} elements of A B are right, after {fabric.cycle} cycles "
      f"(at least {least})")
sys.exit(bool(right != side * side or fabric.cycle < least))

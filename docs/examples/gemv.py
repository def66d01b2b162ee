"""y = A x for a matrix of 32 x 32 numbers on 4 x 4 PEs, which have blocks of 8 x 8. The parts of
x start in the first row of PEs and go down the columns; the parts of y are added up along the
rows."""

import sys

import numpy as np
import weft

PES, BLOCK, WORD = 4, 8, 4
design = weft.Design(PES, PES)
down = weft.Broadcast(design, design.all, weft.Along.columns, 0)
to_first = weft.ReduceChain(design, design.all, weft.Port.west)


def gemv(pe):
    columns = pe.array("columns of A", (BLOCK, BLOCK))
    x, y = pe.array("x", BLOCK), pe.array("y", BLOCK)
    element = pe.scalar("x[j]", "float32")
    j, column = pe.scalar("j, in bytes"), pe.scalar("column")
    down.broadcast(pe, x)
    with pe.range(j, 0, BLOCK * WORD, WORD):
        pe.load(element, x.at(0).moved_by_bytes(j))
        pe.mul(column, j, BLOCK)
        pe.multiply_add(y, columns.row(0).moved_by_bytes(column), element)
    to_first.reduce(pe, y)


design.program(design.all, "gemv", gemv)
fabric = design.fabric()
side = PES * BLOCK
r, c = np.indices((side, side))
a = ((3 * r + 5 * c) % 11 - 5).astype(np.float32)
x = np.arange(side, dtype=np.float32)
blocks = a.reshape(PES, BLOCK, PES, BLOCK).transpose(0, 2, 3, 1)  # by PE, columns first
fabric.write(design.all, "columns of A", blocks)
fabric.write((0, 0, PES, 1), "x", x.reshape(1, PES, BLOCK))
fabric.run_until_idle()
right = np.count_nonzero(fabric.read((0, 0, 1, PES), "y").ravel() == a @ x)
print(f"{right} of {side} rows of A x are right, after {fabric.cycle} cycles")
sys.exit(bool(right != side))

"""C = A B for matrices of 24 x 24 numbers on 6 x 6 PEs, by Cannon's algorithm: each PE has a block
of 4 x 4 of each matrix. In each of six rounds it multiplies its blocks, and then blocks of A go
one PE on in rings of rows, and blocks of B in rings of columns."""

import sys

import numpy as np
import weft

PES, BLOCK = 6, 4
SIDE = PES * BLOCK
design = weft.Design(PES, PES)
along_rows = weft.RingShift(design, design.all, weft.Along.rows, "ring of A")
along_columns = weft.RingShift(design, design.all, weft.Along.columns, "ring of B")


def cannon(pe):
    a, b, c, next_a, next_b = (pe.array(name, (BLOCK, BLOCK))
                               for name in ("a", "b", "c", "next a", "next b"))
    with pe.repeat(PES // 2):
        for _ in range(2):  # there and back between the two buffers
            moves = along_rows.start(pe, a, next_a) + along_columns.start(pe, b, next_b)
            # While the blocks are under way: one instruction for each column of a and row of b.
            for k in range(BLOCK):
                pe.multiply_add(c, a.column(k).repeated(BLOCK), b.row(k).tiled(BLOCK))
            pe.wait(moves)
            a, next_a, b, next_b = next_a, a, next_b, b


design.program(design.all, "cannon", cannon)
fabric = design.fabric()
r, c = np.indices((SIDE, SIDE))
a = ((3 * r + 5 * c) % 11 - 5).astype(np.float32)
b = ((7 * r + 2 * c) % 13 - 6).astype(np.float32)


def block(matrix, row, column):
    return matrix[row * BLOCK:(row + 1) * BLOCK, column * BLOCK:(column + 1) * BLOCK]


place = [weft.RingShift.place_of(pe, PES) for pe in range(PES)]
for row in range(PES):
    for column in range(PES):
        # Both blocks go one place on in each round, so they have the same k in all of them.
        k = (place[row] + place[column]) % PES
        fabric.write((column, row, 1, 1), "a", block(a, row, k))
        fabric.write((column, row, 1, 1), "b", block(b, k, column))
fabric.run_until_idle()
product = fabric.read(design.all, "c")
right = np.count_nonzero(product.transpose(0, 2, 1, 3).reshape(SIDE, SIDE) == a @ b)
print(f"{right} of {SIDE * SIDE} numbers of A B are right, after {fabric.cycle} cycles")
sys.exit(bool(right != SIDE * SIDE))

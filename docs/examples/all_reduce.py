"""The scalar product of two vectors of 1024 numbers on 8 x 8 PEs, 16 numbers in each. All PEs know
it in the end: rows add up their parts, then columns."""

import sys

import numpy as np
import weft

PES, EACH = 8, 16
design = weft.Design(PES, PES)
rows = weft.AllReduce(design, design.all, weft.Along.rows)
columns = weft.AllReduce(design, design.all, weft.Along.columns)


def product(pe):
    x, y = pe.array("x", EACH), pe.array("y", EACH)
    pe.mul(x, x, y)
    half = EACH // 2
    while half > 0:
        pe.add(x.slice(0, half), x.slice(0, half), x.slice(half, half))
        half //= 2
    rows.reduce(pe, x.at(0))
    columns.reduce(pe, x.at(0))


design.program(design.all, "product", product)
fabric = design.fabric()
i = np.arange(PES * PES * EACH, dtype=np.float32).reshape(PES, PES, EACH)
x, y = i % 7, i % 5 - 2  # small integers: the order does not matter
fabric.write(design.all, "x", x)
fabric.write(design.all, "y", y)
fabric.run_until_idle()
expected = np.sum(x * y)
right = np.count_nonzero(fabric.read(design.all, "x")[:, :, 0] == expected)
print(f"{right} of {PES * PES} PEs know that the product is {expected:g}, "
      f"after {fabric.cycle} cycles")
sys.exit(bool(right != PES * PES))

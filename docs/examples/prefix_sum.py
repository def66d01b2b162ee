"""Prefix sums of 128 numbers on a row of 16 PEs, eight in each. Each PE sums up its own; then the
total of all before it comes from the west, is added, and the new total goes on to the east."""

import sys

import numpy as np
import weft

PES, EACH = 16, 8
design = weft.Design(PES, 1)
totals = weft.NeighborShift(design, design.all, weft.Port.east)


def prefix_sum(pe):
    u, before = pe.array("u", EACH, "int32"), pe.array("before", 1, "int32")
    total, number = pe.scalar("sum"), pe.scalar("number")
    pe.set(total, 0)
    for i in range(EACH):
        pe.load(number, u.at(i))
        pe.add(total, total, number)
        pe.store(u.at(i), total)
    totals.receive(pe, before)
    pe.add(u, u, before.at(0).repeated(EACH).flat())
    totals.send(pe, u.at(EACH - 1))


design.program(design.all, "prefix sum", prefix_sum)
fabric = design.fabric()
i = np.arange(PES * EACH, dtype=np.int32)
numbers = i * i % 17 - 3
fabric.write(design.all, "u", numbers.reshape(1, PES, EACH))
fabric.run_until_idle()
right = np.array_equal(fabric.read(design.all, "u").ravel(), np.cumsum(numbers))
print(f"{'right' if right else 'wrong'} prefix sums of {PES * EACH} numbers, "
      f"after {fabric.cycle} cycles")
sys.exit(bool(not right))

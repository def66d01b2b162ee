"""Sorts 16 numbers, one in each PE of a row, by odd-even transposition: in each round neighbours
exchange their numbers, the western one keeps the smaller and the eastern one the larger. In even
rounds these are PEs 0 and 1, 2 and 3, ..., in odd rounds PEs 1 and 2, 3 and 4, ..."""

import sys

import numpy as np
import weft
from weft import Port

PES = 16
design = weft.Design(PES, 1)
east = weft.NeighborShift(design, design.all, Port.east, "to the east")
west = weft.NeighborShift(design, design.all, Port.west, "to the west")


def sort(pe):
    mine, other = pe.array("mine", 1, "int32"), pe.array("other", 1, "int32")
    a, b = pe.scalar("a"), pe.scalar("b")
    odd = pe.pick(lambda x, y: x % 2)
    with pe.repeat(PES // 2):
        for round_ in range(2):
            partner_is_east = odd == round_
            if not pe.has_neighbor(Port.east if partner_is_east else Port.west):
                continue
            (east if partner_is_east else west).send(pe, mine)
            (west if partner_is_east else east).receive(pe, other)
            pe.load(a, mine)
            pe.load(b, other)
            with pe.when(b < a if partner_is_east else a < b):
                pe.store(mine, b)


design.program(design.all, "sort", sort)
fabric = design.fabric()
numbers = np.arange(PES, dtype=np.int32) * 7 % 13 - 4
fabric.write(design.all, "mine", numbers.reshape(1, PES, 1))
fabric.run_until_idle()
in_order = fabric.read(design.all, "mine").ravel()
print(*in_order, f"after {fabric.cycle} cycles")
sys.exit(bool(not np.array_equal(in_order, np.sort(numbers))))

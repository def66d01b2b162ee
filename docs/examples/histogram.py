"""How many of 1,000 numbers from 0 to 63 are in which of 64 bins: PE 0 sends them all along a row,
each of the other eight PEs has a filter that lets in those of its eight bins, and each number that
comes starts a task that counts it. A filter looks at the upper half of a wavelet."""

import sys

import numpy as np
import weft
from weft import Port

PES, BINS, NUMBERS, WORD = 9, 8, 1000, 4
design = weft.Design(PES, 1)
numbers = design.color("numbers")
design.route((0, 0, 1, 1), numbers, rx=Port.ramp, tx=Port.east)
design.route((1, 0, PES - 2, 1), numbers, rx=Port.west, tx=(Port.east, Port.ramp))
design.route((PES - 1, 0, 1, 1), numbers, rx=Port.west, tx=Port.ramp)
for x in range(1, PES):
    design.filter((x, 0, 1, 1), numbers, weft.RangeFilter((x - 1) * BINS, x * BINS - 1))

i = np.arange(NUMBERS, dtype=np.uint32)
bins = (i * i // 7 + i) % 64


def sender(pe):
    pe.send(numbers, pe.values("data", bins << 16))


def counter(pe):
    counts = pe.array("counts", BINS, "uint32")
    count, of_number = pe.scalar("count", "uint32"), pe.scalar("bin, in bytes", "uint32")

    def count_one(number):
        pe.shr(of_number, number, 16)
        pe.band(of_number, of_number, pe.constant(BINS - 1, "uint32"))
        pe.mul(of_number, of_number, WORD)
        here = counts.at(0).moved_by_bytes(of_number)
        pe.load(count, here)
        pe.add(count, count, 1)
        pe.store(here, count)

    pe.on_data(numbers, count_one)


design.program((0, 0, 1, 1), "sender", sender)
design.program((1, 0, PES - 1, 1), "counter", counter)
fabric = design.fabric()
fabric.run_until_idle()
counts = fabric.read((1, 0, PES - 1, 1), "counts").ravel()
right = np.array_equal(counts, np.bincount(bins, minlength=64))
print(f"{'right' if right else 'wrong'} counts of {NUMBERS} numbers, after {fabric.cycle} cycles")
sys.exit(bool(not right))

"""Moving sums of four streams, a row of eight PEs for each. The host sends numbers into the west
edge, and all PEs of a row hear them. A PE adds each to the sum that comes from the west, which is
one number older, and the sums of eight numbers leave at the east edge."""

import sys

import numpy as np
import weft

TAPS, ROWS, COUNT = 8, 4, 50
PORT = weft.Port
design = weft.Design(TAPS, ROWS)
west, east = (0, 0, 1, ROWS), (TAPS - 1, 0, 1, ROWS)
numbers, sums = design.color("numbers"), [design.color("even"), design.color("odd")]
design.host_input("numbers", west, PORT.west, numbers)
design.host_output("results", east, PORT.east, sums[(TAPS - 1) % 2])
design.route((0, 0, TAPS - 1, ROWS), numbers, rx=PORT.west, tx=(PORT.ramp, PORT.east))
design.route(east, numbers, rx=PORT.west, tx=PORT.ramp)
for x in range(TAPS):
    design.route((x, 0, 1, ROWS), sums[x % 2], rx=PORT.ramp, tx=PORT.east)
    if x > 0:
        design.route((x, 0, 1, ROWS), sums[(x - 1) % 2], rx=PORT.west, tx=PORT.ramp)


def moving_sum(pe):
    odd = pe.where(lambda x, y: x % 2 == 1)
    out, before = sums[odd], sums[not odd]
    if not pe.has_neighbor(PORT.west):
        pe.copy(pe.to(out), pe.from_(numbers, COUNT))
        return
    last = pe.array("last", 1)
    pe.copy(pe.to(out), pe.from_(numbers, 1))
    pe.add(pe.to(out), pe.from_(before, COUNT - 1), pe.from_(numbers, COUNT - 1))
    pe.receive(last, before)  # which has one sum more


design.program(design.all, "moving sum", moving_sum)
machine = weft.Machine()
fabric = design.fabric(machine)
k = np.arange(COUNT)
sent = np.stack([(k * k + 7 * row) % 31 for row in range(ROWS)]).astype(np.float32)
fabric.send("numbers", sent)
fabric.run_until_idle()
padded = np.pad(sent, ((0, 0), (TAPS - 1, 0)))
expected = sum(padded[:, tap:tap + COUNT] for tap in range(TAPS))
right = np.array_equal(fabric.receive("results"), expected)
link = machine.host_link_cycles
print(f"{'right' if right else 'wrong'} sums of {ROWS} x {COUNT} numbers, after {fabric.cycle} "
      f"cycles: {COUNT} x {link} of the link, {fabric.cycle - COUNT * link} before the first sum")
sys.exit(bool(not right))

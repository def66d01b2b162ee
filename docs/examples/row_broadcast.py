"""PE 0 sends one stream of numbers along a row of eight PEs; every router passes the stream on and
offers it to its own core, and each core's counter filter lets in the two numbers that are meant for
it."""

import sys

import numpy as np
import weft
from weft import Port

WIDTH, EACH = 8, 2
STREAM = EACH * (WIDTH - 1)
design = weft.Design(WIDTH, 1)
color = design.color("numbers")
design.route((0, 0, 1, 1), color, rx=Port.ramp, tx=Port.east)
design.route((1, 0, WIDTH - 2, 1), color, rx=Port.west, tx=(Port.east, Port.ramp))
design.route((WIDTH - 1, 0, 1, 1), color, rx=Port.west, tx=Port.ramp)
for x in range(1, WIDTH):
    # The filter accepts while its counter is at most max_counter, so PE x starts as far before its
    # window as it has to wait.
    before = (STREAM - EACH * (x - 1)) % STREAM
    design.filter((x, 0, 1, 1), color,
                  weft.CounterFilter(counter=before, max_counter=EACH - 1, limit1=STREAM - 1))

numbers = np.array([[10 * x, 10 * x + 1] for x in range(1, WIDTH)], np.uint32)
design.program((0, 0, 1, 1), "sender",
               lambda pe: pe.send(color, pe.values("numbers", numbers).flat()))


design.program((1, 0, WIDTH - 1, 1), "receiver",
               lambda pe: pe.receive(pe.array("caught", EACH, "uint32"), color))
fabric = design.fabric()
fabric.run_until_idle()
caught = fabric.read((1, 0, WIDTH - 1, 1), "caught")[0]
for x, own in enumerate(caught, start=1):
    print(f"PE {x} caught {own[0]} {own[1]}")
sys.exit(bool(not np.array_equal(caught, numbers)))

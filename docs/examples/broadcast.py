"""One PE sends eight numbers to all others of 6 x 4 PEs. Each notes the cycle of their arrival."""

import sys

import numpy as np
import weft

design = weft.Design(6, 4)
broadcast = weft.Broadcast(design, design.all, 2, 1)


def program(pe):
    u, cycle, now = pe.array("u", 8), pe.array("cycle", 1, "int32"), pe.scalar("now")
    broadcast.broadcast(pe, u)
    pe.tsc(now)
    pe.store(cycle, now)


design.program(design.all, "broadcast", program)
fabric = design.fabric()
fabric.write((2, 1, 1, 1), "u", np.arange(8, dtype=np.float32))
fabric.run_until_idle()
for row in fabric.read(design.all, "cycle")[:, :, 0]:
    print("".join(f"{cycle:3d}" for cycle in row))
sys.exit(bool(fabric.read((5, 3, 1, 1), "u").ravel()[7] != 7))

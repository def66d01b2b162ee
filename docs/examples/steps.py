"""The host drives a program in steps: it activates a task that does ten sweeps of a relaxation on
4 x 4 PEs, looks at the change, and goes on from the same clock until little changes."""

import sys

import numpy as np
import weft

PES, BLOCK, SWEEPS = 4, 6, 10
SIDE = PES * BLOCK
design = weft.Design(PES, PES)
halo = weft.HaloExchange(design, design.all)


def relaxation(pe):
    u = pe.array("u", (BLOCK + 2, BLOCK + 2))
    mean = pe.array("mean", (BLOCK, BLOCK))

    def points(dy, dx):
        return u.block(1 + dy, 1 + dx, BLOCK, BLOCK)

    def sweeps():
        with pe.repeat(SWEEPS):
            halo.exchange(pe, u)
            pe.add(mean, points(-1, 0), points(1, 0))
            pe.add(mean, mean, points(0, -1))
            pe.add(mean, mean, points(0, 1))
            pe.mul(points(0, 0), mean, 0.25)

    pe.task("sweeps", sweeps)


design.program(design.all, "relaxation", relaxation)
fabric = design.fabric()
border = np.zeros((1, PES, BLOCK + 2, BLOCK + 2), np.float32)
border[:, :, 0] = 1  # the northern side is warm
fabric.write((0, 0, PES, 1), "u", border)
fabric.run_until_idle()
u, change, steps = np.zeros((SIDE, SIDE), np.float32), 1.0, 0
while change > 1e-3:
    fabric.activate(design.all, "sweeps")
    fabric.run_until_idle()
    now = fabric.gather(design.all, "u", halo=1)
    u, change, steps = now, np.abs(now - u).max(), steps + 1

wide = np.zeros((SIDE + 2, SIDE + 2), np.float32)
wide[0] = 1
for _ in range(steps * SWEEPS):
    mean = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    wide[1:-1, 1:-1] = mean * np.float32(0.25)
right = np.count_nonzero(u == wide[1:-1, 1:-1])
print(f"{right} of {SIDE * SIDE} points are right after {steps} steps and {fabric.cycle} cycles")
sys.exit(bool(right != SIDE * SIDE))

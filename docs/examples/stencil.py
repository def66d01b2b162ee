"""Heat spreads over a plate of 128 x 128 points: 16 x 16 PEs have 8 x 8 points each. In each step
they exchange the borders of their blocks, and a point becomes the mean of itself and its four
neighbours. Beyond the plate's edge it is cold."""

import numpy as np
import weft

PES, BLOCK, STEPS = 16, 8, 100
design = weft.Design(PES, PES)
halo = weft.HaloExchange(design, design.all)


def stencil(pe):
    u = pe.array("u", (BLOCK + 2, BLOCK + 2))
    mean = pe.array("next", (BLOCK, BLOCK))

    def points(down, right):
        return u.block(1 + down, 1 + right, BLOCK, BLOCK)

    with pe.repeat(STEPS):
        halo.exchange(pe, u)
        pe.add(mean, points(-1, 0), points(1, 0))
        pe.add(mean, mean, points(0, -1))
        pe.add(mean, mean, points(0, 1))
        pe.add(mean, mean, points(0, 0))
        pe.mul(points(0, 0), mean, 0.2)


design.program(design.all, "stencil", stencil)
fabric = design.fabric()
middle = (PES // 2, PES // 2, 1, 1)
fabric.write(middle, "u", np.full((BLOCK + 2, BLOCK + 2), 100, np.float32))
fabric.run_until_idle()
u = fabric.read(middle, "u")[0, 0]
print(f"{u[1, 1]:.4f} degrees in the middle after {fabric.cycle} cycles")

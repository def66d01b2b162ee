"""A wave in the ground: the 25-point stencil of seismic imaging, of order 8 in space and 2 in time.
Each of 16 x 16 PEs has a column of 32 points, and four points around it on each side come by way of
the neighbours. Beyond the block the ground does not move. The host computes the same in double
precision, and the cycles stand beside a bound: every element passes the ramp or is computed."""

import sys

import numpy as np
import weft

PES, DEPTH, STEPS = 16, 32, 12
FAR = 4  # points on each side
WIDE, COLUMN = 2 * FAR + 1, DEPTH + 2 * FAR  # PEs across the halo; a column with points at rest
# Of the second derivative, times (c dt / h)^2: for the point itself, and 1 to 4 points away.
SPEED = 0.1
CENTER = 2 - 3 * SPEED * 205 / 72
AWAY = [SPEED * w for w in (8 / 5, -1 / 5, 8 / 315, -1 / 560)]

design = weft.Design(PES, PES)
halo = weft.HaloExchange(design, design.all, depth=FAR)


def ground(pe):
    u = pe.array("u", (WIDE, WIDE, COLUMN))
    before, after = pe.array("before", COLUMN).slice(FAR, DEPTH), pe.array("after", DEPTH)

    def points(right=0, down=0, below=0):
        pe_of_halo = (FAR + down) * WIDE + FAR + right
        return u.flat().slice(pe_of_halo * COLUMN + FAR + below, DEPTH)

    with pe.repeat(STEPS):
        halo.exchange(pe, u)
        pe.mul(after, points(), CENTER)
        pe.sub(after, after, before)
        for n, weight in enumerate(AWAY, 1):
            for side in (-n, n):
                pe.multiply_add(after, points(right=side), weight)
                pe.multiply_add(after, points(down=side), weight)
                pe.multiply_add(after, points(below=side), weight)
        pe.copy(before, points())
        pe.copy(points(), after)


design.program(design.all, "ground", ground)
fabric = design.fabric()
y, x, z = np.mgrid[:PES, :PES, -FAR:DEPTH + FAR]
start = (1 / (1 + (x - 8) ** 2 + (y - 8) ** 2 + (z - 16) ** 2)).astype(np.float32)
start[:, :, :FAR] = start[:, :, -FAR:] = 0
fabric.scatter(design.all, "u", start, halo=FAR)
fabric.scatter(design.all, "before", start.reshape(PES, PES * COLUMN))
fabric.run_until_idle()
found = fabric.gather(design.all, "u", halo=FAR)

# The host's ground has points at rest around it.
u = np.pad(start.astype(float), [(FAR, FAR), (FAR, FAR), (0, 0)])
inside, before = (slice(FAR, -FAR),) * 3, u
for _ in range(STEPS):
    after = CENTER * u - before
    for n, weight in enumerate(AWAY, 1):
        for axis in range(3):
            after += weight * (np.roll(u, n, axis) + np.roll(u, -n, axis))
    before, u = u, np.zeros_like(u)
    u[inside] = after[inside]
error = abs(found - u[FAR:-FAR, FAR:-FAR]).max()

cycles = fabric.cycle // STEPS
# To four sides, and from them; then 24 products and sums of numbers, and four other operations.
ramp, compute = 2 * FAR * COLUMN * 2, 28 * DEPTH
print(f"25 points: {STEPS} steps of {PES} x {PES} x {DEPTH} points, "
      f"{'right' if error < 1e-6 else 'wrong'}")
print(f"the middle moves from {start[8, 8, 20]:.4f} to {found[8, 8, 20]:.4f}")
print(f"{cycles} cycles a step, {cycles / (ramp + compute):.2f} times the least: "
      f"{ramp} at the ramp and {compute} of computing")
sys.exit(0 if error < 1e-6 else 1)

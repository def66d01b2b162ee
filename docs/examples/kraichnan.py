"""Turbulence as Kraichnan's model has it: a scalar is carried by a velocity that is drawn anew in
each of 300 steps, with Gaussian modes whose variance falls as k^-(2 + XI). All 300 fields are
transformed at once, each on a row of 64 PEs, u + iv as one complex array. Their modes are drawn in
the order in which the transform takes them, so a field takes one transposition. Then 16 x 16 PEs
carry the scalar: blocks on folded rings, whose neighbours are those of a periodic plane."""

import sys

import numpy as np
import weft

N, STEPS, PES, BLOCK = 64, 300, 16, 4
XI, SPEED, DIFFUSION = 1.0, 0.4, 0.01  # speed: root mean square of each component
SPREAD = DIFFUSION + SPEED**2 / 2  # and by the velocity, which forgets the step before
k = np.fft.fftfreq(N, 1 / N)
ky, kx = k[:, None], k[None, :]
square = np.fmax(kx**2 + ky**2, 1)
shell = np.rint(np.sqrt(square))


def amplitudes(fields, xi=XI):
    """Modes of u + iv: i (ky, -kx) times those of a real function, whose mirror images agree."""
    power = square**(-(2 + xi) / 2)  # of the modes; those without a mirror image have none
    power[0, 0] = power[N // 2] = power[:, N // 2] = 0
    drawn = np.random.RandomState(1).random_sample((fields, N, N, 2))
    a = np.sqrt(-np.log(1 - drawn[..., 0])) * np.exp(2j * np.pi * drawn[..., 1])
    a += np.roll(a[:, ::-1, ::-1], 1, (1, 2)).conj()
    return (kx + 1j * ky) * a * SPEED * np.sqrt(power / square / power.sum())


def plan(fields, back=False):
    """Of their transform, with a transpose back or without."""
    return weft.FftPlan((N, N), norm="forward", batch=fields, mesh=(N, fields), transpose="ring",
                        pencil="radix4", back=back)


def slope(x, y):
    return np.polyfit(np.log(x), np.log(y), 1)[0]


design = weft.Design(PES, PES)
east, west, south, north = (
    weft.RingShift(design, design.all, along, f"{along.name} {way}", way == "back")
    for along in (weft.Along.rows, weft.Along.columns) for way in ("on", "back"))


def carry(pe):
    wide = pe.array("scalar", (BLOCK + 2, BLOCK + 2))
    u, v, change, other = (pe.array(name, (BLOCK, BLOCK)) for name in ("u", "v", "change", "other"))

    def block(row, column, rows=BLOCK, columns=BLOCK):
        return wide.block(row, column, rows, columns)

    def step():
        pe.wait(east.start(pe, block(1, BLOCK, columns=1), block(1, 0, columns=1))
                + west.start(pe, block(1, 1, columns=1), block(1, BLOCK + 1, columns=1))
                + south.start(pe, block(BLOCK, 1, rows=1), block(0, 1, rows=1))
                + north.start(pe, block(1, 1, rows=1), block(BLOCK + 1, 1, rows=1)))
        pe.sub(change, block(1, 2), block(1, 0))
        pe.mul(change, change, u)
        pe.sub(other, block(2, 1), block(0, 1))
        pe.multiply_add(change, other, v)
        pe.add(other, block(1, 2), block(1, 0))
        pe.add(other, other, block(2, 1))
        pe.add(other, other, block(0, 1))
        pe.multiply_add(change, other, SPREAD)
        pe.mul(block(1, 1), block(1, 1), 1 - 4 * SPREAD)
        pe.add(block(1, 1), block(1, 1), change)

    pe.task("step", step)


design.program(design.all, "carry", carry)
fabric = design.fabric()
modes = amplitudes(STEPS)
fields, report = plan(STEPS).run(modes, "inverse")
turned, with_back = plan(2, back=True).run(modes[:2], "inverse")
place = np.array([weft.RingShift.place_of(pe, PES) for pe in range(PES)])
on_rings = np.ix_(*[(place[:, None] * BLOCK + np.arange(BLOCK)).ravel()] * 2)
start = np.tile(np.where(np.arange(N) // 16 % 2 == 0, 1, -1).astype(np.float32), (N, 1))
fabric.scatter(design.all, "scalar", start[on_rings], halo=1)
fabric.run_until_idle()
began, host = fabric.cycle, start.astype(float)
for field in fields:
    for name, part in (("u", field.real), ("v", field.imag)):
        fabric.scatter(design.all, name, part[on_rings] / -2)
    fabric.activate(design.all, "step")
    fabric.run_until_idle()
    e, w, s, n = (np.roll(host, by, axis) for axis in (1, 0) for by in (-1, 1))
    host += SPREAD * (e + w + s + n - 4 * host) - (field.real * (e - w) + field.imag * (s - n)) / 2
scalar = np.empty((N, N), np.float32)
scalar[on_rings] = fabric.gather(design.all, "scalar", halo=1)

machine = weft.Machine()
for phase in report.phases:
    print(f"{phase.name}: {phase.cycles} cycles")
print(f"in all {report.cycles}; with a transpose back {with_back.cycles}")
print(f"an exchange around a ring takes at most {2 * (N**2 // 4 + 5 * N // 2) + 17 * N + 330}")
most = (weft.HaloExchange.most_cycles(machine, BLOCK, BLOCK) + machine.hop_cycles
        + 10 * (machine.vector_start_cycles + BLOCK**2))
print(f"a step of the scalar takes {(fabric.cycle - began) // STEPS} cycles, at most {most}")
right = np.abs(scalar - host).max() < 1e-4 and np.abs(turned - fields[:2]).max() < 1e-5
print(f"its variance falls from 1 to {scalar.var():.3f}")
for xi in (0.5, 1.0, 1.5):
    some = plan(N).run(amplitudes(N, xi), "inverse")[0]
    power = (np.abs(plan(N).run(some, "forward")[0])**2).mean(0)
    spectrum = slope(range(2, 25), [s * power[shell == s].mean() for s in range(2, 25)])
    apart = [2, 4, 8]
    structure = slope(apart, [(np.abs(np.roll(some, -r, 2) - some)**2).mean() for r in apart])
    print(f"xi = {xi}: the spectrum goes as k^{spectrum:.2f}, differences as r^{structure:.2f}")
print("as on the host" if right else "WRONG")
sys.exit(0 if right else 1)

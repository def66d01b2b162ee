"""The heat equation in a periodic cube, by a spectral method that stays on the wafer: in each step
the field is transformed, multiplied by exp(-k^2 dt), and transformed back, 100 times in one
program. The result is held against the exact solution."""

import sys

import numpy as np
import weft

SIDE, STEPS, STEP = 16, 100, 0.001
angle = 2 * np.pi * np.arange(SIDE) / SIDE
a, b, c = angle[:, None, None], angle[None, :, None], angle[None, None, :]


def exact(t):
    """Two waves, which decay by exp(-5 t) and exp(-10 t)."""
    return (np.exp(-5 * t) * np.sin(a) * np.cos(2 * b)
            + 0.5 * np.exp(-10 * t) * np.cos(3 * a + c))


def draw(field):
    for row in ((field[:, :, 0].T + 1.603) * 3).astype(int):
        print("  " + "".join(" .:-=+*#%@"[value] for value in row))


k = np.fft.fftfreq(SIDE, 1 / SIDE)
symbol = np.exp(-(k[:, None, None]**2 + k[None, :, None]**2 + k[None, None, :]**2) * STEP)
result, cycles, _ = weft.FftPlan((SIDE, SIDE, SIDE)).round_trips(exact(0), STEPS, symbol)

print(f"at the start, and after {STEPS} steps:")
draw(exact(0))
print()
draw(result.real)
print(f"a step takes {min(cycles)} to {max(cycles)} cycles")
right = np.abs(result - exact(STEPS * STEP)).max() < 1e-4
print("as the exact solution" if right else "WRONG")
sys.exit(0 if right else 1)

"""A transform on the emulated wafer, back again, and compared with NumPy's."""

import sys

import numpy as np
import weft

rng = np.random.default_rng(1)
shape = (32, 32, 32)
x = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)
y, report = weft.fft(x)
for phase in report.phases:
    print(f"{phase.name}: {phase.cycles} cycles")
print(f"in all: {report.cycles} cycles, {report.time_us:.1f} us on the wafer")
error = np.linalg.norm(y - np.fft.fftn(x)) / np.linalg.norm(y)
print(f"error against numpy.fft: {'within' if error < report.error_bound else 'beyond'} its bound")
back, _ = weft.ifft(y)
same = np.allclose(back, x, atol=1e-4)
print("and back:", "the same" if same else "something else")
sys.exit(0 if same and error < report.error_bound else 1)

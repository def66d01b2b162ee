"""Transforms of sides that are no powers of two, and by other transposes, against NumPy."""

import numpy as np
import pytest

import weft


def relative_error(y, reference):
    return np.linalg.norm(np.asarray(y) - reference) / np.linalg.norm(reference)


def noise(shape):
    rng = np.random.default_rng(3)
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(np.complex64)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
@pytest.mark.parametrize("shape", [(12, 10, 15), (24, 24, 24), (1000,), (4, 6, 10, 9)])
def test_sides_that_are_no_powers_of_two_are_numpys(shape, precision):
    x = noise(shape)
    y, report = weft.fft(x, precision, "ortho")
    usual = 20 * {"fp32": 2**-24, "fp16": 2**-11}[precision]  # random numbers err far less than the bound
    assert relative_error(y, np.fft.fftn(x, norm="ortho")) < usual < report.error_bound
    z, _ = weft.ifft(x, precision, "ortho")
    assert relative_error(z, np.fft.ifftn(x, norm="ortho")) < usual


def test_real_arrays_of_such_sides_are_numpys():
    x = np.random.default_rng(4).standard_normal((18, 15, 10)).astype(np.float32)
    half, report = weft.rfft(x)
    assert half.shape == (18, 15, 6)
    assert relative_error(half, np.fft.rfftn(x)) < report.error_bound
    back, report = weft.irfft(np.fft.rfftn(x))
    assert relative_error(back, x) < report.error_bound


@pytest.mark.parametrize("transpose", ["ring", "halves"])
@pytest.mark.parametrize("shape", [(8, 16, 8), (12, 10, 15)])
def test_other_transposes_of_boxes_are_numpys(transpose, shape):
    x = noise(shape)
    how = {"transpose": transpose, "mesh": (8, 8)}
    y, report = weft.fft(x, **how)
    assert report.transpose == transpose
    assert relative_error(y, np.fft.fftn(x)) < report.error_bound
    z, report = weft.ifft(x, **how)
    assert relative_error(z, np.fft.ifftn(x)) < report.error_bound

"""A model of the sums of S3DFT, for its bound in docs/accuracy.md. A PE adds up N products by
blocks, its own first and then the next ones around the ring of N / b PEs. So after `step` products
all sums are products with the matrix of Fourier coefficients of which each row lacks some. The model
tells how much longer than the whole they may be: the norm of that matrix over sqrt(N)."""

import numpy as np
import pytest


def directly(n, b, step):
    """From the whole matrix."""
    indices = np.arange(n)
    turned = ((indices[None, :] // b - indices[:, None] // b) % (n // b)) * b + indices[None, :] % b
    matrix = np.exp(-2j * np.pi * np.outer(indices, indices) / n)
    return np.linalg.norm(np.where(turned < step, matrix, 0), 2) / np.sqrt(n)


def chirp(b, p, count):
    """exp(-pi I b d^2 / p) for d below count; of an odd b p, with half of d^2 modulo p."""
    squares = b * np.arange(count) ** 2
    if b * p % 2 == 0:
        return np.exp(-1j * np.pi * (squares % (2 * p)) / p)
    return np.exp(-2j * np.pi * (squares % p * ((p + 1) // 2) % p) / p)


def of_single_numbers(n):
    """b = 1, each step. j k is (j^2 + k^2 - (j - k)^2) / 2, so the matrix is a circulant one between
    two diagonal ones of modulus 1: its norm is the largest sum of as many neighbours of a chirp."""
    sums = np.concatenate([[0], np.cumsum(chirp(1, n, 2 * n))])
    steps = range(1, n + 1)
    return np.array([np.abs(sums[s:s + n] - sums[:n]).max() for s in steps]) / np.sqrt(n)


def of_blocks(n, b, steps):
    """The same with blocks of b x b in the circulant: a Fourier transform parts it into n / b blocks."""
    p, indices = n // b, np.arange(b)
    places = (np.arange(p)[:, None, None] + indices[:, None] - indices[None, :]) % p
    turns = np.exp(2j * np.pi * np.outer(indices, indices) / n)
    squares = chirp(b, p, p)
    norms = []
    for step in steps:
        whole, more = divmod(step, b)
        one, other = (p * np.fft.ifft(np.where(np.arange(p) < s, squares, 0))[places]
                      for s in (whole, whole + 1))
        blocks = np.where(indices < more, other, one) * turns
        norms.append(np.linalg.norm(blocks, 2, axis=(1, 2)).max())
    return np.array(norms) / np.sqrt(n)


@pytest.mark.parametrize("n, b", [(8, 1), (9, 1), (12, 2), (12, 3), (15, 3), (15, 5), (16, 4),
                                  (20, 2), (14, 7)])
def test_the_circulant_has_the_norms_of_the_matrix(n, b):
    steps = range(1, n + 1)
    norms = [directly(n, b, step) for step in steps]
    np.testing.assert_allclose(of_blocks(n, b, steps), norms, atol=1e-12)
    if b == 1:
        np.testing.assert_allclose(of_single_numbers(n), norms, atol=1e-12)


@pytest.mark.parametrize("n", [*range(2, 130, 7), 243, 512, 1000, 1023, 2048, 4069])
def test_with_one_number_in_a_pe_the_mean_norm_is_within_the_bound(n):
    norms = of_single_numbers(n)
    assert norms.mean() < 1.1743 < 1.25
    assert norms.max() < 1.45


@pytest.mark.parametrize("n, b", [(64, 2), (64, 8), (64, 64), (60, 5), (243, 3), (512, 2), (500, 10)])
def test_with_more_it_is_less(n, b):
    steps = range(1, n + 1, max(1, n // 64))
    assert of_blocks(n, b, steps).mean() < of_single_numbers(n).mean() + 0.01

"""Models of the skews of a transposition on a ring (Lippert et al., "FFT for the APE parallel
computer"): by addressing, as RingTranspose has it, in log2 p steps with one address for all cells,
and by translation invariance. Cell j of p has column j of a matrix: addresses are rows. Each counts
the words that a cell copies, or the operations of a number, for docs/algorithms.md."""

import os

import numpy as np
import pytest

SEED = int(os.environ.get("WEFT_TEST_SEED", "0")) % 2**32


def noise(n):
    random = np.random.default_rng([SEED, n])
    return random.standard_normal((n, n)) + 1j * random.standard_normal((n, n))


def by_addressing(m, way):
    """Column j turned by j, upwards (way 1) or downwards; and the copies of an element of a cell."""
    rows, columns = np.indices(m.shape)
    return m[(rows + way * columns) % len(m), columns], 1


def in_steps(m, way):
    """The same in log2 p steps: in step s all cells whose number has bit s turn by 2^s."""
    p, m = len(m), m.copy()
    steps = (p - 1).bit_length()
    for s in range(steps):
        masked = np.arange(p) >> s & 1 == 1
        m[:, masked] = np.roll(m[:, masked], -way * 2**s, axis=0)
    return m, steps  # the cells that are masked wait for the others


def shift_rows(m):
    """Row i goes i cells on, to address -i. Each cell does the same."""
    p = len(m)
    return np.stack([np.roll(m[-i % p], -i % p) for i in range(p)])


@pytest.mark.parametrize("p", [2, 3, 4, 8, 12, 31, 64])
def test_skews_and_a_shift_transpose(p):
    m = noise(p)
    for skew, copies in ((by_addressing, 1), (in_steps, (p - 1).bit_length())):
        up, taken = skew(m, 1)
        assert np.array_equal(up, by_addressing(m, 1)[0])
        down, taken_again = skew(shift_rows(up), -1)
        assert np.array_equal(down, m.T)
        assert taken == taken_again == copies


def rounded(z, part):
    """Both parts of complex numbers in a precision."""
    return z.real.astype(part).astype(float) + 1j * z.imag.astype(part).astype(float)


def multiply(a, b, part):
    """Two products and a sum a part, each rounded."""
    re = [rounded(x.real * y + 0j, part).real for x, y in ((a, b.real), (a, b.imag))]
    im = [rounded(x.imag * y + 0j, part).real for x, y in ((a, b.real), (a, b.imag))]
    return rounded((re[0] - im[1]) + 1j * (re[1] + im[0]), part)


def columns_by_radix_2(z, part):
    """The transform of each column, each operation rounded."""
    n = len(z)
    if n == 1:
        return z
    even, odd = columns_by_radix_2(z[::2], part), columns_by_radix_2(z[1::2], part)
    w = rounded(np.exp(-2j * np.pi * np.arange(n // 2) / n), part)[:, None]
    t = multiply(odd, np.broadcast_to(w, odd.shape), part)
    return np.concatenate([rounded(even + t, part), rounded(even - t, part)])


def phases(n, shift, part):
    """By which the modes of a column that is turned by `shift` rows differ; the same backwards."""
    k = np.arange(n)
    return rounded(np.exp(-2j * np.pi * (np.outer(k, shift) % n) / n), part)


def by_transposes(x, part):
    z = columns_by_radix_2(x, part)
    z = columns_by_radix_2(z.T, part)
    return z.T, 0


def by_translation(x, part):
    """Columns, a shift, columns, a shift, and one skew. A column times phases has turned modes, and
    a turned column modes times phases: so three of the four skews are products."""
    n, cells = len(x), np.arange(len(x))
    z = columns_by_radix_2(multiply(x, phases(n, cells, part), part), part)  # comes out skewed up
    z = shift_rows(z)  # turned by the number of the cell
    z = columns_by_radix_2(multiply(z, phases(n, cells, part), part), part)  # skewed up again
    rows = (np.arange(n)[:, None] + cells) % n  # the modes that these are
    z = multiply(z, rounded(np.exp(-2j * np.pi * (rows * cells % n) / n), part), part)
    return by_addressing(shift_rows(z), -1)[0], 3


def error(z, x):
    right = np.fft.fft2(x)
    return np.linalg.norm(z - right) / np.linalg.norm(right)


@pytest.mark.parametrize("part", [np.float32, np.float16])
@pytest.mark.parametrize("n", [8, 32, 64])
def test_translation_invariance_stands_in_for_three_skews(n, part):
    x = rounded(noise(n) / 4, part)
    transposed, translated = error(by_transposes(x, part)[0], x), error(by_translation(x, part)[0], x)
    products = by_translation(x, part)[1]
    assert products == 3
    unit = np.finfo(part).eps / 2
    assert transposed < 2 * unit * np.sqrt(2 * np.log2(n))
    # A product adds about as much as a stage: three beside 2 log2 n of them.
    assert translated < 1.5 * np.sqrt(1 + 3 / (2 * np.log2(n))) * transposed


def test_translation_is_a_transform_in_double_precision():
    x = noise(16)
    assert error(by_translation(x, np.float64)[0], x) < 1e-14

"""The velocity of docs/examples/kraichnan.py has the statistics that its modes were drawn with.
Tolerances are four standard errors of what the sample can tell: a mode's power is exponential, so
its standard deviation is its mean, and a mode and its mirror image are one."""

import os
import pathlib

import numpy as np
import pytest

EXAMPLE = pathlib.Path(__file__).parents[2] / "docs" / "examples" / "kraichnan.py"
FIELDS, ERRORS = 100, 4
SEED = int(os.environ.get("WEFT_TEST_SEED", "0"))


def drawn_with(xi):
    """The example's names up to its program, with other random numbers, and fields of an exponent."""
    source = EXAMPLE.read_text().split("design = ")[0]
    assert "RandomState(1)" in source
    names = {}
    exec(source.replace("RandomState(1)", f"RandomState({(SEED + 1) % 2**32})"), names)
    names["XI"], names["modes"] = xi, names["amplitudes"](FIELDS, xi)
    names["fields"] = names["plan"](FIELDS).run(names["modes"], "inverse")[0]
    n = names["N"]
    names["power"] = names["square"]**(-(2 + xi) / 2)
    names["power"][0, 0] = names["power"][n // 2] = names["power"][:, n // 2] = 0
    return names


@pytest.fixture(scope="module", params=[2 / 3, 1.0, 4 / 3])
def drawn(request):
    return drawn_with(request.param)


def spectrum(fields):
    """The power of each mode of u and v together, from the fields alone."""
    n = fields.shape[-1]
    z = np.fft.fft2(fields.astype(complex)) / n**2
    mirror = np.roll(z[:, ::-1, ::-1], 1, (1, 2)).conj()
    return np.abs((z + mirror) / 2)**2 + np.abs((z - mirror) / 2)**2


def test_the_transform_is_exact(drawn):
    n = drawn["N"]
    assert np.allclose(drawn["fields"], np.fft.ifft2(drawn["modes"]) * n**2, atol=1e-5)


def test_the_velocity_has_no_divergence(drawn):
    z = np.fft.fft2(drawn["fields"].astype(complex))
    mirror = np.roll(z[:, ::-1, ::-1], 1, (1, 2)).conj()
    u, v = (z + mirror) / 2, (z - mirror) / 2j
    divergence = np.linalg.norm(drawn["kx"] * u + drawn["ky"] * v)
    gradients = np.linalg.norm(np.sqrt(drawn["square"] * (np.abs(u)**2 + np.abs(v)**2)))
    assert divergence < 1e-5 * gradients
    curl = np.linalg.norm(drawn["kx"] * v - drawn["ky"] * u)
    assert curl > 0.99 * gradients


def test_the_spectrum_has_its_slope(drawn):
    """E(k) goes as k^-(1 + xi): 2 pi k modes, each k^-(2 + xi)."""
    n, power = drawn["N"], spectrum(drawn["fields"]).mean(0)
    there = drawn["power"] > 0
    k = np.log(np.sqrt(drawn["square"][there]))
    # log of a mean of FIELDS exponentials: standard deviation 1 / sqrt(FIELDS).
    k -= k.mean()
    slope = np.sum(k * np.log(power[there])) / np.sum(k**2)
    error = np.sqrt(2 / FIELDS / np.sum(k**2))  # a half of the modes is independent
    assert error < 0.01
    assert abs(slope + 2 + drawn["XI"]) < ERRORS * error
    shells = np.rint(np.sqrt(drawn["square"])).astype(int)
    energy = np.array([power[shells == shell].sum() for shell in range(4, n // 2)])
    steep = np.polyfit(np.log(np.arange(4, n // 2)), np.log(energy), 1)[0]
    assert abs(steep + 1 + drawn["XI"]) < 0.1  # shells have about 2 pi k modes


def test_the_structure_function_has_its_slope(drawn):
    n, fields = drawn["N"], drawn["fields"]
    power = drawn["power"] / drawn["power"].sum() * 2 * drawn["SPEED"]**2
    logs = {}
    for r in (2, 4, 8):
        weight = 2 * (1 - np.cos(2 * np.pi * drawn["kx"] * r / n))
        right = np.sum(power * weight)
        error = np.sqrt(2 * np.sum((power * weight)**2) / FIELDS)
        measured = np.mean(np.abs(fields - np.roll(fields, -r, 2))**2, dtype=float)
        assert abs(measured - right) < ERRORS * error
        assert error < 0.1 * right
        logs[r] = np.log2(measured), error / right / np.log(2)
    slope = (logs[8][0] - logs[2][0]) / 2
    # Modes end at 1 and n / 2, which changes the slope by 0.12 at most (xi = 2/3), by their sum.
    assert abs(slope - drawn["XI"]) < 0.13 + ERRORS * (logs[8][1] + logs[2][1]) / 2

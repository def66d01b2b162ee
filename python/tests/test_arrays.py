"""Arrays and numbers that come in: conversions raise their own errors, and no number changes."""

import subprocess
import sys
import warnings

import numpy as np
import pytest

import weft


def memory(dtype, elements=2, values=None):
    """A fabric of one PE with the symbol u."""
    design = weft.Design(1, 1)

    def program(pe):
        u = pe.array("u", elements, dtype)
        if values:
            pe.at_start(u, values)

    design.program(design.all, "memory", program)
    return design, design.fabric()


class Mine(Exception):
    pass


class Broken:
    """NumPy asks it for an array, and it raises."""

    def __array__(self, *arguments, **options):
        raise Mine("no array today")


PLAN = weft.FftPlan((4, 4, 4))
PLACES = {
    "fft": weft.fft, "ifft": weft.ifft, "rfft": weft.rfft, "irfft": weft.irfft,
    "plan": PLAN.run, "trips": lambda x: PLAN.round_trips(x, 1),
    "symbol": lambda x: PLAN.round_trips(np.zeros((4, 4, 4)), 1, x),
    "write": lambda x: memory("float32")[1].write((0, 0, 1, 1), "u", x),
    "values": lambda x: weft.Design(1, 1).program((0, 0, 1, 1), "p", lambda pe: pe.values("v", x)),
    "at_start": lambda x: memory("float32", values=lambda *place: x),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_a_conversion_raises_comes_through(place):
    with pytest.raises(Mine, match="no array today"):
        PLACES[place](Broken())
    with pytest.raises(ValueError, match="inhomogeneous"):
        PLACES[place]([[1, 2], [3]])


@pytest.mark.parametrize("place", ["fft", "ifft", "plan", "trips", "symbol"])
def test_numpy_may_be_asked_to_raise(place):
    huge = np.full((4, 4, 4), 1e300)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="overflow"):
        PLACES[place](huge)
    with warnings.catch_warnings(), pytest.raises(RuntimeWarning, match="overflow"):
        warnings.simplefilter("error")
        PLACES[place](huge)


def test_too_little_memory_for_a_copy():
    code = """
import resource
import numpy as np
import weft
x = np.zeros((256, 256, 256), np.int8)
plan = weft.FftPlan(x.shape)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), resource.RLIM_INFINITY))
try:
    plan.run(x)
except MemoryError:
    print("MemoryError")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "MemoryError\n"), done.stderr


@pytest.mark.parametrize("dtype, numbers, first", [
    ("int32", [1.7, -3.9], "1.7"), ("int32", [2**40, 1], "1099511627776"), ("int32", [1, 2**70], "1.18"),
    ("int32", [1, float("nan")], "nan"), ("int32", [float("inf"), 1], "inf"), ("int32", [-2**31 - 1, 0], "-2147483649"),
    ("uint32", [1, -1], "-1"), ("uint32", [2**32, 1], "4294967296"), ("int16", [32768, 0], "32768"),
    ("uint16", [0, -1], "-1"), ("float32", [1e40, 1], r"1e\+40"), ("float16", [1, 70000.0], "70000"),
    ("float16", [1, 65520], "65520"), ("float32", [1j, 2], "complex"), ("int32", [1 + 0j, 2], "complex"),
    ("float32", ["1", "2"], "an array of <U1"), ("int32", [1, None], "None"),
    ("complex64", [1, 1e40j], "1e"), ("float32", [1, object()], "object")])
def test_numbers_that_a_symbol_cannot_hold(dtype, numbers, first):
    design, fabric = memory(dtype)
    with pytest.raises(weft.UsageError, match=f"invalid value for u: .*{first}.*u holds {dtype}: "):
        fabric.write(design.all, "u", numbers)
    assert not fabric.read(design.all, "u").any()


@pytest.mark.parametrize("dtype, numbers", [
    ("int32", [-2**31, 2**31 - 1]), ("uint32", [0, 2**32 - 1]), ("int16", [-32768, 32767]),
    ("uint16", [65535, True]), ("int32", [1.0, -2.0]), ("float32", [0.1, 3.4028235e38]),
    ("float32", [float("inf"), float("nan")]), ("float16", [65519.0, 1e-9]), ("float16", [-float("inf"), 0.1]),
    ("float32", [2**24 + 1, 2**100]), ("complex64", [1 + 2j, 0.1])])
def test_numbers_that_a_symbol_holds(dtype, numbers):
    design, fabric = memory(dtype)
    with np.errstate(all="raise"):  # rounding is no error
        fabric.write(design.all, "u", numbers)
    with np.errstate(all="ignore"):
        expected = np.array(numbers, object).astype(np.dtype(dtype))
    np.testing.assert_array_equal(fabric.read(design.all, "u").ravel(), expected)


def test_arrays_of_the_other_byte_order_hold_the_same_numbers():
    design, fabric = memory("float32")
    fabric.write(design.all, "u", np.array([1.5, 2.5], ">f4"))
    assert fabric.read(design.all, "u").tolist() == [[[1.5, 2.5]]]


@pytest.mark.parametrize("numbers, first", [
    ([1.0, 1e40], r"1e\+40"), ([2**40, 1], "1099511627776"), ([2**63], "9223372036854775808"),
    (["1"], "an array of"), ([None], "None")])
def test_values_that_are_not_theirs(numbers, first):
    with pytest.raises(weft.UsageError, match=f"invalid value for v: .*{first}"):
        weft.Design(1, 1).program((0, 0, 1, 1), "p", lambda pe: pe.values("v", numbers))


def test_memory_that_nobody_computed_cannot_be_read():
    design = weft.Design(1, 1)

    def program(pe):
        u, now = pe.values("u", [1.0, 2.0]), pe.scalar("now", "uint32")
        pe.add(pe.array("twice", 2), u, u)
        pe.tsc(now)
        pe.store(pe.array("stamp", 1, "uint32"), now)

    design.program(design.all, "p", program)
    fabric, right = design.fabric(data=False), design.fabric()
    assert fabric.read(design.all, "twice").tolist() == [[[0, 0]]]  # before the run
    fabric.run_until_idle()
    right.run_until_idle()
    with pytest.raises(weft.UsageError, match="nobody has computed twice .*make the fabric with data"):
        fabric.read(design.all, "twice")
    for symbol in ("u", "stamp"):
        np.testing.assert_array_equal(fabric.read(design.all, symbol), right.read(design.all, symbol))


def test_what_a_result_raises_comes_through():
    class Result:
        def __bool__(self):
            raise Mine("no truth")

        def __index__(self):
            raise Mine("no number")

    design = weft.Design(2, 1)
    for program, match in [(lambda pe: pe.where(lambda x, y: Result()), "no truth"),
                           (lambda pe: pe.pick(lambda x, y: Result()), "no number")]:
        with pytest.raises(Mine, match=match):
            design.program(design.all, "p", program)
    with pytest.raises(ValueError, match="ambiguous"):
        design.program(design.all, "p", lambda pe: pe.where(lambda x, y: np.array([True, False])))
    for program in (lambda pe: pe.where(lambda x, y: "abc"), lambda pe: pe.pick(lambda x, y: 1.5)):
        with pytest.raises(weft.UsageError, match="invalid type of an argument"):
            design.program(design.all, "p", program)

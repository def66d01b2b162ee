"""Arrays that come in and go out of the Python module."""

import os
import subprocess
import sys

import numpy as np
import weft
from row import refused, row


def memory(dtype="float32", elements=2):
    design = weft.Design(1, 1)
    design.program(design.all, "memory", lambda pe: pe.array("u", elements, dtype))
    return design.fabric()


def write(numbers, dtype):
    memory(dtype).write((0, 0, 1, 1), "u", numbers)


@row("np.seterr(all='raise'); weft.fft(np.full((8, 8, 8), 1e300))", "NumPy's FloatingPointError")
def overflow():
    with np.errstate(all="raise"):
        refused(lambda: weft.fft(np.full((8, 8, 8), 1e300)), FloatingPointError, "overflow")


@row("weft.fft of an object whose __array__ raises", "its own exception")
def broken():
    class Broken:
        def __array__(self, *_, **__):
            raise KeyError("mine")

    refused(lambda: weft.fft(Broken()), KeyError, "mine")
    refused(lambda: weft.FftPlan((4, 4, 4)).run(Broken()), KeyError, "mine")
    refused(lambda: write(Broken(), "float32"), KeyError, "mine")


@row("weft.fft with too little memory for a copy (RLIMIT_AS)", "MemoryError")
def little_memory():
    code = """
import resource, numpy as np, weft
x = np.zeros((256, 256, 256), np.int8)
plan = weft.FftPlan(x.shape)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (100 << 20), resource.RLIM_INFINITY))
try:
    plan.run(x)
except MemoryError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "refused\n", f"{done.returncode}: {done.stderr}"


@row('fabric.write(all, "u", [[1, 2], [3]])', "NumPy's ValueError")
def ragged():
    refused(lambda: write([[1, 2], [3]], "float32"), ValueError, "inhomogeneous")


@row("weft.fft(x, compare=True) with NaN or 1e200 in x", "error is NaN, and not within the bound")
def error_of_nan():
    for number in (np.nan, 1e200):
        x = np.ones((4, 4, 4))
        x[1, 2, 3] = number
        with np.errstate(all="ignore"):
            report = weft.fft(x, compare=True).report
        assert np.isnan(report.error) and not report.error <= report.error_bound, report.error


@row('fabric.write(all, "u", numbers that the type of u cannot hold)', "refused")
def numbers():
    for dtype, given in [("int32", [1.7, -3.9]), ("int32", [2**40, 1]), ("int32", [1, np.nan]),
                         ("float32", [1e40, 1]), ("float16", [70000.0, 1]), ("float32", [1j, 1]),
                         ("uint32", [-1, 1]), ("float32", ["1", "2"])]:
        refused(lambda: write(given, dtype), weft.UsageError, "invalid value for u", dtype)
    write([0.1, float("inf")], "float16")


@row("weft.fft(x) * 2", "an array")
def arithmetic():
    y, report = weft.fft(np.ones((4, 4, 4)))
    result = weft.fft(np.ones((4, 4, 4)))
    for twice in (result * 2, 2 * result, result + result,
                  2 * weft.FftPlan((4, 4, 4)).run(np.ones((4, 4, 4)))):
        np.testing.assert_array_equal(twice, 2 * y)


@row("fabric(data=False); run; read of what a vector instruction computes", "refused")
def without_data():
    design = weft.Design(1, 1)
    design.program(design.all, "p", lambda pe: pe.fill(pe.array("u", 2), 1.0))
    fabric = design.fabric(data=False)
    fabric.run_until_idle()
    refused(lambda: fabric.read(design.all, "u"), weft.UsageError, "computed", "data")


@row("os.fork() while another thread runs a fabric; the child calls sys.exit", "it ends at once")
def fork():
    code = """
import os, sys, threading, time, weft
design = weft.Design(1, 1)
def program(pe):
    i = pe.scalar("i")
    with pe.repeat_while(i == 0):
        pe.set(i, 0)
design.program(design.all, "endless", program)
threading.Thread(target=lambda: design.fabric().run(10**12), daemon=True).start()
time.sleep(0.3)
child = os.fork()
if child == 0:
    sys.exit(0)
began = time.monotonic()
os.waitpid(child, 0)
print(time.monotonic() - began, flush=True)
os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    took = float(done.stdout)
    assert took < 9, f"the child took {took:.1f} s"


@row("weft.irfft(np.zeros((4, 4, 8)))", "the error has the shape that was given")
def half():
    refused(lambda: weft.irfft(np.zeros((4, 4, 8))), weft.UsageError, "(4, 4, 8)", "n/2 + 1")


@row("taskset -c 0 python3: weft.fft(x)", "one thread")
def cores():
    all = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(all)})
        before = len(os.listdir("/proc/self/task"))
        weft.fft(np.ones((64, 64, 64)))
        more = len(os.listdir("/proc/self/task")) - before
    finally:
        os.sched_setaffinity(0, all)
    assert more == 0, f"{more} threads more"

"""Values of the module, and arguments that do not fit."""

import copy
import multiprocessing
import pathlib
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import weft
from row import refused, row

X = np.arange(64).reshape(4, 4, 4)


def same(value):
    for made in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert made == value, f"{made!r} is not {value!r}"


@row("Color(3) == Color(3)", "True, and of one hash")
def colors():
    assert weft.Color(3) == weft.Color(3) != weft.Color(4)
    assert len({weft.Color(3), weft.Color(3)}) == 1
    same(weft.Color(3))


@row("Rect(0, 0) == Rect(0, 0)", "True, and of one hash")
def rectangles():
    assert weft.Rect(0, 0) == weft.Rect(0, 0) != weft.Rect(0, 1)
    assert len({weft.Rect(0, 0), weft.Rect(0, 0)}) == 1
    same(weft.Rect(0, 0))


@row("pickle and copy of a Machine", "an equal machine")
def machines():
    for machine in (weft.Machine(ramp_cycles=3), weft.machine("wse2-pencils")):
        same(machine)
        assert hash(machine) == hash(copy.copy(machine))


@row("weft.fft(x, processes=4)", "refused: a communicator of mpi4py is wanted")
def processes():
    for given in (4, "mpi", [0, 1]):
        refused(lambda g=given: weft.fft(X, processes=g), weft.UsageError, "communicator of mpi4py")


@row("pickle and copy of reports", "equal reports")
def reports():
    design = weft.Design(2, 1)
    design.program(design.all, "t", lambda pe: pe.fill(pe.array("u", 4), 1.0))
    fabric = design.fabric()
    fabric.run_until_idle()
    plan = weft.FftPlan((4, 4, 4))
    report = plan.run(X)[1]
    for value in (fabric.report, fabric.counters, report, report.phases[0], plan, plan.estimate()):
        same(value)


@row("pickle.dumps(design), of a Fabric, of a PeProgram", "a TypeError that says why")
def handles():
    design = weft.Design(1, 1)
    design.program(design.all, "t", lambda pe: refused(lambda: pickle.dumps(pe), TypeError, "PeProgram"))
    for value in (design, design.fabric()):
        refused(lambda value=value: pickle.dumps(value), TypeError, type(value).__name__,
                "cannot be copied or pickled")


def _cycles(machine):
    return weft.fft(X, machine=machine, threads=1).report.cycles


@row("ProcessPoolExecutor().map(f, machines)", "works, by fork and by spawn")
def pools():
    machines = [weft.Machine(ramp_cycles=n) for n in (2, 3)]
    for start in ("fork", "spawn"):
        with ProcessPoolExecutor(2, multiprocessing.get_context(start)) as pool:
            assert list(pool.map(_cycles, machines)) == [_cycles(m) for m in machines]


@row("Machine(ramp_cycels=3)", "UsageError with the nearest name")
def machine_typo():
    refused(lambda: weft.Machine(ramp_cycels=3), weft.UsageError, "ramp_cycles")


@row("m.ramp_cycels = 3", "UsageError with the nearest name")
def attribute_typo():
    refused(lambda: setattr(weft.Machine(), "ramp_cycels", 3), weft.UsageError, "ramp_cycles")


@row('weft.machine("wse3")', "UsageError with the nearest name")
def profile_typo():
    refused(lambda: weft.machine("wse3"), weft.UsageError, "wse3", "name wse2")


@row("weft.machine(pathlib.Path(...))", "read, or an error of Weft's")
def machine_path():
    assert weft.machine(pathlib.Path("wse2-simfab")).hop_cycles == 2
    refused(lambda: weft.machine(pathlib.Path("none.json")), weft.Error, "none.json")
    refused(lambda: weft.machine(3), weft.UsageError, "name_or_path", "a path")


@row("precision=np.float16, np.dtype, 'float32', np.complex64; np.float64", "taken; refused")
def precisions():
    for precision in (np.float16, np.dtype("float16"), "float32", np.complex64):
        assert weft.fft(X, precision=precision).output[0, 0, 0] == X.sum()
    refused(lambda: weft.fft(X, precision=np.float64), weft.UsageError, "fp16 or fp32")


@row("design.filter((0, 0), ...), a tuple of two as a rectangle", "UsageError: four numbers")
def pairs():
    refused(lambda: weft.Design(2, 2).filter((0, 0), 1, weft.CounterFilter()), weft.UsageError,
            "where", "four numbers")
    fabric = weft.Design(2, 2).fabric()
    refused(lambda: fabric.read([0, 0], "u"), weft.UsageError, "where", "four numbers")


@row("Design(2**40, 1), limit=2**70, run(-1), batch=2**33", "UsageError that names the argument")
def large_numbers():
    refused(lambda: weft.Design(2**40, 1), weft.UsageError, "width", "32 bits")
    fabric = weft.Design(2, 2).fabric()
    refused(lambda: fabric.run_until_idle(limit=2**70), weft.UsageError, "limit", "64 bits")
    refused(lambda: fabric.run(-1), weft.UsageError, "cycles", "negative")
    refused(lambda: weft.FftPlan((4, 4, 4), batch=2**33), weft.UsageError, "batch", "32 bits")


@row("Design(2.5, 1), Design('2', 1), Design(True, 1), Design(np.float32(2.7), 1)",
     "UsageError: a whole number")
def no_whole_numbers():
    for width in (2.5, 2.0, "2", True, np.float32(2.7), None):
        refused(lambda width=width: weft.Design(width, 1), weft.UsageError, "width", "a whole number")
    assert weft.Design(np.int64(2), 1).width == 2


@row("weft.fft(x, thread=2), Design(widht=2, height=2)", "UsageError with the nearest name")
def keywords():
    refused(lambda: weft.fft(X, thread=2), weft.UsageError, "thread", "threads")
    refused(lambda: weft.Design(widht=2, height=2), weft.UsageError, "widht", "width")

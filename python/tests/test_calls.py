"""Arguments that do not fit: the error names the function, the argument, and what is wanted, and
is never pybind11's list of overloads."""

import decimal
import inspect
import pathlib

import numpy as np
import pytest

import weft

X = np.zeros((4, 4, 4))


def program(write):
    design = weft.Design(2, 2)
    design.program(design.all, "t", write)


def fabric():
    return weft.Design(2, 2).fabric()


def route(**changes):
    return weft.Route(**{"rx": weft.Port.west, "tx": weft.Port.east, **changes})


MISTAKES = [
    # Numbers past 32 bits and 64 bits, and below zero
    (lambda: weft.Design(2**40, 1), "width of Design: 1099511627776", "32 bits"),
    (lambda: weft.Design(1, 2**31), "height of Design", "2**31"),
    (lambda: weft.Rect(0, 0, 2**33, 1), "width of Rect", "32 bits"),
    (lambda: weft.Color(2**70), "number of Color", "64 bits"),
    (lambda: fabric().run_until_idle(limit=2**70), "limit of Fabric.run_until_idle", "64 bits"),
    (lambda: fabric().run_until_idle(-1), "limit of Fabric.run_until_idle: -1", "negative"),
    (lambda: fabric().run(-5), "cycles of Fabric.run: -5", "negative"),
    (lambda: weft.FftPlan((4, 4, 4), batch=2**33), "batch of FftPlan", "32 bits"),
    (lambda: weft.FftPlan((4, 4, 4), threads=2**33), "threads of FftPlan", "32 bits"),
    (lambda: weft.RangeFilter(0, 70000), "max_index of RangeFilter: 70000", "16 bits"),
    (lambda: weft.CounterFilter(limit1=-1), "limit1 of CounterFilter: -1", "negative"),
    (lambda: weft.NeighborShift.cycles(weft.Machine(), -1), "n of cycles: -1", "negative"),
    (lambda: weft.Machine(hop_cycles=2**40), "hop_cycles: 1099511627776", "32 bits"),
    (lambda: weft.control_payload(["nop"], entry=2**40), "entry of control_payload", "32 bits"),
    (lambda: program(lambda pe: pe.repeat(2**40)), "times of PeProgram.repeat", "32 bits"),
    (lambda: program(lambda pe: pe.array("u", 4).slice(0, 2**40)), "count of PeVector.slice", "32 bits"),
    (lambda: program(lambda pe: pe.array("u", 2**40)), "invalid shape: 1099511627776", "32 bits"),
    (lambda: program(lambda pe: pe.array("u", (2, 2**40))), "invalid shape: 1099511627776", "32 bits"),
    (lambda: weft.FftPlan((4, 4, 4), mesh=(2**40, 1)), "invalid mesh: (1099511627776, 1)"),
    (lambda: weft.FftPlan((2**70,)), "whole number"),
    # Numbers that are not whole
    (lambda: weft.Design(2.0, 1), "width of Design: 2.0", "type float", "a whole number"),
    (lambda: weft.Design(2.5, 1), "width of Design: 2.5", "a whole number"),
    (lambda: weft.Design(np.float32(2.7), 1), "width of Design: 2.7", "type float32"),
    (lambda: weft.Design(decimal.Decimal(2), 1), "width of Design", "type Decimal"),
    (lambda: weft.Design(True, 1), "width of Design: True", "type bool"),
    (lambda: weft.Design("2", 1), "width of Design: '2'", "type str"),
    (lambda: weft.Design(None, 1), "width of Design: None", "type NoneType"),
    (lambda: fabric().run(1e6), "cycles of Fabric.run: 1000000.0", "a whole number"),
    (lambda: weft.Machine(hop_cycles=True), "hop_cycles: True", "whole number"),
    (lambda: program(lambda pe: pe.repeat("3")), "times of PeProgram.repeat", "or a PeScalar"),
    # Rectangles
    (lambda: weft.Design(4, 4).filter((0, 0), 1, weft.CounterFilter()), "where of Design.filter: (0, 0)",
     "four numbers", "these are 2", "(x, y, width, height)"),
    (lambda: fabric().read([0, 0, 1], "u"), "where of Fabric.read: [0, 0, 1]", "four numbers"),
    (lambda: fabric().read((0, 0, 1, 2.5), "u"), "where of Fabric.read", "height: 2.5"),
    (lambda: fabric().read((0, 0, 1, 2**40), "u"), "where of Fabric.read", "32 bits"),
    (lambda: fabric().read(3, "u"), "where of Fabric.read: 3", "a rectangle"),
    (lambda: fabric().read("all", "u"), "where of Fabric.read: 'all'", "a rectangle"),
    (lambda: weft.NeighborShift(weft.Design(2, 2), (0, 0), weft.Port.west), "where of NeighborShift",
     "four numbers"),
    # Other types
    (lambda: weft.Design(2, 2).color(3), "name of Design.color: 3", "type int", "text"),
    (lambda: weft.Design(2, 2).program((0, 0, 1, 1), "t", 5), "function of Design.program: 5", "a function"),
    (lambda: weft.Design(2, 2).fabric("wse2"), "machine of Design.fabric: 'wse2'", "a Machine"),
    (lambda: weft.Design(2, 2).fabric(machine=None), "machine of Design.fabric: None", "a Machine"),
    (lambda: weft.NeighborShift(weft.Design(2, 2), (0, 0, 2, 2), "west"), "to of NeighborShift: 'west'",
     "weft.Port.west"),
    (lambda: route(rx="west"), "invalid port: 'w'", "Port.west"),
    (lambda: route(tx=5), "invalid port: 5", "Port.west"),
    (lambda: route(positions=[weft.Port.west]), "positions of Route"),
    (lambda: weft.machine(3), "name_or_path of machine: 3", "a path"),
    (lambda: weft.machine(None), "name_or_path of machine: None", "a path"),
    (lambda: weft.control_payload("nop"), "commands of control_payload: 'nop'", "a list"),
    (lambda: weft.FftPlan(4), "shape of FftPlan: 4", "a sequence"),
    (lambda: weft.FftPlan((4, 4, 4), norm=None), "norm of FftPlan: None", "text"),
    (lambda: program(lambda pe: pe.when(True)), "condition of PeProgram.when: True", "a Condition"),
    (lambda: program(lambda pe: pe.fill(pe.array("u", 4), "x")), "value of PeProgram.fill: 'x'",
     "a PeScalar", "a number"),
    (lambda: program(lambda pe: pe.add(1, 2, 3)), "d of PeProgram.add: 1", "a PeScalar or a PeVector"),
    (lambda: program(lambda pe: pe.wait(3)), "3", "operation"),
    # Precisions
    (lambda: weft.fft(X, precision=np.float64), "invalid precision", "float64", "fp16 or fp32"),
    (lambda: weft.fft(X, precision=None), "invalid precision: None", "fp16 or fp32"),
    (lambda: weft.fft(X, precision=16), "invalid precision: 16", "numpy.float16"),
    (lambda: weft.fft(X, "fp64"), "invalid precision: 'fp64'", "fp16 or fp32"),
    # Names
    (lambda: weft.fft(X, thread=2), "fft has no argument thread", "threads"),
    (lambda: weft.irfft(X, precison="fp16"), "irfft has no argument precison", "precision"),
    (lambda: weft.fft(X, "fp32", "ortho", weft.Machine()), "fft takes 3 arguments", "machine=..."),
    (lambda: weft.fft(), "fft has too few arguments", "x is missing"),
    (lambda: weft.fft(X, x=X), "x of fft is given twice"),
    (lambda: weft.Design(widht=2, height=2), "Design has no argument widht", "width"),
    (lambda: weft.Design(2), "Design has too few arguments", "height is missing"),
    (lambda: weft.Design(2, 2, 2), "Design takes 2 arguments"),
    (lambda: weft.Design(2, 2).fabric(thread=2), "Design.fabric has no argument thread", "threads"),
    (lambda: weft.Design(2, 2).color("c", colour=2), "Design.color has no argument colour"),
    (lambda: weft.FftPlan((4, 4, 4), bacth=2), "FftPlan has no argument bacth", "batch"),
    (lambda: route(rign=True), "Route has no argument rign", "ring"),
    (lambda: weft.Design(2, 2).route((0, 0, 1, 1), 1, rx=weft.Port.west, txx=weft.Port.east), "txx", "tx"),
    (lambda: fabric().run(), "Fabric.run has too few arguments", "cycles is missing"),
    (lambda: weft.Machine(3), "Machine takes 0 arguments"),
    # Machines
    (lambda: weft.Machine(ramp_cycels=3), "no constant ramp_cycels", "the nearest is ramp_cycles"),
    (lambda: setattr(weft.Machine(), "ramp_cycels", 3), "no constant ramp_cycels", "ramp_cycles"),
    (lambda: setattr(weft.Machine(), "ramp_cycles", 3), "does not change", "Machine(ramp_cycles=3)"),
    (lambda: weft.Machine(ramp_cycles=99), "ramp_cycles is 99", "allowed: 1 to 7"),
    (lambda: weft.Machine(name=3), "invalid name: 3", "text"),
    (lambda: weft.machine("wse3"), "no machine profile 'wse3'", "name wse2"),
    (lambda: weft.machine("WSE2_simfab"), "no machine profile", "name wse2-simfab"),
    (lambda: weft.machine(pathlib.Path("wse3")), "no machine profile 'wse3'", "name wse2"),
]


@pytest.mark.parametrize("call, words", [(call, words) for call, *words in MISTAKES],
                         ids=[str(number) for number in range(len(MISTAKES))])
def test_the_error_names_the_argument(call, words):
    with pytest.raises(weft.UsageError) as raised:
        call()
    message = str(raised.value)
    assert "incompatible" not in message and "Invoked with" not in message
    assert all(word in message for word in words), message
    assert raised.value.category == "usage" and raised.value.problem
    assert raised.value.problem in message and raised.value.remedy


def functions():
    """All functions of the module, by name, with an object that has them."""
    yield from ((name, getattr(weft, name)) for name in ("machine", "control_payload"))
    for name, kind in vars(weft).items():
        if isinstance(kind, type) and name in weft.__all__ and not issubclass(kind, (Exception, tuple)):
            yield name, kind
            for member in vars(kind):
                if not member.startswith("_") and isinstance(vars(kind)[member], staticmethod):
                    yield f"{name}.{member}", getattr(kind, member)
                elif not member.startswith("_") and inspect.isroutine(getattr(kind, member)):
                    yield f"{name}.{member}", getattr(kind, member)


class Odd:
    """Of no type that anything takes."""


ODD = [(), (Odd(),), (Odd(),) * 3, (2**70,) * 2, (-1.5,) * 4, (None,) * 12]


def test_no_function_lists_its_overloads():
    tried = 0
    for name, function in functions():
        for arguments in ODD:
            for keywords in ({}, {"no_such_argument": 1}):
                tried += 1
                try:
                    function(*arguments, **keywords)
                except (weft.Error, TypeError) as e:
                    assert "incompatible" not in str(e) and "Invoked with" not in str(e), name
    assert tried > 1000


def test_numbers_of_numpy_fit():
    design = weft.Design(np.int64(2), np.uint8(2))
    assert (design.width, design.height) == (2, 2)
    assert weft.Rect(np.int32(1), 2) == weft.Rect((1, 2, 1, 1)) == weft.Rect(np.array([1, 2, 1, 1]))
    assert weft.Color(np.int16(3)) == weft.Color(3)
    color = design.color("c", np.int64(5))
    design.route([0, 0, 1, 2], np.int64(color.number), rx=weft.Port.ramp, tx=weft.Port.east)
    fabric = design.fabric()
    assert fabric.run(np.uint64(10)) == "idle"
    fabric.run_until_idle(2**64 - 1)


@pytest.mark.parametrize("precision, same", [
    (np.float16, "fp16"), (np.dtype("float16"), "fp16"), ("float16", "fp16"), (np.float32, "fp32"),
    (np.dtype("float32"), "fp32"), ("float32", "fp32"), (np.complex64, "fp32"), ("complex64", "fp32")])
def test_precisions_of_numpy(precision, same):
    assert weft.FftPlan((4, 4, 4), precision) == weft.FftPlan((4, 4, 4), same)
    y, _ = weft.fft(X + 1, precision=precision)
    assert y[0, 0, 0] == 64


def test_machines_from_paths(tmp_path):
    path = tmp_path / "slow.json"
    path.write_text('{"name": "slow", "hop_cycles": 2}')
    for given in (path, str(path)):
        assert weft.machine(given) == weft.Machine(name="slow", hop_cycles=2)
    assert weft.machine(pathlib.Path("wse2-simfab")) == weft.machine("wse2-simfab")
    with pytest.raises(weft.Error, match="none.json"):
        weft.machine(tmp_path / "none.json")


def test_a_call_that_does_not_fit_is_a_type_error_too():
    for call in (lambda: weft.Design("2", 1), lambda: weft.fft(X, thread=2)):
        with pytest.raises(weft.CallError) as raised:
            call()
        assert isinstance(raised.value, TypeError) and isinstance(raised.value, weft.UsageError)


def test_errors_of_a_program_function_are_its_own():
    def wrong(pe):
        raise TypeError("f(): incompatible things of my own")

    with pytest.raises(TypeError, match="things of my own"):
        program(wrong)

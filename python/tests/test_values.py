"""Values behave as Python's: equal, hashed, copied, pickled and shown by their parts. What belongs
to this process says so when it is to be copied or pickled."""

import concurrent.futures
import copy
import multiprocessing
import os
import pickle
import tempfile

import numpy as np
import pytest

import weft
from weft import _weft

HANDLES = {"Fabric", "Design", "PeProgram", "PeVector", "PeScalar", "PeOperation", "Condition", "Task",
           "Fifo", "Subroutine", "NeighborShift", "HaloExchange", "Broadcast", "MovingBroadcast",
           "ReduceChain", "ReduceTree", "AllReduce", "RingShift", "RingTranspose", "Scatter",
           "Gather", "AllToAll", "Trace"}
MUTABLE = {"FftReport", "Profile"}
ARRAYS = {"FftResult", "FftTrips"}  # to operators they are their array


def traffic():
    """A fabric that has run, of two PEs that exchange four numbers."""
    design = weft.Design(2, 1)
    shift = weft.NeighborShift(design, design.all, weft.Port.east)

    def program(pe):
        u = pe.array("u", 4)
        shift.shift(pe, u, pe.array("v", 4))
        pe.print("x", pe.x)

    design.program(design.all, "traffic", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    return design, fabric


def slow_gather():
    """The profile of eight PEs that send to each other in turn."""
    design = weft.Design(8, 1)
    sends = [weft.Broadcast(design, design.all, weft.Along.rows, root) for root in range(8)]

    def program(pe):
        parts = [pe.array(f"part {root}", 64) for root in range(8)]
        for root in range(8):
            sends[root].broadcast(pe, parts[root])

    design.program(design.all, "gather", program)
    fabric = design.fabric(engine="reference", observe=weft.Observe(windows=16))
    fabric.run_until_idle()
    return fabric.profile()


def values():
    """Two different values of each class, by its name."""
    design, fabric = traffic()
    counted = design.fabric(engine="reference", observe=weft.Observe())
    profile = counted.profile()
    counted.run_until_idle()
    explanation = counted.profile().explain()
    other = slow_gather().explain()
    finding = next(f for f in other.findings if f != other.findings[0])
    plan = weft.FftPlan((4, 4, 4), machine=weft.Machine(ramp_cycles=3))
    x = np.arange(64).reshape(4, 4, 4)
    _, report = plan.run(x)
    report2 = plan.run(x, "inverse").report
    position = weft.SwitchPosition.receive(weft.Port.west)
    route = {"rx": weft.Port.west, "tx": (weft.Port.east, weft.Port.ramp)}
    return {
        "Machine": [weft.Machine(ramp_cycles=3, name="mine"), weft.Machine()],
        "Rect": [weft.Rect(1, 2, 3, 4), weft.Rect(1, 2)],
        "Color": [weft.Color(3), weft.Color(4)],
        "ColorPair": [design.color_pair("a"), design.color_pair("b")],
        "CounterFilter": [weft.CounterFilter(limit1=3, max_counter=1), weft.CounterFilter()],
        "SparseCounterFilter": [weft.SparseCounterFilter(limit2=3), weft.SparseCounterFilter()],
        "RangeFilter": [weft.RangeFilter(1, 5), weft.RangeFilter(1, 6)],
        "SwitchPosition": [position, weft.SwitchPosition.send(weft.Port.west)],
        "Route": [weft.Route(**route, positions=[position], ring=True), weft.Route(**route)],
        "Counters": [fabric.counters, report.counters],
        "Phase": report.phases[:2],
        "Printed": fabric.prints(),
        "Observe": [weft.Observe(windows=16),
                    weft.Observe(path=True, events=[weft.Events()])],
        "Events": [weft.Events(), weft.Events((0, 0, 1, 1), ["task"], [1, "a"], (3, None))],
        "Profile": [profile, counted.profile()],
        "Explanation": [profile.explain(), explanation],
        "PhaseExplanation": [explanation.phases[0], other.phases[0]],
        "Least": [explanation.phases[0].link, explanation.phases[0].core],
        "Finding": [finding, other.findings[0]],
        "Report": [fabric.report, weft.Design(1, 1).fabric().report],
        "FftPlan": [plan, weft.FftPlan((4, 4, 4))],
        "FftFastest": [plan.fastest(), weft.FftPlan((8, 8, 8)).fastest()],
        "FftEstimate": [plan.estimate(), weft.FftPlan((8, 8, 8)).estimate()],
        "FftReport": [report, report2],
        "FftPart": [plan.input_part(), weft.FftPlan((8, 8, 8)).output_part()],
        **{name: [getattr(weft, name)(0), getattr(weft, name)(1)]
           for name in ("Port", "PopMode", "Along", "ReduceOperation")},
    }


def classes():
    return {name: kind for name, kind in vars(weft).items()
            if isinstance(kind, type) and name in weft.__all__}


def copies(value):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))
    yield copy.copy(value)
    yield copy.deepcopy(value)


def test_each_class_is_a_value_or_a_handle_or_an_error():
    errors = {name for name, kind in classes().items() if issubclass(kind, Exception)}
    assert set(values()) | HANDLES | ARRAYS | errors == set(classes())


def test_values_are_their_parts():
    for name, (value, other) in values().items():
        assert value == value and value != other and not value == other, name
        assert value != "text" and value is not None, name
        assert type(value).__name__ == name and type(value).__module__ == "weft", name
        assert name in repr(value) and " at 0x" not in repr(value), name
        for made in copies(value):
            assert made is value or (made == value and type(made) is type(value)), name
            assert repr(made) == repr(value), name
            if name not in MUTABLE:
                assert hash(made) == hash(value), name
        if name in MUTABLE:
            with pytest.raises(TypeError, match="unhashable"):
                hash(value)
        else:
            assert len({value, other, *copies(value)}) == 2, name


def test_results_keep_their_array_and_their_report():
    x = np.arange(64).reshape(4, 4, 4)
    plan = weft.FftPlan((4, 4, 4))
    for result in (plan.run(x), plan.round_trips(x, 2)):
        assert type(result).__name__ in ARRAYS and type(result).__name__ in repr(result)
        for made in copies(result):
            assert type(made) is type(result) and made[1] == result[1]
            np.testing.assert_array_equal(made.output, result.output)
        with pytest.raises(TypeError, match="unhashable"):
            hash(result)


def test_parts_make_the_value_again():
    for value in (weft.Rect(1, 2, 3, 4), weft.Color(7), weft.Machine(ramp_cycles=3, name="it's"),
                  weft.CounterFilter(limit1=3, count_data=False), weft.RangeFilter(2, 3)):
        assert eval(repr(value), vars(weft)) == value
    machine = weft.machine("wse2-simfab")
    assert pickle.loads(pickle.dumps(machine)) == machine != weft.Machine()


def kept(program):
    """The handle that a program gives away."""
    there = []
    design = weft.Design(2, 2)
    design.program(design.all, "t", lambda pe: there.append(program(pe)))
    return there[-1]


def handles():
    design, fabric = traffic()
    all, name = design.all, iter("abcdefghij")
    rows = weft.Along.rows
    return {
        "Fabric": fabric, "Design": design,
        "PeProgram": kept(lambda pe: pe),
        "PeVector": kept(lambda pe: pe.array("u", 4)),
        "PeScalar": kept(lambda pe: pe.scalar("s")),
        "PeOperation": kept(lambda pe: pe.fill(pe.array("u", 4), 1.0)),
        "Condition": kept(lambda pe: pe.scalar("s") < 3),
        "Task": kept(lambda pe: pe.task("t", lambda: None)),
        "Fifo": kept(lambda pe: pe.fifo("f", 4)),
        "Subroutine": kept(lambda pe: pe.subroutine("s", lambda: None)),
        "NeighborShift": weft.NeighborShift(design, all, weft.Port.west, next(name)),
        "HaloExchange": weft.HaloExchange(weft.Design(2, 2), (0, 0, 2, 2)),
        "Broadcast": weft.Broadcast(design, all, rows, 0, next(name)),
        "MovingBroadcast": weft.MovingBroadcast(design, all, rows, next(name)),
        "ReduceChain": weft.ReduceChain(design, all, weft.Port.east, next(name)),
        "ReduceTree": weft.ReduceTree(design, all, rows, next(name)),
        "AllReduce": weft.AllReduce(weft.Design(2, 1), all, rows),
        "RingShift": weft.RingShift(weft.Design(4, 1), (0, 0, 4, 1), rows),
        "Scatter": weft.Scatter(design, all, rows, 2, next(name)),
        "Gather": weft.Gather(design, all, rows, next(name)),
        "RingTranspose": weft.RingTranspose(weft.Design(4, 1), (0, 0, 4, 1), rows),
        "AllToAll": weft.AllToAll(weft.Design(2, 1), all, rows),
        "Trace": weft.Design(1, 1).fabric(observe=weft.Observe(events=[weft.Events()])).trace(
            os.path.join(tempfile.gettempdir(), "never-closed.npy")),
    }


def test_handles_say_that_they_belong_to_this_process():
    there = handles()
    assert set(there) == HANDLES
    for name, handle in there.items():
        for use in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=f"a {name} cannot be copied or pickled .*; "):
                use(handle)
        assert name in repr(handle)


def deadlock():
    design = weft.Design(2, 1)
    color = design.color("never sent")
    design.route((0, 0, 1, 1), color, rx=weft.Port.ramp, tx=weft.Port.east)
    design.route((1, 0, 1, 1), color, rx=weft.Port.west, tx=weft.Port.ramp)
    design.program((1, 0, 1, 1), "waits", lambda pe: pe.receive(pe.array("u", 2), color))
    design.program((0, 0, 1, 1), "idle", lambda pe: None)
    design.fabric().run_until_idle()


def limit():
    design = weft.Design(1, 1)

    def program(pe):
        i = pe.scalar("i")
        with pe.repeat_while(i == 0):
            pe.set(i, 0)

    design.program(design.all, "endless", program)
    design.fabric().run_until_idle(100)


FAILING = [(deadlock, weft.DeadlockError), (limit, weft.LimitError),
           (lambda: weft.Machine(ramp_cycles=99), weft.UsageError)]


@pytest.mark.parametrize("fail, kind", FAILING, ids=[kind.__name__ for _, kind in FAILING])
def test_errors_keep_their_fields(fail, kind):
    with pytest.raises(kind) as raised:
        fail()
    for made in copies(raised.value):
        assert type(made) is kind and str(made) == str(raised.value)
        assert vars(made) == vars(raised.value) and "problem" in vars(made)


def cycles_on(machine):
    """In a worker: a transform's cycles, and those of a fabric."""
    x = np.arange(64).reshape(4, 4, 4)
    design = weft.Design(2, 1)
    shift = weft.NeighborShift(design, design.all, weft.Port.east)
    design.program(design.all, "t", lambda pe: shift.shift(pe, pe.array("u", 4), pe.array("v", 4)))
    fabric = design.fabric(machine)
    fabric.run_until_idle()
    return weft.fft(x, machine=machine, threads=1).report, fabric.report


def fail_on(machine):
    (deadlock if machine.ramp_cycles == 2 else limit)()


@pytest.mark.parametrize("start", ["spawn", "fork"])
def test_machines_go_to_other_processes(start):
    machines = [weft.Machine(ramp_cycles=cycles) for cycles in (2, 3)]
    context = multiprocessing.get_context(start)
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        there = list(pool.map(cycles_on, machines))
        failed = [pool.submit(fail_on, machine).exception() for machine in machines]
    for machine, reports in zip(machines, there):
        here = cycles_on(machine)
        assert [r.cycles for r in reports] == [r.cycles for r in here]
        assert [r.counters for r in reports] == [r.counters for r in here]
    assert there[0][0].cycles < there[1][0].cycles
    assert isinstance(failed[0], weft.DeadlockError) and failed[0].explanation
    assert isinstance(failed[1], weft.LimitError) and failed[1].cycle == 100


def test_all_classes_of_the_compiled_part_are_known():
    assert {name for name in vars(_weft) if not name.startswith("_")} <= set(weft.__all__)

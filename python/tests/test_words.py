"""Errors and reports of a run in the words of its program: names, operations, lines."""

import inspect
import pickle

import pytest

import weft
from weft import Port, Rect

HERE = "test_words.py:"


def line():
    """The caller's line."""
    return inspect.currentframe().f_back.f_lineno


def error_of(design, error=weft.FaultError, limit=100_000, **options):
    with pytest.raises(error) as caught:
        design.fabric(**options).run_until_idle(limit)
    return caught.value


def alone(program):
    design = weft.Design(1, 1)
    design.program(design.all, "alone", program)
    return design


def pair(sender, receiver):
    design = weft.Design(2, 1)
    halo = design.color("halo")
    design.route(Rect(0, 0), halo, rx=Port.ramp, tx=Port.east)
    design.route(Rect(1, 0), halo, rx=Port.west, tx=Port.ramp)
    design.program(Rect(0, 0), "sender", lambda pe: sender(pe, halo))
    design.program(Rect(1, 0), "receiver", lambda pe: receiver(pe, halo))
    return design


@pytest.mark.parametrize("engine", ["host", "reference"])
def test_a_fault_names_operation_program_and_line(engine):
    lines = []

    def program(pe):
        u, far = pe.array("u", 4), pe.scalar("far")
        pe.set(far, 1 << 20)
        pe.add(u, u.moved_by_bytes(far), 2.5); lines.append(line())  # noqa: E702

    error = error_of(alone(program), engine=engine)
    assert f'at add(u, u, 2.5) in program "alone", {HERE}{lines[-1]}' in error.reason


def test_a_deadlock_names_color_operation_and_line():
    lines = []

    def receiver(pe, halo):
        pe.receive(pe.array("v", 4), halo); lines.append(line())  # noqa: E702

    design = pair(lambda pe, halo: pe.send(halo, pe.array("u", 2)), receiver)
    error = error_of(design, weft.DeadlockError)
    name = f"copy(v, from(halo)) ({HERE}{lines[-1]})"
    assert f"{name} of PE (1, 0) waits for 2 more wavelets of color 0 (halo)" in error.reason
    assert f"the task of PE (1, 0), at {name}" in error.explanation


def test_a_limit_names_what_most_pes_are_at():
    lines = []

    def program(pe):
        u = pe.array("u", 64)
        with pe.repeat(1 << 20):
            pe.mul(u, u, 2.0); lines.append(line())  # noqa: E702

    error = error_of(alone(program), weft.LimitError, 5000)
    assert f"1 of 1 busy PEs is at mul(u, u, 2) ({HERE}{lines[-1]})" in error.reason


def test_the_line_of_a_pattern_is_its_callers():
    design = weft.Design(2, 1)
    shift = weft.NeighborShift(design, design.all, Port.east)
    lines = []

    def program(pe):
        u, v = pe.array("u", 4), pe.array("v", 5)
        if pe.has_neighbor(Port.west):
            shift.start(pe, u, v.slice(0, 4)); lines.append(line())  # noqa: E702

    design.program(design.all, "half", program)
    assert f"{HERE}{lines[-1]}" in error_of(design, weft.DeadlockError).reason


def test_a_check_that_fails():
    lines = []

    def program(pe):
        count = pe.scalar("count")
        with pe.range(count, 0, 10):
            pe.check(count < 8, "ring full"); lines.append(line())  # noqa: E702

    error = error_of(alone(program))
    assert error.kind == "check_failed" and error.pe == (0, 0)
    assert error.problem == "a check of the program failed: ring full"
    assert f'at check("ring full") in program "alone", {HERE}{lines[-1]}' in error.reason


def test_prints():
    def program(pe):
        rr, half = pe.scalar("rr", "float32"), pe.scalar("half", "float16")
        pe.set(rr, 0.25)
        pe.set(half, -1.5)
        pe.print("rr", rr)
        pe.print("half", half)

    design = weft.Design(2, 1)
    design.program(design.all, "p", program)
    fabric = design.fabric()
    assert fabric.prints() == [] and fabric.printed() == ""
    fabric.run_until_idle()
    prints = fabric.prints()
    assert [(p.x, p.y, p.name, p.value, p.text) for p in prints] == [
        (0, 0, "rr", 0.25, "0.25"), (1, 0, "rr", 0.25, "0.25"),
        (0, 0, "half", -1.5, "-1.5"), (1, 0, "half", -1.5, "-1.5")]
    assert prints[2].cycle - prints[0].cycle == 10 * weft.Machine().scalar_cycles
    assert fabric.printed().splitlines()[0] == f"cycle {prints[0].cycle} PE (0, 0): rr = 0.25"
    assert pickle.loads(pickle.dumps(prints[0])) == prints[0]


def test_the_number_of_kept_prints():
    def program(pe):
        pe.keep_prints(2)
        i = pe.scalar("i")
        with pe.range(i, 0, 5):
            pe.print("i", i)

    fabric = alone(program).fabric()
    fabric.run_until_idle()
    assert [p.value for p in fabric.prints()] == [3, 4]
    with pytest.raises(weft.Error, match="powers of two"):
        alone(lambda pe: pe.keep_prints(3))


def test_a_view_that_leaves_its_array():
    lines = []

    def program(pe):
        pe.array("before", 8)
        u, at = pe.array("u", 8), pe.scalar("at")
        pe.set(at, 20)
        part = u.slice(0, 4).moved_by_bytes(at)
        pe.add(part, part, 1.0); lines.append(line())  # noqa: E702

    design = alone(program)
    design.fabric().run_until_idle()
    error = error_of(design, check=True)
    assert error.kind == "check_failed"
    assert error.problem == "a check of the program failed: a view of u is moved out of it"
    assert f"{HERE}{lines[-1]}" in error.reason


def test_a_vector_that_nothing_waits_for():
    lines = []

    def receiver(pe, halo):
        v = pe.array("v", 4)
        pe.receive(v, halo).async_()
        pe.add(v, v, 1.0); lines.append(line())  # noqa: E702

    design = pair(lambda pe, halo: pe.send(halo, pe.array("u", 4)), receiver)
    design.fabric()
    with pytest.raises(weft.Error, match="copy.v, from.halo.. .*may still fill") as caught:
        design.fabric(check=True)
    assert f"add(v, v, 1) ({HERE}{lines[-1]}) fills v" in caught.value.problem


def test_programs_operations_and_patterns_say_what_they_are():
    kept, lines, design = {}, [], weft.Design(3, 2)
    chain = weft.ReduceChain(design, design.all, Port.east)

    def program(pe):
        u = pe.array("u", 2)
        kept["program"] = repr(pe)
        kept["operation"] = pe.copy(u, u); lines.append(line())  # noqa: E702
        kept["text"] = repr(kept["operation"])

    design.program(design.all, "heat", program)
    assert kept["program"] == "PeProgram('heat', 3 x 2 PEs)"
    assert kept["text"] == f"PeOperation(copy(u, u) ({HERE}{lines[0]}))"
    assert repr(kept["operation"]) == "PeOperation(of a complete program)"
    assert repr(chain) == "ReduceChain(3 x 2 PEs, to the east, colors 0 and 1)"


def test_errors_name_methods_and_registers():
    def refused(program, text):
        with pytest.raises(weft.Error) as caught:
            alone(program)
        assert text in caught.value.problem

    u = dict(name="u", shape=4)
    refused(lambda pe: pe.sub(pe.array(**u), 1, pe.array("v", 4, "int32")),
            "invalid operands of sub: u (float32), v (int32), 1 (int32)")
    refused(lambda pe: pe.sub(pe.array(**u), 2.5, pe.array("v", 3)),
            "invalid operands of sub: u and v")
    refused(lambda pe: pe.add(pe.scalar("s"), pe.scalar("t", "float32"), pe.scalar("n")),
            "invalid operands of add: s, t and n")
    refused(lambda pe: pe.multiply_add(pe.array(**u), pe.array("v", 4), pe.scalar("s")),
            "invalid operands of multiply_add: u (float32), v (float32), s (int32)")

    def into_itself(pe):
        v = pe.array("v", (2, 3))
        pe.sum(v.block(1, 2, 1, 1).flat(), v.flat())

    refused(into_itself, "v[1, 2] is an element of v")

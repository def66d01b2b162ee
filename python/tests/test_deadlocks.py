"""Programs that cannot end: the error names the first cause."""

import pytest
import weft
from weft import Port, Rect


def message(design, **options):
    with pytest.raises(weft.DeadlockError) as caught:
        design.fabric(**options).run_until_idle()
    return str(caught.value)


def pair(program):
    """Two PEs, each with a color to the other; program(PE, out, into) writes both programs."""
    design = weft.Design(2, 1)
    colors = [design.color("east"), design.color("west")]
    sides = [Port.east, Port.west]
    for x, out in enumerate(colors):
        design.route(Rect(x, 0), out, rx=Port.ramp, tx=sides[x])
        design.route(Rect(1 - x, 0), out, rx=sides[1 - x], tx=Port.ramp)
    for x, out in enumerate(colors):
        design.program(Rect(x, 0), f"pe {x}", lambda pe, x=x, out=out: program(pe, out, colors[1 - x]))
    return design


def test_two_that_send_first_wait_for_each_other():
    def program(pe, out, into):
        pe.send(out, pe.array("u", 64))
        pe.receive(pe.array("v", 64), into)

    said = message(pair(program))
    assert "PE (0, 0) waits for PE (1, 0) to receive color 0" in said
    assert "PE (1, 0) for PE (0, 0) to receive color 1" in said
    assert "send asynchronously" in said


def test_its_advice_works():
    def program(pe, out, into):
        pe.send(out, pe.array("u", 64)).async_()
        pe.receive(pe.array("v", 64), into)

    pair(program).fabric().run_until_idle(1000)


def test_the_line_below_would_receive():
    design = weft.Design(2, 1)
    a, c = design.color("a"), design.color("c")
    for color in (a, c):
        design.route(Rect(0, 0), color, rx=Port.ramp, tx=Port.east)
        design.route(Rect(1, 0), color, rx=Port.west, tx=Port.ramp)
    design.program(Rect(0, 0), "sender", lambda pe: pe.send(c, pe.array("u", 6)))

    def receiver(pe):
        pe.receive(pe.array("v", 4), a)
        pe.receive(pe.array("w", 6), c)

    design.program(Rect(1, 0), "receiver", receiver)
    said = message(design)
    assert "waits for 4 more wavelets of color 0" in said
    assert "other cause" not in said


@pytest.mark.parametrize("engine", ["host", "reference"])
def test_routes_in_a_circle(engine):
    design = weft.Design(2, 2)
    color = design.color("round")
    design.route(Rect(0, 0), color, rx=[Port.ramp, Port.south], tx=Port.east)
    design.route(Rect(1, 0), color, rx=Port.west, tx=Port.south)
    design.route(Rect(1, 1), color, rx=Port.north, tx=Port.west)
    design.route(Rect(0, 1), color, rx=Port.east, tx=Port.north)
    design.program(Rect(0, 0), "sender", lambda pe: pe.send(color, pe.array("u", 1)))
    said = message(design, engine=engine)
    assert "at cycle 131071 nothing moves but wavelets that go round in a circle" in said
    assert "PE (0, 0), PE (1, 0), PE (1, 1), PE (0, 1), and back" in said


@pytest.mark.parametrize("engine", ["host", "reference"])
def test_a_task_that_stays_blocked(engine):
    def program(pe):
        task = pe.task("later", lambda: pe.fill(pe.array("u", 4), 1.0))
        pe.block(task)
        pe.activate(task)

    design = weft.Design(1, 1)
    design.program(design.all, "program", program)
    assert "local task 1 (later) of PE (0, 0) is active, but blocked" in message(design, engine=engine)
    assert design.fabric(engine=engine).run(1000) == "stuck"

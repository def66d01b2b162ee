"""Programs that cannot end: the first cause that is named is the true one."""

import functools

import weft
from row import refused, row
from weft import Port, Rect

SIDES = {(1, 0): Port.east, (-1, 0): Port.west, (0, 1): Port.south, (0, -1): Port.north}


def neighbor(a, b):
    """The port of PE a that leads to PE b beside it."""
    return SIDES[b[0] - a[0], b[1] - a[1]]


def way(design, name, *pes):
    """A color that leads from the first of these PEs to the last, each beside the one before."""
    color = design.color(name)
    for n, pe in enumerate(pes):
        rx = neighbor(pe, pes[n - 1]) if n > 0 else Port.ramp
        tx = neighbor(pe, pes[n + 1]) if n + 1 < len(pes) else Port.ramp
        design.route(Rect(*pe), color, rx=rx, tx=tx)
    return color


def stuck(design, *words):
    """It ends in a deadlock whose message has the words."""
    refused(design.fabric().run_until_idle, weft.DeadlockError, *words)


def ring(length, program):
    """PEs of a row, each with a color to the next one; program(PE, out, into) writes its program."""
    design = weft.Design(length, 1)
    colors = [way(design, f"to {(x + 1) % length}", *[
        (n, 0) for n in (range(x, x + 2) if x + 1 < length else range(x, -1, -1))])
        for x in range(length)]
    for x in range(length):
        design.program(Rect(x, 0), f"pe {x}",
                       functools.partial(program, out=colors[x], into=colors[x - 1]))
    return design


def send_first(pe, out, into):
    pe.send(out, pe.array("u", 64))
    pe.receive(pe.array("v", 64), into)


@row("two PEs send(64) to each other, then receive", "the circular wait")
def both_send():
    stuck(ring(2, send_first), "PE (0, 0) waits for PE (1, 0) to receive color 0",
          "PE (1, 0) for PE (0, 0) to receive color 1", "start the receive before the send")


@row("five PEs send(64) around a ring, then receive", "the circular wait")
def all_send():
    stuck(ring(5, send_first), *[f"for PE ({(x + 1) % 5}, 0) to receive color {x}"
                                 for x in range(5)])


@row("the same, with receive and send in one wait", "ends")
def advice_works():
    def program(pe, out, into):
        pe.wait(pe.receive(pe.array("v", 64), into), pe.send(out, pe.array("u", 64)))

    for length in (2, 5):
        ring(length, program).fabric().run_until_idle(10_000)


@row("send(A), send(B) to a PE that does receive(B), receive(A)", "the circular wait")
def other_order():
    design = weft.Design(2, 1)
    a, b = (way(design, name, (0, 0), (1, 0)) for name in "ab")

    def sends(pe):
        u = pe.array("u", 64)
        pe.send(a, u)
        pe.send(b, u)

    def receives(pe):
        pe.receive(pe.array("v", 64), b)
        pe.receive(pe.array("w", 64), a)

    design.program(Rect(0, 0), "sends", sends)
    design.program(Rect(1, 0), "receives", receives)
    stuck(design, "PE (0, 0) waits for PE (1, 0) to receive color 0",
          "PE (1, 0) for PE (0, 0) to send color 1", "receive in the order of the sends")


def a_then_c(program):
    design = weft.Design(2, 1)
    a, c = (way(design, name, (0, 0), (1, 0)) for name in "ac")
    design.program(Rect(0, 0), "sender", lambda pe: pe.send(c, pe.array("u", 6)))
    design.program(Rect(1, 0), "receiver", functools.partial(program, a=a, c=c))
    return design


@row("receive(A), below it receive(C); six wavelets of C are there", "the wait for A")
def below_a_wait():
    def program(pe, a, c):
        pe.receive(pe.array("v", 4), a)
        pe.receive(pe.array("w", 6), c)

    stuck(a_then_c(program), "waits for 4 more wavelets of color 0", "never sends on it", "all ")


@row("wait(receive(A)), below it receive(C)", "the wait for A")
def below_an_asynchronous_wait():
    def program(pe, a, c):
        pe.wait(pe.receive(pe.array("v", 4), a))
        pe.receive(pe.array("w", 6), c)

    stuck(a_then_c(program), "waits for 4 more wavelets of color 0", "never sends on it", "all ")


@row("receive(C) of four of six wavelets, then receive(A)", "two causes")
def above_a_wait():
    def program(pe, a, c):
        pe.receive(pe.array("w", 4), c)
        pe.receive(pe.array("v", 4), a)

    stuck(a_then_c(program), "waits for 4 more wavelets of color 0", "1 other cause")


def circle(pes, taps=False):
    design = weft.Design(1 + max(x for x, _ in pes), 1 + max(y for _, y in pes))
    color = design.color("round")
    for n, pe in enumerate(pes):
        rx = [neighbor(pe, pes[n - 1])] + [Port.ramp] * (n == 0)
        tx = [neighbor(pe, pes[(n + 1) % len(pes)])] + [Port.ramp] * (taps and n == 1)
        design.route(Rect(*pe), color, rx=rx, tx=tx)
    design.program(Rect(*pes[0]), "sender", lambda pe: pe.send(color, pe.array("u", 1)))
    if taps:
        design.program(Rect(*pes[1]), "tap", lambda pe: pe.receive(pe.array("v", 1), color))
    return design


SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]


@row("four routes in a circle, one wavelet", "the circle")
def four_routes():
    stuck(circle(SQUARE), "go round in a circle", "PE (0, 0), PE (1, 0), PE (1, 1), PE (0, 1)")


@row("two routes, each to the other PE", "the circle")
def two_routes():
    stuck(circle(SQUARE[:2]), "go round in a circle", "PE (0, 0), PE (1, 0)")


@row("four routes in a circle, and one core receives one wavelet", "the circle")
def tapped():
    stuck(circle(SQUARE, taps=True), "the routes of the color lead in a circle")


@row("a task that is blocked and activated", "task blocked")
def blocked_task():
    def program(pe):
        task = pe.task("later", lambda: pe.fill(pe.array("u", 4), 1.0))
        pe.block(task)
        pe.activate(task)

    design = weft.Design(1, 1)
    design.program(design.all, "program", program)
    stuck(design, "local task 1 (later) of PE (0, 0) is active, but blocked",
          "unblock the task")


@row("a task that is blocked and never activated", "ends")
def bound_task():
    def program(pe):
        pe.block(pe.task("never", lambda: pe.fill(pe.array("u", 4), 1.0)))

    design = weft.Design(1, 1)
    design.program(design.all, "program", program)
    design.fabric().run_until_idle(1000)


@row("a data task answers, but the main task waits for what comes after it", "the circular wait")
def kept_data_task():
    design = weft.Design(2, 1)
    a, c = (way(design, name, (0, 0), (1, 0)) for name in "ac")
    answer = way(design, "answer", (1, 0), (0, 0))

    def asks(pe):
        u = pe.array("u", 1)
        pe.send(c, u)
        pe.receive(u, answer)
        pe.send(a, u)

    def answers(pe):
        u = pe.array("u", 1)
        pe.on_data(c, lambda _: pe.send(answer, u))
        pe.receive(u, a)

    design.program(Rect(0, 0), "asks", asks)
    design.program(Rect(1, 0), "answers", answers)
    stuck(design, "PE (0, 0) waits for PE (1, 0) to send color 2",
          "PE (1, 0) for PE (0, 0) to send color 0", "let a task end where it waits")

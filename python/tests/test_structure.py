"""The structure of programs: tasks by name, loops that are left, conditions, subroutines, scopes, FIFOs."""

import numpy as np
import pytest

import weft
from weft import Port


def run(program):
    """The fabric of one PE after its run."""
    design = weft.Design(1, 1)
    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    return design, fabric


def read(program, symbol="out"):
    design, fabric = run(program)
    return fabric.read(design.all, symbol).ravel().tolist()


def refused(program, match, error=weft.Error):
    design = weft.Design(1, 1)
    with pytest.raises(error, match=match):
        design.program(design.all, "p", program)


def test_a_task_activates_itself():
    def program(pe):
        out, n = pe.array("out", 1, "int32"), pe.scalar("n")

        def again(self):
            pe.add(n, n, 1)
            with pe.when(n < 5):
                pe.activate(self)
            pe.store(out, n)

        pe.activate(pe.task("again", again))

    assert read(program) == [5]


def test_tasks_activate_each_other():
    def program(pe):
        out, n = pe.array("out", 1, "int32"), pe.scalar("n")
        ping, pong = pe.declare_task("ping"), pe.declare_task("pong", id=9)
        assert (ping.id, pong.id) == (1, 9)

        def to_pong():
            pe.add(n, n, 1)
            pe.activate(pong)

        def to_ping():
            pe.add(n, n, 10)
            with pe.when(n < 30):
                pe.activate(ping)
            pe.store(out, n)

        assert pe.task(ping, to_pong) is not None
        pe.task(pong, to_ping)
        pe.activate(ping)

    assert read(program) == [33]
    refused(lambda pe: pe.declare_task("ring"), "the task ring has no code")
    refused(lambda pe: pe.task(pe.task("t", lambda: None), lambda: None), "was not declared")


@pytest.mark.parametrize("body", [lambda: None, lambda self: None, lambda k=3: None, lambda *a: None, print])
def test_bodies_of_tasks(body):
    run(lambda pe: pe.activate(pe.task("t", body)))


def test_priorities():
    def program(priority):
        def of(pe):
            out, n = pe.array("out", 2, "int32"), pe.scalar("n")

            def note(k):
                pe.add(n, n, 1)
                pe.store(out.at(k), n)

            low = pe.task("first by number", lambda: note(0), id=3)
            other = pe.task("by priority", lambda: note(1), id=4, priority=priority)
            pe.activate(low)
            pe.activate(other)
        return of

    assert read(program("low")) == [1, 2]
    assert read(program("high")) == [2, 1]
    refused(program("urgent"), "invalid priority: urgent", weft.UsageError)


def test_a_pause_lets_others_run():
    def program(pauses):
        def of(pe):
            out, n = pe.array("out", 1, "int32"), pe.scalar("n")
            pe.activate(pe.task("other", lambda: pe.set(n, 7)))
            if pauses:
                pe.pause()
            pe.store(out, n)
        return of

    assert read(program(True)) == [7]
    assert read(program(False)) == [0]


def test_loops_are_left():
    def program(pe):
        out, n, i = pe.array("out", 3, "int32"), pe.scalar("n"), pe.scalar("i")
        with pe.repeat(10):
            with pe.when(n == 4):
                pe.leave()
            pe.add(n, n, 1)
        pe.store(out.at(0), n)
        with pe.repeat_while(n > 0):
            pe.add(n, n, 2)
            with pe.when(n > 20):
                pe.leave()
        pe.store(out.at(1), n)
        with pe.range(i, 0, 100):
            pe.leave()
        pe.store(out.at(2), i)

    assert read(program) == [4, 22, 0]
    refused(lambda pe: pe.leave(), "leave stands in no loop")


def test_conditions_are_joined():
    def program(pe):
        out, n, i = pe.array("out", 10, "int32"), pe.scalar("n"), pe.scalar("i")
        with pe.range(i, 0, 40, 4):
            with pe.when(((i > 4) & (i < 20)) | ~(i <= 30)) as then:
                pe.set(n, 1)
            with then.otherwise():
                pe.set(n, 2)
            pe.store(out.at(0).moved_by_bytes(i), n)

    assert read(program) == [1 if 4 < i < 20 or i > 30 else 2 for i in range(0, 40, 4)]

    def with_and(pe):
        n = pe.scalar("n")
        pe.when((n > 2) and (n < 7))

    refused(with_and, "join conditions by &, | and ~", weft.UsageError)


def test_subroutines():
    def program(pe):
        out, n = pe.array("out", 1, "int32"), pe.scalar("n")
        two = pe.subroutine("two", lambda: pe.add(n, n, 2))

        def body():
            pe.call(two)
            pe.call(two)

        four = pe.subroutine("four", body)
        with pe.repeat(3):
            pe.call(four)
        pe.call(two)
        pe.store(out, n)

    assert read(program) == [14]
    design, _ = run(program)
    assert "subroutine two:" in design.listing(0, 0)

    theirs = []
    run(lambda pe: theirs.append(pe.subroutine("theirs", lambda: None)))
    refused(lambda pe: pe.call(theirs[0]), "a subroutine of another program")

    def of_two_tasks(pe):
        rests = pe.subroutine("rests", pe.pause)
        pe.call(rests)
        pe.task("t", lambda: pe.call(rests))

    refused(of_two_tasks, "rests waits, and two tasks or subroutines call it")


def test_scopes_give_registers_back():
    def program(pe):
        out, total = pe.array("out", 1, "int32"), pe.scalar("total")
        for k in range(5):
            with pe.scope():
                for n in range(12):
                    s = pe.scalar(f"s{n}")
                    pe.set(s, n)
                    pe.add(total, total, s)
                pe.add(total, total, pe.constant(1000, "int32"))
        pe.store(out, total)

    assert read(program) == [5 * 66 + 5000]

    def late(use):
        def of(pe):
            with pe.scope():
                total = pe.scalar("total")
            use(pe, total)
        return of

    for use in (lambda pe, s: pe.set(s, 1), lambda pe, s: pe.shr(s, s, 2), lambda pe, s: pe.tsc(s),
                lambda pe, s: pe.instruction("mov", s, s)):
        refused(late(use), "total is used")

    def again(pe):
        with pe.scope():
            total = pe.scalar("total")
        with pe.scope():
            pe.set(pe.scalar("other"), 1)
            pe.add(total, total, 1)

    refused(again, "total is used outside its scope")


def test_there_may_be_any_number_of_literals():
    def program(pe):
        v = pe.array("out", 4)
        for n in range(50):
            pe.add(v, v, n + 0.5)
        for n in range(13):
            pe.set(pe.scalar(f"s{n}"), n)

    assert read(program) == [1250.0] * 4


def test_fifos_are_operands():
    def program(pe):
        u, v = pe.values("u", np.arange(6, dtype="float32")), pe.array("out", 6)
        n, pops = pe.scalar("n"), pe.array("pops", 1, "int32")
        take = pe.declare_task("take")
        f = pe.fifo("f", 8, after_push=take)
        assert isinstance(f, weft.PeVector) and f.number == 0 and repr(f) == "Fifo(number 0, the FIFO f)"

        def body():
            pe.add(v.slice(0, 3), u.slice(3, 3), f)
            pe.copy(v.slice(3, 3), f)
            pe.instruction("fifolen", n, f)
            pe.store(pops, n)

        pe.task(take, body)
        pe.copy(v, f)
        pe.copy(f, u)

    assert read(program) == [3.0, 5.0, 7.0, 3.0, 4.0, 5.0]
    assert read(program, "pops") == [0]

    def first_source(pe):
        u, f = pe.array("u", 4), pe.fifo("f", 4)
        pe.add(u, f, u)

    refused(first_source, "as its first source")
    refused(lambda pe: pe.copy(pe.fifo("f", 4, 2), pe.array("u", 4)), "does not go with the FIFO f")
    refused(lambda pe: pe.array("u", 4).counted(2), "u has its own count")


def test_a_fifo_stands_between_streams():
    design = weft.Design(2, 1)
    there, back = design.color("there"), design.color("back")
    design.route((0, 0, 1, 1), there, rx=Port.ramp, tx=Port.east)
    design.route((1, 0, 1, 1), there, rx=Port.west, tx=Port.ramp)
    design.route((1, 0, 1, 1), back, rx=Port.ramp, tx=Port.west)
    design.route((0, 0, 1, 1), back, rx=Port.east, tx=Port.ramp)

    def ends(pe):
        send = pe.send(there, pe.values("u", [1, 2, 3, 4, 5]))
        pe.wait(send, pe.receive(pe.array("v", 5, "int32"), back))

    def middle(pe):
        f = pe.fifo("f", 2)
        pe.copy(f, pe.from_(there, 5)).async_()
        pe.copy(pe.to(back), f.counted(5)).async_()

    design.program((0, 0, 1, 1), "ends", ends)
    design.program((1, 0, 1, 1), "middle", middle)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read((0, 0, 1, 1), "v").ravel().tolist() == [1, 2, 3, 4, 5]

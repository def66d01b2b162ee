import gc
import os
import signal
import threading
import time

import numpy as np
import pytest

import weft
from weft import Port


def row_of_two(sender, receiver):
    """A color leads from PE 0 to PE 1."""
    design = weft.Design(2, 1)
    color = design.color("numbers")
    design.route((0, 0, 1, 1), color, rx=Port.ramp, tx=Port.east)
    design.route((1, 0, 1, 1), color, rx=Port.west, tx=Port.ramp)
    design.program((0, 0, 1, 1), "sender", lambda pe: sender(pe, color))
    design.program((1, 0, 1, 1), "receiver", lambda pe: receiver(pe, color))
    return design


def alone(program):
    design = weft.Design(1, 1)
    design.program(design.all, "alone", program)
    return design


def endless():
    def program(pe):
        i = pe.scalar("i")
        with pe.repeat_while(i == 0):
            pe.set(i, 0)
    return alone(program)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32", "uint32", "int16", "uint16"])
def test_symbols_of_all_types(dtype):
    values = np.arange(5).astype(dtype)
    design = alone(lambda pe: pe.copy(pe.array("copy", 5, dtype), pe.values("given", values)))
    fabric = design.fabric()
    fabric.run_until_idle()
    copy = fabric.read(design.all, "copy")
    assert copy.dtype == np.dtype(dtype) and copy.shape == (1, 1, 5)
    np.testing.assert_array_equal(copy.ravel(), values)


def test_arrays_that_do_not_fit_a_symbol():
    design = weft.Design(2, 3)
    design.program(design.all, "p", lambda pe: pe.array("u", 4))
    fabric = design.fabric()
    good = np.arange(24, dtype=np.float32).reshape(3, 2, 4)
    fabric.write(design.all, "u", np.asfortranarray(good))
    np.testing.assert_array_equal(fabric.read(design.all, "u"), good)
    with pytest.raises(weft.UsageError, match=r"invalid type for u: an array of float64 .u holds float32"):
        fabric.write(design.all, "u", good.astype(np.float64))
    with pytest.raises(weft.UsageError, match=r"does not fill u .*\(3, 2, 4\)"):
        fabric.write(design.all, "u", good.reshape(2, 3, 4))
    with pytest.raises(weft.UsageError, match="does not fill u"):
        fabric.write(design.all, "u", good[:, :, :3])
    with pytest.raises(weft.UsageError, match="no v"):
        fabric.read(design.all, "v")
    with pytest.raises(weft.UsageError, match="the fabric is 2 x 3"):
        fabric.read((0, 0, 3, 3), "u")
    with pytest.raises(TypeError):
        fabric.read((0, 0), "u")
    with pytest.raises(weft.UsageError, match="four numbers"):
        weft.Rect((0, 0))


def test_conditions_and_loops():
    def program(pe):
        out, i = pe.array("out", 4, "int32"), pe.scalar("i")
        with pe.range(i, 0, 9, 4):
            pass
        pe.store(out.at(0), i)
        with pe.when(i == 12) as then:
            pe.set(i, 1)
        with then.otherwise():
            pe.set(i, 2)
        pe.store(out.at(1), i)
        with pe.when(i > 5) as then:
            pe.set(i, 3)
        with then.otherwise():
            pe.add(i, i, 40)
        pe.store(out.at(2), i)
        with pe.repeat_while(i <= 45):
            pe.add(i, i, 1)
        pe.store(out.at(3), i)

    design = alone(program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read(design.all, "out").ravel().tolist() == [12, 1, 41, 46]


def test_a_fault_says_where():
    design = alone(lambda pe: pe.load(pe.scalar("s"), pe.array("u", 1, "int32").at(0)
                                      .moved_by_bytes(pe.constant(100_000, "int32"))))
    fabric = design.fabric()
    with pytest.raises(weft.FaultError) as caught:
        fabric.run_until_idle()
    assert caught.value.kind == "memory_out_of_range"
    assert caught.value.pe == (0, 0) and caught.value.color is None
    assert caught.value.category == "program" and caught.value.cycle < 100
    with pytest.raises(weft.FaultError):  # once more, not a crash
        fabric.run_until_idle()


def test_a_deadlock_explains_itself():
    design = row_of_two(lambda pe, c: pe.send(c, pe.array("u", 3)),
                        lambda pe, c: pe.receive(pe.array("v", 4), c))
    with pytest.raises(weft.DeadlockError) as caught:
        design.fabric().run_until_idle()
    assert caught.value.kind == "deadlock"
    assert "waits for 1 more wavelet" in caught.value.explanation


def test_a_limit():
    with pytest.raises(weft.LimitError, match="not done at cycle 500"):
        endless().fabric().run_until_idle(500)
    fabric = endless().fabric()
    assert fabric.run(10) == "limit" and fabric.cycle == 10


def test_ctrl_c_stops_a_run():
    fabric = endless().fabric()
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        fabric.run_until_idle(10**12)
    assert time.monotonic() - start < 60
    assert fabric.run(10) == "limit"  # it may go on


def test_an_exception_of_progress_stops_a_run():
    def progress(cycle):
        raise RuntimeError(f"enough at {cycle > 0}")

    fabric = endless().fabric(progress=progress)
    with pytest.raises(RuntimeError, match="enough"):
        fabric.run_until_idle(10**12)


def test_a_bar_that_nobody_sees_does_no_harm():
    for progress in (True, False):
        fabric = endless().fabric(progress=progress)
        with pytest.raises(weft.LimitError):
            fabric.run_until_idle(300_000)


def test_runs_let_other_threads_go_on_but_not_at_the_same_fabric():
    fabric = endless().fabric()
    seen = []

    def run():
        try:
            fabric.run_until_idle(2_000_000)
        except weft.LimitError:
            seen.append("limit")

    thread = threading.Thread(target=run)
    thread.start()
    refused = 0
    while thread.is_alive():  # goes on only if the run has released the GIL
        try:
            _ = fabric.cycle
        except weft.UsageError:
            refused += 1
    thread.join()
    assert seen == ["limit"] and refused > 0


def test_what_a_program_function_leaves_behind_is_refused_later():
    kept = {}

    def program(pe):
        kept["pe"] = pe
        kept["u"] = pe.array("u", 2)
        kept["send"] = pe.send(3, kept["u"])
        with pe.repeat(3) as kept["loop"]:
            pass

    design = weft.Design(1, 1)
    design.program(design.all, "kept", program)
    with pytest.raises(weft.UsageError, match="program is complete"):
        kept["pe"].array("v", 1)
    with pytest.raises(weft.UsageError, match="program is complete"):
        kept["send"].async_()
    with pytest.raises(weft.UsageError, match="program is complete"):
        kept["loop"].__enter__()
    assert kept["u"].size == 2
    del design
    gc.collect()
    assert kept["u"].name == "u"


def test_an_error_in_a_program_function_comes_out_of_program():
    design = weft.Design(2, 2)

    def program(pe):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        design.program(design.all, "p", program)
    with pytest.raises(ZeroDivisionError):
        design.program((0, 0, 1, 1), "q", lambda pe: pe.where(lambda x, y: 1 // 0 > 0))


def test_patterns_that_need_more_than_is_left():
    design = weft.Design(4, 4)
    with pytest.raises(weft.Error, match="no color is left for shift"):
        for _ in range(13):
            weft.NeighborShift(design, design.all, Port.east)
    design = weft.Design(1, 1)
    with pytest.raises(weft.Error, match="no room for u"):
        design.program(design.all, "large",
                       lambda pe: [pe.array(f"u{n}", 60_000) for n in range(5)])


def test_one_program_for_pes_that_answer_alike():
    design = weft.Design(64, 64)
    design.program(design.all, "p", lambda pe: [pe.has_neighbor(side) for side in
                                                (Port.west, Port.east, Port.north, Port.south)])
    assert design.programs == 9


def test_instructions_by_name():
    def program(pe):
        s, t = pe.scalar("s"), pe.scalar("t", number=9)
        pe.set(s, 5)
        pe.instruction("addi", d=t, a=s, immediate=37)
        pe.instruction("bxor", t, 9, s)
        pe.store(pe.array("out", 1, "int32"), t)
        u, v = pe.array("u", 3, "uint16"), pe.values("v", np.array([4, 5, 12], np.uint16))
        pe.vector("vxor16", pe.array("w", 3, "uint16"), u, v)

    design = alone(program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read(design.all, "out").tolist() == [[[42 ^ 5]]]
    assert fabric.read(design.all, "w").tolist() == [[[4, 5, 12]]]
    for wrong, match in [(lambda pe: pe.instruction("addy"), "no instruction addy"),
                         (lambda pe: pe.instruction("jump"), "leads to a label"),
                         (lambda pe: pe.instruction("add", d="x"), "'x' is no operand"),
                         (lambda pe: pe.instruction("add", d=300), "300 is no operand")]:
        with pytest.raises(weft.UsageError, match=match):
            alone(wrong)


def test_a_fifo_keeps_what_comes():
    def receiver(pe, color):
        fifo, out = pe.fifo("between", 3), pe.array("out", 3, "int32")
        pe.input_queue(color, 1)
        pe.instruction("dfabin", 0, 1)
        pe.instruction("dlen", 0, immediate=3)
        pe.instruction("dfifo", 1, fifo)
        pe.instruction("dlen", 1, immediate=3)
        pe.instruction("dbase", 2, immediate=out.address)
        pe.instruction("dstride", 2, immediate=1)
        pe.instruction("vmov32", 1, 0)
        pe.instruction("vmov32", 2, 1)

    design = row_of_two(lambda pe, color: pe.send(color, pe.values("n", [7, 8, 9])), receiver)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read((1, 0, 1, 1), "out").tolist() == [[[7, 8, 9]]]

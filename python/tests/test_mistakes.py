"""Mistakes that are easy to make from Python: each is an error that says what to do."""

import numpy as np
import pytest

import weft


def alone(program):
    design = weft.Design(1, 1)
    design.program(design.all, "alone", program)
    return design


def refused(match, program):
    with pytest.raises(weft.UsageError, match=match):
        alone(program)


def test_a_condition_is_no_truth():
    def chained(pe):
        s = pe.scalar("s")
        1 < s < 5

    def plain(pe):
        if pe.scalar("s") == 3:
            pass

    for program in (chained, plain):
        refused("neither true nor false.*pe.when", program)


def test_a_loop_needs_its_with():
    refused("has no body.*with", lambda pe: pe.repeat(5))


def test_a_loop_that_an_exception_left_has_no_end():
    def program(pe):
        try:
            with pe.repeat(5):
                raise KeyError("typo")
        except KeyError:
            pass

    with pytest.raises(weft.Error, match="has no end"):
        alone(program)


def test_numbers_of_numpy_are_numbers():
    def program(pe):
        u = pe.array("u", np.int64(2))
        w = pe.parameter("w", lambda x, y: np.float32(1.5))
        n = pe.parameter("n", lambda x, y: np.int64(7), "int32")
        s = pe.scalar("s")
        pe.set(s, np.int64(3))
        with pe.when(s == np.int64(3)):
            pe.add(d=u, a=u, b=np.float32(1.5))
        pe.values("listed", [1.0, 2.0])
        pe.values("whole", [[1, 2], [3, 4]])
        pe.at_start(pe.array("own", 2), lambda x, y: [x + 1, y + 2])
        assert w.size == n.size == 1

    design = alone(program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read(design.all, "u").tolist() == [[[1.5, 1.5]]]
    assert fabric.read(design.all, "w").tolist() == [[[1.5]]]
    assert fabric.read(design.all, "listed").dtype == np.float32
    assert fabric.read(design.all, "whole").dtype == np.int32
    assert fabric.read(design.all, "own").tolist() == [[[1.0, 2.0]]]
    fabric.write([0, 0, 1, 1], "u", [3, 4])
    assert fabric.read(design.all, "u").tolist() == [[[3.0, 4.0]]]


@pytest.mark.parametrize("shape", [2.5, "8", (2, "x"), None, ()])
def test_shapes_are_whole_numbers(shape):
    refused("invalid shape", lambda pe: pe.array("u", shape))


def test_registers_have_numbers():
    refused("no register 16", lambda pe: pe.scalar("s", number=16))
    refused("no register -1", lambda pe: pe.scalar("s", number=-1))
    alone(lambda pe: pe.scalar("s", number=5))


def test_values_are_real_numbers():
    refused("complex", lambda pe: pe.values("v", np.zeros(2, np.complex64)))
    with pytest.raises(weft.UsageError, match="is not a number"):
        alone(lambda pe: pe.parameter("p", lambda x, y: "abc")).fabric()
    refused("invalid type of an argument", lambda pe: pe.pick(lambda x, y: "abc"))


def test_constants_and_sides_are_whole_numbers():
    with pytest.raises(weft.UsageError, match="invalid hop_cycles: '2'"):
        weft.Machine(hop_cycles="2")
    for shape in [(-4, -4, -4), (4.0, 4, 4), (4, 4, "4")]:
        with pytest.raises(weft.UsageError, match="whole number, 1 or more"):
            weft.FftPlan(shape)


def test_vectors_are_of_their_own_text():
    design, kept = weft.Design(2, 1), {}
    design.program((0, 0, 1, 1), "a", lambda pe: kept.update(u=pe.array("u", 4)))
    with pytest.raises(weft.Error, match="u is not in its memory"):
        design.program((1, 0, 1, 1), "b", lambda pe: pe.add(kept["u"], kept["u"], 1.0))


def test_a_design_goes_on_after_an_error():
    design, mistaken = weft.Design(4, 1), [True]

    def program(pe):
        if not pe.where(lambda x, y: x == 0) and mistaken[0]:
            raise KeyError("typo")
        pe.array("u", 2)

    with pytest.raises(KeyError):
        design.program(design.all, "t", program)
    mistaken[0] = False
    design.program(design.all, "t", program)
    assert design.fabric().read(design.all, "u").shape == (1, 4, 2)


def endless(progress):
    def program(pe):
        i = pe.scalar("i")
        with pe.repeat_while(i == 0):
            pe.set(i, 0)
    return alone(program).fabric(progress=progress)


def test_a_progress_function_is_given_the_cycle():
    box = []
    fabric = endless(lambda cycle: box[0].cycle)
    box.append(fabric)
    with pytest.raises(weft.UsageError, match="in a run.*the cycle that progress is given"):
        fabric.run_until_idle(10**12)
    assert fabric.cycle > 0


def test_a_bar_ends_with_its_run():
    class Bar:
        closed = calls = 0

        def __call__(self, cycle):
            self.calls += 1

        def close(self):
            self.closed += 1

    bar = Bar()
    fabric = endless(bar)
    fabric.run(1000)
    assert bar.closed == 1
    with pytest.raises(weft.LimitError):
        fabric.run_until_idle(3000)
    assert bar.closed == 2

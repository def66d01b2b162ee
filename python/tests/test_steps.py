"""The host drives a fabric: tasks that it activates, and arrays that it divides among PEs."""

import numpy as np
import pytest

import weft


def counting(width=3, height=2):
    """Each activation of "step" adds one to each element of a block of 2 x 3."""
    design = weft.Design(width, height)

    def program(pe):
        u = pe.array("u", (2, 3))
        pe.task("step", lambda: pe.add(u, u, 1))

    design.program(design.all, "counting", program)
    return design


@pytest.mark.parametrize("engine", ["host", "reference"])
def test_a_program_goes_on_in_steps(engine):
    design = counting()
    fabric = design.fabric(engine=engine)
    fabric.run_until_idle()
    clocks = []
    for _ in range(3):
        before = fabric.cycle
        fabric.activate(design.all, "step")
        assert fabric.cycle == before
        fabric.run_until_idle()
        clocks.append(fabric.cycle - before)
    assert clocks[0] == clocks[1] == clocks[2] > 10
    assert (fabric.read(design.all, "u") == 3).all()
    fabric.activate((0, 0, 1, 1), "main")  # which only sets descriptors
    fabric.run_until_idle()
    assert (fabric.gather(design.all, "u") == 3).all()


def test_a_task_that_is_not_there():
    design = counting()
    fabric = design.fabric()
    with pytest.raises(weft.UsageError, match=r"PE \(0, 0\) has no task stop .*nearest is step"):
        fabric.activate(design.all, "stop")
    with pytest.raises(weft.UsageError, match="the fabric is 3 x 2"):
        fabric.activate((2, 1, 2, 1), "step")


def test_an_array_in_blocks():
    design = counting()
    fabric = design.fabric()
    array = np.arange(36, dtype=np.float32).reshape(4, 9)
    fabric.scatter(design.all, "u", array)
    assert np.array_equal(fabric.read((1, 1, 1, 1), "u")[0, 0], array[2:4, 3:6])
    assert np.array_equal(fabric.gather(design.all, "u"), array)
    fabric.scatter(design.all, "u", array.T.copy().T)  # any strides
    assert np.array_equal(fabric.gather((2, 0, 1, 2), "u"), array[:, 6:])
    with pytest.raises(weft.UsageError, match=r"shape \(9, 4\) does not fill u .*takes \(4, 9\)"):
        fabric.scatter(design.all, "u", array.T)
    with pytest.raises(weft.UsageError, match="invalid type for u: an array of float64"):
        fabric.scatter(design.all, "u", array.astype(float))
    with pytest.raises(weft.UsageError, match="u has no halo of 1"):
        fabric.gather(design.all, "u", halo=1)


def test_a_stencil_of_depth_2_over_columns():
    depth, levels = 2, 5
    design = weft.Design(4, 3)
    halo = weft.HaloExchange(design, design.all, depth=depth)

    def program(pe):
        u = pe.array("u", (1 + 2 * depth, 2 + 2 * depth, levels))
        halo.exchange(pe, u)

    design.program(design.all, "columns", program)
    fabric = design.fabric()
    plane = np.random.default_rng(1).standard_normal((3, 8, levels)).astype(np.float32)
    fabric.scatter(design.all, "u", plane, halo=depth)
    fabric.run_until_idle()
    assert np.array_equal(fabric.gather(design.all, "u", halo=depth), plane)
    wide = np.pad(plane, ((depth, depth), (depth, depth), (0, 0)))
    for y in range(3):
        for x in range(4):
            u = fabric.read((x, y, 1, 1), "u")[0, 0]
            expected = wide[y:y + 1 + 2 * depth, 2 * x:2 * x + 2 + 2 * depth].copy()
            expected[:depth, :depth] = expected[:depth, -depth:] = 0
            expected[-depth:, :depth] = expected[-depth:, -depth:] = 0
            assert np.array_equal(u, expected)
    machine = weft.Machine()
    assert halo.most_cycles(machine, 1, 2, depth=depth, n=levels) >= 2 * depth * levels * 3


def test_a_root_that_moves():
    length = 6
    design = weft.Design(length, 2)
    moving = weft.MovingBroadcast(design, design.all, weft.Along.rows)

    def program(pe):
        mine = pe.parameter("mine", lambda x, y: 10 * y + x, "int32")
        now, total = pe.array("now", 1, "int32"), pe.array("total", 1, "int32")
        root = pe.scalar("root")
        with pe.range(root, 0, length):
            pe.wait(*moving.start(pe, mine, now, root))
            pe.add(total, total, now)
        moving.broadcast(pe, mine, now, 4)

    design.program(design.all, "roots", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert np.array_equal(fabric.gather(design.all, "total"), [[15] * length, [75] * length])
    assert np.array_equal(fabric.gather(design.all, "now"), [[4] * length, [14] * length])


def test_colors_of_rectangles_side_by_side():
    design = weft.Design(4, 2)
    rows = [weft.ReduceChain(design, (0, y, 4, 1), weft.Port.east) for y in range(2)]
    assert len(rows) == 2
    assert design.color("here", where=(0, 0, 2, 1)) == design.color("there", where=(2, 0, 2, 1))
    pair = design.color_pair("pair", where=(0, 0, 2, 1))
    assert pair.odd.number == pair.even.number + 1
    assert design.color("of all").number == 3

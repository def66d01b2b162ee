"""Words between arrays of the host and the edges of a fabric."""

import numpy as np
import pytest

import weft
from weft import Port

ROWS = 3
WEST, EAST = (0, 0, 1, ROWS), (1, 0, 1, ROWS)


def through(**limit):
    """Two columns, which pass a stream from the west to the east."""
    design = weft.Design(2, ROWS)
    color = design.color("on")
    assert design.host_input("in", WEST, Port.west, color) == color
    assert design.host_output("out", EAST, Port.east, color, **limit) == color
    design.route(design.all, color, rx=Port.west, tx=Port.east)
    return design


@pytest.mark.parametrize("engine", ["host", "reference"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint32"])
def test_arrays_pass_as_they_are(engine, dtype):
    fabric = through().fabric(weft.Machine(host_link_cycles=3), engine=engine)
    words = np.arange(ROWS * 5).reshape(ROWS, 5).astype(dtype)
    fabric.send("in", words[:, :2])
    fabric.send("in", words[:, 2:])
    assert fabric.host_words("in") == [5] * ROWS
    fabric.run_until_idle()
    assert fabric.host_words("in") == [0] * ROWS
    assert fabric.cycle == 2 + 5 * 3  # a word enters in cycle 0 and leaves in cycle 2
    first = fabric.receive("out", 1, dtype=dtype)
    assert first.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(first, words[:, :1])
    np.testing.assert_array_equal(fabric.receive("out", dtype=dtype), words[:, 1:])
    assert fabric.receive("out").shape == (ROWS, 0)


def test_one_pe_takes_a_row_and_pythons_numbers():
    design = weft.Design(1, 1)
    numbers = design.host_input("numbers", design.all, Port.north)
    doubled = design.host_output("doubled", design.all, Port.south)

    def program(pe):
        pe.mul(pe.to(doubled), pe.from_(numbers, 3), pe.constant(2, "float32"))

    design.program(design.all, "double", program)
    fabric = design.fabric()
    fabric.send("numbers", [1, 2.5, -3])
    fabric.run_until_idle()
    assert fabric.receive("doubled").tolist() == [[2, 5, -6]]


def test_a_full_stream_is_a_deadlock_that_names_it():
    fabric = through(limit=2).fabric()
    fabric.send("in", np.ones((ROWS, 4), np.float32))
    with pytest.raises(weft.DeadlockError, match="stream out") as caught:
        fabric.run_until_idle()
    assert "host takes no more" in caught.value.explanation
    assert fabric.receive("out").shape == (ROWS, 2)
    fabric.run_until_idle()
    assert fabric.receive("out").shape == (ROWS, 2)


def test_careless_streams():
    design = through()
    fabric = design.fabric()
    with pytest.raises(weft.UsageError, match="no host stream im.*did you mean in"):
        fabric.send("im", np.ones((ROWS, 1), np.float32))
    with pytest.raises(weft.UsageError, match=r"shape \(3,\).*each of its 3 PEs"):
        fabric.send("in", np.ones(ROWS, np.float32))
    with pytest.raises(weft.UsageError, match="invalid type for host stream in: float64"):
        fabric.send("in", np.ones((ROWS, 1)))
    with pytest.raises(weft.UsageError, match="invalid type for host stream out: float16"):
        fabric.receive("out", dtype="float16")
    with pytest.raises(weft.UsageError, match="host stream in is an input"):
        fabric.receive("in")
    with pytest.raises(weft.UsageError, match="1 are wanted, and 0 have come"):
        fabric.receive("out", 1)
    with pytest.raises(weft.Error, match="host stream more is not at an edge"):
        design.host_input("more", EAST, Port.west)

"""Careless programs: what they are given is refused, in Python's words, or is right."""

import numpy as np
import pytest

import weft
from weft import Along, Port


def refused(program, match, width=4, error=weft.Error):
    """The program of each PE of a row is refused."""
    design = weft.Design(width, 1)
    with pytest.raises(error, match=match):
        design.program(design.all, "p", lambda pe: program(design, pe))


PATTERNS = {
    "shift": lambda d, pe, out, in_: weft.NeighborShift(d, d.all, Port.east).shift(pe, out, in_),
    "ring": lambda d, pe, out, in_: weft.RingShift(d, d.all, Along.rows).shift(pe, out, in_),
    "ring transpose": lambda d, pe, out, in_: weft.RingTranspose(d, d.all, Along.rows).transpose(
        pe, out, in_),
    "all-to-all": lambda d, pe, out, in_: weft.AllToAll(d, d.all, Along.rows).exchange(pe, out, in_),
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_transfers_that_cannot_be(pattern):
    use = PATTERNS[pattern]

    def of(out, in_):
        return lambda d, pe: use(d, pe, pe.array("a", *out), pe.array("b", *in_))

    def same(d, pe):
        a = pe.array("a", 8)
        use(d, pe, a, a)

    def parts(d, pe):
        a = pe.array("a", 16)
        use(d, pe, a.slice(0, 8), a.slice(7, 8))

    refused(same, f"{pattern}: a and a share memory")
    refused(parts, f"{pattern}: a and a share memory")
    refused(of((4,), (8,)), "one has 4 elements, the other 8")
    refused(of((4, "float32"), (4, "int32")), r"a \(float32\) and b \(int32\) differ in type")
    refused(of((4, "float16"), (4, "float32")), r"a \(float16\) and b \(float32\)")
    other = weft.Design(4, 1)
    theirs = weft.NeighborShift(other, other.all, Port.east)
    refused(lambda d, pe: theirs.shift(pe, pe.array("a", 4), pe.array("b", 4)), "another design")


def test_a_shift_goes_to_a_neighbour():
    design = weft.Design(3, 3)
    with pytest.raises(weft.Error, match="ramp"):
        weft.NeighborShift(design, design.all, Port.ramp)
    with pytest.raises(weft.Error, match="inside"):
        weft.NeighborShift(design, (1, 1, 3, 3), Port.east)


@pytest.mark.parametrize("write", [
    lambda pe: pe.fill(pe.array("h", 2, "float16"), 70000),
    lambda pe: pe.fill(pe.array("v", 2), 1e40),
    lambda pe: pe.fill(pe.array("v", 2), 10**60),
    lambda pe: pe.fill(pe.array("i", 2, "int32"), 2.5),
    lambda pe: pe.fill(pe.array("i", 2, "int32"), 2**70),
    lambda pe: pe.add(pe.array("v", 2), pe.array("w", 2), -1e39),
    lambda pe: pe.set(pe.scalar("i"), 2**40),
    lambda pe: pe.when(pe.x == 2**40).__enter__(),
    lambda pe: pe.repeat_while(pe.x < 2**31).__enter__(),
    lambda pe: pe.range(pe.scalar("n", "int16"), 0, 40000).__enter__(),
    lambda pe: pe.constant(1e5, "float16"),
])
def test_numbers_that_their_type_cannot_hold(write):
    refused(lambda d, pe: write(pe), "invalid number of type ")


def test_numbers_at_launch_that_their_type_cannot_hold():
    design = weft.Design(2, 1)
    design.program(design.all, "p", lambda pe: pe.parameter("h", lambda x, y: 1e5 * x, "float16"))
    with pytest.raises(weft.Error, match=r"h at PE \(1, 0\).*invalid number of type float16: 100000"):
        design.fabric()


def test_numbers_that_are_rounded_or_infinite():
    design = weft.Design(1, 1)

    def program(pe):
        v = pe.values("v", [0.1, float("inf"), float("nan"), 1e-60])
        h = pe.array("h", 3, "float16")
        pe.fill(h.at(0), float("-inf"))
        pe.fill(h.at(1), 0.1)
        pe.fill(h.at(2), np.float32(65504))
        pe.fill(pe.array("large", 1), 2**70)
        pe.copy(pe.array("w", 4), v)

    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    np.testing.assert_array_equal(fabric.read(design.all, "w").ravel(),
                                  np.array([0.1, np.inf, np.nan, 0], np.float32))
    np.testing.assert_array_equal(fabric.read(design.all, "h").ravel(),
                                  np.array([-np.inf, 0.1, 65504], np.float16))
    assert fabric.read(design.all, "large").item() == np.float32(2**70)


def test_sizes_are_counted_in_full():
    refused(lambda d, pe: pe.array("u", (46341, 46341)), r"8589953124 bytes.*48 KB")
    refused(lambda d, pe: pe.array("u", (256,) * 4), r"17179869184 bytes.*48 KB")
    refused(lambda d, pe: pe.array("u", (65535,) * 4), r"2\^64 bytes or more")


@pytest.mark.parametrize("entry", [64, -1, 2**31 - 1])
def test_entries_of_control_wavelets(entry):
    with pytest.raises(weft.UsageError, match="entry"):
        weft.control_payload(["nop"], entry=entry)
    refused(lambda d, pe: pe.on_control(entry, lambda payload: None), "entries go from 0 to 63")


def test_cycles_of_patterns_have_an_answer():
    m = weft.Machine()
    for length in (2**31 - 1, 4097, 0, -1, -2**31):
        for cycles in (weft.ReduceTree.cycles, weft.ReduceChain.cycles, weft.AllReduce.cycles,
                       weft.Scatter.cycles, weft.Gather.most_cycles, weft.AllToAll.most_cycles):
            with pytest.raises(weft.UsageError, match="invalid length of a line"):
                cycles(m, 4, length)
    for n in (0, 2**32, 2**64 - 1):
        for cycles in (weft.NeighborShift.cycles, weft.RingShift.cycles,
                       lambda m, n: weft.Broadcast.cycles(m, n, 1),
                       lambda m, n: weft.HaloExchange.most_cycles(m, n, 1),
                       lambda m, n: weft.ReduceTree.cycles(m, n, 4)):
            with pytest.raises(weft.UsageError, match="invalid count of elements"):
                cycles(m, n)
    assert weft.ReduceTree.cycles(m, 4, 8) > 0


def test_patterns_in_any_order():
    for halo_last in (True, False):
        design = weft.Design(4, 4)
        rows = weft.AllReduce(design, design.all, Along.rows, name="rows")
        columns = weft.AllReduce(design, design.all, Along.columns, name="columns")
        halo = weft.HaloExchange(design, design.all)

        def program(pe):
            u, v = pe.array("u", (3, 3)), pe.array("v", 1)
            pe.fill(u.block(1, 1, 1, 1), 1)
            pe.fill(v, 1)
            if not halo_last:
                halo.exchange(pe, u)
            rows.reduce(pe, v)
            columns.reduce(pe, v)
            if halo_last:
                halo.exchange(pe, u)

        design.program(design.all, "p", program)
        fabric = design.fabric()
        fabric.run_until_idle()
        assert (fabric.read(design.all, "v") == 16).all()
        assert fabric.read((1, 1, 1, 1), "u").sum() == 5


def test_more_operations_together_than_microthreads():
    design = weft.Design(3, 3)
    ways = [weft.NeighborShift(design, design.all, to, f"way {k}")
            for k, to in enumerate([Port.east, Port.north] * 2 + [Port.east])]

    def program(pe):
        pe.wait(*[way.start(pe, pe.array(f"o{k}", 2), pe.array(f"i{k}", 2))
                  for k, way in enumerate(ways)])

    with pytest.raises(weft.Error, match=r"\(way \d\) and .*\(way \d\) cannot run at the same"):
        design.program(design.all, "p", program)


def test_advice_is_in_the_words_of_python():
    refused(lambda d, pe: pe.fill(pe.array("c", 2, "complex64"), 1.0),
            "number of type complex64: 1 .*real and imaginary parts")
    refused(lambda d, pe: pe.copy(pe.array("f", 2), pe.array("i", 2, "int32")),
            r"f \(float32\), i \(int32\).*convert the numbers on the host")
    refused(lambda d, pe: pe.copy(pe.to(1), pe.from_(2)), r"give from_\(\) a count")


def test_any_number_of_waits():
    design = weft.Design(2, 1)
    east = weft.NeighborShift(design, design.all, Port.east)

    def program(pe):
        u, v = pe.array("u", 4), pe.array("v", 4)
        for _ in range(100):
            pe.wait(east.start(pe, u, v))
            pe.add(u, u, 1)

    design.program(design.all, "rounds", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read((1, 0, 1, 1), "v").tolist() == [[[99] * 4]]


def test_patterns_start():
    design = weft.Design(4, 4)
    halo = weft.HaloExchange(design, design.all)
    chain = weft.ReduceChain(design, design.all, Port.west, "sum")
    scatter = weft.Scatter(design, design.all, weft.Along.rows, 2)

    def program(pe):
        u, v = pe.array("u", (3, 3)), pe.array("v", 2)
        all_parts, part = pe.values("all", np.arange(8, dtype=np.float32)), pe.array("part", 2)
        pe.fill(u.block(1, 1, 1, 1), 1.0)
        pe.fill(v, 2.0)
        pe.wait(*halo.start(pe, u))
        pe.wait(*chain.start(pe, v), *scatter.start(pe, all_parts, part))

    design.program(design.all, "all", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read((1, 1, 1, 1), "u").ravel().tolist() == [0, 1, 0, 1, 1, 1, 0, 1, 0]
    assert (fabric.read((0, 0, 1, 4), "v") == 8).all()
    assert fabric.read((3, 0, 1, 1), "part").ravel().tolist() == [6, 7]

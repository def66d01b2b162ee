"""Patterns that let the core go on, and operations on vectors of integers, beside NumPy."""

import numpy as np
import pytest

import weft

PES, N = 5, 4
ROWS = weft.Along.rows


def run(use, first=N, second=1):
    """a and b of each PE, after a use of a pattern with work beside it."""
    design = weft.Design(PES, 1)
    pattern = use[0](design)

    def program(pe):
        a, b = pe.array("a", first, "int32"), pe.array("b", second, "int32")
        w = pe.array("w", 30, "int32")
        operations = use[1](pattern, pe, a, b)
        assert all(isinstance(o, weft.PeOperation) for o in operations)
        pe.add(w, w, 1)
        pe.wait(*operations)

    design.program(design.all, "starts", program)
    fabric = design.fabric(check=True)
    a = np.arange(PES * first, dtype=np.int32).reshape(1, PES, first)
    fabric.write(design.all, "a", a)
    fabric.run_until_idle()
    return a[0], fabric.read(design.all, "a")[0], fabric.read(design.all, "b")[0]


@pytest.mark.parametrize("tree", [False, True])
def test_all_reduce(tree):
    before, after, _ = run((lambda d: weft.AllReduce(d, d.all, ROWS, tree=tree),
                            lambda p, pe, a, b: p.start(pe, a)))
    assert (after == before.sum(axis=0)).all()


def test_tree():
    before, after, _ = run((lambda d: weft.ReduceTree(d, d.all, ROWS),
                            lambda p, pe, a, b: p.start(pe, a, weft.ReduceOperation.max)))
    assert (after[0] == before.max(axis=0)).all()


def test_gather():
    before, _, b = run((lambda d: weft.Gather(d, d.all, ROWS),
                        lambda p, pe, a, b: p.start(pe, a, b)), N, N * PES)
    assert (b[0] == before.ravel()).all()


def test_all_to_all():
    before, _, b = run((lambda d: weft.AllToAll(d, d.all, ROWS),
                        lambda p, pe, a, b: p.start(pe, a, b)), N * PES, N * PES)
    parts = before.reshape(PES, PES, N)
    assert (b.reshape(PES, PES, N) == parts.transpose(1, 0, 2)).all()


def test_ring_transpose():
    before, _, b = run((lambda d: weft.RingTranspose(d, d.all, ROWS),
                        lambda p, pe, a, b: p.start(pe, a, b)), N * PES, N * PES)
    ring = [weft.RingShift.pe_at(z, PES) for z in range(PES)]
    parts = before.reshape(PES, PES, N)[ring]
    assert (b.reshape(PES, PES, N)[ring] == parts.transpose(1, 0, 2)).all()


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int16", "uint16"])
@pytest.mark.parametrize("name, expected", [
    ("max", np.maximum), ("min", np.minimum), ("band", np.bitwise_and), ("bor", np.bitwise_or),
    ("bxor", np.bitwise_xor), ("shl", np.left_shift), ("sar", np.right_shift),
    ("shr", lambda u, by: (u.view(f"u{u.itemsize}") >> int(by)).view(u.dtype))])
def test_integer_vectors(dtype, name, expected):
    if name == "sar" and dtype.startswith("u"):
        pytest.skip("NumPy shifts unsigned numbers without a sign")
    design = weft.Design(1, 1)

    def program(pe):
        u, v, by = (pe.array(n, 6, dtype) for n in ("u", "v", "by"))
        getattr(pe, name)(v, u, 3)
        if name not in ("shl", "sar", "shr"):
            getattr(pe, name)(by, u, v)

    design.program(design.all, "integers", program)
    fabric = design.fabric()
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    u = np.array([0, 1, low, high, 77, high - 9], dtype)
    fabric.write(design.all, "u", u.reshape(1, 1, 6))
    fabric.run_until_idle()
    v = expected(u, np.array(3, dtype))
    assert (fabric.read(design.all, "v")[0, 0] == v).all()
    if name not in ("shl", "sar", "shr"):
        assert (fabric.read(design.all, "by")[0, 0] == expected(u, v)).all()


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int16", "uint16"])
def test_negated_integer_vectors(dtype):
    design = weft.Design(1, 1)

    def program(pe):
        u, v, w = (pe.array(n, 6, dtype) for n in ("u", "v", "w"))
        pe.negate(v, u)
        pe.sub(w, 100, u)

    design.program(design.all, "negated", program)
    fabric = design.fabric()
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    u = np.array([0, 1, low, high, 77, high - 9], dtype)
    fabric.write(design.all, "u", u.reshape(1, 1, 6))
    fabric.run_until_idle()
    assert (fabric.read(design.all, "v")[0, 0] == np.array(0, dtype) - u).all()
    assert (fabric.read(design.all, "w")[0, 0] == np.array(100, dtype) - u).all()


def test_one_at_a_time():
    design = weft.Design(PES, 1)
    gather = weft.Gather(design, design.all, ROWS)

    def program(pe):
        a, b = pe.array("a", N), pe.array("b", N * PES)
        with pe.repeat(2):
            (sent,) = gather.start(pe, a, b)
        pe.wait(sent)

    with pytest.raises(weft.Error, match="gather: another one may be under way"):
        design.program(design.all, "two", program)

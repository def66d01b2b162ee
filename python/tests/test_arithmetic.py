"""Arithmetic of PE programs, against NumPy."""

import numpy as np
import pytest

import weft
from weft import Port

A = np.array([7.0, -2.5, 1e-40, 3e38], np.float32)
B = np.array([3.0, 0.125, 3.0, -0.5], np.float32)


def run(program, width=1):
    """The fabric of a design with this program, at its end."""
    design = weft.Design(width, 1)
    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    return fabric


def scalars(dtype, count, body):
    """What the body leaves in so many registers."""
    def program(pe):
        out = pe.array("out", count, dtype)
        registers = [pe.scalar(f"r{n}", dtype) for n in range(count)]
        body(pe, *registers)
        for n, r in enumerate(registers):
            pe.store(out.at(n), r)
    return run(program).read((0, 0, 1, 1), "out").ravel()


@pytest.mark.parametrize("name, expected", [
    ("divide", lambda a, b: a / b),
    ("max", np.maximum),
    ("min", np.minimum),
    ("sub", np.subtract),
])
def test_of_two_registers(name, expected):
    for a, b in zip(A, B):
        def body(pe, d, x, y, a=a, b=b):
            pe.set(x, float(a))
            pe.set(y, float(b))
            getattr(pe, name)(d, x, y)
        with np.errstate(over="ignore"):
            assert scalars("float32", 3, body)[0] == expected(a, b)


def test_of_one_register():
    def body(pe, root, inverse, minus, size):
        pe.set(root, 2.0)
        pe.reciprocal(inverse, root)
        pe.negate(minus, root)
        pe.absolute(size, minus)
        pe.square_root(root, root)
        pe.divide(size, size, 3)
    expected = [np.sqrt(np.float32(2)), 0.5, -2, np.float32(2) / np.float32(3)]
    assert list(scalars("float32", 4, body)) == expected


def test_integers():
    def body(pe, quotient, rest, bits, up, down, sign):
        pe.set(quotient, -17)
        pe.remainder(rest, quotient, 5)
        pe.band(bits, quotient, 0xff)
        pe.bor(bits, bits, 0xffffff00)
        pe.bxor(bits, bits, -512)
        pe.bxor(bits, bits, rest)
        pe.shl(up, quotient, 4)
        pe.shr(down, quotient, 28)
        pe.set(sign, 3)
        pe.sar(sign, quotient, sign)
        pe.divide(quotient, quotient, 5)
    assert list(scalars("int32", 6, body)) == [-3, -2, 0x1ef ^ -2, -272, 15, -3]


def test_conversions_and_order():
    def body(pe, whole, below, above):
        x, nan = pe.scalar("x", "float32"), pe.scalar("nan", "float32")
        pe.set(x, -2.75)
        pe.set(nan, float("nan"))
        pe.convert(whole, x)
        pe.set(below, 0)
        pe.set(above, 0)
        with pe.when(x < -2.5):
            pe.set(below, 1)
        with pe.when(nan >= x) as ordered:
            pe.set(above, 1)
        with ordered.otherwise():
            pe.set(above, 2)
        pe.convert(x, whole)
        with pe.repeat_while(x < 0):
            pe.add(x, x, 1)
            pe.add(whole, whole, 10)
    assert list(scalars("int32", 3, body)) == [18, 1, 2]


def test_vectors():
    def program(pe):
        a, b = pe.values("a", A[:2]), pe.values("b", B[:2])
        s = pe.scalar("s", "float32")
        pe.set(s, 2)
        pe.sub(pe.array("from", 2), s, a)
        pe.sub(pe.array("from1", 2), 1, a)
        pe.sub(pe.array("less", 2), a, s)
        pe.max(pe.array("most", 2), a, 0)
        pe.min(pe.array("least", 2), a, b)
        pe.multiply_add(pe.array("d", 2), a, b, 4)
        pe.dot(pe.array("dot", 1), a, b)
        pe.sum(pe.array("sum", 1), a)
        pe.max_of(pe.array("max_of", 1), a)
        pe.vector("vfmulsr", pe.array("twice", 2), a, s)
        n = pe.values("n", np.array([-5, 300], np.int16))
        pe.copy(pe.array("floats", 2), n)
        four = pe.scalar("four", "int16")
        pe.set(four, 4)
        pe.shl(pe.array("up", 2, "int16"), n, four)
        pe.bxor(pe.array("xor", 2, "int16"), n, four)
        pe.band(pe.array("and", 2, "int16"), n, n)
    f = run(program)
    a, b = A[:2], B[:2]
    n = np.array([-5, 300], np.int16)
    expected = {"from": 2 - a, "from1": 1 - a, "less": a - 2, "most": np.maximum(a, 0),
                "least": np.minimum(a, b), "d": a + b * 4, "dot": [a @ b], "sum": [a.sum()],
                "max_of": [a.max()], "twice": 2 * a, "floats": n, "up": n << 4, "xor": n ^ 4,
                "and": n}
    for name, values in expected.items():
        assert list(f.read((0, 0, 1, 1), name).ravel()) == list(values), name


def test_a_wavelet_carries_two_halves_and_a_clock_starts_at_zero():
    design = weft.Design(1, 1)
    color = design.color("c")
    design.route(design.all, color, rx=Port.ramp, tx=Port.ramp)

    def program(pe):
        start, cycles = pe.scalar("start", "uint32"), pe.array("cycles", 1, "uint32")
        a = pe.values("a", np.arange(4, dtype=np.float16))
        b = pe.array("b", 4, "float16")
        pe.tsc(start)
        pe.send(color, a.pairs()).async_()
        pe.receive(b.pairs(), color)
        pe.elapsed(start, start)
        pe.store(cycles, start)
    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert list(fabric.read(design.all, "b").ravel()) == [0, 1, 2, 3]
    assert 0 < fabric.read(design.all, "cycles").ravel()[0] < 40
    assert fabric.counters.delivered == 2


def test_destinations_that_would_be_overwritten_are_refused():
    def program(pe):
        a, b, d = (pe.array(name, 4) for name in "abd")
        for call in (lambda: pe.sum(a.at(0), a), lambda: pe.dot(b.at(3), a, b)):
            with pytest.raises(weft.Error, match="is an element of [ab]"):
                call()
        for d_, a_, b_ in ((b, a, b), (a.slice(0, 3), a.slice(1, 3), b.slice(0, 3))):
            with pytest.raises(weft.Error, match="share memory .*overwrite it"):
                pe.multiply_add(d_, a_, b_, 2.0)
        pe.fill(a, 1.0)
        pe.fill(b, 3.0)
        pe.multiply_add(d, a, b, 2.0)
        pe.multiply_add(a, a, b, 2.0)
        with pytest.raises(weft.Error, match="by a register of type float32"):
            a.moved_by_bytes(pe.scalar("bytes", "float32"))

    design = weft.Design(1, 1)
    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert (fabric.read(design.all, "d") == 7).all() and (fabric.read(design.all, "a") == 7).all()


def test_unsigned_numbers_are_their_own_absolute():
    def program(pe):
        big = pe.scalar("big", "uint32")
        pe.set(big, 3_000_000_000)
        pe.absolute(big, big)
        pe.store(pe.array("d", 1, "uint32"), big)

    design = weft.Design(1, 1)
    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read(design.all, "d").item() == 3_000_000_000


@pytest.mark.parametrize("same", [True, False])
def test_checked_programs_may_move_the_root_of_a_broadcast(same):
    design = weft.Design(4, 1)
    broadcast = weft.MovingBroadcast(design, design.all, weft.Along.rows)

    def program(pe):
        u = pe.array("u", 4)
        v = u if same else pe.array("v", 4)
        pe.fill(u, 2.0)
        for root in (1, 3):
            broadcast.broadcast(pe, u, v, root)
            pe.fill(u, 3.0)

    design.program(design.all, "p", program)
    design.fabric(check=True).run_until_idle()


def test_numbers_on_the_left():
    def program(pe):
        x, y, f = pe.scalar("x"), pe.scalar("y"), pe.scalar("f", "float32")
        out, real = pe.array("out", 8, "int32"), pe.array("real", 2)
        pe.set(x, 3)
        for n, write in enumerate([
                lambda: pe.shl(y, 2, x), lambda: pe.sar(y, -64, x), lambda: pe.shr(y, 64, x),
                lambda: pe.sub(y, 10, x), lambda: pe.divide(y, 11, x), lambda: pe.remainder(y, 11, x),
                lambda: pe.max(y, 5, x), lambda: pe.min(y, x, 2)]):
            write()
            pe.store(out.at(n), y)
        pe.set(f, 4.0)
        pe.divide(f, 1.0, f)
        pe.store(real.at(0), f)
        pe.max(f, f, 0.5)
        pe.store(real.at(1), f)
        u = pe.values("u", [1.0, 2.0, 3.0])
        pe.max(u, 2.0, u)
        pe.mul(u, 2.0, u)
        pe.add(u, 1.0, u)
        pe.min(u, 6.0, u)

    design = weft.Design(1, 1)
    design.program(design.all, "alone", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read(design.all, "out").ravel().tolist() == [16, -8, 8, 7, 3, 2, 5, 2]
    assert fabric.read(design.all, "real").ravel().tolist() == [0.25, 0.5]
    assert fabric.read(design.all, "u").ravel().tolist() == [5.0, 5.0, 6.0]


def test_a_stride_in_a_register():
    def program(pe):
        u, v = pe.values("u", np.arange(16, dtype=np.int32)), pe.array("v", 4, "int32")
        step = pe.scalar("step")
        pe.set(step, 3)
        pe.copy(v, u.slice(2, 4).strided_by(step))

    design = weft.Design(1, 1)
    design.program(design.all, "alone", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert fabric.read(design.all, "v").ravel().tolist() == [2, 5, 8, 11]


def test_a_count_in_a_register_on_its_way_round_a_ring():
    design = weft.Design(4, 1)
    ring = weft.RingShift(design, design.all, weft.Along.rows)

    def program(pe):
        u, v = pe.array("u", 6, "int32"), pe.array("v", 6, "int32")
        pe.at_start(u, lambda x, y: [10 * x + i for i in range(6)])
        n, at = pe.scalar("n"), pe.scalar("at")
        pe.set(n, 2)
        pe.set(at, 12)
        ring.shift(pe, u.moved_by_bytes(at).counted_by(n), v.moved_by_bytes(at).counted_by(n))
        with pytest.raises(weft.Error, match="cannot count u by a register of type float"):
            u.counted_by(pe.scalar("f", "float32"))

    design.program(design.all, "ring", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    for x in range(4):
        place = weft.RingShift.place_of(x, 4)
        before = weft.RingShift.pe_at((place + 3) % 4, 4)
        assert fabric.read((x, 0, 1, 1), "v").ravel().tolist() == [
            0, 0, 0, 10 * before + 3, 10 * before + 4, 0]

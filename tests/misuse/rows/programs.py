"""Programs: patterns, numbers and sizes."""

import weft
from row import refused, row
from weft import Along, Port


def text_of(write, width=4):
    """Gives the PEs of a row the program write(design, pe)."""
    design = weft.Design(width, 1)
    design.program(design.all, "p", lambda pe: write(design, pe))
    return design


def refuses(given, right, write, *words):
    """A row: the program write(design, pe) is refused with these words."""
    row(given, right)(lambda: refused(lambda: text_of(write), weft.Error, *words))


def shift(d, to=Port.east):
    return weft.NeighborShift(d, d.all, to)


def twice(pe, n=8):
    a = pe.array("a", n)
    return a, a


def overlapping(d, pe, a):
    weft.RingShift(d, d.all, Along.rows).shift(pe, a.slice(0, 5), a.slice(4, 5))


refuses("AllToAll.exchange(pe, a, a)", "refused: they share memory",
        lambda d, pe: weft.AllToAll(d, d.all, Along.rows).exchange(pe, *twice(pe)), "share memory")
refuses("NeighborShift.shift(pe, a, a)", "refused: they share memory",
        lambda d, pe: shift(d).shift(pe, *twice(pe)), "share memory")
refuses("RingShift.shift(pe, a.slice(0, 5), a.slice(4, 5))", "refused: they share memory",
        lambda d, pe: overlapping(d, pe, pe.array("a", 9)), "share memory")
refuses("NeighborShift.shift of 4 elements into 5", "refused in the program",
        lambda d, pe: shift(d).shift(pe, pe.array("a", 4), pe.array("b", 5)),
        "one has 4 elements, the other 5")
refuses("NeighborShift.shift of float32 into int32", "refused in the program",
        lambda d, pe: shift(d).shift(pe, pe.array("a", 4), pe.array("b", 4, "int32")),
        "float32", "int32")
refuses("NeighborShift.shift of float16 into float32", "refused in the program",
        lambda d, pe: shift(d).shift(pe, pe.array("a", 4, "float16"), pe.array("b", 4)),
        "float16", "float32")
refuses("NeighborShift(design, all, Port.ramp)", "refused", lambda d, pe: shift(d, Port.ramp),
        "ramp")


@row("a pattern of another design", "refused in the program")
def another_design():
    other = weft.Design(4, 1)
    theirs = shift(other)
    refused(lambda: text_of(lambda d, pe: theirs.shift(pe, pe.array("a", 4), pe.array("b", 4))),
            weft.Error, "another design")


refuses("pe.fill(float16, 70000)", "refused: it would be infinite",
        lambda d, pe: pe.fill(pe.array("h", 2, "float16"), 70000), "70000", "float16", "65504")
refuses("pe.fill(float32, 1e40)", "refused: it would be infinite",
        lambda d, pe: pe.fill(pe.array("v", 2), 1e40), "1e+40", "float32")
refuses("pe.set(int32, 2**40)", "refused: out of range",
        lambda d, pe: pe.set(pe.scalar("i"), 2**40), "1099511627776", "int32")
refuses("pe.when(s == 2**40)", "refused: out of range",
        lambda d, pe: pe.when(pe.x == 2**40).__enter__(), "1099511627776", "int32")
refuses('pe.array("u", (46341, 46341))', "refused with the bytes",
        lambda d, pe: pe.array("u", (46341, 46341)), "8589953124 bytes", "48 KB")
refuses('pe.array("u", (256,)*4)', "refused with the bytes",
        lambda d, pe: pe.array("u", (256,) * 4), "17179869184 bytes", "48 KB")

for entry in (64, -1):
    row(f'control_payload(["nop"], entry={entry})', "refused")(
        lambda entry=entry: refused(lambda: weft.control_payload(["nop"], entry=entry),
                                    weft.UsageError, "entry", "0 to 63"))


@row("ReduceTree.cycles(machine, 4, 2**31-1)", "an error at once")
def reduce_tree_cycles():
    refused(lambda: weft.ReduceTree.cycles(weft.Machine(), 4, 2**31 - 1), weft.UsageError,
            "invalid length of a line")


@row("AllReduce along rows and columns, then HaloExchange", "runs, as in the other order")
def reduce_then_halo():
    design = weft.Design(4, 4)
    rows = weft.AllReduce(design, design.all, Along.rows)
    columns = weft.AllReduce(design, design.all, Along.columns)
    halo = weft.HaloExchange(design, design.all)

    def program(pe):
        v, u = pe.array("v", 1), pe.array("u", (3, 3))
        pe.fill(v, 1)
        pe.fill(u.block(1, 1, 1, 1), 1)
        rows.reduce(pe, v)
        columns.reduce(pe, v)
        halo.exchange(pe, u)

    design.program(design.all, "p", program)
    fabric = design.fabric()
    fabric.run_until_idle()
    assert (fabric.read(design.all, "v") == 16).all()
    assert fabric.read((1, 1, 1, 1), "u").sum() == 5


refuses("pe.fill(complex64, 1.0)", "refused with advice that works",
        lambda d, pe: pe.fill(pe.array("c", 2, "complex64"), 1.0), "complex64",
        "real and imaginary parts")
refuses("copy of int32 to float32", "refused with advice that works",
        lambda d, pe: pe.copy(pe.array("f", 2), pe.array("i", 2, "int32")), "float32", "int32",
        "on the host")


def far_away(pe):
    u, far = pe.array("u", 4), pe.scalar("far")
    pe.set(far, 1 << 20)
    pe.add(u, u.moved_by_bytes(far), 2.5)


def ends(program, *words):
    """A run of the program faults with these words."""
    fabric = text_of(lambda d, pe: program(pe), 1).fabric()
    refused(fabric.run_until_idle, weft.FaultError, *words)


@row("a view moved out of the PE's memory", "the fault names the operation, the program and the line")
def _():
    ends(far_away, 'at add(u, u, 2.5) in program "p", programs.py:')


@row("pe.check(one == 2, \"two\")", "the fault has the text and the line")
def _():
    def program(pe):
        one = pe.scalar("one")
        pe.check(one == 2, "two")

    ends(program, "failed: two", "programs.py:")


refuses("pe.keep_prints(3)", "refused: no power of two", lambda d, pe: pe.keep_prints(3), "powers of two")


@row("a vector is read that nothing waits for, design.fabric(check=True)",
     "refused: both operations with their lines")
def _():
    design = weft.Design(2, 1)
    halo = design.color("halo")
    design.route(weft.Rect(0, 0), halo, rx=Port.ramp, tx=Port.east)
    design.route(weft.Rect(1, 0), halo, rx=Port.west, tx=Port.ramp)
    design.program(weft.Rect(0, 0), "sender", lambda pe: pe.send(halo, pe.array("u", 4)))

    def receiver(pe):
        v, w = pe.array("v", 4), pe.array("w", 4)
        pe.receive(v, halo).async_()
        pe.add(w, w, v)

    design.program(weft.Rect(1, 0), "receiver", receiver)
    refused(lambda: design.fabric(check=True), weft.Error, "add(w, w, v) (programs.py:", "reads v",
            "copy(v, from(halo)) (programs.py:")

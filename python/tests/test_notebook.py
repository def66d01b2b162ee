"""What a notebook shows: texts that say what a thing is, tables, and arrays in their own shape."""

import json
import re

import numpy as np
import pytest

import weft


def fabric_of(program, width=3, height=2):
    design = weft.Design(width, height)
    design.program(design.all, "p", program)
    return design, design.fabric()


def test_texts_say_what_a_thing_is():
    texts = []

    def program(pe):
        u = pe.array("u", (4, 6))
        texts.extend(repr(x) for x in (
            u, u.block(1, 1, 2, 4), pe.from_(weft.Color(3), 2), pe.to(3, control=True),
            u.moved_by_bytes(pe.scalar("n")), pe.scalar("m", "float16"), pe.task("t", lambda: None)))

    design, fabric = fabric_of(program)
    assert texts == ["PeVector('u', float32, shape (4, 6), byte 0)",
                     "PeVector('u', float32, shape (2, 4), byte 28)",
                     "PeVector(from Color(3))", "PeVector(to Color(3), control)",
                     "PeVector('u', float32, shape (4, 6), byte 0 + register 1)",
                     "PeScalar(register 2, float16)", "Task(local 1)"]
    assert repr(design) == "Design(3 x 2 PEs, 1 program)"
    assert repr(fabric) == "Fabric(3 x 2 PEs, cycle 0, engine host)"
    fabric.run_until_idle()
    assert repr(fabric) == f"Fabric(3 x 2 PEs, cycle {fabric.cycle}, engine host)"


def test_the_text_of_a_fabric_in_a_run_is_no_error():
    seen = []

    def progress(cycle):
        seen.append(repr(fabric))
        raise RuntimeError("enough")

    def program(pe):
        i = pe.scalar("i")
        with pe.repeat_while(i == 0):
            pe.set(i, 0)

    design = weft.Design(1, 1)
    design.program(design.all, "endless", program)
    fabric = design.fabric(progress=progress)
    with pytest.raises(RuntimeError, match="enough"):
        fabric.run_until_idle(10**12)
    assert set(seen) == {"Fabric(1 x 1 PEs, in use)"}


def test_reports_are_dictionaries_and_tables():
    y, report = weft.fft(np.ones((4, 4, 4)))
    _, fabric = fabric_of(lambda pe: pe.fill(pe.array("u", 2000), 1.0))
    fabric.run_until_idle()
    for value in (report, fabric.report, fabric.counters, report.phases[0]):
        there = value.as_dict()
        names = {name for name in vars(type(value)) if not name.startswith("_")} - {"as_dict", "profile"}
        assert set(there) == names
        assert json.loads(json.dumps(there)).keys() == there.keys()
        table = value._repr_html_()
        assert table.startswith("<table>") and table.endswith("</table>")
        assert all(f">{name}<" in table for name in there if there[name] != []), table
    assert report.as_dict()["counters"] == report.counters.as_dict()
    assert [p["cycles"] for p in report.as_dict()["phases"]] == [p.cycles for p in report.phases]
    assert f"<td>{fabric.cycle:,}</td>" in fabric.report._repr_html_() and fabric.cycle > 1000
    assert re.search(f"{report.phases[1].name}</th><td>{report.phases[1].cycles}",
                     report._repr_html_())


def test_arrays_come_back_in_their_shape():
    design, fabric = fabric_of(lambda pe: [pe.array("u", (4, 6)), pe.array("v", 5, "int16")])
    numbers = np.arange(144, dtype=np.float32).reshape(2, 3, 4, 6)
    for given in (numbers, numbers.reshape(2, 3, 24)):
        fabric.write(design.all, "u", 0)
        fabric.write(design.all, "u", given)
        np.testing.assert_array_equal(fabric.read(design.all, "u"), numbers)
    assert fabric.read((1, 1, 1, 1), "u").shape == (1, 1, 4, 6)
    assert fabric.read(design.all, "v").shape == (2, 3, 5)
    for shape in ((4, 6), (2, 3, 6, 4)):
        with pytest.raises(weft.UsageError, match=r"that takes \(2, 3, 4, 6\)"):
            fabric.write(design.all, "u", np.zeros(shape, np.float32))


def test_programs_that_declare_other_dimensions():
    design = weft.Design(2, 1)
    design.program(design.all, "p", lambda pe: pe.array(
        "u", (2, 3) if pe.where(lambda x, y: x == 0) else (3, 2)))
    fabric = design.fabric()
    assert fabric.read(design.all, "u").shape == (1, 2, 6)
    assert fabric.read((1, 0, 1, 1), "u").shape == (1, 1, 3, 2)


def test_one_number_fills_an_array():
    design, fabric = fabric_of(lambda pe: [pe.array("u", (2, 2)), pe.array("h", 3, "float16")])
    for number in (2.5, np.float32(2.5), np.array(2.5, np.float32)):
        fabric.write(design.all, "u", 0)
        fabric.write(design.all, "u", number)
        assert (fabric.read(design.all, "u") == 2.5).all()
    fabric.write((1, 0, 2, 1), "h", 7)
    assert fabric.read(design.all, "h").sum() == 2 * 3 * 7
    with pytest.raises(weft.UsageError, match="invalid value for h: 70000"):
        fabric.write(design.all, "h", 70000)
    with pytest.raises(weft.UsageError, match="invalid type for u: an array of float64"):
        fabric.write(design.all, "u", np.array(2.5))


def test_a_listing_names_what_a_pe_has():
    design = weft.Design(2, 1)
    halo = weft.NeighborShift(design, design.all, weft.Port.east, "halo")
    design.program(design.all, "p", lambda pe: halo.shift(pe, pe.array("u", (2, 3)),
                                                          pe.array("v", (2, 3))))
    text = design.listing(0, 0)
    for part in ("PE (0, 0): program p", "u                bytes 0 to 24, float32, 2 x 3",
                 "color 0 (halo)", "local task 1: a wait"):
        assert part in text, text
    with pytest.raises(weft.Error):
        design.listing(2, 0)

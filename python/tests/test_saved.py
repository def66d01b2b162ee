"""Memory that is saved and loaded."""

import numpy as np
import pytest

import weft
from weft import Port


def design(words=4, name="u"):
    """Each PE adds one to its words; PEs at the west edge have another program."""
    made = weft.Design(3, 2)

    def program(pe):
        u = pe.array(name, words)
        if not pe.has_neighbor(Port.west):
            pe.array("edge", (2, 3), "float16")
        pe.add(u, u, 1.0)

    made.program(made.all, "count", program)
    return made


def test_what_is_saved_is_loaded(tmp_path):
    one = design().fabric()
    u = np.arange(24, dtype="float32").reshape(2, 3, 4)
    edge = np.arange(12, dtype="float16").reshape(2, 1, 2, 3)
    one.write((0, 0, 3, 2), "u", u)
    one.write((0, 0, 1, 2), "edge", edge)
    one.run_until_idle()
    one.save(tmp_path / "state.npz")
    other = design().fabric()
    other.load(tmp_path / "state.npz")
    assert (other.read((0, 0, 3, 2), "u") == u + 1).all()
    assert (other.read((0, 0, 1, 2), "edge") == edge).all()
    other.run_until_idle()
    assert (other.read((0, 0, 3, 2), "u") == u + 2).all()


def test_other_designs_refuse_it(tmp_path):
    file = tmp_path / "state.npz"
    design().fabric().save(file)
    with pytest.raises(weft.UsageError, match="has no v"):
        design(name="v").fabric().load(file)
    with pytest.raises(weft.UsageError, match=r"the file's u has shape \(2, \d, 4\).*has shape \(2, \d, 5\)"):
        design(words=5).fabric().load(file)
    with pytest.raises(weft.UsageError, match=r"the file's u has shape"):
        design(words=(2, 2)).fabric().load(file)
    (tmp_path / "text.npz").write_text("no arrays")
    np.save(tmp_path / "one.npy", np.zeros(3))
    for other in ("text.npz", "one.npy"):
        with pytest.raises(weft.UsageError, match="invalid file: .*give a file of Fabric.save"):
            design().fabric().load(tmp_path / other)
    empty = weft.Design(3, 2)
    with pytest.raises(weft.UsageError, match="the fabric has no 0,0,1,2,edge"):
        empty.fabric().load(file)
    with pytest.raises(OSError):
        design().fabric().load(tmp_path / "none.npz")

"""What a fabric counts, as arrays and as files."""

import copy
import io
import json
import pickle
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import weft
from weft import Observe, Port


def counted(observe=Observe(windows=16), words=5):
    """Each PE of a row of three sends words to its neighbour in the east."""
    design = weft.Design(3, 1)
    east = weft.NeighborShift(design, design.all, Port.east)

    def program(pe):
        u, v = pe.array("u", words), pe.array("v", words)
        pe.fill(u, 1.5)
        east.shift(pe, u, v)
        pe.add(v, v, 1.0)

    design.program(design.all, "shift", program)
    fabric = design.fabric(engine="reference", observe=observe)
    fabric.run_until_idle()
    return fabric


def test_states_add_up_to_the_clock():
    fabric = counted()
    p = fabric.profile()
    assert (p.width, p.height, p.cycles) == (3, 1, fabric.cycle)
    assert p.pes.shape == (1, 3)
    states = ["computing", "moving", "waits_data", "waits_room", "idle"]
    assert (sum(p.pes[state] for state in states) == p.cycles).all()
    assert p.pes["tasks"].min() >= 1


def test_links_carry_what_was_sent():
    fabric = counted()
    p = fabric.profile()
    assert p.links.shape == (1, 3, 4)
    assert p.links["wavelets"].sum() == fabric.counters.hops == 10
    assert p.links["wavelets"][0, :, 1].tolist() == [5, 5, 0]
    assert sum(each["east"].sum() for each in p.colors.values()) == 10
    busy = p.links["wavelets"] > 0
    assert (p.links["color"][~busy] == -1).all() and (p.links["color"][busy] >= 0).all()


def test_windows_add_up_to_the_totals():
    p = counted().profile()
    assert p.windows.shape == (-(-p.cycles // p.window_cycles), 1, 3)
    for name in p.windows.dtype.names:
        assert (p.windows[name].sum(axis=0) == p.pes[name]).all(), name
    without = counted(Observe(windows=0)).profile()
    assert without.windows.shape == (0, 1, 3) and without.window_cycles == 0


def test_lines_are_those_of_this_file():
    p = counted().profile()
    lines = p.lines("shift")
    assert any("test_profile.py" in where for where in lines["where"])
    assert sum(what.startswith("fill(") for what in lines["what"]) == 1  # of three programs
    assert lines["cycles"].sum() >= p.pes["computing"].sum()
    with pytest.raises(weft.UsageError, match="the nearest is shift"):
        p.lines("shit")


def test_a_profile_is_a_value():
    fabric = counted()
    p = fabric.profile()
    assert p == fabric.profile() == copy.copy(p) == pickle.loads(pickle.dumps(p))
    assert p != counted(words=6).profile()
    assert repr(p) == f"Profile(3 x 1 PEs, {p.cycles} cycles, {len(p.windows)} windows)"


def test_a_file_gives_it_back(tmp_path):
    p = counted().profile()
    p.save(tmp_path / "run.weft")
    assert weft.load_profile(tmp_path / "run.weft") == p
    assert [file.name for file in tmp_path.iterdir()] == ["run.weft"]
    with np.load(tmp_path / "run.weft") as arrays:
        assert (arrays["pes"] == p.pes).all()
        assert (arrays["windows/computing"] == p.windows["computing"]).all()
        assert arrays["lines"]["cycles"].sum() == p.lines("shift")["cycles"].sum() > 0
        assert json.loads(arrays["run.json"])["cycles"] == p.cycles


def test_numpy_writes_files_that_are_read(tmp_path):
    """The arrays' headers are NumPy's own."""
    p = counted().profile()
    p.save(tmp_path / "run.weft")
    with np.load(tmp_path / "run.weft") as arrays, \
            zipfile.ZipFile(tmp_path / "again.weft", "w") as again:
        again.writestr("run.json", arrays["run.json"])
        for name in arrays.files:
            if name == "run.json":
                continue
            content = io.BytesIO()
            np.save(content, arrays[name])
            again.writestr(name + ".npy", content.getvalue())
    assert weft.load_profile(tmp_path / "again.weft") == p


def test_files_that_are_none_are_refused(tmp_path):
    p = counted().profile()
    whole = tmp_path / "run.weft"
    p.save(whole)
    cut = tmp_path / "cut.weft"
    cut.write_bytes(whole.read_bytes()[:-30])
    text = tmp_path / "text.weft"
    text.write_text("no archive")
    for file in (cut, text):
        with pytest.raises(weft.UsageError, match="cannot use .* as a run"):
            weft.load_profile(file)
    foreign = tmp_path / "foreign.weft"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("pes.npy", b"")
    with pytest.raises(weft.Error, match="it has no run.json"):
        weft.load_profile(foreign)
    with pytest.raises(OSError):
        weft.load_profile(tmp_path / "none.weft")
    before = sorted(tmp_path.iterdir())
    for place in (tmp_path, tmp_path / "none" / "run.weft"):
        with pytest.raises(OSError):
            p.save(place)
    assert sorted(tmp_path.iterdir()) == before


def test_wishes_that_cannot_be_met_are_refused():
    design = weft.Design(1, 1)
    with pytest.raises(weft.UsageError, match="the engine cuda finds no critical path"):
        design.fabric(engine="cuda", observe=Observe(path=True))
    with pytest.raises(weft.UsageError, match="invalid windows of time: 100"):
        design.fabric(engine="reference", observe=Observe(windows=100))
    with pytest.raises(weft.UsageError, match="the fabric has no profile"):
        design.fabric().profile()
    assert Observe() == Observe(counts=True, windows=128)


def test_without_counts_there_are_no_windows():
    assert Observe(counts=False).windows == 0
    design = weft.Design(1, 1)
    with pytest.raises(weft.UsageError, match="the fabric has no profile"):
        design.fabric(observe=Observe(counts=False)).profile()


def test_a_page_is_one_file_of_the_run(tmp_path):
    p = counted().profile()
    p.page(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text()
    assert page.startswith("<!doctype html>") and '"cycles":%d' % p.cycles in page
    p.page(tmp_path / "both.html", against=counted(words=6).profile())
    assert (tmp_path / "both.html").stat().st_size > len(page)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["both.html", "run.html"]
    framed = p._repr_html_()
    assert framed.startswith('<iframe srcdoc="&lt;!doctype html&gt;') and "<script" not in framed


def test_pages_that_cannot_be_are_refused(tmp_path):
    p = counted().profile()
    other = weft.Design(1, 1).fabric(engine="reference", observe=Observe()).profile()
    (tmp_path / "run.html").write_text("before")
    with pytest.raises(weft.UsageError, match="their meshes have 3 x 1 and 1 x 1 PEs"):
        p.page(tmp_path / "run.html", other)
    with pytest.raises(weft.UsageError, match="is too long"):
        p.page(tmp_path / "run.html", limit=1000)
    with pytest.raises(weft.UsageError, match="invalid limit: 2.5"):
        p.page(tmp_path / "run.html", limit=2.5)
    for place in (tmp_path, tmp_path / "none" / "run.html"):
        with pytest.raises(OSError):
            p.page(place)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"]


def test_the_module_is_a_command(tmp_path):
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "weft", *map(str, arguments)],
                              capture_output=True, text=True)

    p = counted().profile()
    p.save(tmp_path / "run.weft")
    done = run("view", tmp_path / "run.weft")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path / 'run.html'}: open it in a browser\n"
    p.page(tmp_path / "again.html")
    for wrong, words in [(["view", tmp_path / "none.weft"], "none.weft"),
                         (["view", tmp_path / "again.html"], "as a run"),
                         (["view", tmp_path / "run.weft", "-o", tmp_path / "a.png"], ".html"),
                         (["view", tmp_path / "run.weft", "--page-limit", "0"], "number of bytes")]:
        done = run(*wrong)
        assert done.returncode != 0 and words in done.stderr
        assert "Traceback" not in done.stderr


def test_the_critical_path_leaves_no_cycle_out(tmp_path):
    p = counted(Observe(path=True)).profile()
    path = p.path
    assert path["from"][0] == 0 and path["to"][-1] == p.cycles
    assert (path["from"][1:] == path["to"][:-1]).all()
    on_the_way = path[path["kind"] == "on the way"]
    assert len(on_the_way) > 0 and (on_the_way["to_x"] == on_the_way["x"] + 1).all()
    assert "the critical path, exactly" in str(p.explain())
    p.save(tmp_path / "run.weft")
    assert weft.load_profile(tmp_path / "run.weft") == p
    assert len(counted().profile().path) == 0
    with pytest.raises(weft.UsageError, match="the critical path without counts"):
        counted(Observe(counts=False, path=True))


def test_a_page_has_a_name_of_a_page(tmp_path):
    counted().profile().save(tmp_path / "run.weft")
    done = subprocess.run([sys.executable, "-m", "weft", "view", "run.weft", "-o", "name.txt"],
                          cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "a page is an .html file" in done.stderr


def test_heat_maps_are_pictures(tmp_path):
    p = counted().profile()
    with pytest.raises(weft.UsageError, match="the nearest is computing"):
        p.heatmap("computin", tmp_path / "a.png")
    with pytest.raises(weft.UsageError, match="invalid window: 99"):
        p.heatmap("busiest link", tmp_path / "a.png", window=99)
    with pytest.raises(weft.UsageError, match="name a .png file"):
        p.heatmap("computing", tmp_path / "a.jpg")
    assert not list(tmp_path.iterdir())
    if not shutil.which("gnuplot"):
        pytest.skip("gnuplot is not installed")
    p.heatmap("moving", tmp_path / "a.apng")
    moves = (tmp_path / "a.apng").read_bytes()
    assert moves.count(b"fcTL") == len(p.windows) > 1 and moves.count(b"acTL") == 1
    with pytest.raises(weft.UsageError, match="it shows all of them"):
        p.heatmap("moving", tmp_path / "b.apng", window=1)
    p.heatmap("busiest link", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"

"""Phases, and the findings of Profile.explain: each appears where its cause is, and not elsewhere."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import weft
from weft import Along, Observe


def profile_of(design, limit=None):
    fabric = design.fabric(engine="reference", observe=Observe(windows=64))
    fabric.run_until_idle()
    return fabric.profile()


def kinds(p, least=0.0):
    return {finding.kind for finding in p.explain().findings if finding.share >= least}


def gather(overlapped, pes=8, words=64, queue=None):
    """Each PE gives the others its numbers, by a broadcast of its own."""
    design = weft.Design(pes, 1)
    sends = [weft.Broadcast(design, design.all, Along.rows, root, name=f"from {root}")
             for root in range(pes)]

    def program(pe):
        parts = [pe.array(f"part {root}", words) for root in range(pes)]
        if overlapped:
            pe.wait(*(each for root in range(pes) for each in sends[root].start(pe, parts[root])))
            return
        for root in range(pes):
            sends[root].broadcast(pe, parts[root])

    design.program(design.all, "gather", program)
    return profile_of(design)


def halo(slow=None, exchanges=4, side=16, work=1):
    """An exchange of halos, then arithmetic on blocks."""
    design = weft.Design(6, 6)
    around = weft.HaloExchange(design, design.all)

    def program(pe):
        u = pe.array("u", (side + 2, side + 2))
        inner = u.block(1, 1, side, side)
        times = pe.pick(lambda x, y: 8 * work if (x, y) == slow else work)
        for _ in range(exchanges):
            with pe.phase("halo"):
                around.exchange(pe, u)
            with pe.phase("update"):
                with pe.repeat(times):
                    pe.mul(inner, inner, 0.5)

    design.program(design.all, "halo", program)
    return profile_of(design)


def one_stream(words=64, queue=0):
    """PE 0 sends to PE 1 by a queue, while both have nothing else to do."""
    design = weft.Design(2, 1)
    color = design.color("row")
    design.route((0, 0, 1, 1), color, rx=weft.Port.ramp, tx=weft.Port.east)
    design.route((1, 0, 1, 1), color, rx=weft.Port.west, tx=weft.Port.ramp)

    def program(pe):
        u = pe.array("u", words)
        pe.input_queue(color, queue)
        if pe.where(lambda x, y: x == 0):
            pe.send(color, u)
        else:
            pe.receive(u, color)

    design.program(design.all, "stream", program)
    return profile_of(design)


def test_broadcasts_in_turn_do_not_overlap_and_half_of_them_have_shallow_queues():
    p = gather(overlapped=False)
    found = {finding.kind: finding for finding in p.explain().findings}
    assert found["nothing overlaps"].share > 0.2
    assert "gather" in found["nothing overlaps"].line or "from" in found["nothing overlaps"].line
    shallow = found["shallow queues"]
    assert "2 wavelets pass in 3 cycles" in shallow.what and "from 4" in shallow.what
    assert 0.05 < shallow.share < 0.3
    assert not {"shared ramp", "slow PE", "tasks of streams"} & set(found)


def test_broadcasts_at_a_time_overlap():
    overlapped, in_turn = gather(overlapped=True), gather(overlapped=False)
    assert overlapped.cycles < in_turn.cycles
    assert "nothing overlaps" not in kinds(overlapped)


@pytest.mark.parametrize("queue, shallow", [(0, False), (2, False), (4, True), (7, True)])
def test_shallow_queues_are_those_with_fewer_places_than_a_wavelet_takes_cycles(queue, shallow):
    p = one_stream(queue=queue)
    assert ("shallow queues" in kinds(p)) == shallow
    if shallow:
        assert p.cycles >= one_stream(queue=0).cycles + 30


def test_a_halo_exchange_shares_its_ramp():
    p = halo()
    findings = [f for f in p.explain().findings if f.kind == "shared ramp"]
    assert [f.phase for f in findings] == ["halo"]
    assert findings[0].what.startswith("4 colors ")
    assert not {"slow PE", "full link", "shallow queues"} & kinds(p)


def test_a_slow_pe_is_found_where_it_is():
    p = halo(slow=(2, 3))
    slow = [f for f in p.explain().findings if f.kind == "slow PE"]
    assert slow and slow[0].phase == "update"
    assert all((f.x, f.y) == (2, 3) for f in slow)
    assert slow[0].share > 0.3
    assert "slow PE" not in kinds(halo())


def test_wsfft_waits_at_turn_arounds_of_streams():
    x = np.ones((16, 16, 16), np.complex64)
    report = weft.fft(x, engine="reference", observe=Observe(windows=64)).report
    p = report.profile
    assert list(p.phases) == [phase.name for phase in report.phases]
    found = {f.phase for f in p.explain().findings if f.kind == "tasks of streams"}
    assert found == {"transpose rows", "transpose columns"}
    assert not {"shared ramp", "slow PE", "full link", "nothing overlaps"} & kinds(p)
    pencils = [f for f in p.explain().findings if f.kind == "computing"]
    assert pencils and all("pencils" in f.phase for f in pencils)


def cycles_of_the_last_pe(p):
    """In each phase, of the PE that was in one last."""
    last = np.argmax(np.max([phase["last"] for phase in p.phases.values()], axis=0))
    states = ["computing", "moving", "waits_data", "waits_room", "idle"]
    return {name: min(sum(int(phase[state].flat[last]) for state in states),
                      int(phase["last"].flat[last] - phase["first"].flat[last]) + 1)
            for name, phase in p.phases.items()}


def test_phases_of_a_transform_are_those_of_its_report():
    x = np.ones((8, 8, 8), np.complex64)
    for options in ({}, {"transpose": "ring"}, {"transpose": "halves"}, {"algorithm": "s3dft"},
                    {"algorithm": "s3dft", "s3dft_form": "cannon", "mesh": (2, 2)},
                    {"algorithm": "s3dft", "s3dft_form": "cubes", "mesh": (4, 2)}):
        report = weft.fft(x, engine="reference", observe=Observe(windows=0), **options).report
        names = [phase.name for phase in report.phases]
        assert list(report.profile.phases) == names, options
        took = cycles_of_the_last_pe(report.profile)
        for phase in report.phases:  # whose ends the program itself notes, some instructions later
            assert abs(took[phase.name] - phase.cycles) < 60, (options, phase, took)


def test_a_transform_is_the_same_when_it_is_observed():
    x = np.random.default_rng(3).standard_normal((8, 8, 8)) + 0j
    plain, observed = weft.fft(x), weft.fft(x, observe=Observe())
    assert plain.report.profile is None
    assert observed.report.cycles == plain.report.cycles
    assert (observed.output == plain.output).all()
    plan = weft.FftPlan((8, 8, 8), observe=Observe(windows=16))
    assert pickle.loads(pickle.dumps(plan)) == plan != weft.FftPlan((8, 8, 8))
    report = plan.run(x).report
    assert pickle.loads(pickle.dumps(report)) == report
    assert "profile" not in report.as_dict()
    assert plan.round_trips(x, 1).report.profile.cycles > 0
    with pytest.raises(weft.UsageError, match="finds no critical path"):
        weft.fft(x, engine="cuda", observe=Observe(path=True))


def phased(named=True):
    design = weft.Design(2, 1)
    shift = weft.NeighborShift(design, design.all, weft.Port.east)

    def program(pe):
        u, v = pe.array("u", 8), pe.array("v", 8)
        for _ in range(2):
            if not named:
                pe.fill(u, 1.0)
                shift.shift(pe, u, v)
                continue
            with pe.phase("fill"):
                pe.fill(u, 1.0)
            with pe.phase("shift"):
                shift.shift(pe, u, v)

    design.program(design.all, "phased", program)
    return design


def test_phases_cost_nothing_and_fill_the_report():
    fabric = phased().fabric(engine="reference", observe=Observe(windows=0))
    fabric.run_until_idle()
    plain = phased(named=False).fabric()
    plain.run_until_idle()
    assert fabric.cycle == plain.cycle and plain.report.phases == []
    assert [phase.name for phase in fabric.report.phases] == ["fill", "shift"]
    p = fabric.profile()
    by_phase = {name: int(phase["link_east"].sum()) for name, phase in p.phases.items()}
    assert 0 < by_phase["fill"] + by_phase["shift"] <= p.pes["link_east"].sum() == 16
    assert by_phase["shift"] > 8  # the last wavelets leave when their core has gone on
    assert (p.phases["fill"]["first"] < p.phases["shift"]["first"]).all()
    code = p.code(p.programs[0])
    assert {0, 1} <= set(code["phase"].tolist()) and code["cycles"].sum() > 0


def test_phases_without_with_are_refused():
    design = weft.Design(1, 1)
    with pytest.raises(weft.UsageError, match="with"):
        design.program(design.all, "p", lambda pe: pe.phase("never"))


def test_a_profile_describes_its_fabric():
    p = gather(overlapped=False, pes=3, words=4)
    assert p.machine == weft.Machine()
    assert p.program_of.shape == (1, 3) and p.program_of.min() >= 0
    name = p.programs[p.program_of[0, 0]]
    assert set(p.arrays(name)["name"]) >= {"part 0", "part 1", "part 2"}
    assert "local" in p.tasks(name)["kind"]
    assert all(p.code(name)["text"])
    route = p.route("from 0", 1, 0)
    assert weft.Port.west in route.rx and route.input_queue is not None
    assert p.route("from 0", 0, 0).rx == (weft.Port.ramp,)
    with pytest.raises(weft.UsageError, match="there is no color"):
        p.route("from 9", 0, 0)
    with pytest.raises(weft.UsageError, match="no PE"):
        p.route("from 0", 3, 0)
    with pytest.raises(weft.UsageError, match="the nearest is"):
        p.code("gathers")


def stuck():
    design = weft.Design(2, 1)
    color = design.color("row")
    design.route((0, 0, 1, 1), color, rx=weft.Port.ramp, tx=weft.Port.east)
    design.route((1, 0, 1, 1), color, rx=weft.Port.west, tx=weft.Port.ramp)

    def program(pe):
        u = pe.array("u", 4)
        if pe.where(lambda x, y: x == 0):
            pe.send(color, u.slice(0, 3))
        else:
            pe.receive(u, color)

    design.program(design.all, "stuck", program)
    return design.fabric(engine="reference", observe=Observe(windows=0))


def test_a_deadlock_keeps_its_profile(tmp_path):
    with pytest.raises(weft.DeadlockError) as raised:
        stuck().run_until_idle()
    p = raised.value.profile
    assert p.stuck["error"] == str(raised.value)
    wait = p.stuck["waits"][0]
    assert (wait["x"], wait["y"], wait["first"]) == (1, 0, True)
    assert any("test_explain.py" in line for line in p.stuck["waits"]["line"])
    p.save(tmp_path / "run.weft")
    again = weft.load_profile(tmp_path / "run.weft")
    assert again == p
    assert "Who waits for whom" in again.explain().text
    plain = weft.Design(1, 1).fabric(engine="reference", observe=Observe())
    plain.run_until_idle()
    assert plain.profile().stuck is None


def test_python_explains_a_file(tmp_path):
    p = gather(overlapped=False, pes=3, words=4)
    p.save(tmp_path / "run.weft")
    done = subprocess.run([sys.executable, "-m", "weft", "explain", tmp_path / "run.weft"],
                          capture_output=True, text=True, check=True)
    assert done.stdout == f"{p.explain()}\n" == p.explain().text + "\n"
    none = subprocess.run([sys.executable, "-m", "weft", "explain", tmp_path / "none.weft"],
                          capture_output=True, text=True, check=False)
    assert none.returncode == 2 and "none.weft" in none.stderr


def test_an_explanation_is_a_value():
    explanation = gather(overlapped=False).explain()
    again = pickle.loads(pickle.dumps(explanation))
    assert again == explanation and again.findings == explanation.findings
    whole = explanation.phases[0]
    assert whole.name == "" and whole.took == explanation.cycles and whole.way == 7
    assert whole.link.cycles == 448 and whole.link.port in (weft.Port.east, weft.Port.west)

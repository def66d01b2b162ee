import os
import pickle
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

import weft


def noise(n, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, n, n)) + 1j * rng.standard_normal((n, n, n))
    return x.astype(np.complex64)


def relative_error(y, reference):
    return np.linalg.norm(np.asarray(y) - reference) / np.linalg.norm(reference)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_transforms_are_numpys(precision, norm):
    x = noise(8)
    y, report = weft.fft(x, precision, norm)
    assert relative_error(y, np.fft.fftn(x, norm=norm)) < report.error_bound
    z, _ = weft.ifft(x, precision, norm)
    assert relative_error(z, np.fft.ifftn(x, norm=norm)) < report.error_bound


@pytest.mark.parametrize("pencil", ["radix2", "radix4", "split-radix", "stockham"])
def test_each_algorithm_for_a_pencil_is_right(pencil):
    x = noise(8)
    y, report = weft.fft(x, pencil=pencil)
    assert relative_error(y, np.fft.fftn(x)) < report.error_bound
    assert pencil == "radix2" or report.compute_cycles < weft.fft(x).report.compute_cycles / 2


def test_butterflies_have_no_transposes():
    x = noise(8)
    y, report = weft.fft(x, transpose="butterflies")
    assert relative_error(y, np.fft.fftn(x)) < report.error_bound
    assert report.transpose == "butterflies"
    assert repr(report).endswith(" butterflies)")
    assert [phase.name for phase in report.phases if phase.communication] == [
        "butterflies of rows", "butterflies of columns"]


def test_a_transpose_back_is_a_part_of_a_plan():
    x = noise(16)[0]
    plan = weft.FftPlan((16, 16), transpose="ring", back=True)
    y, report = plan.run(x)
    assert relative_error(y, np.fft.fft2(x)) < report.error_bound
    assert [phase.name for phase in report.phases if phase.communication] == ["transpose rows"] * 2
    assert pickle.loads(pickle.dumps(plan)) == plan != weft.FftPlan((16, 16), transpose="ring")
    with pytest.raises(weft.UsageError, match="no transpose back on 8 x 8 PEs"):
        weft.FftPlan((8, 8, 8), back=True)


@pytest.mark.parametrize("form", ["held", "cannon"])
def test_s3dft_transforms_any_sides_that_the_mesh_divides(form):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(7, 6, 12)) + 1j * rng.normal(size=(7, 6, 12))
    how = {"algorithm": "s3dft", "s3dft_form": form, "mesh": (6, 6)}
    y, report = weft.fft(x, **how)
    assert relative_error(y, np.fft.fftn(x)) < report.error_bound
    z, _ = weft.ifft(x, "fp16", "ortho", **how)
    assert relative_error(z, np.fft.ifftn(x, norm="ortho")) < 0.05
    assert report.transpose is None and pickle.loads(pickle.dumps(report)) == report
    plan = weft.FftPlan((7, 6, 12), **how)
    assert "algorithm='s3dft'" in repr(plan)
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert plan.estimate().cycles == pytest.approx(report.cycles, rel=0.1)


@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_s3dft_by_nodes_in_tiles(precision):
    x = noise(8)
    how = {"algorithm": "s3dft", "s3dft_form": "cubes", "mesh": (8, 8)}
    y, report = weft.fft(x, precision, "ortho", **how)
    assert relative_error(y, np.fft.fftn(x, norm="ortho")) < report.error_bound
    assert len(report.phases) == 6
    with pytest.raises(weft.Error, match="invalid mesh for cubes: 4 x 4 PEs"):
        weft.FftPlan((8, 8, 8), **{**how, "mesh": (4, 4)})


def test_s3dft_refuses_what_is_of_wsfft():
    with pytest.raises(weft.Error, match="invalid combination: transpose with s3dft"):
        weft.fft(noise(4), algorithm="s3dft", transpose="ring")
    with pytest.raises(weft.Error, match="invalid combination: fastest with s3dft"):
        weft.fft(noise(4), algorithm="s3dft", fastest=True)
    with pytest.raises(weft.Error, match="invalid combination: s3dft_form with wsfft"):
        weft.fft(noise(4), s3dft_form="cannon")
    with pytest.raises(weft.Error, match="known: wsfft, s3dft"):
        weft.fft(noise(4), algorithm="fft")
    with pytest.raises(weft.Error, match="s3dft has no round trips"):
        weft.FftPlan((4, 4, 4), algorithm="s3dft").round_trips(noise(4), 1)
    with pytest.raises(weft.Error, match="three axes only"):
        weft.FftPlan((4, 4), algorithm="s3dft")


def test_a_result_past_the_numbers_of_fp16_is_reported():
    x = np.full((4, 4, 4), 2000.0)
    for algorithm in ("wsfft", "s3dft"):
        with pytest.warns(RuntimeWarning, match="overflow: 1 numbers of the result are not finite"):
            weft.fft(x, "fp16", algorithm=algorithm)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            weft.fft(x, "fp16", "forward", algorithm=algorithm)


def test_the_result_is_an_array_and_a_report():
    result = weft.fft(noise(4))
    assert result.output.dtype == np.complex64 and result.output.shape == (4, 4, 4)
    np.testing.assert_array_equal(np.asarray(result), result.output)
    report = result.report
    assert report.cycles == report.compute_cycles + report.communication_cycles
    assert sum(phase.cycles for phase in report.phases) == report.cycles
    assert report.counters.wavelets > 0 and report.counters.hops > 0
    assert report.busiest_link == 2 * 6 + 3 * 3  # three streams of 3, 2 and 1 numbers, with three wavelets around
    assert report.busiest_ramp == 2 * (2 * 3 + 6)
    assert 0 < report.peak_share < 1
    assert "cycles" in repr(report)


def test_a_result_is_a_tuple_to_python_and_the_array_to_operators():
    x = noise(4)
    plan = weft.FftPlan(x.shape)
    for result, parts in ((weft.fft(x), 2), (plan.run(x), 2), (plan.round_trips(x, 1), 3)):
        y, *others = result
        assert len(result) == parts and result[0] is y and result[1] is others[0]
        assert result[-1] is result.report is others[-1]
        assert (result.output is y) and list(result)[1] is others[0]
        for array, right in [(result * 2, y * 2), (2 * result, y * 2), (result + y, y + y), (y - result, y - y),
                             (result + result, 2 * y), (-result, -y), (abs(result), abs(y)), (result / 2, y / 2),
                             (result == y, y == y), (result != 0, y != 0), (np.abs(result), np.abs(y)),
                             (np.sum(result), np.sum(y)), (np.add.reduce(result), np.add.reduce(y)),
                             (result**2, y**2), (np.float32(2) * result, 2 * y), (result * [2], y * 2)]:
            assert type(array) is type(right)
            np.testing.assert_array_equal(array, right)
        for wrong in (parts, (0, 1), slice(0, 1), slice(None), ..., None):
            with pytest.raises(weft.UsageError, match=r"has the parts output, .*report.*\.output\["):
                result[wrong]
        with pytest.raises(ValueError, match="ambiguous"):
            bool(result)
        before = y.copy()
        result += 1
        np.testing.assert_array_equal(result, before + 1)


def test_the_report_has_the_error_if_asked():
    assert weft.fft(noise(4)).report.error is None
    for transform in (weft.fft, weft.ifft):
        report = transform(noise(8), "fp16", compare=True).report
        assert 1e-5 < report.error < report.error_bound


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("number", [np.nan, np.inf, 1e200, complex(0, np.nan)])
@pytest.mark.parametrize("batch", [False, True])
def test_the_error_of_what_is_not_finite_is_no_number(number, batch):
    x = np.ones((3, 4, 4, 4) if batch else (4, 4, 4), complex)
    x.flat[-1] = number
    for transform in (weft.fft, weft.ifft, weft.irfft):
        given = x[..., :3] if transform is weft.irfft else x
        given.flat[-1] = number
        for old in ("ignore", "raise"):
            if old == "raise" and number == 1e200:
                continue
            with np.errstate(all=old):
                report = transform(given, batch=batch, compare=True).report
            assert np.isnan(report.error) and not report.error <= report.error_bound
    x = np.full((4, 4, 4), 60000.0)  # past the numbers of FP16
    report = weft.fft(x, "fp16", compare=True).report
    assert np.isnan(report.error)


@pytest.mark.parametrize("make", [
    lambda x: x.astype(np.complex128), lambda x: np.asfortranarray(x), lambda x: x[::-1, :, ::-1],
    lambda x: x.real.astype(np.float64), lambda x: (100 * x.real).astype(np.int16),
    lambda x: x.real.tolist()])
def test_arrays_of_any_type_and_order(make):
    x = make(noise(4))
    y, report = weft.fft(x)
    assert relative_error(y, np.fft.fftn(x)) < report.error_bound


@pytest.mark.parametrize("x, message", [
    (np.zeros((4, 4, 4, 4, 4)), "5 dimensions"), (np.zeros((4, 4, 4, 1)), "no side of 1"), (np.zeros((4, 4, 1)), "4"),
    (np.zeros((6, 6, 7)), "prime factor above 5"),
    (np.zeros((0, 0, 0)), "0"), (np.full((4, 4, 4), "a"), "invalid input: an array of "),
    (np.full((4, 4, 4), None), "invalid input: an array of ")])
def test_arrays_that_cannot_be_transformed(x, message):
    with pytest.raises(weft.UsageError, match=message):
        weft.fft(x)


def test_wrong_options_name_the_right_ones():
    with pytest.raises(ValueError, match="fp16 or fp32"):
        weft.fft(noise(4), precision="fp64")
    with pytest.raises(weft.Error, match="backward, ortho, forward"):
        weft.fft(noise(4), norm="none")
    with pytest.raises(weft.Error, match="invalid engine: fpga .known: auto, host, cuda, reference."):
        weft.fft(noise(4), engine="fpga")
    with pytest.raises(weft.Error, match="radix2, radix4, split-radix, stockham"):
        weft.fft(noise(4), pencil="radix3")


def test_one_plan_for_two_threads_at_once():
    plan = weft.FftPlan((8, 8, 8))
    inputs = [noise(8, seed) for seed in range(2)]
    outputs = [None, None]

    def run(i):
        outputs[i] = plan.run(inputs[i])[0]

    threads = [threading.Thread(target=run, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for x, y in zip(inputs, outputs):
        assert relative_error(y, np.fft.fftn(x)) < 1e-5


def test_machines():
    slow = weft.Machine(name="slow", ramp_cycles=7)
    _, fast_report = weft.fft(noise(4))
    _, slow_report = weft.fft(noise(4), machine=slow)
    assert slow_report.cycles > fast_report.cycles
    assert weft.machine("wse2") == weft.Machine()
    assert weft.machine("wse2-simfab").hop_cycles == 2
    with pytest.raises(weft.Error, match="hop_cycles"):
        weft.Machine(hop_cycle=2)
    with pytest.raises(weft.Error):
        weft.Machine(hop_cycles=1000)


@pytest.mark.parametrize("shape, mesh", [((8, 16, 4), None), ((8, 8, 8), (4, 2)), ((16, 32), None),
                                         ((16, 16), (4, 4)), ((512,), (4, 8)), ((512,), (8, 1)),
                                         ((16, 32), (8, 1)), ((64,), None), ((8, 1, 8), None),
                                         ((8, 4, 4, 16), None), ((4, 8, 8, 4), (2, 4))])
def test_boxes_planes_and_lines(shape, mesh):
    x = np.random.default_rng(5).standard_normal(shape)
    result = weft.fft(x, mesh=mesh, compare=True)
    assert result.output.shape == shape
    assert result.report.error < result.report.error_bound
    assert np.allclose(weft.ifft(result, mesh=mesh), x, atol=1e-5)
    assert mesh is None or result.report.mesh == mesh


@pytest.mark.parametrize("count", [1, 5])
def test_a_batch_is_transformed_array_by_array(count):
    x = np.random.default_rng(6).standard_normal((count, 4, 8, 4))
    result = weft.fft(x, batch=True, compare=True)
    assert result.output.shape == x.shape
    assert np.allclose(result, np.fft.fftn(x, axes=(1, 2, 3)), atol=1e-4)
    assert result.report.error < result.report.error_bound


@pytest.mark.parametrize("shape, mesh", [((8, 8, 8), None), ((8, 4, 16), (3, 4)), ((16, 32), None),
                                         ((64,), None), ((8, 1, 8), None)])
def test_real_arrays_have_half_a_spectrum(shape, mesh):
    x = np.random.default_rng(6).standard_normal(shape)
    half, report = weft.rfft(x, mesh=mesh, compare=True)
    assert half.shape == np.fft.rfftn(x).shape
    assert report.error < report.error_bound
    back = weft.irfft(half, mesh=mesh, compare=True)
    assert back.output.dtype == np.float32 and back.output.shape == shape
    assert back.report.error < back.report.error_bound
    assert np.allclose(back, x, atol=1e-5)


@pytest.mark.parametrize("count", [1, 3])
def test_batches_of_real_arrays(count):
    x = np.random.default_rng(7).standard_normal((count, 8, 4, 8))
    half, report = weft.rfft(x, batch=True, compare=True)
    assert half.shape == (count, 8, 4, 5)
    assert report.error < report.error_bound
    back = weft.irfft(half, batch=True, compare=True)
    assert back.output.shape == x.shape
    assert np.allclose(back, x, atol=1e-5)


@pytest.mark.parametrize("shape", [(4, 4, 8), (7, 8, 5), (4, 4, 1), (8, 0), (8,), (4, 4, 4097)])
def test_half_a_spectrum_that_cannot_be(shape):
    with pytest.raises(weft.UsageError) as caught:
        weft.irfft(np.zeros(shape))
    assert f"shape {shape} " in str(caught.value)
    with pytest.raises(weft.UsageError) as caught:
        weft.irfft(np.zeros((2, *shape)), batch=True)
    assert f"shape {(2, *shape)} " in str(caught.value)


def test_all_cores_that_the_process_may_use_are_the_default():
    code = """
import os
import numpy as np
import weft
weft.fft(np.ones((4, 4, 4)))
before = len(os.listdir("/proc/self/task"))
weft.fft(np.ones((64, 64, 64)))
print(len(os.listdir("/proc/self/task")) - before)
"""
    core = str(min(os.sched_getaffinity(0)))
    done = subprocess.run(["taskset", "-c", core, sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "0\n"), done.stderr


def test_what_is_not_real_is_refused():
    with pytest.raises(weft.UsageError, match="imaginary part 1 .the plan is for real numbers."):
        weft.rfft(1j * np.ones((4, 4, 4)))


def test_a_plan_estimates_what_a_run_will_take():
    plan = weft.FftPlan((16, 16, 16))
    estimate = plan.estimate()
    x = np.ones((16, 16, 16))
    report = plan.run(x)[1]
    assert estimate.mesh == report.mesh == (16, 16)
    assert abs(estimate.cycles - report.cycles) < 0.1 * report.cycles
    assert (estimate.rounds, estimate.colors, estimate.filters) == (1, 4, 4)
    assert 2 * 8 * 16 < estimate.pe_bytes < 49152
    assert (estimate.root_bytes, estimate.shapes) == (8 * 8, 0)
    assert [p.name for p in estimate.phases] == [p.name for p in report.phases]
    assert estimate.published_cycles > 0 and estimate.host_bytes > 8 * 16**3


def test_transforms_around_a_ring_are_the_same():
    x = np.random.default_rng(1).standard_normal((16, 8, 16)).astype(np.complex64)
    published, ring = weft.fft(x), weft.fft(x, transpose="ring")
    assert np.array_equal(published, ring)
    assert (published.report.transpose, ring.report.transpose) == ("published", "ring")
    assert ring.report.cycles < published.report.cycles


@pytest.mark.parametrize("shape, options", [
    ((16, 8, 16), {}), ((32, 32, 32), {}), ((32, 32, 32), {"precision": "fp16"}),
    ((16, 16, 16), {"mesh": (8, 8), "pencil": "radix4"}), ((64, 64), {"mesh": (8, 8)}),
])
def test_a_ring_is_estimated(shape, options):
    plan = weft.FftPlan(shape, transpose="ring", **options)
    estimate, report = plan.estimate(), plan.run(np.ones(shape))[1]
    assert (estimate.colors, estimate.filters) == (12, 0)
    assert abs(estimate.cycles - report.cycles) < 0.03 * report.cycles


def test_the_fastest_transform():
    x = np.random.default_rng(2).standard_normal((16, 16, 16)).astype(np.complex64)
    best = weft.FftPlan(x.shape).fastest()
    assert (best.transpose, best.pencil) == ("halves", "radix4")
    fast = weft.fft(x, fastest=True, compare=True)
    assert fast.report.error < fast.report.error_bound
    assert fast.report.transpose == "halves"
    assert abs(fast.report.cycles - best.cycles) < 0.03 * best.cycles
    assert fast.report.cycles < 0.4 * weft.fft(x).report.cycles
    # Where only one is asked for, the other stays.
    assert weft.fft(x, transpose="fastest").report.cycles > fast.report.cycles
    assert weft.fft(x, pencil="fastest").report.transpose == "published"


def test_meshes_and_batches_that_cannot_be():
    x = np.zeros((8, 8, 8))
    for wrong in [{"mesh": (16, 8)}, {"mesh": (0, 8)}, {"mesh": (8,)}, {"mesh": (2**40, 8)},
                  {"mesh": 8}]:
        with pytest.raises(weft.UsageError):
            weft.fft(x, **wrong)
    with pytest.raises(weft.UsageError, match="the plan is for"):
        weft.FftPlan((8, 8, 8), batch=2).run(x)
    with pytest.raises(weft.UsageError, match="invalid batch: 0 arrays"):
        weft.FftPlan((8, 8, 8), batch=0)


def test_round_trips_solve_the_heat_equation():
    n, steps, dt = 8, 20, 0.01
    k = np.fft.fftfreq(n, 1 / n)
    k2 = k[:, None, None]**2 + k[None, :, None]**2 + k[None, None, :]**2
    angle = 2 * np.pi * np.arange(n) / n
    u = np.sin(angle)[:, None, None] * np.cos(2 * angle)[None, :, None] * np.ones(n)
    plan = weft.FftPlan((n, n, n))
    result, cycles, report = plan.round_trips(u, steps, np.exp(-k2 * dt))
    assert np.allclose(result, u * np.exp(-5 * steps * dt), atol=1e-5)
    assert len(cycles) == steps and min(cycles) > 0.97 * max(cycles)
    assert report.cycles == sum(cycles)
    around = weft.FftPlan((n, n, n), transpose="ring")
    one, report = around.run(u).report, around.round_trips(u, steps).report
    assert report.busiest_link == 2 * steps * one.busiest_link
    assert report.busiest_ramp == 2 * steps * one.busiest_ramp
    assert 0.8 * one.peak_share < report.peak_share < 1.2 * one.peak_share
    with pytest.raises(weft.UsageError, match="0 round trips"):
        plan.round_trips(u, 0)
    with pytest.raises(weft.UsageError, match="the plan is for"):
        plan.round_trips(u, 1, k2[0])

"""The folder that travels, as `make gpu-check` packs it: small, whole, and with what its programs need.

WEFT_BUILT=build/release python3 -m pytest tests/gpu_check/test_folder.py
"""

import os
import pathlib
import re
import subprocess

import programs
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = os.environ.get("WEFT_BUILT")
GLIBC = re.compile(r"(ld-linux.*|lib(c|m|mvec|dl|pthread|rt|resolv|util))\.so\.\d+")

pytestmark = pytest.mark.skipif(not BUILT, reason="the folder is built with nvcc and the benchmarks only")


def run(*words, **environment):
    return subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True,
                          timeout=300, check=False)


def pack(folder, *more):
    return run("cmake", f"-DBUILT={BUILT}", f"-DFOLDER={folder}", *more, "-P",
               ROOT / "gpu_check/pack.cmake")


@pytest.fixture(scope="module", name="folder")
def packed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packed") / "gpu-check"
    done = pack(folder)
    assert done.returncode == 0, done.stderr
    return folder


def libraries(*words, **environment):
    """Where a loader finds the libraries of a program, by name."""
    done = run(*words, **environment)
    assert done.returncode == 0 and "not found" not in done.stdout, done.stdout + done.stderr
    return dict(re.findall(r"(\S+) => (/\S+)", done.stdout))


def test_refuses_a_folder_that_is_too_large(tmp_path):
    done = pack(tmp_path / "gpu-check", "-DMOST_MB=5")
    assert done.returncode != 0
    assert re.search(r"has\s+\d+ MB \(at most 5 may travel\)", done.stderr)


def test_has_the_script_as_it_is(folder):
    scripts = [*(ROOT / "gpu_check").glob("*.py"), ROOT / "bench/gpu_count/counted.json"]
    assert sorted(os.listdir(folder / "check")) == sorted(script.name for script in scripts)
    for script in scripts:
        assert (folder / "check" / script.name).read_bytes() == script.read_bytes()
    assert os.access(folder / "run", os.X_OK)


def test_has_no_links(folder):
    assert not [path for path in folder.rglob("*") if path.is_symlink()]


def test_has_each_program_and_the_kernels_once(folder):
    assert sorted(os.listdir(folder / "bin")) == sorted(programs.NAMES)
    with_kernels = [path.name for path in folder.rglob("*")
                    if path.is_file() and b".nv_fatbin" in path.read_bytes()]
    assert with_kernels == ["libweft-gathered.so"]


@pytest.mark.parametrize("name", programs.NAMES)
def test_brings_its_libraries(folder, name):
    program = folder / "bin" / name
    by_system = libraries(program, LD_TRACE_LOADED_OBJECTS="1", LD_LIBRARY_PATH="")
    assert "libweft-gathered.so" in by_system
    for library, path in by_system.items():
        assert GLIBC.fullmatch(library) or pathlib.Path(path).resolve().parent == folder / "lib"

    loader, = (folder / "lib/glibc").glob("ld-linux*")
    by_itself = libraries(loader, "--library-path", f"{folder}/lib/glibc:{folder}/lib", "--list",
                          program, LD_LIBRARY_PATH="")
    assert by_itself.keys() >= by_system.keys() - {loader.name}
    for path in by_itself.values():
        assert folder in pathlib.Path(path).resolve().parents


def test_its_programs_run(folder):
    done = run(folder / "bin/weft", "fft", "--shape", "8,8,8", "--engine", "host")
    assert done.returncode == 0 and " on the host engine" in done.stdout, done.stderr
    assert run(folder / "bin/weft", "fft", "--shape", "0").returncode == 2  # an exception went through
    tests = run(folder / "bin/weft-test-gpu", CUDA_VISIBLE_DEVICES="")
    assert tests.returncode == 0 and "[  SKIPPED ]" in tests.stdout, tests.stdout
    bench = run(folder / "bin/bench-device", CUDA_VISIBLE_DEVICES="")
    assert bench.returncode == 0 and bench.stdout.startswith("skipped: "), bench.stderr


def test_says_that_without_a_device_nothing_is_checked(folder, tmp_path):
    done = run(folder / "run", "--out", tmp_path / "report", CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 77, done.stdout + done.stderr
    assert "there is no CUDA device to check" in done.stdout

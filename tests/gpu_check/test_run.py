"""The folder as it travels, tried on the imitation of a device, and with programs that fail.

WEFT_GPU_CHECK=build/release/gpu-check WEFT_COMMAND=build/release/weft \\
  python3 -m pytest tests/gpu_check
"""

import ast
import json
import os
import pathlib
import shutil
import subprocess
import time

import pytest

BUILT = pathlib.Path(os.environ["WEFT_GPU_CHECK"]).absolute()
PROGRAMS = "weft", "weft-test-gpu", "bench-device"
ANSWERS = "echo '{\"absent\": {}}'\n"  # as `weft info` on a machine that has all


class Folder:
    """A copy in which programs can be others."""

    def __init__(self, path):
        self.path = path
        for part in "bin", "imitation":
            (path / part).mkdir()
        shutil.copy(BUILT / "run", path)
        shutil.copytree(BUILT / "check", path / "check")
        (path / "bin/weft").symlink_to(pathlib.Path(os.environ["WEFT_COMMAND"]).absolute())
        for name in PROGRAMS[1:]:
            (path / "bin" / name).symlink_to("/bin/true")
        for name in PROGRAMS:
            built = BUILT / "imitation" / name
            (path / "imitation" / name).symlink_to(built if built.exists() else "/bin/true")

    def replace(self, program, script, shell="/bin/sh"):
        """Puts a shell script into the place of a program."""
        path = self.path / program
        path.unlink(missing_ok=True)
        path.write_text(f"#!{shell}\n{script}")
        path.chmod(0o755)
        return path

    def start(self, words, **environment):
        return subprocess.run(words, env={**os.environ, **environment}, cwd=self.path,
                              capture_output=True, text=True, timeout=500, check=False)

    def run(self, *arguments, **environment):
        """Leaves the exit code, the output, and the report as text and data."""
        done = self.start([self.path / "run", "--out", self.path / "report", *arguments],
                          **environment)
        self.out = done.stdout
        self.read()
        return done.returncode

    def read(self):
        self.text = (self.path / "report/report.txt").read_text()
        self.report = json.loads((self.path / "report/report.json").read_text())

    def results(self, step):
        """The results of a step's checks, and their reasons."""
        return [f"{check['result']} {check['reason']}".rstrip() for check in self.report["checks"]
                if check["step"] == step]


@pytest.fixture
def folder(tmp_path):
    if not (BUILT / "imitation/weft").exists():
        pytest.skip("no imitation on this processor")
    return Folder(tmp_path)


def test_reports_all_that_it_should(folder):
    assert folder.run("--imitation", "--seconds", "3000", "--step-seconds", "1000") == 0
    assert folder.out.endswith(folder.text)
    for title in ("\nDevice\n", "\nHost\n", "\nPassed\n", "\nSteps\n", "\nTimings\n", "\nSkipped\n",
                  "  name                        CUDA on the host\n"):
        assert title in folder.text
    assert "\nFailed\n" not in folder.text

    report = folder.report
    assert report["state"] == "finished" and report["imitation"] and report["exit_code"] == 0
    assert report["devices"][0]["compute_capability"] == "9.0"
    assert report["counts"]["failed"] == 0
    for step in "transforms of side 4", "random fabrics", "compared with references":
        assert "passed" in folder.results(step), step
    for tool in "memcheck", "racecheck", "synccheck":
        assert folder.results(f"compute-sanitizer {tool}")[0].startswith("skipped ")

    for timing in report["timings"]:
        assert timing["measured"] > 0 and timing["unit"] in ("s", "us", "PE-cycles/s")
    estimated = [timing for timing in report["timings"] if timing["estimated"] is not None]
    # Two of each of two transforms, and one of each program.
    assert len(estimated) == (4 + 7 if (BUILT / "imitation/bench-device").exists() else 0)
    for timing in estimated:
        assert timing["ratio"] == timing["measured"] / timing["estimated"]
    assert "[       OK ]" in (folder.path / "report/log.txt").read_text()


def test_finds_a_wrong_bit(folder):
    assert folder.run("--imitation", "--only", "side 4", WEFT_FAULTY_IMITATION="1") == 1
    assert folder.report["counts"]["failed"] > 0
    assert any(result.startswith("failed ") for result in folder.results("transforms of side 4"))
    assert 'Which is: "memory word' in folder.text.partition("\nFailed\n")[2]


def test_goes_on_after_a_step_that_does_not_end(folder):
    folder.replace("imitation/weft", ANSWERS)
    folder.replace("imitation/weft-test-gpu", "echo '[ RUN      ] A.Hangs'; sleep 1000\n")
    folder.replace("imitation/bench-device", "echo '{\"benchmarks\": []}'\n")
    assert folder.run("--imitation", "--step-seconds", "5", "--only", "side 4") == 1
    assert folder.results("transforms of side 4") == [
        "skipped under way when killed", "failed killed at its limit of 5 s"]
    assert folder.results("steps timed, side 4") == ["failed it gave no result"]


def test_kills_a_step_with_all_that_it_has_started(folder):
    folder.replace("imitation/weft", ANSWERS)
    note = folder.path / "started"
    folder.replace("imitation/weft-test-gpu",
                   f"trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > {note}; sleep 1000' & wait\n")
    folder.run("--imitation", "--step-seconds", "1", "--only", "transforms of side 4")
    assert folder.report["steps"][-1]["end"] == "killed"
    process = pathlib.Path(f"/proc/{note.read_text().strip()}/stat")
    end = time.monotonic() + 20
    while process.exists() and process.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < end
        time.sleep(0.1)


def test_goes_on_after_a_step_that_crashes(folder):
    folder.replace("imitation/weft-test-gpu", "echo '[ RUN      ] A.Crashes'; kill -SEGV $$\n")
    folder.replace("imitation/bench-device", "echo out of memory >&2; exit 1\n")
    assert folder.run("--imitation", "--only", "side 4") == 1
    assert folder.results("transforms of side 4") == ["failed it did not end"]
    assert folder.results("steps timed, side 4") == ["failed exit code 1\nout of memory"]


def test_unexpected_json_fails_its_step(folder):
    folder.replace("imitation/weft", ANSWERS)
    folder.replace("imitation/bench-device", "echo '{\"benchmarks\": [{}]}'\n")
    assert folder.run("--imitation", "--only", "steps timed, side 4") == 1
    assert folder.results("steps timed, side 4") == ["failed KeyError('name')"]


def test_leaves_out_what_the_run_has_no_time_for(folder):
    folder.replace("imitation/weft", ANSWERS)
    folder.replace("imitation/weft-test-gpu", "sleep 1000\n")
    assert folder.run("--imitation", "--seconds", "6", "--only", "side 4") == 124
    assert folder.report["state"] == "out of time"
    assert folder.results("transforms of side 4")[0].startswith("skipped the run's 6 s were over")
    assert folder.results("steps timed, side 4") == [
        "skipped no time was left of the 6 s of the run"]


def test_leaves_a_report_when_it_is_interrupted(folder):
    folder.replace("imitation/weft-test-gpu", "kill -TERM $PPID; sleep 1000\n")
    assert folder.run("--imitation", "--only", "side 4") == 130
    assert folder.report["state"] == "interrupted"
    assert folder.report["devices"][0]["name"] == "CUDA on the host"
    assert folder.report["steps"][-1]["name"] == "transforms of side 4"
    assert folder.text.endswith("; interrupted\n")


def test_leaves_a_report_when_it_is_killed(folder):
    folder.replace("imitation/weft", ANSWERS)
    folder.replace("imitation/weft-test-gpu", "kill -KILL $PPID\n")
    assert folder.run("--imitation", "--only", "side 4") == -9
    assert folder.report["state"] == "running" and folder.report["exit_code"] is None
    assert folder.report["steps"][-1]["end"] == "under way"
    assert "the run had not ended" in folder.text


def test_goes_on_where_nobody_reads(folder):
    folder.replace("imitation/weft", ANSWERS)
    folder.replace("imitation/weft-test-gpu",
                   "echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'; sleep 1\n")
    start = folder.replace("start", f"{folder.path}/run --imitation --only 'side 4' --out "
                                    f"{folder.path}/report | true\n")
    assert "Error" not in folder.start([start]).stderr
    folder.read()
    assert folder.report["state"] == "finished"


def test_takes_nothing_amiss_of_the_machines_own_programs(folder):
    folder.replace("nvidia-smi", "echo 'Failed to initialize NVML'; exit 9\n")
    path = f"{folder.path}:/usr/bin:/bin"
    assert folder.run("--only", "nvidia-smi", PATH=path, CUDA_VISIBLE_DEVICES="") == 77
    assert folder.results("nvidia-smi before") == ["skipped exit code 9"]


def test_says_that_without_a_device_nothing_is_checked(folder):
    assert folder.run(CUDA_VISIBLE_DEVICES="") == 77
    counts = folder.report["counts"]
    assert (counts["passed"], counts["failed"]) == (0, 0) and counts["skipped"] > 10
    assert all(check["reason"] for check in folder.report["checks"])
    assert "skipped; there is no CUDA device to check (" in folder.text


def test_runs_tests_under_the_sanitizer_that_is_named(folder):
    folder.replace("imitation/weft-test-gpu",
                   "echo '[ RUN      ] A.B'; echo '[       OK ] A.B (1 ms)'; echo \"$1\"\n")
    sanitizer = folder.replace(
        "sanitizer", "tool=$2; shift 6\n"
                     '"$@"\n'
                     "[ $tool = racecheck ] && echo 'ERROR SUMMARY: 1 error' && exit 99\n"
                     "echo '========= ERROR SUMMARY: 0 errors'\n")
    assert folder.run("--imitation", "--only", "sanitizer", COMPUTE_SANITIZER=str(sanitizer)) == 1
    assert folder.results("compute-sanitizer memcheck") == ["passed", "passed"]
    assert folder.results("compute-sanitizer racecheck") == [
        "passed", "failed exit code 99; ERROR SUMMARY: 1 error"]


def test_starts_where_a_copy_has_lost_its_permissions(folder):
    script = folder.replace("bin/bench-device", "exit 0\n")
    for file in script, folder.path / "run":
        file.chmod(0o644)
    done = folder.start(["/bin/sh", folder.path / "run", "--only", "nothing", "--out",
                         folder.path / "report"], CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 77, done.stderr
    assert os.access(script, os.X_OK)


def test_takes_the_folders_loader_where_the_systems_fails(folder):
    """It is a script here, and the system lacks the other program's."""
    folder.replace("bin/bench-device", "", "/no/such/loader")
    (folder.path / "lib/glibc").mkdir(parents=True)
    folder.replace("lib/glibc/ld-linux-x86-64.so.2",
                   '[ "$1" = --version ] && echo "ld.so release version 2.99." && exit\n'
                   'shift 2; exec "$@"\n')
    assert folder.run(CUDA_VISIBLE_DEVICES="") == 77
    assert folder.report["host"]["loader"] == "the folder's"
    assert folder.report["host"]["glibc in use"] == "2.99"
    assert "/lib/glibc/ld-linux-x86-64.so.2 --library-path " in folder.report["steps"][0]["command"]


def test_refuses_programs_that_do_not_start(folder):
    folder.replace("bin/bench-device", "", "/no/such/loader")
    done = folder.start([folder.path / "run"])
    assert done.returncode == 2
    assert "the programs cannot start (neither by this system's loader nor" in done.stderr


def test_refuses_a_folder_that_is_not_whole(folder):
    (folder.path / "bin/bench-device").unlink()
    done = folder.start([folder.path / "run"])
    assert done.returncode == 2
    assert "bench-device is missing); copy the whole folder" in done.stderr


@pytest.mark.parametrize("words, why", [
    (["--seconds", "0"], "argument --seconds: 0 is not between 1 and 1e6"),
    (["--side", "4"], "unrecognized arguments: --side 4"),
    (["--out", "/dev/null/report"], "/dev/null/report: Not a directory")])
def test_refuses_wrong_arguments(folder, words, why):
    done = folder.start([folder.path / "run", *words])
    assert done.returncode == 2
    assert done.stderr.startswith("gpu-check: ") and why in done.stderr


def test_help_lists_the_exit_codes(folder):
    done = folder.start([folder.path / "run", "--help"])
    assert done.returncode == 0 and "\n  77   nothing was checked" in done.stdout


def test_says_that_it_needs_python(folder):
    (folder.path / "dirname").symlink_to(shutil.which("dirname"))
    done = folder.start([folder.path / "run"], PATH=str(folder.path))
    assert done.returncode == 2
    assert "PATH has no Python 3.9 or later" in done.stderr


@pytest.mark.parametrize("source", sorted((BUILT / "check").glob("*.py")), ids=lambda s: s.name)
def test_is_python_3_9(source):
    ast.parse(source.read_text(), feature_version=(3, 9))

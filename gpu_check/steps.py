"""The steps of a check, in order."""

from dataclasses import dataclass, replace
from typing import Callable

import readers

RESULTS = "{results}"  # in an argument: the file that the program writes its results to
SMI = ("name,driver_version,pstate,clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu,power.draw,"
       "memory.total,memory.used,ecc.mode.current,compute_mode")


@dataclass(frozen=True)
class Step:
    name: str
    program: str
    arguments: list
    limit_s: float
    read: Callable  # takes checks, timings and the like from what the program has written
    needs: str = "cuda"  # an engine or reference without which the step is skipped; or empty
    tool: str = ""  # of compute-sanitizer, which then runs the program; or empty
    of_host: bool = False  # a program of the machine, not of the folder


@dataclass(frozen=True)
class Sizes:
    """The cases. An imitation takes others: it is a thousand times slower."""
    transforms: tuple  # sides, a step for each group
    meshes: str  # filters of the tests on them
    shapes: str
    cufft: str
    compared: str  # sides
    compared_large: str  # sides of one transform each
    timed: tuple
    mesh: int  # side, of the other programs that are timed
    runs: int  # of each that is timed, below a side of 256
    sanitized: str  # filter: under compute-sanitizer a kernel takes ten to a hundred times as long


DEVICE = Sizes(
    transforms=((4,), (8, 16), (32, 64), (128,)),
    meshes="*FabricsOnADevice*:*MeshesOnADevice*",
    shapes="*ShapesOnADevice*:*TransposesOnADevice*",
    cufft="Cufft.*",
    compared="8,16,32,64", compared_large="128,256", timed=(64, 128, 256, 512), mesh=512, runs=5,
    sanitized="*/n4_fp32_forward:*/MeshesOnADevice*/1x40on1:*/MeshesOnADevice*/35x9on1")
IMITATION = Sizes(
    transforms=((4,),),
    meshes="*FabricsOnADevice*/0:*MeshesOnADevice*/1x1on1",
    shapes="*ShapesOnADevice*/box",
    cufft="Cufft.*-*.AgreesWithTheEmulated*",
    compared="4", compared_large="8", timed=(4, 8), mesh=8, runs=1,
    sanitized="*/FftOnADevice*/n4_fp32_forward")


def tests(name, tests_filter, limit_s):
    arguments = ["--gtest_filter=" + tests_filter, "--gtest_output=json:" + RESULTS]
    return Step(name, "weft-test-gpu", arguments, limit_s, readers.read_tests)


def transforms(sides):
    return tests(f"transforms of side {', '.join(map(str, sides))}",
                 ":".join(f"*/n{n}_*" for n in sides), 60)


def compare(name, sides, *more):
    arguments = ["compare", "--engines", "host,cuda", "--shapes", sides, "--json", "-", *more]
    return Step(name, "weft", arguments, 60, readers.read_compare)


def benchmark(name, option, side, runs, limit_s):
    runs = 1 if side >= 256 else runs
    return Step(name, "bench-device",
                [f"{option}={side}", f"--runs={runs}", "--benchmark_format=json"], limit_s,
                readers.read_benchmark)


def transform_timed(side, runs):
    return benchmark(f"steps timed, side {side}", "--sides", side, runs, 240 if side >= 512 else 60)


def sanitizer(tool, tests_filter):
    return replace(tests(f"compute-sanitizer {tool}", tests_filter, 90),
                   read=readers.read_sanitizer, tool=tool)


def clocks(name):
    return Step(name, "nvidia-smi", [f"--query-gpu={SMI}", "--format=csv"], 20, readers.read_smi,
                needs="", of_host=True)


def steps(imitation):
    sizes = IMITATION if imitation else DEVICE
    smallest, *larger = map(transforms, sizes.transforms)
    before, after = ([] if imitation else [clocks(f"nvidia-smi {when}")]
                     for when in ("before", "after"))
    return [
        Step("device", "weft", ["info", "--json", "-"], 30, readers.read_info, needs=""),
        *before,
        tests("devices", "DevicesOfAGpuHost.*", 20),
        smallest,
        tests("random fabrics", sizes.meshes, 90),
        *larger,
        tests("transforms of other shapes and kinds", sizes.shapes, 60),
        replace(tests("cuFFT", sizes.cufft, 60), needs="cufft"),
        compare("compared with references", sizes.compared),
        benchmark("programs timed", "--meshes", sizes.mesh, sizes.runs, 120),
        *(transform_timed(side, sizes.runs) for side in sizes.timed),
        compare("large, compared and timed", sizes.compared_large,
                "--precisions", "fp32", "--directions", "forward"),
        *after,
        *(sanitizer(tool, sizes.sanitized) for tool in ("memcheck", "racecheck", "synccheck")),
    ]

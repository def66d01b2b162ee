"""The folder's programs, and how they are started.

They bring their libraries (lib/). Where the system's C library is too old for them, or of another
kind, the loader in lib/glibc starts them, which brings one too.
"""

import os
import platform
import subprocess
from dataclasses import dataclass

NAMES = "weft", "weft-test-gpu", "bench-device"
# CUDA's driver is where the system's list of libraries (/etc/ld.so.cache) has it, or else here.
DRIVER_FOLDERS = "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"


class Refused(Exception):
    """Nothing is checked: what is wrong, why, and what to do."""

    def __str__(self):
        what, why, advice = self.args
        return f"{what} ({why}); {advice}"


@dataclass
class Programs:
    folder: os.PathLike
    loader: str = ""  # of the folder; empty: the system's
    library_path: str = ""  # for that loader

    def words(self, name):
        path = str(self.folder / name)
        start = [self.loader, "--library-path", self.library_path] if self.loader else []
        return start + [path]


def ends_well(words, **environment):
    try:
        done = subprocess.run(words, env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError:
        return False
    return done.returncode == 0 and b"not found" not in done.stdout


def find(folder, kind):
    """The programs of the sub-folder `kind`; Refused if they are not whole, or do not start."""
    for name in NAMES:
        if not (folder / kind / name).exists():
            advice = ("try build/gpu-check-tried, which `make gpu-check` leaves"
                      if kind == "imitation" else
                      "copy the whole folder that `make gpu-check` has built")
            raise Refused("incomplete folder", f"{folder / kind / name} is missing", advice)
    for program in [*folder.glob("bin/*"), *folder.glob("lib/glibc/*")]:
        try:  # not everything that copies keeps permissions
            program.chmod(program.stat().st_mode | 0o111)
        except OSError:
            pass
    given = os.environ.get("LD_LIBRARY_PATH")
    os.environ["LD_LIBRARY_PATH"] = ":".join(([given] if given else []) + [*DRIVER_FOLDERS])

    all_programs = [*folder.glob("bin/*"), *folder.glob("imitation/*")]
    # The loader then lists what it finds, instead of starting the program.
    if all(ends_well([str(program)], LD_TRACE_LOADED_OBJECTS="1") for program in all_programs):
        return Programs(folder / kind)
    system = platform.machine()
    for loader in folder.glob("lib/glibc/ld-linux*"):
        paths = [str(folder / "lib/glibc"), str(folder / "lib"), os.environ["LD_LIBRARY_PATH"],
                 "/usr/lib64", f"/usr/lib/{system}-linux-gnu"]
        found = Programs(folder / kind, str(loader), ":".join(paths))
        if ends_well(found.words("weft") + ["--version"]):
            return found
    raise Refused("the programs cannot start",
                  "neither by this system's loader nor by the folder's own",
                  f"copy the whole folder to a machine with Linux on {system}, as where it was "
                  "built")

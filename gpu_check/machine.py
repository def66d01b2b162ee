"""The machine that the device is in, and where it keeps CUDA's tools and libraries."""

import glob
import os
import pathlib
import platform
import re
import shutil
import subprocess


def value_in(file, key, separator):
    """The text after the first line's `key` and separator; empty if no line starts with the key."""
    try:
        lines = pathlib.Path(file).read_text(errors="replace").splitlines()
    except OSError:
        return ""
    for line in lines:
        if line.startswith(key) and separator in line:
            return line.split(separator, 1)[1].strip(' \t"')
    return ""


def c_library(loader):
    """The version of glibc that the programs use: that of the loader's folder, or the system's."""
    if not loader:
        return platform.libc_ver()[1]
    said = subprocess.run([loader, "--version"], capture_output=True, text=True, check=False)
    found = re.search(r"(\d+\.\d+)\.?$", said.stdout.split("\n")[0])
    return found[1] if found else ""


def describe(loader):
    pages, page = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return {"system": value_in("/etc/os-release", "PRETTY_NAME=", "="),
            "kernel": f"{platform.system()} {platform.release()}",
            "processor": value_in("/proc/cpuinfo", "model name", ":"),
            "threads": len(os.sched_getaffinity(0)),
            "memory": f"{pages * page / 2**30:.1f} GiB",
            "glibc in use": c_library(loader),
            "Python": platform.python_version(),
            "loader": "the folder's" if loader else "the system's"}


def named(*variables):
    return [os.environ[name] for name in variables if os.environ.get(name)]


def toolkits():
    """Where toolkits are: as the environment says, then as they are installed."""
    usual = "/usr/local/cuda*", "/opt/cuda*", "/opt/nvidia/cuda*"
    return named("CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX") + [
        folder for pattern in usual for folder in sorted(glob.glob(pattern))]


def pythons():
    """Prefixes below which Python keeps its packages."""
    yield from ("/usr/local", "/usr", "/opt/conda", "/opt/venv")
    yield from named("VIRTUAL_ENV", "CONDA_PREFIX")
    yield from (home + "/.local" for home in named("HOME"))
    if python := shutil.which("python3"):
        yield str(pathlib.Path(python).parent.parent)
    for pattern in "/opt/*/.venv", "/opt/*/venv":
        yield from sorted(glob.glob(pattern))


def compute_sanitizer():
    """Its path: in PATH, or where toolkits have it; or empty."""
    if found := shutil.which("compute-sanitizer"):
        return found
    for toolkit in toolkits():
        for inside in "bin", "compute-sanitizer", "extras/compute-sanitizer":
            if found := shutil.which("compute-sanitizer", path=f"{toolkit}/{inside}"):
                return found
    return ""


def cufft_folders():
    """Folders with a libcufft.so of any version, where toolkits and Python's packages have it, with
    colons between; those that WEFT_CUFFT_FOLDERS names come first."""
    patterns = [toolkit + inside for toolkit in toolkits()
                for inside in ("/lib64", "/lib", "/targets/*/lib")]
    patterns += [f"{python}/lib/python3*/{packages}/nvidia/*/lib" for python in pythons()
                 for packages in ("site-packages", "dist-packages")]
    found = {}  # by real path: a folder may have several names
    for pattern in patterns:
        for library in sorted(glob.glob(pattern + "/libcufft.so.*")):
            folder = os.path.dirname(library)
            found.setdefault(os.path.realpath(folder), folder)
    return ":".join(named("WEFT_CUFFT_FOLDERS") + list(found.values()))

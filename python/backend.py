"""Builds the wheel of the package weft: CMake compiles the module, and this packs it.

The module is for this machine: the step for its widest vectors, and the CUDA engine if it has a GPU.
CMAKE_ARGS adds options of CMake, as -DWEFT_STEP_NATIVE=OFF for a wheel that others can use.
WEFT_BUILD names a build folder that has the module already; then nothing is compiled.
"""

import base64
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]


def _version():
    text = (SOURCE / "CMakeLists.txt").read_text()
    return re.search(r"project\(weft VERSION ([0-9.]+)", text)[1]


def _metadata():
    return (f"Metadata-Version: 2.1\nName: weft\nVersion: {_version()}\n"
            "Summary: Emulator of wafer-scale fabrics\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\n")


def _tag():
    abi = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{abi}-{abi}-{platform}"


def configure(folder):
    """Prepares a build of the module in a new folder."""
    gpu = any(os.path.exists(device) for device in ("/dev/nvidiactl", "/dev/dxg"))
    subprocess.run(["cmake", "-S", str(SOURCE), "-B", folder, "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
                    "-DWEFT_STEP_NATIVE=ON", f"-DWEFT_CUDA={'ON' if gpu else 'OFF'}",
                    "-DWEFT_IO=OFF", "-DWEFT_TESTS=OFF", "-DWEFT_INSTALL=OFF",
                    "-DBUILD_SHARED_LIBS=ON", "-DWEFT_PYTHON=ON",
                    f"-DPython_EXECUTABLE={sys.executable}",
                    *shlex.split(os.environ.get("CMAKE_ARGS", ""))], check=True)


def _compile(folder):
    configure(folder)
    subprocess.run(["cmake", "--build", folder, "--target", "weft-python", "--parallel",
                    str(len(os.sched_getaffinity(0)))], check=True)


def _files(folder):
    package = pathlib.Path(folder) / "python" / "weft"
    for path in sorted(package.iterdir()):
        if path.suffix in (".py", ".pyi", ".so", ".typed"):
            yield f"weft/{path.name}", path.read_bytes()


def _info():
    """The files of the folder .dist-info, but RECORD."""
    return {"METADATA": _metadata(),
            "WHEEL": (f"Wheel-Version: 1.0\nGenerator: weft\nRoot-Is-Purelib: false\n"
                      f"Tag: {_tag()}\n")}


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Without it, pip builds the wheel twice."""
    name = f"weft-{_version()}.dist-info"
    folder = pathlib.Path(metadata_directory) / name
    folder.mkdir()
    for file, text in _info().items():
        (folder / file).write_text(text)
    return name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"weft-{_version()}-{_tag()}.whl"
    info = f"weft-{_version()}.dist-info"
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.environ.get("WEFT_BUILD")
        if not folder:
            folder = scratch
            _compile(folder)
        files = dict(_files(folder))
    files.update({f"{info}/{file}": text.encode() for file, text in _info().items()})
    record = ""
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            record += f"{path},sha256={digest.decode()},{len(content)}\n"
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("install from the source tree: pip install .")

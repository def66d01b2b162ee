"""Files, shapes and options of `weft fft` as careless people give them."""

import gzip
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np
import weft
from row import command, refused, row

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def folder():
    return tempfile.TemporaryDirectory()


def nifti(numbers):
    """A NIfTI-1 file of float32, x first."""
    header = bytearray(352)
    struct.pack_into("<i", header, 0, 348)
    struct.pack_into("<8h", header, 40, numbers.ndim, *numbers.shape, *[1] * (7 - numbers.ndim))
    struct.pack_into("<2h", header, 70, 16, 32)
    struct.pack_into("<f", header, 108, 352)
    header[344:348] = b"n+1\0"
    return bytes(header) + numbers.astype("<f4").tobytes(order="F")


def transformed(name, content, *arguments):
    """The command's result for a file of this content."""
    with folder() as here:
        given, output = pathlib.Path(here, name), pathlib.Path(here, "o.npy")
        given.write_bytes(content)
        said = command("fft", "--input", str(given), "--output", str(output), *arguments)
        assert said.returncode == 0, said.stderr
        return np.load(output)


def refusal(name, content, *arguments):
    """What the command says of such a file."""
    with folder() as here:
        given = pathlib.Path(here, name)
        given.write_bytes(content)
        said = command("fft", "--input", str(given), *arguments)
        assert said.returncode == 2, f"exit code {said.returncode}: {said.stdout}{said.stderr}"
        return said.stderr


def npy(array):
    with folder() as here:
        path = pathlib.Path(here, "x.npy")
        np.save(path, array)
        return path.read_bytes()


def cube():
    return np.arange(512, dtype=np.float32).reshape(8, 8, 8) % 7


@row(".nii.gz with zero bytes behind it", "read")
def padded_gzip():
    x = cube()
    for content in (gzip.compress(nifti(x)) + bytes(10240), gzip.compress(nifti(x) + bytes(512))):
        np.testing.assert_allclose(transformed("x.nii.gz", content), np.fft.fftn(x), atol=1e-2)


@row(".nii.gz and .npy with other bytes behind them", "refused")
def garbage_behind():
    assert "too long" in refusal("x.nii.gz", gzip.compress(nifti(cube())) + b"tail")
    assert "too long" in refusal("x.npy", npy(cube()) + b"tail")


@row("a git-lfs pointer named .npy, .nii or .nii.gz", "git lfs pull")
def lfs():
    for name in ("x.npy", "x.nii", "x.nii.gz"):
        said = refusal(name, LFS)
        assert "git-lfs pointer" in said and "git lfs pull" in said, said


@row("an empty file, a web page, a zip archive named .npy", "what it is")
def other_content():
    for content, words in ((b"", "empty"), (b"<!DOCTYPE html>\n<html>", "web page"),
                           (b"PK\x03\x04....", "zip")):
        assert words in refusal("x.npy", content)


@row("a plain file named .nii.gz, a compressed one named .nii", "read")
def other_names():
    x = cube()
    for name, content in (("x.nii.gz", nifti(x)), ("x.nii", gzip.compress(nifti(x))),
                          ("x.nii", npy(x))):
        np.testing.assert_allclose(transformed(name, content), np.fft.fftn(x), atol=1e-2)


@row("weft fft --input (of shape (64, 1)) [--shape 64 --fit resample]", "reshape it")
def column():
    for arguments in ((), ("--shape", "64"), ("--shape", "64", "--fit", "resample")):
        assert "reshape it to (64,)" in refusal("x.npy", npy(np.ones((64, 1))), *arguments)
    refused(lambda: weft.fft(np.ones((64, 1))), weft.UsageError, "reshape")


@row("weft fft --shape 128,128 --output o.npy; --batch 4 --shape 16,16,16", "NumPy's shapes")
def shapes():
    for arguments, shape in ((("--shape", "128,128"), (128, 128)), (("--shape", "64"), (64,)),
                             (("--batch", "4", "--shape", "16,16,16"), (4, 16, 16, 16)),
                             (("--batch", "3", "--shape", "16,16", "--kind", "r2c"), (3, 16, 9))):
        with folder() as here:
            output = os.path.join(here, "o.npy")
            assert command("fft", *arguments, "--output", output).returncode == 0
            assert np.load(output).shape == shape, np.load(output).shape


@row("weft fft --input (4, 16, 16, 16) --batch 4, and back", "as NumPy")
def batch():
    x = np.arange(4 * 16**3, dtype=np.float32).reshape(4, 16, 16, 16) % 11
    y = transformed("x.npy", npy(x), "--batch", "4")
    expected = np.fft.fftn(x, axes=(1, 2, 3))
    assert np.linalg.norm(y - expected) < 1e-5 * np.linalg.norm(expected)
    back = transformed("y.npy", npy(y), "--batch", "4", "--inverse")
    np.testing.assert_allclose(back, x, atol=1e-3)


@row("weft fft --shape 4096", "a mesh that fits")
def default_mesh():
    for arguments in (("--shape", "4096"), ("--shape", "4096", "--batch", "3"),
                      ("--shape", "2048", "--pencil", "split-radix")):
        said = command("fft", *arguments)
        assert said.returncode == 0, said.stderr
    x = np.arange(4096) % 17
    expected = np.fft.fft(x)
    assert np.linalg.norm(weft.fft(x).output - expected) < 1e-5 * np.linalg.norm(expected)


@row("weft fft --shape 4096,4096", "the largest shape that fits")
def too_large():
    said = command("fft", "--shape", "4096,4096", "--plan")
    assert said.returncode == 2 and "2048,2048" in said.stderr, said.stderr


@row("weft fft --plan --input (16 GiB)", "the header is read only")
def plan_of_large_file():
    with folder() as here:
        path = os.path.join(here, "x.npy")
        header = npy(np.zeros((0,), np.float32)).replace(b"(0,)", b"(1024, 1024, 4096)")
        header = header[:-1 - len("1024, 1024, 4096") + len("0,")] + b"\n"
        with open(path, "wb") as f:
            f.write(header)
            f.truncate(len(header) + (1 << 34))
        said = command("fft", "--plan", "--input", path, "--shape", "256,256,256", "--fit", "crop")
        assert said.returncode == 0, said.stderr


@row("threads=0, threads=-3", "refused everywhere alike")
def threads():
    design = weft.Design(4, 4)
    for n in (0, -3):
        said = f"invalid count of threads: {n} (allowed: 1 to 1024)"
        assert f"invalid --threads: {n} (allowed" in command("fft", "--threads", str(n)).stderr
        refused(lambda: weft.FftPlan((8, 8, 8), threads=n), weft.UsageError, said)  # noqa: B023
        refused(lambda: weft.fft(cube(), threads=n), weft.UsageError, said)  # noqa: B023
        refused(lambda: design.fabric(threads=n), weft.UsageError, said)  # noqa: B023
    assert command("fft", "--shape", "8,8,8", "--threads", "1000").returncode == 0


@row("import weft in another Python", "it names the Python that it is built for")
def other_python():
    package = pathlib.Path(weft.__file__).resolve().parents[1]
    code = "import sys; sys.modules['numpy'] = None; import weft"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(package)})
    assert said.returncode == 1 and "it is built for" in said.stderr, said.stderr
    assert f"Python {sys.version_info.major}.{sys.version_info.minor}" in said.stderr, said.stderr


@row("weft fft --input with NaN, with 1e200; FP16 that overflows", "no verdict of ok")
def not_finite():
    x = cube().astype(np.float64)
    for bad in (np.nan, np.inf, 1e200):
        x[3, 2, 1] = bad
        assert "element (3, 2, 1)" in refusal("x.npy", npy(x))
    with folder() as here:
        path = os.path.join(here, "x.npy")
        np.save(path, np.full((8, 8, 8), 60000.0))
        said = command("fft", "--input", path, "--precision", "fp16")
        assert said.returncode == 4 and "FAILED" in said.stdout, said.stdout + said.stderr


@row("weft fft --mesh 65,8", "invalid mesh: 65 PEs along x")
def mesh():
    assert "invalid mesh: 65 PEs along x" in command("fft", "--mesh", "65,8").stderr

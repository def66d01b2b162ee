"""Files of profiles, by Python's own libraries. The module tells what is in them."""

import html
import io
import os
import shutil
import subprocess
import tempfile
import zipfile
import zlib

from ._calls import usage_error as _usage

_LEVEL = 4  # of deflate


def write(entries, path):
    """Writes the entries, a dictionary of bytes, as an archive that appears whole or not at all."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, content in entries.items():
            # The earliest date that there is: equal runs are equal files.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    replace(path, made.getbuffer())


def check_writable(path):
    """Raises now what replace would raise after long work."""
    path = os.path.realpath(os.fspath(path))
    folder = os.path.dirname(path)
    if os.path.isdir(path):
        raise IsADirectoryError(f"cannot write {path!r}: it is a folder")
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"cannot write {path!r}: there is no folder {folder!r}")
    if not os.access(folder, os.W_OK):
        raise PermissionError(f"cannot write {path!r}: the folder is not writable")


def replace(path, content):
    """Writes a file beside its place, and renames it."""
    check_writable(path)
    path = os.path.realpath(os.fspath(path))
    beside = os.path.join(os.path.dirname(path), f".weft-{os.getpid()}-{id(content)}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.remove(beside)
        raise


def is_animated(path):
    """Whether the picture is to show all windows of time: .apng, else .png."""
    if not os.fspath(path).endswith((".png", ".apng")):
        raise _usage(f"cannot draw {os.fspath(path)!r}", "heat maps are PNG files",
                     "name a .png file, or an .apng file for all windows of time")
    return os.fspath(path).endswith(".apng")


def picture(script_of, path):
    """What gnuplot draws by script_of(file to write), a PNG for the file `path`."""
    check_writable(path)
    if not shutil.which("gnuplot"):
        raise FileNotFoundError(f"cannot draw {os.fspath(path)!r}: gnuplot is not installed")
    with tempfile.TemporaryDirectory() as folder:
        part = os.path.join(folder, "part.png")
        subprocess.run(["gnuplot"], input=script_of(part), text=True, check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        drawn = b""
        if os.path.exists(part):
            with open(part, "rb") as file:
                drawn = file.read()
    if b"IEND" not in drawn[-16:]:  # gnuplot does not report a full disk
        raise OSError(f"cannot draw {os.fspath(path)!r}: gnuplot failed, or the disk is full")
    return drawn


def name(path):
    """A file's own name, without its suffix."""
    return os.path.splitext(os.path.basename(os.fspath(path)))[0]


def deflate(content):
    """Deflated, without a header."""
    deflating = zlib.compressobj(_LEVEL, zlib.DEFLATED, -15)
    return deflating.compress(content) + deflating.flush()


def frame(page):
    """A page inside another one, which it can do nothing to."""
    return (f'<iframe srcdoc="{html.escape(page)}" sandbox="allow-scripts allow-downloads"'
            ' style="width: 100%; height: 760px; border: 0"></iframe>')


def read(path):
    """The entries of such a file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()
                    if name == "run.json" or name.endswith(".npy")}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError,
            ValueError) as error:
        raise _usage(f"cannot use {os.fspath(path)!r} as a run", str(error),
                     "give a file that a profile was saved to, unchanged") from None

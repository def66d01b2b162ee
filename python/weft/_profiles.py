"""Files of profiles: ZIP archives, by Python's own library. The module tells what is in them."""

import io
import os
import zipfile
import zlib

from ._calls import usage_error as _usage


def write(entries, path):
    """Writes the entries, a dictionary of bytes, so that the file appears whole or not at all."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as archive:
        for name, content in entries.items():
            # The earliest date that there is: equal runs are equal files.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    path = os.path.realpath(os.fspath(path))
    if os.path.isdir(path):
        raise IsADirectoryError(f"cannot write {path!r}: it is a folder")
    beside = os.path.join(os.path.dirname(path), f".weft-{os.getpid()}-{id(made)}.tmp")
    try:
        with open(beside, "xb") as file:
            file.write(made.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        if os.path.exists(beside):
            os.remove(beside)
        raise


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

"""Files of traces, written while a fabric runs. The module tells what is in them."""

import os
import zlib


class File:
    """A file that appears at its path when it is finished; until then it stands beside it."""

    def __init__(self, path, compressed):
        self._path = os.path.realpath(path)
        if os.path.isdir(self._path):
            raise IsADirectoryError(f"cannot write {path!r}: it is a folder")
        self._beside = os.path.join(os.path.dirname(self._path),
                                    f".weft-{os.getpid()}-{id(self)}.tmp")
        self._file = open(self._beside, "xb")
        self._gzip = zlib.compressobj(4, zlib.DEFLATED, 31, 9) if compressed else None
        self._bytes = 0

    def write(self, data):
        """Returns how many bytes the file has then."""
        if self._gzip:
            data = self._gzip.compress(data)
        self._bytes += self._file.write(data)
        return self._bytes

    def finish(self, front):
        """`front` is written over its first bytes."""
        if self._gzip:
            self._bytes += self._file.write(self._gzip.flush())
        if front:
            self._file.seek(0)
            self._file.write(front)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        os.replace(self._beside, self._path)
        return self._bytes

    def __del__(self):
        file = getattr(self, "_file", None)
        if file is None or file.closed:
            return
        file.close()
        os.remove(self._beside)

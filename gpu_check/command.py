"""Runs a command within a limit."""

import ctypes
import os
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass

GRACE = 2  # seconds between asking and killing
PATIENCE = 10  # seconds for a killed process to be gone: a GPU may hold it
CANNOT_START = 127  # as shells and loaders say it
PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>

LIBC = ctypes.CDLL(None)
interrupts = []  # the signals that came


@dataclass
class Done:
    """The end of a command."""
    not_started: str = ""  # why, if it was not; then the rest means nothing
    exit_code: int = -1  # 128 + the signal's number if a signal ended it
    killed: bool = False  # at its limit, or because this process was interrupted
    seconds: float = 0
    out: str = ""
    err: str = ""
    results: str = ""  # the file that it was asked to write, if it came to that


def heed_interrupts():
    """From now on SIGINT, SIGTERM and SIGHUP end what is run, and interrupts lists them."""
    for one in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
        signal.signal(one, lambda number, frame: interrupts.append(number))


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def ended_within(child, limit_s, heed=False):
    end = time.monotonic() + limit_s
    while child.poll() is None:
        if time.monotonic() >= end or (heed and interrupts):
            return False
        time.sleep(0.01)
    return True


def kill_all(child, how):
    """The child, and all that it has started."""
    try:
        os.killpg(child.pid, how)
    except ProcessLookupError:
        pass


def text_of(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def run(words, limit_s, environment=None):
    """Runs a command without standard input, and kills it with all that it has started after
    `limit_s` seconds, or when this process is interrupted."""
    done = Done()
    start = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                     env={**os.environ, **(environment or {})},
                                     start_new_session=True, preexec_fn=die_with_parent)
        except OSError as e:
            return Done(not_started=f"{words[0]}: {e.strerror}")
        if not ended_within(child, limit_s, heed=True):
            done.killed = True
            kill_all(child, signal.SIGTERM)
            ended_within(child, GRACE)
            kill_all(child, signal.SIGKILL)
            ended_within(child, PATIENCE)
        done.seconds = time.monotonic() - start
        if child.returncode is not None:
            code = child.returncode
            done.exit_code = code if code >= 0 else 128 - code
        done.out, done.err = text_of(out), text_of(err)
    if done.exit_code == CANNOT_START and not done.out:
        done.not_started = done.err.split("\n")[0]
    return done

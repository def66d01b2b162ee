"""A child that is forked while a run goes on, in another thread or its own, may end at once."""

import subprocess
import sys

import pytest

START = """
import os, sys, threading, time
import numpy as np
import weft

design = weft.Design(4, 64)

def program(pe):
    i = pe.scalar("i")
    with pe.repeat_while(i == 0):
        pe.set(i, 0)

design.program(design.all, "endless", program)

def status_of(child):
    began = time.monotonic()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert time.monotonic() - began < 9, "the child took long"  # 10 s: it waited for the others
    return status
"""

BESIDE = START + """
def run(stop):
    def progress(cycle):
        if stop.is_set():
            raise KeyError("stop")
    try:
        design.fabric(threads={threads}, progress=progress).run_until_idle(10**12)
    except KeyError:
        pass

stop = threading.Event()
thread = threading.Thread(target=run, args=(stop,))
thread.start()
time.sleep(0.3)
child = os.fork()
if child == 0:
    {end}
try:
    status = status_of(child)
finally:
    stop.set()
    thread.join()
sys.exit(status - 7)
"""

WITHIN = START + """
children = []

def progress(cycle):
    child = os.fork()
    if child == 0:
        {end}
    children.append(child)
    raise KeyError("stop")

try:
    design.fabric(threads={threads}, progress=progress).run_until_idle(10**12)
except KeyError:
    sys.exit(status_of(children[0]) - 7)
"""

ENDS = {
    "os._exit": "os._exit(7)", "sys.exit": "sys.exit(7)",
    "a transform": "weft.fft(np.ones((16, 16, 16)), threads=2); sys.exit(7)",
}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("program", [BESIDE, WITHIN], ids=["beside", "within"])
@pytest.mark.parametrize("end", ENDS)
def test_a_child_ends_at_once(program, end, threads):
    code = program.format(end=ENDS[end], threads=threads)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr

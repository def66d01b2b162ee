"""The interpreter may end while other threads are at work."""

import subprocess
import sys

import pytest

WORK = {
    "transforms": """
    x = np.ones((16, 16, 16))
    while True:
        weft.fft(x)
""",
    "a long run": """
    weft.FftPlan((128, 128, 128)).run(np.ones((128, 128, 128)))
""",
    "small estimates": """
    plan = weft.FftPlan((8, 8, 8))
    while True:
        plan.estimate()
""",
}


@pytest.mark.parametrize("name", WORK)
@pytest.mark.parametrize("after", [0.05, 0.2, 0.4])
def test_threads_at_work_do_not_end_the_process_by_a_signal(name, after):
    code = f"""
import threading, time
import numpy as np
import weft
def work():{WORK[name]}
def quiet():  # Python may end with a signal where a thread prints while it ends
    try:
        work()
    except weft.Error:
        pass
for _ in range(3):
    threading.Thread(target=quiet, daemon=True).start()
time.sleep({after})
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           timeout=120)
    assert ended.returncode == 0, ended.stderr


def test_the_end_waits_for_calls_of_other_threads():
    code = """
import os, threading, time
import numpy as np
import weft

class Slow:
    def __array__(self, dtype=None, copy=None):
        called.set()
        time.sleep(0.5)
        os.write(1, b"awake")
        return np.ones((8, 8, 8), dtype)

called = threading.Event()
threading.Thread(target=lambda: weft.FftPlan((8, 8, 8)).run(Slow()), daemon=True).start()
called.wait()
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           timeout=120)
    assert ended.returncode == 0
    assert ended.stdout == "awake"

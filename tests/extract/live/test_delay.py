"""A server that a busy machine keeps waiting is not told to be slow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from echolot_lsp.extract.live.delay import seconds_kept_waiting

SPIN = """
import os, subprocess, sys, time
one = sorted(os.sched_getaffinity(0))[0]
os.sched_setaffinity(0, {one})
others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
end = time.process_time() + 0.2
while time.process_time() < end:
    pass
for other in others:
    other.kill()
print("done", flush=True)
sys.stdin.read()
"""


def test_time_without_a_processor_is_told_apart_from_a_slow_start() -> None:
    with subprocess.Popen([sys.executable, "-c", SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"done\n"
        waited = seconds_kept_waiting()
        assert server.stdin is not None
        server.stdin.close()
    if Path("/proc/self/schedstat").exists():
        assert waited > 0.1
    else:
        assert waited == 0


def test_a_process_without_children_has_waited_for_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as idle:
        assert seconds_kept_waiting(idle.pid) == 0
        idle.kill()

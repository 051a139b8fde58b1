"""Stands between us and a stdio server's process, so that the whole process group ends for sure when we do.

``python guard.py COMMAND ARG…``: runs the command with our standard streams and waits for it. When our parent dies (even by
SIGKILL) or we are told to end, the process group is killed. On Linux the kernel tells (PR_SET_PDEATHSIG); elsewhere the parent
is looked for twice a second. Standard library only: it is started for every stdio server.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from types import FrameType

PARENT_POLL_SECONDS = 0.5
PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(command: list[str]) -> int:
    """The exit status of the command; 127 where it cannot be started (the reason goes to standard error)."""
    if sys.platform == "win32":
        return subprocess.call(command)
    parent = os.getppid()
    signal.signal(signal.SIGTERM, _end_group)
    _ask_for_the_parents_death()
    try:
        child = subprocess.Popen(command)
    except OSError as error:
        print(f"{START_FAILED}{error.strerror or error}", file=sys.stderr)
        return 127
    # our copies of the pipes must not keep the server's ends open
    for stream in (0, 1):
        os.close(stream)
    while True:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.wait(PARENT_POLL_SECONDS)
        if os.getppid() != parent:
            _end_group(signal.SIGTERM, None)


START_FAILED = "echolot-guard: cannot start: "
"""Marks, on standard error, that the command could not be started."""


def _end_group(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGTERM)
        time.sleep(1)
        os.killpg(0, signal.SIGKILL)
    os._exit(143)


def _ask_for_the_parents_death() -> None:
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

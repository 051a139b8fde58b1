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
from collections.abc import Callable
from types import FrameType

PARENT_POLL_SECONDS = 0.5
GRACE_SECONDS = 0.7
PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(command: list[str]) -> int:
    """The exit status of the command; 127 where it cannot be started (the reason goes to standard error)."""
    if sys.platform == "win32":
        return subprocess.call(command)
    parent = os.getppid()
    try:
        # a group of its own: it can be ended to the last grandchild without ending us
        child = subprocess.Popen(command, process_group=0, preexec_fn=_ask_for_the_parents_death(signal.SIGKILL))
    except OSError as error:
        print(f"{START_FAILED}{error.strerror or error}", file=sys.stderr)
        return 127

    def told_to_end(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not begin anew
        _end_group(child)
        os._exit(143)

    signal.signal(signal.SIGTERM, told_to_end)
    _ask_for_the_parents_death(signal.SIGTERM)()
    # our copies of the pipes must not keep the server's ends open
    for stream in (0, 1):
        os.close(stream)
    while os.getppid() == parent:
        with contextlib.suppress(subprocess.TimeoutExpired):
            status = child.wait(PARENT_POLL_SECONDS)
            _end_group(child)
            return status
    _end_group(child)
    return 143


START_FAILED = "echolot-guard: cannot start: "
"""Marks, on standard error, that the command could not be started."""


def _end_group(child: subprocess.Popen[bytes]) -> None:
    """Ends the server and all that it started: asked first, killed after ``GRACE_SECONDS``."""
    deadline = time.monotonic() + GRACE_SECONDS
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGTERM)
        while time.monotonic() < deadline:
            child.poll()
            os.killpg(child.pid, 0)
            time.sleep(0.02)
        os.killpg(child.pid, signal.SIGKILL)


def _ask_for_the_parents_death(number: signal.Signals) -> Callable[[], None]:
    """What a process calls to get ``number`` when its parent dies; does nothing where there is no such thing."""
    if not sys.platform.startswith("linux"):
        return lambda: None
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        prctl = ctypes.CDLL(None).prctl
        return lambda: prctl(PR_SET_PDEATHSIG, number)
    return lambda: None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

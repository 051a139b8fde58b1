"""The long random walk: ``python -m tests.model [STEPS] [SEED]``. Ends with ``N passed, N failed``, one a hundred steps."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from echolot_lsp.model import PROVIDERS
from tests.model.walk import Walk

STEPS_OF_A_WALK = 500
STEP_SECONDS = 60
GROWTH = 1.1
"""Memory after the last walk over that after a fifth of them: more is a leak."""


class Errors(logging.Handler):
    """Whatever the server logs as an error is one of the walk's."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.logged: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.logged.append(self.format(record))


async def walk(seed: int, steps: int, taken: Counter[str], errors: Errors) -> int:
    """One walk from nothing, with the command line's answer at its end; how many files were compared."""
    with tempfile.TemporaryDirectory() as folder:
        one = Walk(Path(folder), seed)
        for _ in range(steps):
            await asyncio.wait_for(one.step(), STEP_SECONDS)
            if errors.logged:
                one.fail("logged", errors.logged[0], None)
        await one.compare_with_command_line()
        await one.desk.session.shutdown()
        taken.update(one.taken)
        return one.compared


def memory() -> int:
    """Resident memory now, in KiB (the peak where the system does not tell)."""
    gc.collect()
    status = Path("/proc/self/status")
    if status.exists():
        return int(next(line.split()[1] for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def handles() -> int:
    """Open file handles; 0 where the system does not tell."""
    return len(os.listdir("/proc/self/fd")) if os.path.exists("/proc/self/fd") else 0


def main(steps: int, seed: int) -> int:
    """Walks of 500 steps each, from consecutive seeds."""
    from echolot_lsp.tokens import costs

    errors = Errors()
    logging.getLogger("echolot_lsp").addHandler(errors)
    assert set(costs([{"name": "find_parcel"}])) == set(PROVIDERS)  # the vocabularies are no leak
    begun, walks = time.monotonic(), max(1, steps // STEPS_OF_A_WALK)
    early, compared = (0, 0, 0), 0
    taken: Counter[str] = Counter()
    for number in range(walks):
        try:
            compared += asyncio.run(walk(seed + number, min(steps, STEPS_OF_A_WALK), taken, errors))
        except (AssertionError, TimeoutError) as error:
            print(f"walk {seed + number}: {error or 'a step did not end'}")
            print(f"{number * STEPS_OF_A_WALK // 100} passed, 1 failed")
            return 1
        if number == walks // 5:
            early = memory(), threading.active_count(), handles()
    late = memory(), threading.active_count(), handles()
    print(", ".join(f"{step} {times}" for step, times in taken.most_common()))
    print(f"{steps} steps, {compared} files compared, {time.monotonic() - begun:.0f} s")
    print(f"memory (KiB), threads, file handles: {early}, then {late}")
    leak = walks > 5 and (late[0] > GROWTH * early[0] or late[1:] > early[1:])
    print(f"{steps // 100} passed, {int(leak)} failed")
    return int(leak)


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(words[0] if words else 10_000, words[1] if len(words) > 1 else 1))

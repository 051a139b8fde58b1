"""The long random walk: ``python -m tests.model [STEPS] [SEED]``. Ends with ``N passed, N failed``, one a hundred steps."""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
import tempfile
import time
from pathlib import Path

from tests.model.walk import Walk

STEPS_OF_A_WALK = 500
GROWTH = 1.1
"""Memory after the last walk over that after a fifth of them: more is a leak."""


async def walk(seed: int, steps: int) -> int:
    """One walk from nothing, with the command line's answer at its end; how many files were compared."""
    with tempfile.TemporaryDirectory() as folder:
        one = Walk(Path(folder), seed)
        for _ in range(steps):
            await one.step()
        one.compare_with_command_line()
        await one.desk.session.shutdown()
        return one.compared


def memory() -> int:
    """Resident memory now, in KiB (the peak where the system does not tell)."""
    gc.collect()
    status = Path("/proc/self/status")
    if status.exists():
        return int(next(line.split()[1] for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmRSS")))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(steps: int, seed: int) -> int:
    """Walks of 500 steps each, from consecutive seeds."""
    begun, walks = time.monotonic(), max(1, steps // STEPS_OF_A_WALK)
    early, compared = 0, 0
    for number in range(walks):
        try:
            compared += asyncio.run(walk(seed + number, min(steps, STEPS_OF_A_WALK)))
        except AssertionError as error:
            print(f"walk {seed + number}: {error}")
            print(f"{number * STEPS_OF_A_WALK // 100} passed, 1 failed")
            return 1
        if number == walks // 5:
            early = memory()
    late = memory()
    print(f"{steps} steps, {compared} files compared, {time.monotonic() - begun:.0f} s, memory {early} KiB, then {late} KiB")
    leak = walks > 5 and late > GROWTH * early
    print(f"{steps // 100} passed, {int(leak)} failed")
    return int(leak)


if __name__ == "__main__":
    words = [int(word) for word in sys.argv[1:]]
    sys.exit(main(words[0] if words else 10_000, words[1] if len(words) > 1 else 1))

"""Restarts of children that end by themselves."""

import time
from collections import deque
from dataclasses import dataclass, field

from meddie.embedded.processes import Child
from meddie.embedded.refusal import Refusal

MOST = 5
WITHIN = 60.0  # seconds
# Each further restart waits longer: processes of a killed PostgreSQL end first.
PAUSE = 2.0


@dataclass(slots=True)
class Watched:
    child: Child
    ends: deque[float] = field(default_factory=lambda: deque(maxlen=MOST + 1))
    due: float | None = None

    def restart_if_ended(self) -> None:
        """Raises Refusal if the child ends more than MOST times within a minute."""
        if self.child.process.poll() is None:
            return
        now = time.monotonic()
        if self.due is None:
            self.due = now + self._pause(now)
        if now >= self.due:
            self.due = None
            self.child.process = self.child.start()

    def _pause(self, now: float) -> float:
        self.ends.append(now)
        recent = sum(now - end < WITHIN for end in self.ends)
        ended = f"{self.child.name} ended by itself"
        code = self.child.process.returncode
        if recent > MOST:
            raise Refusal(f"{ended} {recent} times within a minute (exit code {code}).")
        print(f"{ended} (exit code {code}) and is started again.", flush=True)  # noqa: T201
        return PAUSE * (recent - 1)

"""Looking at a process from outside."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path


def memory(pid: int) -> int:
    """Bytes of memory that a process holds now."""
    statm = Path(f"/proc/{pid}/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(pid)])) * 1024


def quantile(values: Sequence[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]

"""SQLite's write-ahead log, as far as it takes to tear it where a power cut would."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

HEADER = 32
FRAME_HEADER = 24


@dataclass(frozen=True)
class Journal:
    """`commits`: at which byte each transaction in it ends."""

    path: Path
    commits: tuple[int, ...]


def journal_of(database: Path) -> Journal:
    """The transactions that the journal beside a database holds since it was last begun anew."""
    path = Path(f"{database}-wal")
    content = path.read_bytes()
    page_size = struct.unpack(">I", content[8:12])[0]
    salts = content[16:24]
    commits = []
    step = FRAME_HEADER + page_size
    for start in range(HEADER, len(content) - step + 1, step):
        _, size_after_commit = struct.unpack(">II", content[start : start + 8])
        if content[start + 8 : start + 16] != salts:
            break  # left over from before it was begun anew
        if size_after_commit:
            commits.append(start + step)
    return Journal(path, tuple(commits))

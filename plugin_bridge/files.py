"""Files made for somebody else, and files that somebody else has made."""

import os
import stat
from pathlib import Path


def contents(path: Path, *, most: int) -> bytes:
    """What is in a file, or in its first `most` bytes and one more.

    Waits for nobody: what is no regular file, such as a pipe, is not read. Raises OSError, and
    ValueError for that and for a path that cannot be one.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is no ordinary file")
        return file.read(most + 1)


def hand_over(folder: Path, *made: Path) -> None:
    """Gives what was made in a folder to the folder's owner: root installs for others."""
    if os.name != "posix" or os.geteuid() != 0:
        return
    owner = folder.stat()
    for path in made:
        for each in (path, *path.rglob("*")) if path.is_dir() else (path,):
            os.chown(each, owner.st_uid, owner.st_gid)


def make_folder(folder: Path) -> None:
    """Makes a folder and those above it, for the owner of the first that is there already."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    if missing:
        hand_over(missing[-1].parent, *missing)

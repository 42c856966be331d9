"""Files made for somebody else."""

import os
from pathlib import Path


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

"""Files made for somebody else, and files that somebody else has made."""

import gzip
import os
import secrets
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EEXIST, EIO, EISDIR, ENOENT, ENOTDIR, EPERM, EROFS
from pathlib import Path
from typing import BinaryIO, cast

_GZIP = b"\x1f\x8b"
"""The first bytes of whatever gzip has packed."""


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


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """What is in a file, to read and to seek in, unpacked if gzip has packed it.

    Raises OSError, in words for an admin, also where it proves to be damaged inside.
    """
    try:
        with path.open("rb") as plain:
            packed = plain.read(len(_GZIP)) == _GZIP
            plain.seek(0)
            if packed:
                with cast(BinaryIO, gzip.GzipFile(fileobj=plain)) as file:
                    yield file
            else:
                yield plain
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        words = "the file is damaged; unpack what is left of it"
        raise OSError(EIO, words, str(path)) from error


def destination(target: Path) -> Path:
    """Where a file of that name is really written, links followed.

    Raises OSError, in words for an admin, where there is something else than an ordinary file, such
    as a device or a pipe, or no folder to make it in.
    """
    real = Path(os.path.realpath(target))
    folder = real.parent
    if real.is_dir():
        raise OSError(EISDIR, "this is a folder; name a file to write", str(target))
    if os.path.lexists(real) and not real.is_file():
        raise OSError(EEXIST, "this is no ordinary file; name another", str(target))
    if not folder.exists():
        raise OSError(ENOENT, "there is no such folder; make it first", str(folder))
    if not folder.is_dir():
        raise OSError(ENOTDIR, "this is no folder; name another file", str(folder))
    return real


@contextmanager
def replacing(target: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """An empty file to fill, which takes the place of `target` if all goes well, or else vanishes.

    So the target is there as a whole or as it was before. mode: who may read it, as for os.open.
    Raises OSError as `destination`, and with the name of the target or its folder in all that goes
    wrong inside.
    """
    real = destination(target)
    partial = real.with_name(f".{secrets.token_hex(8)}.part")
    try:
        os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        try:
            yield partial
            hand_over(real.parent, partial)
            partial.replace(real)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        if error.filename not in (None, partial, str(partial)):
            raise
        if error.errno in (EACCES, EPERM, EROFS):
            words = "whoever runs this may make no files in this folder"
            raise OSError(error.errno, words, str(real.parent)) from error
        raise OSError(error.errno, error.strerror or str(error), str(target)) from error


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

"""The lines of a server's log, and the ids that its usercache.json tells."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path

from plugin_bridge.errors import UsageError
from plugin_bridge.files import unpacked
from plugin_bridge.gamelog.people import read_usercache

LONGEST_LINE = 32_768
USERCACHE = "usercache.json"


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a log, each cut at a length that no honest line has. Raises UsageError.

    UTF-8, or with a mark at its beginning UTF-16, as PowerShell writes it.
    """
    try:
        with unpacked(path) as file:
            encoding = "utf-16" if file.read(2) in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8"
            file.seek(0)
            text = TextIOWrapper(file, encoding=encoding, errors="replace", newline="\n")
            while line := text.readline(LONGEST_LINE):
                yield line
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from None


def usercaches(paths: Sequence[Path], usercache: Path | None) -> dict[str, str]:
    """Ids by name: of that file, or of those beside the others and one folder above."""
    if usercache:
        return _usercache(usercache)
    folders = dict.fromkeys(path.absolute().parent for path in paths)
    nearby = dict.fromkeys(
        place / USERCACHE for folder in folders for place in (folder.parent, folder)
    )
    found: dict[str, str] = {}
    for file in nearby:
        if file.is_file():
            found |= _usercache(file)
    return found


def _usercache(path: Path) -> dict[str, str]:
    try:
        return read_usercache(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        why = "not UTF-8" if isinstance(error, UnicodeDecodeError) else error
        raise UsageError(
            f"{path}: this is no usercache.json ({why}); name the right one with --usercache"
        ) from None

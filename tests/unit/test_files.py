"""Files that are written as a whole or not at all, and never over what is no ordinary file."""

import asyncio
import errno
import os
import stat
from pathlib import Path

import pytest

from plugin_bridge.files import replacing

from ..cli.calling import call
from ..cli.past import played


def put(target: Path, text: str = "new") -> None:
    with replacing(target, mode=0o600) as file:
        file.write_text(text, encoding="utf-8")


def test_a_file_is_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    target.write_text("old", encoding="utf-8")
    put(target)
    assert target.read_text(encoding="utf-8") == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [target]


def test_what_breaks_off_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "out.html"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(OSError, match="No space left") as caught, replacing(target) as file:
        file.write_text("half", encoding="utf-8")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), file)
    assert caught.value.filename == str(target)  # and not the file that nobody has heard of
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("name", ["link", "dangling"])
def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "link").write_text("old", encoding="utf-8")
    link = tmp_path / name
    link.symlink_to(Path("real", name))
    put(link)
    assert link.is_symlink()
    assert (tmp_path / "real" / name).read_text(encoding="utf-8") == "new"


def test_a_link_to_itself_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(OSError, match="no ordinary file"):
        put(link)
    assert link.is_symlink()


@pytest.mark.parametrize("through", ["pipe", "link"])
def test_a_pipe_stays_a_pipe(tmp_path: Path, through: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    (tmp_path / "link").symlink_to(pipe)
    with pytest.raises(OSError, match="no ordinary file"):
        put(tmp_path / through)
    assert pipe.is_fifo()


def test_a_folder_where_nothing_may_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everywhere, so the refusal itself is the system's only in words."""

    def refuse(path: Path, *_: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(PermissionError, match="may make no files in this folder") as caught:
        put(tmp_path / "out.html")
    assert caught.value.filename == str(tmp_path)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("report", "pipe", "--force"), "pipe: this is no ordinary file"),
        (("report", "pipe"), "pipe: this is no ordinary file"),
        (("report", ".", "--force"), ".: this is a folder"),
        (("report", "", "--force"), "this is a folder"),
        (("report", "nowhere/out.html"), "nowhere: there is no such folder"),
        (("report", "config.yml/out.html"), "config.yml: this is no folder"),
        (("export", "players", "nowhere/out.csv"), "nowhere: there is no such folder"),
        (("backup", "nowhere/copy"), "nowhere: there is no such folder"),
        (("backup", "config.yml/copy"), "config.yml: this is no folder"),
        (("backup", "pipe"), "pipe is there already"),
        (("dump", "nowhere/dump.zip"), "nowhere: there is no such folder"),
        (("dump", "pipe"), "pipe is there already"),
    ],
    ids=" ".join,
)
def test_commands_refuse_what_they_cannot_write_in_plain_words(
    tmp_path: Path, command: tuple[str, ...], words: str
) -> None:
    asyncio.run(played(tmp_path, []))
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    done = call(tmp_path, *command)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert words in done.stderr
    assert ".part" not in done.stderr
    assert sorted(tmp_path.iterdir()) == before
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("command", ["backup", "dump"])
def test_a_copy_is_written_to_what_a_link_points_to(tmp_path: Path, command: str) -> None:
    asyncio.run(played(tmp_path, []))
    (tmp_path / "link").symlink_to("real")
    assert call(tmp_path, command, "link").returncode == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").stat().st_size > 0
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o600

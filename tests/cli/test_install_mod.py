"""`adr-bridge install-mod`, with the real packages."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from plugin_bridge.cli import flying_squid, paper

from .running import run


def install(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "config.yml").write_text("listen: {port: 8799}\n", encoding="utf-8")
    return run(folder, "install-mod", *words, "--server", "arena")


def test_the_flying_squid_package_is_copied_without_its_dependencies(tmp_path: Path) -> None:
    (tmp_path / "squid").mkdir()
    result = install(tmp_path, "flying-squid", "squid")
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "squid" / flying_squid.NAME / "package.json").is_file()
    assert not (tmp_path / "squid" / flying_squid.NAME / "node_modules").exists()
    assert '"url": "ws://127.0.0.1:8799/", "token": "adr_' in result.stdout


def test_a_missing_folder_is_named_and_makes_no_token(tmp_path: Path) -> None:
    result = install(tmp_path, "flying-squid", "nowhere")
    assert result.returncode == 1
    assert "nowhere is no folder" in result.stderr
    assert not (tmp_path / "data").exists()


def test_the_plugin_is_copied_and_an_update_keeps_the_other_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "module"
    shutil.copytree(
        paper.MODULE / "src" / "main" / "resources", module / "resources", dirs_exist_ok=True
    )
    shutil.make_archive(str(module / "jar"), "zip", module / "resources")
    (module / "jar.zip").rename(module / paper.JAR)
    monkeypatch.setattr(paper, "MODULE", module)
    plugins = tmp_path / "plugins"
    plugins.mkdir()
    settings = plugins / "AdrBridge" / "config.yml"

    paper.prepare(plugins)("ws://127.0.0.1:1/", "adr_one")
    first = settings.read_text(encoding="utf-8")
    assert 'url: "ws://127.0.0.1:1/"' in first
    assert 'token: "adr_one"' in first
    assert "tab_list: true" in first
    if os.name == "posix":
        assert settings.stat().st_mode & 0o077 == 0

    settings.write_text(first.replace("tab_list: true", "tab_list: false"), encoding="utf-8")
    paper.prepare(plugins)("ws://127.0.0.1:2/", "adr_two")
    second = settings.read_text(encoding="utf-8")
    assert "tab_list: false" in second
    assert 'token: "adr_two"' in second
    assert "adr_one" not in second
    assert (plugins / paper.JAR).is_file()


def test_what_is_installed_belongs_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    squid = tmp_path / "squid"
    squid.mkdir()
    if os.name == "posix" and os.geteuid() == 0:
        os.chown(squid, 1234, 1234)
    flying_squid.prepare(squid)("ws://127.0.0.1:1/", "adr_one")
    installed = [squid / flying_squid.NAME, *(squid / flying_squid.NAME).rglob("*")]
    assert {path.stat().st_uid for path in installed} == {squid.stat().st_uid}

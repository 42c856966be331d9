"""The jar that admins install."""

import zipfile
from pathlib import Path

import pytest

from .conftest import maven

JAVA_17 = 61


@pytest.fixture(scope="session")
def jar(target: Path) -> Path:
    return target / "adr-bridge-paper.jar"


def test_the_jar_is_small(jar: Path) -> None:
    assert jar.stat().st_size < 100_000


def test_the_jar_holds_nothing_but_the_plugin(jar: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        files = [name for name in archive.namelist() if not name.endswith("/")]
    ours = [name for name in files if name.startswith("adr/") and name.endswith(".class")]
    assert set(files) - set(ours) == {"META-INF/MANIFEST.MF", "plugin.yml", "config.yml"}


def test_every_class_is_for_java_17_and_the_bridge_knows_no_game(jar: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        for name in archive.namelist():
            if not name.endswith(".class"):
                continue
            code = archive.read(name)
            assert int.from_bytes(code[6:8], "big") == JAVA_17, name
            if not name.startswith("adr/paper/"):
                for foreign in (b"org/bukkit", b"net/kyori", b"io/papermc", b"net/md_5"):
                    assert foreign not in code, (name, foreign)


def test_the_jar_says_what_it_is(jar: Path) -> None:
    with zipfile.ZipFile(jar) as archive:
        plugin = archive.read("plugin.yml").decode()
        config = archive.read("config.yml").decode()
        main = plugin.split("main: ")[1].splitlines()[0]
        assert main.replace(".", "/") + ".class" in archive.namelist()
    assert "${" not in plugin + config
    assert plugin.startswith("name: AdrBridge\n")  # so /adrbridge:rank works, whoever has /rank
    assert "folia-supported: true" in plugin
    assert "api-version: '1.18'" in plugin


def test_two_builds_of_the_same_sources_are_equal(jar: Path, tmp_path: Path) -> None:
    maven(tmp_path / "again", "-Dmaven.test.skip=true")
    assert (tmp_path / "again" / jar.name).read_bytes() == jar.read_bytes()

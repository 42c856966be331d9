"""What the README tells people to paste works as it stands there."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from plugin_bridge.config import ConfigError, parse_config

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"(?ms)^ *```{language}\n(.*?)^ *```$", README)


def test_the_example_settings_are_well() -> None:
    (example,) = blocks("yaml")
    config = parse_config(example)
    assert [tier.name for tier in config.tiers] == ["S", "A", "B"]
    assert config.ladder_for("duels", None) == "duels"


def test_the_example_mistake_is_told_as_the_readme_says() -> None:
    text = (ROOT / "config.yml").read_text(encoding="utf-8").replace("  preset:", "  presett:")
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    assert str(caught.value) in README


def test_the_library_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python")
    exec(re.sub(r"(?m)^ {2}", "", example), {})
    assert capsys.readouterr().out.startswith("0.5 1017.5")


def test_the_systemd_unit_is_well(tmp_path: Path) -> None:
    (unit,) = blocks("ini")
    parsed = configparser.ConfigParser()
    parsed.optionxform = str  # type: ignore[assignment,method-assign]
    parsed.read_string(unit)
    assert parsed["Service"]["ExecStart"].endswith("adr-bridge serve")
    assert parsed["Service"]["KillSignal"] == "SIGINT"
    analyze = shutil.which("systemd-analyze")
    if analyze:
        there = tmp_path / "adr-bridge.service"
        there.write_text(unit.replace("/usr/local/bin/adr-bridge", sys.executable))
        result = subprocess.run(
            [analyze, "verify", str(there)], capture_output=True, text=True, check=False
        )
        assert "adr-bridge.service" not in result.stderr, result.stderr


def test_every_local_link_leads_somewhere() -> None:
    for document in ("README.md", "plugin_bridge/PROTOCOL.md"):
        text = (ROOT / document).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert ((ROOT / document).parent / target).exists(), (document, target)

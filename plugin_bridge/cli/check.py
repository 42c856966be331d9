"""`adr-bridge check-config`: every problem at once, before the daemon sees it."""

from argparse import Namespace
from pathlib import Path

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.output import print_table
from plugin_bridge.cli.preview import print_beside
from plugin_bridge.config import Config, ConfigError, Listen, Problem, load_config


def add_to(command: Command) -> None:
    """The command."""
    command("check-config", check_config, "say what is wrong with config.yml, if anything")


async def check_config(options: Namespace) -> int:
    config = load_config(options.config)
    for warning in config.warnings:
        print(warning)
    _find_files(options.config, config.listen)
    total = sum(tier.weight for tier in config.tiers)
    print_table(
        ("tier", "share of active players"),
        [(tier.name, f"{100 * tier.weight / total:.1f} %") for tier in config.tiers],
    )
    await print_beside(config)
    print(f"{options.config}: {_verdict(options.config, config)}")
    return 0


def _find_files(path: Path, listen: Listen) -> None:
    """Raises ConfigError for certificate files that are not there."""
    files = (listen.tls.certificate, listen.tls.key) if listen.tls else ()
    missing = [file for file in files if not file.is_file()]
    if missing:
        raise ConfigError(
            Problem(str(path), 0, 0, "", f"`tls`: there is no file {file}") for file in missing
        )


def _verdict(path: Path, config: Config) -> str:
    if config.warnings:
        count = len(config.warnings)
        return f"usable, with {count} warning{'' if count == 1 else 's'}"
    if _says_nothing(path.read_text(encoding="utf-8-sig")):
        return "nothing is written in it, so everything is at its defaults"
    return "all is well"


def _says_nothing(text: str) -> bool:
    return all(line.strip()[:1] in ("", "#") for line in text.splitlines())

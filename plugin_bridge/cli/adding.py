"""Adding subcommands to the command line; each module of them is handed the place for its own."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path


class Command:
    """The subcommands of a parser."""

    def __init__(self, parser: ArgumentParser, metavar: str = "COMMAND") -> None:
        self._under = parser.add_subparsers(metavar=metavar, required=True)

    def __call__(
        self, name: str, run: Callable[..., object], text: str, *, output: bool = False
    ) -> ArgumentParser:
        """Makes a subcommand, with --config, and with --json where there is `output`."""
        parser = self._under.add_parser(
            name, help=text, description=text[0].upper() + text[1:] + "."
        )
        parser.set_defaults(run=run)
        parser.add_argument(
            "--config", type=Path, default=Path("config.yml"), metavar="FILE", help="(config.yml)"
        )
        if output:
            parser.add_argument("--json", action="store_true", help="print JSON for programs")
        return parser

    def group(self, name: str, text: str) -> Command:
        """Makes a subcommand that has actions."""
        return Command(self._under.add_parser(name, help=text), "ACTION")

    @property
    def names(self) -> set[str]:
        return set(self._under.choices)

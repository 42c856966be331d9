"""What a module of subcommands is handed, to add its own."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Protocol


class Command(Protocol):
    """Makes a subcommand, with --config, and with --json where there is `output`."""

    def __call__(
        self, name: str, run: Callable[..., object], text: str, *, output: bool = False
    ) -> ArgumentParser: ...

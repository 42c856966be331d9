"""`adr-bridge init`: a config.yml to start from. An existing file is never touched."""

from argparse import Namespace

from plugin_bridge.cli.adding import Command
from plugin_bridge.config import default_config_text
from plugin_bridge.errors import UsageError
from plugin_bridge.files import hand_over


def add_to(command: Command) -> None:
    """The command."""
    command("init", init, "write a commented config.yml to start from")


async def init(options: Namespace) -> int:
    try:
        with options.config.open("x", encoding="utf-8", newline="\n") as file:
            file.write(default_config_text())
        hand_over(options.config.absolute().parent, options.config)
    except FileExistsError:
        raise UsageError(f"{options.config} is there already; nothing was changed") from None
    except OSError as error:
        raise UsageError(f"cannot write {options.config}: {error.strerror}") from None
    print(f"Wrote {options.config}. Look through it, then run: adr-bridge serve")
    return 0

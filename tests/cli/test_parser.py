"""A command loads its own module and no other, and every command is in the module it is said in."""

from __future__ import annotations

import subprocess
import sys

import pytest

from plugin_bridge.cli.parser import MODULES, parser


@pytest.mark.parametrize("module", MODULES)
def test_a_module_adds_the_commands_that_it_is_said_to_have(module: str) -> None:
    for name in MODULES[module]:
        assert parser(name)[1].names == set(MODULES[module])


def test_who_asks_for_no_command_in_particular_is_shown_all() -> None:
    whole, commands = parser("--help")
    assert commands.names == {name for names in MODULES.values() for name in names}
    assert all(name in whole.format_help() for name in commands.names)


def test_a_command_loads_neither_the_daemon_nor_what_pings_game_servers() -> None:
    code = (
        "import sys; from plugin_bridge.cli.parser import parser; parser('server'); "
        "print([name for name in ('plugin_bridge.daemon', 'mcstatus', 'websockets') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

"""`adr-bridge check-config`: every problem at once, before the daemon sees it."""

from argparse import Namespace

from plugin_bridge.cli.output import print_table
from plugin_bridge.config import load_config


async def check_config(options: Namespace) -> int:
    config = load_config(options.config)
    for warning in config.warnings:
        print(warning)
    total = sum(tier.weight for tier in config.tiers)
    print_table(
        ("tier", "share of active players"),
        [(tier.name, f"{100 * tier.weight / total:.1f} %") for tier in config.tiers],
    )
    print(f"{options.config}: all is well")
    return 0

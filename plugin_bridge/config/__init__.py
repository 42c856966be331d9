"""config.yml: what an admin may decide, read once and checked as a whole."""

from plugin_bridge.config.loading import default_config_text, load_config, parse_config
from plugin_bridge.config.messages import PLACEHOLDERS, Messages
from plugin_bridge.config.model import (
    Announcements,
    Calibration,
    Config,
    Display,
    Events,
    Filters,
    GameServer,
    LadderConfig,
    Listen,
    Storage,
    Tier,
    Tls,
)
from plugin_bridge.config.problems import ConfigError, Problem

__all__ = [
    "PLACEHOLDERS",
    "Announcements",
    "Calibration",
    "Config",
    "ConfigError",
    "Display",
    "Events",
    "Filters",
    "GameServer",
    "LadderConfig",
    "Listen",
    "Messages",
    "Problem",
    "Storage",
    "Tier",
    "Tls",
    "default_config_text",
    "load_config",
    "parse_config",
]

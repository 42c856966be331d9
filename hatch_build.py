"""Puts the built Paper plugin into the wheel, where a JDK and Maven can build it."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

JAR = "plugin_bridge/mods/paper/adr-bridge-paper.jar"


class PaperPlugin(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        module = Path(self.root, "plugin_bridge", "mods", "paper")
        maven = shutil.which("mvn")
        if maven is None:
            self.app.display_warning("Maven is not here: the wheel will hold no Paper plugin")
            return
        command = [maven, "--batch-mode", "--quiet", "-DskipTests", "package"]
        if subprocess.run(command, cwd=module, check=False).returncode:
            self.app.display_warning("Maven failed: the wheel will hold no Paper plugin")
            return
        build_data["force_include"][str(module / "target" / "adr-bridge-paper.jar")] = JAR

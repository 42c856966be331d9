"""Puts into the wheel what is built: the Paper plugin, and with ADR_COMPILE=1 the compiled core.

The plugin needs a JDK and Maven, the compiled core a C compiler. What cannot be built is left out
with a warning: the plugin is then built when it is asked for, and the core is interpreted.
"""

import os
import runpy
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

JAR = "plugin_bridge/mods/paper/adr-bridge-paper.jar"


COMPILER = ("mypy>=2.4,<3", "setuptools>=65")


class Built(BuildHookInterface[Any]):
    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        return list(COMPILER) if _compiled_is_wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        self._put_plugin(build_data)
        if _compiled_is_wanted():
            self._put_core(build_data)

    def _put_plugin(self, build_data: dict[str, Any]) -> None:
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

    def _put_core(self, build_data: dict[str, Any]) -> None:
        """Compiled modules beside their sources: Python takes them where they fit."""
        script = runpy.run_path(str(Path(self.root, "scripts", "compile_core.py")))
        made = Path(tempfile.mkdtemp(), "core")
        try:
            script["compile_core"](made)
        except script["CannotCompile"] as error:
            self.app.display_warning(f"the core is not compiled, but interpreted: {error}")
            return
        for part in [*made.rglob("*.so"), *made.rglob("*.pyd")]:
            build_data["force_include"][str(part)] = part.relative_to(made).as_posix()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def _compiled_is_wanted() -> bool:
    return os.environ.get("ADR_COMPILE") == "1"

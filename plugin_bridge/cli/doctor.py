"""`adr-bridge doctor` and `dump`: what is wrong, what helps, and what to show somebody else."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from plugin_bridge.cli.adding import Command
from plugin_bridge.cli.output import print_json
from plugin_bridge.config.source import shown
from plugin_bridge.diagnosis import bundle
from plugin_bridge.diagnosis.examination import examine
from plugin_bridge.diagnosis.findings import Finding
from plugin_bridge.diagnosis.masking import MASKED

_MARKS = {"ok": "ok      ", "warning": "WARNING ", "bad": "BAD     "}


def add_to(command: Command) -> None:
    """The commands and their arguments."""
    command("doctor", doctor, "look for what is wrong, and say what helps", output=True)
    parser = command("dump", dump, "pack what helps others to help you, without secrets")
    parser.epilog = MASKED
    parser.add_argument("file", type=Path, help="the .zip to make")
    parser.add_argument(
        "--log",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="take the end of a log along",
    )


async def doctor(options: Namespace) -> int:
    """Exit code 0 if nothing is bad, else 1."""
    findings = []
    async for finding in examine(options.config):
        findings.append(finding)
        if not options.json:
            _show(finding)
    if options.json:
        print_json([asdict(finding) for finding in findings])
    worst = {finding.state for finding in findings}
    if not options.json:
        print("Nothing is wrong." if worst == {"ok"} else "What helps stands behind each arrow.")
    return 1 if "bad" in worst else 0


def _show(finding: Finding) -> None:
    print(f"{_MARKS[finding.state]} {finding.subject}: {shown(finding.words)}", flush=True)
    if finding.cure:
        print(f"          -> {shown(finding.cure)}", flush=True)


async def dump(options: Namespace) -> int:
    findings = [finding async for finding in examine(options.config)]
    files = await bundle.contents(options.config, findings, options.log)
    bundle.write(options.file, files)
    print(f"Wrote {options.file}: {', '.join(files)}.")
    print("What looks like a secret or an address is masked; --help says what. Look through it")
    print("before you pass it on: a secret that stands by itself looks like any other word.")
    return 0

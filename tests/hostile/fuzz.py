"""Looks for inputs that reach new code, and holds each against what must be true of all.

    python -m tests.hostile.fuzz frames|settings [options of libFuzzer, such as -runs=1000000]

Needs the extra `fuzz`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["plugin_bridge", "yaml"]):
    from tests.hostile import checks

TARGETS: dict[str, tuple[Callable[[str], None], Callable[[], list[str]]]] = {
    "frames": (checks.check_frame, checks.frames),
    "settings": (checks.check_settings, checks.settings_files),
}
LIMITS = ("-timeout=10", "-rss_limit_mb=1500", "-malloc_limit_mb=500", "-max_len=1024")


def main(name: str, *options: str) -> None:
    check, seeds = TARGETS[name]

    def one(data: bytes) -> None:
        checks.timely(check, data.decode("utf-8", "replace"))

    with tempfile.TemporaryDirectory() as folder:
        corpus, words = Path(folder) / "corpus", Path(folder) / "words"
        corpus.mkdir()
        for number, seed in enumerate(seeds()):
            (corpus / str(number)).write_text(seed, encoding="utf-8")
        words.write_text(dictionary(checks.words(seeds())), encoding="ascii")
        atheris.Setup([name, *LIMITS, f"-dict={words}", *options, str(corpus)], one)
        atheris.Fuzz()


def dictionary(words: list[str]) -> str:
    """The words, for the fuzzer to put together anew."""
    quoted = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in words)
    return "".join(f'"{word}"\n' for word in quoted if len(word) < 200)


if __name__ == "__main__":
    main(*sys.argv[1:])

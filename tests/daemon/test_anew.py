"""The daemon starts anew inside its process, because its journal was taken away."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import weakref
from pathlib import Path

import pytest

from plugin_bridge import daemon, serving
from plugin_bridge.config import load_config
from plugin_bridge.errors import JournalGone
from plugin_bridge.ledger import Ledger
from plugin_bridge.store import Store

from .running import settings


@pytest.fixture
def ledgers(monkeypatch: pytest.MonkeyPatch) -> list[weakref.ref[Ledger]]:
    """All that daemons have made, weakly."""
    made: list[weakref.ref[Ledger]] = []

    def making(store: Store) -> Ledger:
        ledger = Ledger(store)
        made.append(weakref.ref(ledger))
        return ledger

    monkeypatch.setattr(daemon, "Ledger", making)
    monkeypatch.setattr(daemon, "GUARD_SECONDS", 0.02)
    return made


def test_what_the_daemon_before_had_loaded_is_let_go(
    tmp_path: Path, ledgers: list[weakref.ref[Ledger]]
) -> None:
    config_path = tmp_path / "config.yml"
    config_path.write_text(settings(), encoding="utf-8")
    alive: list[int] = []

    async def ready(store: Store, port: int) -> None:
        alive.append(sum(ledger() is not None for ledger in ledgers))
        if len(alive) == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            for ending in ("-wal", "-shm"):
                Path(f"{store.path}{ending}").unlink()

    logging.disable()  # else pytest would keep the errors, and with them the frames they came from
    try:
        asyncio.run(serving.run(load_config(config_path), config_path, ready=ready))
    finally:
        logging.disable(logging.NOTSET)
        gc.unfreeze()
    assert alive == [1, 1, 1, 1]


def test_one_told_to_stop_as_its_journal_goes_does_not_start_again(
    tmp_path: Path, ledgers: list[weakref.ref[Ledger]], caplog: pytest.LogCaptureFixture
) -> None:
    config_path = tmp_path / "config.yml"
    config_path.write_text(settings(), encoding="utf-8")

    async def ready(store: Store, port: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        raise JournalGone("the journal is gone")

    try:
        asyncio.run(serving.run(load_config(config_path), config_path, ready=ready))
    finally:
        gc.unfreeze()
    assert len(ledgers) == 1
    assert "the journal is gone" in caplog.messages

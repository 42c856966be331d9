"""The remote console of a game server (Source RCON, as Minecraft has it)."""

import asyncio
import struct

from plugin_bridge.errors import BridgeError

LONGEST_COMMAND = 1_400
"""Bytes; the server's own limit is 1,446."""
_LONGEST_ANSWER = 1 << 16
_SECONDS = 5.0
_LOGIN, _COMMAND = 3, 2
_REFUSED = -1


class RconError(BridgeError):
    """The console cannot be used now; the text says why."""


class Rcon:
    """A console with one user. It dials when it is needed, and again after a failure."""

    def __init__(self, host: str, port: int, password: str) -> None:
        self._where = (host, port)
        self._password = password
        self._link: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def close(self) -> None:
        if self._link:
            self._link[1].close()
            self._link = None

    async def run(self, command: str) -> str:
        """Runs a command; what the server answers. Raises RconError."""
        data = command.encode()
        if len(data) > LONGEST_COMMAND:
            raise RconError("a command is too long for the game server's console")
        try:
            async with asyncio.timeout(_SECONDS):
                if self._link is None:
                    await self._log_in()
                return (await self._exchange(_COMMAND, data))[1]
        except (OSError, EOFError, TimeoutError, struct.error) as error:
            self.close()
            host, port = self._where
            raise RconError(
                f"the game server's console ({host}:{port}) does not answer "
                f"({error or type(error).__name__}); is enable-rcon on in server.properties?"
            ) from None
        except BaseException:
            self.close()
            raise

    async def _log_in(self) -> None:
        self._link = await asyncio.open_connection(*self._where)
        mark, _ = await self._exchange(_LOGIN, self._password.encode())
        if mark == _REFUSED:
            raise RconError(
                "the game server's console does not accept the RCON password; is it that of "
                "rcon.password in server.properties?"
            )

    async def _exchange(self, kind: int, data: bytes) -> tuple[int, str]:
        assert self._link is not None
        reader, writer = self._link
        writer.write(struct.pack("<iii", len(data) + 10, 1, kind) + data + b"\0\0")
        await writer.drain()
        (length,) = struct.unpack("<i", await reader.readexactly(4))
        if not 10 <= length <= _LONGEST_ANSWER:
            raise OSError(f"an answer of {length} bytes")
        answer = await reader.readexactly(length)
        mark, _ = struct.unpack("<ii", answer[:8])
        return mark, answer[8:-2].decode(errors="replace")

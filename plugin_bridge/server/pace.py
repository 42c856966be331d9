"""How long the socket waits. Read at the moment of use, so that tests may hurry."""

from plugin_bridge.protocol.packets import HELLO_SECONDS as CONTRACT_HELLO_SECONDS
from plugin_bridge.protocol.packets import MAX_FRAME_BYTES

HELLO_SECONDS = CONTRACT_HELLO_SECONDS
HEARTBEAT_SECONDS = 20.0
"""Also how long a mod may leave a frame untaken: it cannot be pinged behind that."""
CLOSING_SECONDS = 5.0
UNTAKEN_BYTES = 4 * MAX_FRAME_BYTES
"""What may wait in a socket. Frames wait in the outbox, so only answers to pings pile up here."""
WAITING = 1_024
"""Connections that may wait to be taken: after a restart all game servers come at once."""
TAKEN_AT_ONCE = 10
"""Few, so that those who are shown out have gone before the next come in (see `gate.Lobby`)."""

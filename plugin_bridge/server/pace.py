"""How long the socket waits. Read at the moment of use, so that tests may hurry."""

from plugin_bridge.protocol.packets import HELLO_SECONDS as CONTRACT_HELLO_SECONDS
from plugin_bridge.protocol.packets import MAX_FRAME_BYTES

HELLO_SECONDS = CONTRACT_HELLO_SECONDS
HEARTBEAT_SECONDS = 20.0
"""Also how long a mod may leave a frame untaken: it cannot be pinged behind that."""
CLOSING_SECONDS = 5.0
UNTAKEN_BYTES = 4 * MAX_FRAME_BYTES
"""What may wait in a socket. Frames wait in the outbox, so only answers to pings pile up here."""

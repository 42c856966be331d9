"""The socket: the only part that knows websockets. It decides nothing about packets.

listening     opens and closes the socket
secure        TLS, for strangers as for others
door          the handshake: tokens, patience
conversation  from frames to the engine, and what ends a connection
wire          one socket's timing: first frame, writing, closing
pace          how long everything waits
"""

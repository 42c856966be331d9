"""The socket: the only part that knows websockets. It decides nothing about packets.

listening     opens and closes the socket
door          the handshake: TLS, tokens, patience
conversation  from frames to the engine, and what ends a connection
wire          one socket's timing: first frame, writing, closing
pace          how long everything waits
"""

"""The wire contract as values: `packets` names them, `decode` reads them, `encode` writes them.
`nameless` is what is kept of those that could not be read.

PROTOCOL.md beside this package is the contract itself.
"""

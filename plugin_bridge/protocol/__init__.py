"""The wire contract as values: `packets` names them, `decode` reads them, `encode` writes them.

PROTOCOL.md beside this package is the contract itself.
"""

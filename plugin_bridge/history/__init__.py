"""The past: rated again from the log, checked against what is stored, and taken back in parts.

revision   which logged kills no longer count, and what else was taken back: pure
replay     the log, rated again from its first entry
verify     what a replay gives against what is stored, bit for bit
"""

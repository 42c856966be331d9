"""Measures speed side by side; `scripts/bench` runs it."""

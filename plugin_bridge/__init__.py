"""The daemon between game servers and the rating core: link, engine, store and commands."""

__version__ = "0.1.0"

"""The results as a table of ratios, in Markdown. Every row is one sentence of the measurement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Results = dict[str, Any]
HEAD = "| what | measured | beside |\n|---|---|---|"


def table(results: Results) -> str:
    """All parts that were measured, in the order of the run."""
    rows = [
        row for name, part in SECTIONS.items() if name in results for row in part(results[name])
    ]
    return "\n".join([HEAD, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


Row = tuple[str, str, str]


def _kill(part: Results) -> Iterator[Row]:
    for size, readings in part["sizes"].items():
        least = readings.get("C")
        for name, reading in readings.items():
            if name in {"interpreted", "compiled"}:
                beside = [
                    f"{_ratio(other['median'], reading['median'])} {word}"
                    for word, other in readings.items()
                    if word != name and (word != "C" or least)
                ]
                yield (
                    f"one kill, {int(size):,} players, {name}",
                    _micro(reading["median"]),
                    "time of others: " + ", ".join(beside),
                )


def _replay(part: Results) -> Iterator[Row]:
    base = part["rates"]["live, interpreted"]
    for name, rate in part["rates"].items():
        yield (
            f"{part['kills']:,} kills of {part['players']:,} players, {name}",
            f"{rate:,.0f} a second",
            f"{rate / base:.1f} × the live path interpreted"
            + ("" if part["equal"] else "; THE RESULTS DIFFER"),
        )


def _throughput(part: Results) -> Iterator[Row]:
    for servers, seen in part.items():
        yield (
            f"kills through the socket, durable, acknowledged, {servers} server(s) pipelining",
            f"{seen['daemon']:,.0f} a second",
            f"{100 * seen['of_sqlite']:.0f} % of bare sqlite3 with the same rows in batches of "
            f"{seen['batch']:.0f}; bare echo {seen['echo']:,.0f} a second",
        )


def _latency(part: Results) -> Iterator[Row]:
    for rate, waits in part.items():
        for kind in ("ack", "label"):
            of, floor = waits[kind], waits["floor"]
            yield (
                f"kill to {kind}, {rate} kills a second",
                ", ".join(f"{word} {1e3 * of[word]:.1f} ms" for word in of),
                "times the floor (echo and one durable commit): "
                + ", ".join(f"{word} {of[word] / floor[word]:.1f}" for word in of),
            )


def _questions(part: Results) -> Iterator[Row]:
    for form in ("interpreted", "compiled"):
        for what, seen in part.get(form, {}).items():
            if isinstance(seen, dict):
                size = part["contestants" if what == "contest" else "players"]
                yield f"{what}, {size:,} players, {form}", _micro(seen["median"]), ""


def _crowd(part: Results) -> Iterator[Row]:
    players = f"{part['players']:,} players"
    yield (
        f"start of the daemon with {players}",
        f"{part['start_seconds']:.1f} s",
        f"{part['start_empty_seconds']:.1f} s with none",
    )
    yield "memory a tracked player", f"{part['bytes_per_player']:,.0f} bytes", ""
    for what, seen in part.items():
        if isinstance(seen, dict):
            yield (
                f"{what}, {players}: until it is done",
                f"{1e3 * seen['seconds']:.1f} ms",
                f"the loop stood still for {1e3 * seen['longest_pause']:.1f} ms at most",
            )


def _micro(seconds: float) -> str:
    return f"{1e6 * seconds:,.3g} µs" if seconds < 1e-3 else f"{1e3 * seconds:,.3g} ms"


def _ratio(one: float, other: float) -> str:
    return f"{one / other:.2g} ×"


SECTIONS = {
    "kill": _kill,
    "replay": _replay,
    "questions": _questions,
    "crowd": _crowd,
    "throughput": _throughput,
    "latency": _latency,
}

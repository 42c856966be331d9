"""The whole document: words around the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from xml.etree.ElementTree import Element

from plugin_bridge.report.charts import calibration_curve, day_bars, tier_bars
from plugin_bridge.report.facts import DAY, Facts
from plugin_bridge.report.markup import Child, document, element, name
from plugin_bridge.report.suspects import Suspect

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Even if something foreign got into the page, no browser would run or load it."""

_STYLE = """
:root { color-scheme: light dark; --ink: #1d2328; --soft: #5c6770; --paper: #fff;
  --line: #d9dee2; --bar: #3b78b5; --aim: #c4540a; --warn: #fff3d6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8eb; --soft: #9aa5ad;
  --paper: #15191c; --line: #343b41; --bar: #6ea8dc; --aim: #f0954f; --warn: #3a3015; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 44rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
p { margin: .5rem 0; } .soft { color: var(--soft); font-size: .9rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .5rem 1rem; }
dt { color: var(--soft); font-size: .9rem; } dd { margin: 0; font-size: 1.3rem; }
svg { display: block; width: 100%; max-width: 34rem; height: auto; margin: .75rem 0; }
svg text { font: 11px system-ui, sans-serif; fill: var(--ink); }
.bar, .dot { fill: var(--bar); } .grid { stroke: var(--line); }
.aim { stroke: var(--aim); stroke-width: 2; } .range { stroke: var(--bar); stroke-width: 1.5; }
.warn { background: var(--warn); padding: .5rem .75rem; border-radius: .4rem; }
li { margin: .75rem 0; } li ul { padding-left: 1.2rem; } li li { margin: .15rem 0; }
"""


def page(facts: Facts) -> str:
    """The report as one HTML file."""
    made = datetime.fromtimestamp(facts.made, UTC).strftime("%Y-%m-%d %H:%M UTC")
    head = element(
        "head",
        None,
        element("meta", {"charset": "utf-8"}),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY}),
        element("title", None, f"adr-bridge: {facts.ladder}"),
        element("style", None),
    )
    head[-1].text = _STYLE
    body = element(
        "body",
        None,
        element("h1", None, f"Ladder {facts.ladder}"),
        _soft(f"Made by adr-bridge on {made}. It looks back {facts.days} days."),
        _figures(facts),
        _warning(facts),
        *_tiers(facts),
        *_calibration(facts),
        *_activity(facts),
        *_suspects(facts),
        _soft("This file holds the names of players: keep it private."),
    )
    return document(element("html", {"lang": "en"}, head, body))


def _figures(facts: Facts) -> Element:
    figures = (
        ("players rated", facts.players),
        ("active", facts.bounds.active),
        ("kills that counted", facts.kills),
        ("kills that did not", sum(day.uncounted for day in facts.activity)),
    )
    items = [
        element("div", None, element("dt", None, what), element("dd", None, str(value)))
        for what, value in figures
    ]
    return element("dl", None, *items)


def _warning(facts: Facts) -> Element | None:
    if not facts.bounds.crowded:
        return None
    return element(
        "p",
        {"class": "warn"},
        f"{100 * facts.bounds.share:.0f} % of the active players sit at the lowest or the highest "
        "possible rating, where they can no longer be told apart. What helps, under rating in "
        "config.yml: ",
        element("code", None, facts.cure),
    )


def _tiers(facts: Facts) -> list[Child]:
    placed = facts.bounds.active - facts.unplaced
    heading = element("h2", None, "Tiers")
    if not placed:
        return [heading, _words("No active player has a tier yet.")]
    off = sum(abs(tier.count / placed - tier.target) for tier in facts.tiers) / 2.0
    return [
        heading,
        _words(
            f"Active players with a tier: {placed}; {facts.unplaced} more are not placed yet. "
            "The orange mark is the share that the tier is meant to hold. "
            f"{100 * off:.0f} % of the players would have to be in another tier to match."
        ),
        tier_bars(facts.tiers, placed),
    ]


def _calibration(facts: Facts) -> list[Child]:
    heading = element("h2", None, "Do the ratings foretell fights?")
    count = sum(one.count for one in facts.calibration)
    if not count:
        return [heading, _words("No kill has counted in this time.")]
    won = sum(one.happened for one in facts.calibration) / count
    told = sum(one.predicted for one in facts.calibration) / count
    return [
        heading,
        _words(
            f"The favourite won {100 * won:.1f} % of {count} fights; the ratings had promised "
            f"{100 * told:.1f} %. On the orange line, what was promised is what happened: dots "
            "below it were promised too surely, dots above it too timidly. The strokes show what "
            "chance alone may do."
        ),
        calibration_curve(facts.calibration),
        element(
            "p",
            {"class": "soft"},
            element("code", None, "adr-bridge tune"),
            " tells whether another preset does better.",
        ),
    ]


def _activity(facts: Facts) -> list[Child]:
    days = facts.activity
    dates = [datetime.fromtimestamp(DAY * one.day, UTC).strftime("%Y-%m-%d") for one in days]
    return [
        element("h2", None, "Activity"),
        _words("Kills that counted, by day (UTC):"),
        day_bars([one.kills for one in days], dates, "Kills by day"),
        _words("Players who killed or died, by day:"),
        day_bars([one.players for one in days], dates, "Players by day"),
    ]


def _suspects(facts: Facts) -> list[Child]:
    heading = element("h2", None, "Pairs worth a look")
    if not facts.suspects:
        return [heading, _words("No two players stand out in this time.")]
    hint = (
        "This is a hint and no proof: friends who fight each other a lot look the same. Watch "
        "them before you do anything."
    )
    items = [_suspect(one, facts.names) for one in facts.suspects]
    return [heading, element("p", {"class": "warn"}, hint), element("ol", None, *items)]


def _suspect(one: Suspect, names: dict[str, str]) -> Element:
    first, second = (name(names.get(player, player)) for player in (one.one, one.other))
    for each in (first, second):
        each.set("class", "player")
    return element(
        "li",
        None,
        element("strong", None, first, " and ", second),
        f": {one.kills} and {one.returned} kills of each other, {one.points:.0f} points gained.",
        _list(one.reasons),
    )


def _list(lines: Sequence[str]) -> Element:
    return element("ul", None, *[element("li", None, line) for line in lines])


def _words(words: str) -> Element:
    return element("p", None, words)


def _soft(words: str) -> Element:
    return element("p", {"class": "soft"}, words)

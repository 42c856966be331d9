"""Pictures as inline SVG, 360 units wide so that they can be read on a phone.

Colours are classes of the page's style, which knows light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from xml.etree.ElementTree import Element

from plugin_bridge.report.facts import TierShare
from plugin_bridge.report.markup import element
from plugin_bridge.store.survey import CalibrationBin

WIDTH = 360.0
ROW = 20.0


def tier_bars(tiers: Sequence[TierShare], active: int) -> Element:
    """A bar a tier for the players in it, and a mark where it is meant to end."""
    names, numbers = 64.0, 70.0
    room = WIDTH - names - numbers
    most = max([tier.target for tier in tiers] + [tier.count / max(1, active) for tier in tiers])
    parts: list[Element] = []
    for row, tier in enumerate(tiers):
        top, share = ROW * row, tier.count / max(1, active)
        aim = names + room * tier.target / most
        parts += [
            _label(names - 6.0, top + 14.0, _short(tier.name), anchor="end"),
            _box(names, top + 4.0, room * share / most, ROW - 8.0, "bar"),
            _line(aim, top + 2.0, aim, top + ROW - 2.0, "aim"),
            _label(WIDTH - numbers + 6.0, top + 14.0, f"{tier.count} · {100 * share:.1f} %"),
        ]
    return _picture("Players in each tier, and its target", ROW * len(tiers), parts)


def calibration_curve(bins: Sequence[CalibrationBin]) -> Element:
    """How often the favourite won, by what had been predicted, with 95 % intervals."""
    left, top, size = 44.0, 8.0, 240.0
    wide = WIDTH - left - 20.0
    low = 0.4

    def across(share: float) -> float:
        return left + wide * (share - 0.5) / 0.5

    def down(share: float) -> float:
        return top + size * (1.0 - (max(low, share) - low) / (1.0 - low))

    parts: list[Element] = []
    for tick in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        parts += [
            _line(left, down(tick), left + wide, down(tick), "grid"),
            _label(left - 6.0, down(tick) + 4.0, f"{100 * tick:.0f} %", anchor="end"),
        ]
        if tick >= 0.5:
            parts.append(_label(across(tick), top + size + 16.0, f"{100 * tick:.0f} %", "middle"))
    parts.append(_line(across(0.5), down(0.5), across(1.0), down(1.0), "aim"))
    for one in bins:
        if one.count:
            low_end, high_end = interval(one.happened, one.count)
            x = across(one.predicted / one.count)
            y = down(one.happened / one.count)
            parts.append(_line(x, down(low_end), x, down(high_end), "range"))
            parts.append(element("circle", {"cx": x, "cy": y, "r": 3.5, "class": "dot"}))
    parts.append(_label(left + wide / 2.0, top + size + 32.0, "predicted", "middle"))
    return _picture("Predicted and real chances of the favourite", top + size + 38.0, parts)


def day_bars(values: Sequence[int], dates: Sequence[str], what: str) -> Element:
    """A bar a day, with the greatest value and the first and last date written beside."""
    left, top, height = 44.0, 12.0, 90.0
    most = max([1, *values])
    step = (WIDTH - left) / max(1, len(values))
    parts = [
        _line(left, top, WIDTH, top, "grid"),
        _line(left, top + height, WIDTH, top + height, "grid"),
        _label(left - 6.0, top + 4.0, str(most), "end"),
        _label(left - 6.0, top + height + 4.0, "0", "end"),
        _label(left, top + height + 16.0, dates[0]),
        _label(WIDTH, top + height + 16.0, dates[-1], "end"),
    ]
    for number, value in enumerate(values):
        tall = height * value / most
        box = _box(left + step * number, top + height - tall, 0.85 * step, tall, "bar")
        box.append(element("title", None, f"{dates[number]}: {value}"))
        parts.append(box)
    return _picture(what, top + height + 22.0, parts)


def interval(happened: float, count: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    z, share = 1.96, happened / count
    middle = (share + z * z / (2.0 * count)) / (1.0 + z * z / count)
    half = z * math.sqrt(share * (1.0 - share) / count + z * z / (4.0 * count * count))
    half /= 1.0 + z * z / count
    return middle - half, middle + half


def _picture(what: str, height: float, parts: Sequence[Element]) -> Element:
    box = f"0 0 {WIDTH:g} {height:g}"
    attributes: dict[str, str | float] = {"viewBox": box, "role": "img", "aria-label": what}
    return element("svg", attributes, element("title", None, what), *parts)


def _label(x: float, y: float, words: str, anchor: str = "start") -> Element:
    return element("text", {"x": x, "y": y, "text-anchor": anchor}, words)


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> Element:
    return element("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": kind})


def _box(x: float, y: float, width: float, height: float, kind: str) -> Element:
    size: dict[str, str | float] = {"width": max(0.0, width), "height": max(0.0, height)}
    return element("rect", {"x": x, "y": y, **size, "class": kind})


def _short(name: str) -> str:
    return name if len(name) <= 9 else f"{name[:8]}…"

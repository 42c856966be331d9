"""A packet that could not be taken, without what may be a name: of texts only the harmless stay.

What is kept shows which fields there were and of which kind, so that the fault can be found. The
words about it went back to the mod.
"""

import json
import re
from typing import Any, Final

from plugin_bridge.protocol.packets import FromMod, Player, Present

GONE: Final = "…"
"""Stands for a text that was left out."""
_FIELDS: Final = frozenset(
    field
    for kind in (*FromMod.__args__, Player, Present)
    for field in ("type", *kind.__struct_encode_fields__)
)
_KEY: Final = re.compile(r"[a-z0-9_.:/\-]{1,64}")
_HARMLESS: Final = {
    "type": re.compile(r"[a-z_]{1,32}"),
    "id": re.compile(r"[A-Za-z0-9_.:\-]{1,64}"),
    "cause": _KEY,
    "weapon": _KEY,
    "world": _KEY,
}
"""Texts that are kept, by field: ids stand in the log for good, and the rest names no person."""


def nameless(raw: str) -> str:
    """The packet as JSON; of one that is cut or broken nothing. What is nameless stays as it is."""
    try:
        packet = json.loads(raw)
        return json.dumps(_without("", packet), ensure_ascii=False)
    except (ValueError, RecursionError):
        return json.dumps(GONE, ensure_ascii=False)


def _without(field: str, value: Any) -> Any:
    match value:
        case str():
            harmless = _HARMLESS.get(field)
            return value if harmless and harmless.fullmatch(value) else GONE
        case list():
            return [_without("", one) for one in value]
        case dict():
            return {
                (key if key in _FIELDS else GONE): _without(key, one) for key, one in value.items()
            }
    return value

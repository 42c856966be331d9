"""The lines players and admins read: which there are, and what each can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from plugin_bridge.text import Template, Text, plain

Language = Literal["en", "zh_cn"]

_TIER_CHANGE: Final = "player tier old_tier rating rank"

PLACEHOLDERS: Final[Mapping[str, frozenset[str]]] = {
    key: frozenset(names.split())
    for key, names in {
        "promotion": _TIER_CHANGE,
        "demotion": _TIER_CHANGE,
        "placement": "player tier rating rank",
        "rank_placed": "player tier rating uncertainty rank players",
        "rank_unplaced": "player fights needed",
        "rank_unsettled": "player",
        "rank_next": "tier points",
        "rank_rising": "tier percent",
        "rank_falling": "tier percent",
        "rank_best": "",
        "rank_record": "kills deaths streak best_streak",
        "rank_other_ladder": "ladder tier rating rank",
        "rank_no_fights": "player",
        "rank_event": "rating events",
        "events_header": "player rating",
        "events_line": "event day place players change rating",
        "events_empty": "player",
        "event_started": "event length rule how",
        "event_rule_kills": "",
        "event_rule_kills_minus_deaths": "",
        "event_rule_placement": "",
        "event_how_everybody": "",
        "event_how_join": "",
        "event_begun": "event",
        "event_running_already": "event",
        "event_bad_minutes": "",
        "event_none": "",
        "event_players_only": "",
        "event_joined": "event",
        "event_joined_already": "",
        "event_closed": "",
        "event_time_over": "",
        "event_left": "",
        "event_not_in": "",
        "event_status": "event left players rule",
        "event_status_line": "place player kills deaths",
        "event_over": "event players",
        "event_unrated": "players needed",
        "event_without_death": "",
        "event_place": "place player kills deaths rating change",
        "event_place_unrated": "place player kills deaths",
        "event_own": "place players rating change",
        "event_ended": "event",
        "event_cancelled": "event",
        "event_voided": "event",
        "event_not_rated": "event",
        "why_header": "player",
        "why_nothing": "player",
        "why_kill": "change opponent chance factors",
        "why_death": "change opponent chance factors",
        "why_uncounted_kill": "opponent reason",
        "why_uncounted_death": "opponent reason",
        "why_set": "rating reason",
        "why_reset": "reason",
        "why_season": "season reason",
        "why_merge": "player reason",
        "why_cooldown": "",
        "why_world": "",
        "why_excluded": "",
        "why_other": "",
        "why_base": "points",
        "why_streak": "factor",
        "why_calm": "factor",
        "why_trend": "factor",
        "why_surprise": "factor",
        "why_returning": "",
        "why_capped": "",
        "why_repeated": "",
        "why_limited": "",
        "why_away": "days",
        "unranked_word": "",
        "unknown_player": "name",
        "ambiguous_player": "name names",
        "console_needs_name": "",
        "top_header": "ladder page pages",
        "top_line": "rank player tier rating",
        "top_empty": "",
        "top_no_page": "page pages",
        "top_bad_page": "page",
        "missing_season": "",
        "season_header": "season ladder page pages",
        "season_unknown": "name names",
        "season_none": "",
        "help_rank": "",
        "help_why": "",
        "help_rank_other": "",
        "help_top": "",
        "help_events": "",
        "help_event_status": "",
        "help_event_join": "",
        "help_event_leave": "",
        "help_event_start": "",
        "help_event_stop": "",
        "help_event_cancel": "",
        "help_event_void": "",
        "help_admin_status": "",
        "help_admin_reload": "",
        "help_admin_exclude": "",
        "help_admin_include": "",
        "exclude_asked": "player kills deaths command",
        "exclude_ordered": "player",
        "include_ordered": "player",
        "include_ordered_number": "number",
        "include_nothing": "player",
        "exclude_nothing": "player",
        "missing_player": "",
        "missing_reason": "",
        "unknown_word": "word",
        "no_permission": "",
        "status_header": "version uptime",
        "status_server_connected": "server players version latency",
        "status_server_mod_only": "server",
        "status_server_mod_missing": "server players",
        "status_server_down": "server",
        "status_server_unwatched": "server",
        "status_server_missing": "server",
        "status_events": "events players",
        "status_bounds": "ladder percent cure",
        "reload_done": "",
        "reload_failed": "problems",
        "config_broken": "problems",
        "config_problem": "problem",
    }.items()
}
"""Every message with the placeholders that its template may use."""


@dataclass(frozen=True, slots=True)
class Messages:
    """The lines in one language, the admin's own wording included."""

    language: Language
    templates: Mapping[str, Template]

    def line(self, key: str, /, **values: str | Text) -> Text | None:
        """The line with its values; None if it is silenced.

        Raises TypeError unless the values are exactly those that the message may use, so that
        a forgotten one shows in every test, not only where an admin's wording asks for it.
        """
        if values.keys() != PLACEHOLDERS[key]:
            wanted = ", ".join(sorted(PLACEHOLDERS[key])) or "nothing"
            raise TypeError(f"{key} takes {wanted}, not {', '.join(values) or 'nothing'}")
        return self.templates[key].render(values)

    def plain(self, key: str, /, **values: str | Text) -> str:
        """The words of the line alone; nothing if it is silenced."""
        text = self.line(key, **values)
        return "" if text is None else plain(text)

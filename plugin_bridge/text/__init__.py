"""Chat text: components as they go over the wire, the markup admins write, and templates.

Whatever a player can choose (a name, say) enters a text as a value and is never read as markup.
"""

from plugin_bridge.text.component import Text, clean_name, plain
from plugin_bridge.text.markup import Stray, parse_markup, stray_marks, stray_tags
from plugin_bridge.text.template import Template, TemplateError

__all__ = [
    "Stray",
    "Template",
    "TemplateError",
    "Text",
    "clean_name",
    "parse_markup",
    "plain",
    "stray_marks",
    "stray_tags",
]

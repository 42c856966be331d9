"""Chat text: the wire form, the markup, templates, names."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.text import (
    Template,
    TemplateError,
    Text,
    clean_name,
    parse_markup,
    plain,
    stray_marks,
    stray_tags,
)

ANY_TEXT = st.text(st.characters(), max_size=60)
CODES = r"& && &a &l &r &#ff8800 &x &c§l § < > \< \ { } {{ }} {player} {plyer} text 你好 😺"
TAGS = (
    "<red> </red> <b> </b> <!b> </!b> <reset> <#123456> <color:gold> </color> "
    "<gradient:red:blue> </gradient> </pre> <click:run_command:/op>"
)
PIECES = st.one_of(
    st.sampled_from(re.split(" ", CODES)),
    st.sampled_from(re.split(" ", TAGS)),
    st.sampled_from(["\n", " ", "\ud83d"]),
)
MARKUP = st.lists(PIECES, max_size=12).map("".join)


def wire(text: Text | None) -> Any:
    return msgspec.json.decode(msgspec.json.encode(text))


def fill(markup: str, **values: str | Text) -> Text | None:
    return Template.parse(markup, frozenset(values)).render(values)


def styled(text: Text) -> list[tuple[str, str | None, bool]]:
    """Words, colour and boldness of every part, as the game would show them."""
    parts: list[tuple[str, str | None, bool]] = []

    def walk(part: Text, color: str | None, bold: bool) -> None:
        color = part.color or color
        bold = bold if part.bold is None else part.bold
        if part.text:
            parts.append((part.text, color, bold))
        for inner in part.extra:
            walk(inner, color, bold)

    walk(text, None, False)
    return parts


def test_a_component_is_on_the_wire_just_what_it_says() -> None:
    text = Text("", extra=(Text("a", color="red", bold=True), Text("b")))
    assert wire(text) == {
        "text": "",
        "extra": [{"text": "a", "color": "red", "bold": True}, {"text": "b"}],
    }


def test_a_component_always_has_its_text_even_if_empty() -> None:
    assert wire(parse_markup("")) == {"text": ""}


@pytest.mark.parametrize(
    ("markup", "parts"),
    [
        ("no markup", [("no markup", None, False)]),
        ("&cred", [("red", "red", False)]),
        ("&Cred", [("red", "red", False)]),
        ("§cred", [("red", "red", False)]),
        ("&6[&lHT1&6]", [("[", "gold", False), ("HT1", "gold", True), ("]", "gold", False)]),
        ("&l&cnot bold", [("not bold", "red", False)]),
        ("&c&lboth&r none", [("both", "red", True), (" none", None, False)]),
        ("&#ff8800hex", [("hex", "#ff8800", False)]),
        ("&#FF8800hex", [("hex", "#ff8800", False)]),
        ("&x&f&f&8&8&0&0hex", [("hex", "#ff8800", False)]),
        ("<red>a</red>b", [("a", "red", False), ("b", None, False)]),
        ("<RED>a", [("a", "red", False)]),
        ("<grey>a", [("a", "gray", False)]),
        ("<#ff8800>a</#ff8800>b", [("a", "#ff8800", False), ("b", None, False)]),
        ("<color:red>a</color>b", [("a", "red", False), ("b", None, False)]),
        ("<c:#ff8800>a</c>b", [("a", "#ff8800", False), ("b", None, False)]),
        ("<bold>a</bold>b", [("a", None, True), ("b", None, False)]),
        ("<b>a</bold>b", [("a", None, True), ("b", None, False)]),
        ("<red><b>a</red>b", [("a", "red", True), ("b", None, False)]),
        ("<b><red>a</b>b", [("a", "red", True), ("b", None, False)]),
        ("<b>a<red>b</red>c", [("a", None, True), ("b", "red", True), ("c", None, True)]),
        ("<red><b>a<reset>b", [("a", "red", True), ("b", None, False)]),
        ("<b>a<!b>b</!b>c", [("a", None, True), ("b", None, False), ("c", None, True)]),
        ("<b>&ca</b>b", [("a", "red", True), ("b", None, False)]),
        ("&c<b>a</b>b", [("a", "red", True), ("b", "red", False)]),
        ("<red>a&rb</red>c", [("a", "red", False), ("bc", None, False)]),
    ],
)
def test_codes_and_tags_give_the_style_they_name(
    markup: str, parts: list[tuple[str, str | None, bool]]
) -> None:
    assert styled(parse_markup(markup)) == parts


@pytest.mark.parametrize(
    "markup",
    [
        "Tom & Jerry",
        "a && b",
        "100 %&",
        "&z &",
        "&#12",
        "a < b > c",
        "<3",
        "</pre>",
        "<pre>",
        "</red>",
        "<click:run_command:/op me>",
        "<hover:show_text:'x'>",
        "<color:nonsense>",
        "<color>",
        "<gradient:red>",
        "<red:blue>",
        "<>",
        "<{x}>",
        "{not a template}",
        "/rank <player>",
    ],
)
def test_what_is_not_markup_of_ours_is_shown_as_it_stands(markup: str) -> None:
    assert wire(parse_markup(markup)) == {"text": markup}


def test_a_backslash_makes_a_bracket_plain() -> None:
    assert wire(parse_markup(r"\<red>a")) == {"text": "<red>a"}


def test_all_five_decorations_have_a_code_and_a_tag() -> None:
    for code, tag in zip("lonmk", ["b", "i", "u", "st", "obf"], strict=True):
        assert parse_markup(f"&{code}x") == parse_markup(f"<{tag}>x")


def test_a_gradient_runs_from_its_first_to_its_last_colour() -> None:
    text = parse_markup("<gradient:#000000:#ffffff>abc</gradient>d")
    colors = [color for _, color, _ in styled(text)]
    assert colors == ["#000000", "#808080", "#ffffff", None]


def test_a_gradient_counts_a_filled_in_text_as_one_character() -> None:
    line = fill("<gradient:#000000:#ffffff>a{label}b", label=Text("HT1"))
    assert line is not None
    assert styled(line) == [
        ("a", "#000000", False),
        ("HT1", "#808080", False),
        ("b", "#ffffff", False),
    ]


def test_tags_that_were_meant_to_do_something_are_found_with_their_place() -> None:
    found = stray_tags("<red>a</red></pre> <click:open_url:x>b <newline> <player>")
    assert [(stray.position, stray.tag) for stray in found] == [
        (12, "</pre>"),
        (19, "<click:open_url:x>"),
        (39, "<newline>"),
    ]


def test_a_placeholder_takes_the_style_around_it() -> None:
    line = fill("&e{player}&7 wins", player="Steve")
    assert line is not None
    assert styled(line) == [("Steve", "yellow", False), (" wins", "gray", False)]


def test_a_filled_in_text_keeps_its_own_style_and_takes_the_rest_from_around_it() -> None:
    line = fill("&e&lnow {tier}!", tier=parse_markup("&6HT1 <!b>x"))
    assert line is not None
    assert styled(line) == [
        ("now ", "yellow", True),
        ("HT1 ", "gold", True),
        ("x", "gold", False),
        ("!", "yellow", True),
    ]


@pytest.mark.parametrize("name", ["<red>&c{rank}", "{player}", "{{", "&&", "</b>", "A_word_", "%s"])
def test_a_name_that_looks_like_markup_is_shown_letter_by_letter(name: str) -> None:
    line = fill("&e{player}", player=name)
    assert wire(line) == {"text": name, "color": "yellow"}


def test_the_section_sign_of_a_name_never_reaches_the_game() -> None:
    line = fill("{player}", player="§cAdmin§")
    assert wire(line) == {"text": "cAdmin"}


def test_doubled_braces_are_bare_braces() -> None:
    assert wire(fill("{{{player}}}", player="x")) == {"text": "{x}"}


@pytest.mark.parametrize("markup", ["", "&c", "<red></red>"])
def test_a_template_without_words_is_silent(markup: str) -> None:
    template = Template.parse(markup, frozenset())
    assert template.silent
    assert template.render({}) is None


@pytest.mark.parametrize(
    ("markup", "position", "suggestion", "words"),
    [
        ("hi {plyer}", 3, "{player}", "no placeholder {plyer}"),
        ("hi {Player}", 3, "{player}", "no placeholder {Player}"),
        ("hi {}", 3, None, "no placeholder {}"),
        ("hi {player", 3, None, "never closed"),
        ("hi player}", 9, None, "closes nothing"),
        ("{{{player}", -1, None, ""),
        ("{{x} {player}", 3, None, "closes nothing"),
    ],
)
def test_a_faulty_template_names_the_place_and_the_likely_fix(
    markup: str, position: int, suggestion: str | None, words: str
) -> None:
    if position < 0:
        assert fill(markup, player="x") == Text("{x")
        return
    with pytest.raises(TemplateError) as caught:
        Template.parse(markup, frozenset({"player", "rank"}))
    assert caught.value.position == position
    assert caught.value.suggestion == suggestion
    assert words in str(caught.value)


def test_templates_are_equal_when_their_markup_is() -> None:
    one, other = (Template.parse("&a{x}", frozenset({"x"})) for _ in range(2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Template.parse("&b{x}", frozenset({"x"}))


@given(st.one_of(MARKUP, ANY_TEXT))
def test_no_markup_makes_the_parser_fail_or_gives_what_cannot_be_sent(markup: str) -> None:
    text = parse_markup(markup)
    stray_tags(markup)
    stray_marks(markup)
    assert "§" not in plain(text)
    assert msgspec.json.decode(msgspec.json.encode(text), type=Text) == text


@given(st.one_of(MARKUP, ANY_TEXT), ANY_TEXT)
def test_no_template_fails_but_with_its_own_error(markup: str, name: str) -> None:
    try:
        template = Template.parse(markup, frozenset({"player"}))
    except TemplateError as error:
        assert markup[error.position] in "{}"
        return
    text = template.render({"player": name})
    assert text is None or msgspec.json.encode(text)


@given(MARKUP)
def test_player_text_is_never_parsed(name: str) -> None:
    line = fill("<red>[{player}]</red>", player=name)
    shown = name.replace("§", "").replace("\ud83d", "")
    assert wire(line) == {"text": f"[{shown}]", "color": "red"}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (None, ""),
        ("", ""),
        ("   ", ""),
        ("Notch", "Notch"),
        ("  Two Words ", "Two Words"),
        (".Steve", ".Steve"),
        ("*Steve_", "*Steve_"),
        ("§4Red", "4Red"),
        ("a\x00b\nc\x1b[31md", "abc[31md"),
        ("\u202eevil\u2066", "evil"),
        ("a\u200bb\u200dc\ufeffd\u2060", "abcd"),
        ("\u3164\u115f\u2028", ""),
        ("half \ud83d pair", "half  pair"),
        ("Abc | 😺 тест スカ", "Abc | 😺 тест スカ"),
        ("x" * 70, "x" * 64),
        ("x" * 63 + "  y", "x" * 63),
    ],
)
def test_a_name_is_cleaned_and_otherwise_left_alone(raw: str | None, name: str) -> None:
    assert clean_name(raw) == name


@given(ANY_TEXT)
def test_a_cleaned_name_is_short_sendable_and_stays_as_it_is(raw: str) -> None:
    name = clean_name(raw)
    assert len(name) <= 64
    assert name == name.strip() == clean_name(name)
    assert "§" not in name
    assert name.encode("utf-8").decode("utf-8") == name

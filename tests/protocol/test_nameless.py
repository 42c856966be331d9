"""What is kept of a packet that could not be taken: the fault can be seen, and nobody's name."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.protocol.decode import KEPT_RAW_CHARACTERS
from plugin_bridge.protocol.nameless import nameless

NAME = "Ann_Le"
FIELDS = st.sampled_from(["type", "victim", "killer", "name", "cause", "world", "seq", NAME])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(NAME),
    lambda inner: st.lists(inner) | st.dictionaries(FIELDS, inner),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ({"type": "kill", "seq": 4, "victim": NAME}, {"type": "kill", "seq": 4, "victim": "…"}),
        ({"victim": {"id": "a-b", "name": NAME}}, {"victim": {"id": "a-b", "name": "…"}}),
        ({"type": "dance", NAME: [NAME, 3]}, {"type": "dance", "…": ["…", 3]}),
        ({"cause": "fall", "world": "the_end"}, {"cause": "fall", "world": "the_end"}),
        ({"cause": f"by {NAME}", "weapon": NAME}, {"cause": "…", "weapon": "…"}),
    ],
)
def test_fields_stay_and_texts_go(raw: object, kept: object) -> None:
    assert json.loads(nameless(json.dumps(raw))) == kept


@pytest.mark.parametrize(
    "raw",
    [
        "",
        f"{NAME} is no packet",
        json.dumps({"name": NAME * KEPT_RAW_CHARACTERS})[:KEPT_RAW_CHARACTERS],
        '{"seq":' + "9" * 5_000 + f',"name":"{NAME}"}}',
        '{"a":' * 100_000,
    ],
    ids=["empty", "words", "cut", "a long number", "deep"],
)
def test_of_what_cannot_be_read_nothing_stays(raw: str) -> None:
    assert nameless(raw) == '"…"'


@given(st.dictionaries(FIELDS, VALUES, max_size=4))
def test_no_name_stays_wherever_it_stands_and_once_is_enough(packet: dict[str, object]) -> None:
    kept = nameless(json.dumps(packet))
    assert NAME not in kept or packet.get("id") == NAME
    assert nameless(kept) == kept
    kept.encode()

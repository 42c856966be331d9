"""Tables that a spreadsheet opens: nothing in them is run, and nothing of them is lost."""

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugin_bridge.spreadsheets import csv_writer, unguarded

STARTS = "=+-@\t\r\n＝＋－＠"
TEXTS = st.text(st.sampled_from(f"{STARTS}'\"a1,; "), max_size=6) | st.text(max_size=6)


def written(*rows: list[object]) -> list[list[str]]:
    file = StringIO(newline="")
    write = csv_writer(file)
    for row in rows:
        write(row)
    return list(csv.reader(StringIO(file.getvalue(), newline=""), strict=True))


@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_no_text_begins_like_a_formula_and_each_comes_back(texts: list[str]) -> None:
    [cells] = written(list(texts))
    assert not [cell for cell in cells if cell[:1] and cell[:1] in STARTS]
    assert [unguarded(cell) for cell in cells] == texts


@pytest.mark.parametrize("name", ["Ann", "'Ann'", "", "a=b", "'"])
def test_other_texts_are_written_as_they_are(name: str) -> None:
    assert written([name, "x"]) == [[name, "x"]]


def test_numbers_stay_numbers_that_a_spreadsheet_can_add() -> None:
    assert written([-1.5, -3, None]) == [["-1.5", "-3", ""]]


def test_a_semicolon_does_not_end_a_cell_where_spreadsheets_want_semicolons() -> None:
    file = StringIO()
    csv_writer(file)(["a;=1+1", "b"])
    assert file.getvalue() == '"a;=1+1",b\n'

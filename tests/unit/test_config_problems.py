"""config.yml: what an admin is told when something is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from plugin_bridge.config import ConfigError, Problem, load_config, parse_config
from plugin_bridge.errors import BridgeError


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        parse_config(text)
    return caught.value.problems


def problem(text: str) -> Problem:
    """The only problem of the text."""
    (found,) = problems(text)
    return found


def parameter(line: str) -> str:
    return f"rating:\n  parameters:\n    {line}\n"


SYNTAX = [
    # what admins paste: colours without quotes
    ("tiers:\n  - &b&lKey\n", (2, 5), "quotes", '"&b&lKey"'),
    ("display:\n  prefix: &c[SpecMod] \n", (2, 11), "quotes", '"&c[SpecMod]"'),
    ("display:\n  prefix: &6 {label}\n", (2, 11), "quotes", None),
    ("display:\n  prefix: &6HT1\n", (2, 11), "quotes", '"&6HT1"'),
    ("display:\n  unranked: &6 none\n", (2, 13), "quotes", '"&6 none"'),
    ("tiers:\n  - {name: A, label: &6[A], weight: 1}\n", (2, 22), "quotes", '"&6[A]"'),
    ("tiers:\n  - {name: A, label: &6[A]}\n", (2, 22), "quotes", '"&6[A]"'),
    ("messages:\n  promotion: {player} is {tier}\n", (2, 14), "quotes", '"{player} is {tier}"'),
    ("messages:\n  promotion: [x] {player}\n", (2, 14), "quotes", '"[x] {player}"'),
    ("messages:\n  promotion: 'it's me'\n", (2, 14), "quotes", '"it\'s me"'),
    ("messages:\n  promotion: 'a' b\n", (2, 14), "quotes", None),
    ("messages:\n  promotion: New: {tier}\n", (2, 14), "quotes", '"New: {tier}"'),
    ("messages:\n  promotion: %x\n", (2, 14), "cannot begin with %", '"%x"'),
    ("messages:\n  promotion: @x\n", (2, 14), "cannot begin with @", '"@x"'),
    ("messages:\n  promotion: `x`\n", (2, 14), "cannot begin with `", '"`x`"'),
    ("messages:\n  promotion: !x y\n", (2, 14), "!", '"!x y"'),
    ("messages:\n  promotion: *bold* y\n", (2, 14), "*", '"*bold* y"'),
    ("messages:\n  promotion: *bold\n", (2, 14), "*", '"*bold"'),
    ("messages:\n  promotion: > x\n", (2, 14), ">", '"> x"'),
    ('messages:\n  promotion: &a"x"\n', (2, 14), "quotes", "'&a\"x\"'"),
    # quotes and escapes
    ('messages:\n  promotion: "&aHi\n  demotion: x\n', (2, 14), "never closed", None),
    ("messages:\n  promotion: '&aHi\n", (2, 14), "never closed", None),
    ('messages:\n  promotion: "a\\qb"\n', (2, 17), "double quotes", None),
    ('language: "\\ud83d"\n', (1, 11), "half a character", None),
    ('language: "\\UFFFFFFFF"\n', (1, 12), "no character", None),
    # tabs and indentation
    ("listen:\n\tport: 1\n", (2, 1), "tab", None),
    ("listen:\n  host:\t1\n  port: 2\n", (2, 8), "tab", None),
    ("listen:\n  port:8787\n  host: x\n", (3, 7), "line above", None),
    ("listen:\n  host: x\n   port: 1\n", (3, 8), "indentation", None),
    ("listen:\n    host: x\n  port: 1\n", (3, 3), "same column", None),
    ("listen:\n  port\n  host: x\n", (3, 7), "line above", None),
    ("language: en\nlisten\n", (2, 1), "colon", None),
    # brackets
    ("listen: {port: 1\n", (1, 9), "close it", None),
    ("listen: {port: 80}}\n", (1, 9), "left over", None),
    ("{", (1, 2), "missing", None),
    # parts of YAML that a settings file has no use for
    ("? [a]\n: b\n", (1, 3), "single word", None),
    ("%YAML 2.0\n---\nlanguage: en\n", (1, 1), "version", None),
    ("language: en\n---\nlanguage: en\n", (2, 1), "second document", None),
    ("a\x00b", (1, 2), "U+0000", None),
    ("ok: \ud83d", (1, 5), "U+D83D", None),
    ("[" * 40, (1, 18), "levels", None),
]


@pytest.mark.parametrize(("text", "place", "words", "suggestion"), SYNTAX)
def test_broken_yaml_is_explained_where_it_breaks(
    text: str, place: tuple[int, int], words: str, suggestion: str | None
) -> None:
    found = problems(text)[-1]
    assert (found.line, found.column) == place
    assert words in found.message
    if suggestion:
        assert found.suggestion == suggestion


SETTINGS = [
    # keys
    ("lisen: {}\n", (1, 1), "no setting `lisen` at the top level", "listen"),
    ("listen:\n  prot: 1\n", (2, 3), "no setting `prot` in `listen`", "port"),
    ("filters:\n  combat-window: 1\n", (2, 3), "no setting `combat-window`", "combat_window"),
    ("x: 1\n", (1, 1), "no setting `x`", None),
    ("language: en\nlanguage: en\n", (2, 1), "twice (first in line 1)", None),
    ("listen:\n  port: 1\n  port: 2\n", (3, 3), "twice (first in line 2)", None),
    # sections
    ("listen\n", (1, 1), "the file must hold lines", None),
    ("- a\n", (1, 1), "the file must hold lines", None),
    ("listen: 5\n", (1, 9), "`listen` must hold lines", None),
    ("listen:\n  port:8787\n", (2, 3), "`listen` must hold lines", "port: 8787"),
    ("servers: {survival: x}\n", (1, 10), "must be a list", None),
    # listen and storage
    ("listen:\n  port: 65536\n", (2, 9), "`port` must be a whole number from 0 to 65535", None),
    ("listen:\n  port: -1\n", (2, 9), "`port` must be", None),
    ("listen:\n  port: 87.5\n", (2, 9), "`port` must be", None),
    ("listen:\n  port: http\n", (2, 9), "`port` must be", None),
    ("listen:\n  port: [1]\n", (2, 9), "`port` must be a single value", None),
    ("listen:\n  port: ٣\n", (2, 9), "`port` must be", None),
    ("listen:\n  host: a b\n", (2, 9), "`host` must be", None),
    ("listen:\n  tls: {key: x}\n", (2, 8), "both `certificate` and `key`", None),
    ("storage:\n  database: ~/x\n", (2, 13), "`database` must be", None),
    ('storage:\n  database: "a\\0b"\n', (2, 13), "`database` must be", None),
    # servers
    ("servers: [survival]\n", (1, 11), "a server is written like this", None),
    ("servers: [{address: x}]\n", (1, 11), "no `name`", None),
    ("servers: [{name: My Server}]\n", (1, 18), "`name` must be", "my_server"),
    ("servers: [{name: a}, {name: a}]\n", (1, 29), "two servers `a`", None),
    ("servers: [{name: a, address: '::1'}]\n", (1, 30), "`address` must be", "[::1]"),
    ("servers: [{name: a, address: 'x:0'}]\n", (1, 30), "`address` must be", None),
    ("servers: [{name: a, address: 'http://x'}]\n", (1, 30), "`address` must be", None),
    # rating
    (
        "rating: {preset: papr}\n",
        (1, 18),
        "`preset` must be one of: paper, consistent, calibrated",
        "paper",
    ),
    (parameter("sigma_plac: 3"), (3, 5), "no setting `sigma_plac`", "sigma_place"),
    (parameter("shares: [1]"), (3, 5), "weights of the tiers", None),
    (parameter("theta: abc"), (3, 12), "`theta` must be a number", None),
    (parameter("alpha: 0,5"), (3, 12), "`alpha` must be a number", "0.5"),
    (parameter("theta: .inf"), (3, 12), "`theta` must be a number", None),
    (parameter("theta: 1e999"), (3, 12), "`theta` must be a number", None),
    (parameter("alpha: 1.5"), (3, 5), "`alpha` is 1.5", None),
    (parameter("lambda: -1"), (3, 5), "`lambda` is -1", None),
    (parameter("n_min: 1.5"), (3, 5), "`n_min` is 1.5", None),
    (parameter("mu_0: 5000"), (3, 5), "`mu_max` is 4000", None),
    (parameter("delta_max: 1e300"), (3, 5), "", None),
    (parameter("pool_drains: maybe"), (3, 18), "true or false", None),
    (parameter("victim_loss: none"), (3, 5), "winner_probability", None),
    (parameter("t_cooldown: 5 minutes"), (3, 17), "length of time", None),
    # calibration
    ("calibration: {interval: 9s}\n", (1, 25), "`interval` must be from 10s to 366d", None),
    ("calibration: {interval: soon}\n", (1, 25), "30s, 5m, 1h or 1d", None),
    ("calibration: {interval: -5m}\n", (1, 25), "30s, 5m, 1h or 1d", None),
    ("calibration: {interval: 1:30}\n", (1, 25), "30s, 5m, 1h or 1d", None),
    # tiers
    ("tiers: []\n", (1, 1), "2 to 100 tiers, not 0", None),
    ("tiers: [{name: A}]\n", (1, 9), "2 to 100 tiers, not 1", None),
    ("tiers: [A, {name: B}]\n", (1, 9), "a tier is written like this", None),
    ("tiers: [{name: A}, {label: B}]\n", (1, 20), "no `name`", None),
    ("tiers: [{name: A}, {name: a}]\n", (1, 20), "two tiers named `a`", None),
    ("tiers: [{name: A}, {name: B, weight: 0}]\n", (1, 38), "`weight` must be above 0", None),
    ("tiers: [{name: A}, {name: B, weight: -1}]\n", (1, 38), "`weight` must be", None),
    ("tiers: [{name: A}, {name: B, weight: 1e9}]\n", (1, 9), "too small next to", None),
    ("tiers: [{name: A}, {name: B, wieght: 1}]\n", (1, 30), "no setting `wieght`", "weight"),
    (f"tiers: [{{name: A}}, {{name: {'x' * 33}}}]\n", (1, 27), "1 to 32 characters", None),
    ("tiers:\n  - {name: A}\n  - name: B\n    label: #ff0000B\n", (4, 5), "needs quotes", None),
    (
        'tiers: [{name: A}, {name: B, label: "a\\nb"}]\n',
        (1, 37),
        "`label` must be in one line",
        None,
    ),
    (f"tiers: [{{name: A}}, {{name: B, label: '&6{'x' * 65}'}}]\n", (1, 37), "at most 64", None),
    # wording
    ("language: de\n", (1, 11), "`language` must be one of: en, zh_cn", None),
    ("messages:\n  promtion: x\n", (2, 3), "no setting `promtion` in `messages`", "promotion"),
    ("messages:\n  promotion: 'a {plyer}'\n", (2, 17), "no placeholder {plyer}", "{player}"),
    ("messages:\n  promotion: 'a {player'\n", (2, 17), "never closed", None),
    ("messages:\n  promotion: a } b\n", (2, 16), "closes nothing", None),
    ('messages:\n  promotion: "\\u00e9 {{ {x}"\n', (2, 25), "no placeholder {x}", None),
    ("messages:\n  promotion: >-\n    a\n    {x}\n", (4, 5), "no placeholder {x}", None),
    ("messages:\n  promotion: #ff0000 {player}\n", (2, 3), "nothing is written here", None),
    ("messages:\n  promotion: [a]\n", (2, 14), "put it in quotes if it is a text", None),
    ("announcements: {demotion: privat}\n", (1, 27), "broadcast, private, off", "private"),
    ("display: {prefix: '{lable} '}\n", (1, 20), "no placeholder {lable}", "{label}"),
    ("display:\n  unranked: #888888[-]\n", (2, 3), "needs quotes", None),
    ("display:\n  prefix: #{label}\n", (2, 3), "needs quotes", None),
    ("display: {unranked: '&6aa\n\n  b'}\n", (1, 21), "must be in one line", None),
    ("display: {tab_list: maybe}\n", (1, 21), "`tab_list` must be true or false", None),
    # filters
    ("filters: {combat_log: killed}\n", (1, 23), "one of: kill, ignore", "kill"),
    ("filters: {combat_window: 2h}\n", (1, 26), "from 0s to 1h", None),
    ("filters: {worlds: {onyl: []}}\n", (1, 20), "no setting `onyl` in `worlds`", "only"),
    ("filters: {worlds: {only: [[]]}}\n", (1, 27), "`only` must be a single value", None),
    # ladders
    ("ladders: {main: {servers: [a]}}\n", (1, 11), "`main` is the ladder of everything", None),
    ("ladders: {Duels: {servers: [a]}}\n", (1, 11), "the name of a ladder must be", "duels"),
    ("ladders: {duels: {}}\n", (1, 11), "needs `servers` or `worlds`", None),
    ("ladders: {duels: {servers: [], worlds: []}}\n", (1, 11), "needs `servers` or", None),
    ("ladders: {a: {servers: [A B]}}\n", (1, 25), "`servers` must be", "a_b"),
    (
        "ladders:\n  a: {servers: [x]}\n  b: {servers: [y, x]}\n",
        (3, 20),
        "the server `x` is claimed by the ladder `a` already",
        None,
    ),
    (
        "ladders:\n  a: {worlds: [arena]}\n  b: {servers: [y], worlds: [end, Arena]}\n",
        (3, 35),
        "the world `arena` of `y` is claimed by the ladder `a` already",
        None,
    ),
    (
        "ladders:\n  a: {servers: [x]}\n  b: {worlds: [end]}\n",
        (3, 16),
        "the world `end` is claimed by the ladder `a` already",
        None,
    ),
    (
        "ladders:\n  a:\n    servers: [x]\n    rating: {parameters: {alpha: 2}}\n",
        (4, 27),
        "`alpha` is 2",
        None,
    ),
]


@pytest.mark.parametrize(("text", "place", "words", "suggestion"), SETTINGS)
def test_a_wrong_setting_is_named_with_its_place_and_the_likely_fix(
    text: str, place: tuple[int, int], words: str, suggestion: str | None
) -> None:
    found = problem(text)
    assert (found.line, found.column) == place
    assert words in found.message
    assert found.suggestion == suggestion
    assert found.text == text.splitlines()[found.line - 1]


def test_all_problems_are_told_at_once_in_the_order_of_the_file() -> None:
    text = "listen:\n  port: high\n  hots: x\ntiers:\n  - {name: A, label: &6[ A}\n  - {name: A}\n"
    with pytest.raises(ConfigError):
        parse_config(text)
    text = text.replace("&6[ A", "&6 A")
    assert [(found.line, found.column) for found in problems(text)] == [
        (2, 9),
        (3, 3),
        (5, 22),
        (6, 5),
    ]


def test_an_error_prints_each_problem_with_place_fix_and_line() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_config("language: en\nlisten:\n  prot: 1\n  host: a b\n")
    assert str(caught.value).splitlines() == [
        "config.yml:3:3: there is no setting `prot` in `listen`; did you mean `port`?",
        "    prot: 1",
        "config.yml:4:9: `host` must be a host name or an IP address",
        "    host: a b",
    ]
    assert isinstance(caught.value, BridgeError)


def test_a_long_line_is_shown_around_the_fault() -> None:
    found = problem(f"filters: {{worlds: {{only: [{'abc, ' * 100}], onyl: []}}}}\n")
    shown = str(found).splitlines()[1]
    assert "onyl" in shown
    assert len(shown) < 140


def test_a_parameter_shared_by_all_ladders_is_complained_of_once() -> None:
    found = problem(parameter("alpha: 2") + "ladders: {a: {servers: [x]}, b: {servers: [y]}}\n")
    assert found.line == 3


def test_every_bad_parameter_is_told() -> None:
    found = problems(parameter("{alpha: 2, mu_min: 2000, tau: 0, n_min: -1}"))
    assert [one.column for one in found] == [6, 16, 30, 38]


def test_a_problem_never_carries_what_a_console_would_obey() -> None:
    found = problem('"\\e[31mkey": 1\n')
    assert str(found).isascii() is False
    assert "\x1b" not in str(found)


def test_a_missing_file_is_a_plain_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_config(tmp_path / "config.yml")
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config(tmp_path)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config("a\0b")


def test_of_a_file_that_is_far_too_long_no_more_is_read_than_shows_it(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    with path.open("wb") as file:
        file.truncate(10**12)  # more than any machine holds; on the disk it takes nothing
    with pytest.raises(ConfigError, match="too long for a settings file"):
        load_config(path)


@pytest.mark.parametrize(
    ("raw", "place", "words"),
    [
        (b"language: en\ntiers: [{name: \xc9lite}]\n", (2, 16), "not UTF-8"),
        (b"\xef\xbb\xbf\xff", (1, 1), "not UTF-8"),
        ("language: en\n".encode("utf-16"), (0, 0), "UTF-16"),
    ],
)
def test_a_file_that_is_not_utf_8_is_told_so(
    tmp_path: Path, raw: bytes, place: tuple[int, int], words: str
) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(raw)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    (found,) = caught.value.problems
    assert (found.line, found.column) == place
    assert words in found.message
    assert found.file == "config.yml"


def test_a_huge_file_is_refused_unread() -> None:
    assert "too long" in problem("# x\n" * 100_000).message


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    found = problem(f"language: en{end}# x{end}listen:{end}  port: x{end}")
    assert (found.line, found.column, found.text) == (4, 9, "  port: x")

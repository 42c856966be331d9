"""config.yml: what it means when nothing is wrong with it."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
import yaml

from adr_core import Parameters
from plugin_bridge.config import (
    PLACEHOLDERS,
    Config,
    ConfigError,
    GameServer,
    Tls,
    default_config_text,
    load_config,
    parse_config,
)
from plugin_bridge.text import Text, parse_markup, plain

EVERY_VALUE = {name: f"<{name}>" for names in PLACEHOLDERS.values() for name in names}


def say(config: Config, key: str) -> str:
    values: dict[str, str | Text] = {name: EVERY_VALUE[name] for name in PLACEHOLDERS[key]}
    return config.messages.plain(key, **values)


def test_the_shipped_file_says_what_an_empty_one_means() -> None:
    shipped = parse_config(default_config_text())
    assert shipped == parse_config("")
    assert shipped.warnings == ()


def test_the_shipped_file_names_every_section() -> None:
    shipped = yaml.safe_load(default_config_text())
    assert list(shipped) == [
        "listen",
        "storage",
        "servers",
        "rating",
        "calibration",
        "tiers",
        "language",
        "messages",
        "announcements",
        "display",
        "filters",
        "events",
        "ladders",
    ]


@pytest.mark.parametrize(
    "text", ["", "\n", "# nothing\n", "---\n", "~", "listen:\ntiers:\nmessages:"]
)
def test_whatever_is_left_out_has_its_default(text: str) -> None:
    config = parse_config(text)
    assert config == parse_config(default_config_text())
    assert (config.listen.host, config.listen.port, config.listen.tls) == ("127.0.0.1", 8787, None)
    assert config.servers == (GameServer("survival", "127.0.0.1:25565"),)
    assert config.calibration.interval == 3600
    assert config.language == "en"
    assert config.announcements.promotion == "broadcast"
    assert config.announcements.demotion == "private"
    assert config.announcements.placement == "broadcast"
    assert (config.display.tab_list, config.display.name_tag) == (True, True)
    assert (config.filters.combat_window, config.filters.combat_log) == (15, "kill")
    assert [ladder.name for ladder in config.ladders] == ["main"]
    assert config.ladders[0].parameters == Parameters.paper()


def test_the_shipped_tiers_are_the_fifteen_that_players_know() -> None:
    tiers = parse_config("").tiers
    assert [tier.name for tier in tiers] == [
        f"{half}T{group}" for group in range(1, 6) for half in "HML"
    ]
    assert len({tier.label.color for tier in tiers}) == 5


def test_tier_1_is_the_best_and_there_is_no_tier_0() -> None:
    config = parse_config("")
    assert config.tier(1).name == "HT1"
    assert config.tier(15).name == "LT5"
    for index in (0, -1, 16):
        with pytest.raises(IndexError):
            config.tier(index)


def test_weights_become_shares_that_add_up_to_one() -> None:
    config = parse_config("tiers: [{name: A}, {name: B, weight: 2.5}, {name: C, weight: 0.5}]")
    assert config.ladders[0].parameters.shares == pytest.approx((0.25, 0.625, 0.125))
    assert sum(config.ladders[0].parameters.shares) == pytest.approx(1, abs=1e-12)


def test_a_tier_without_a_label_is_shown_by_its_name() -> None:
    config = parse_config('tiers: [{name: 1}, {name: off, label: "&cB"}]')
    assert config.tier(1).label == Text("1")
    assert config.tier(2).name == "off"
    assert config.tier(2).label == Text("B", color="red")


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("30s", 30),
        ("5m", 300),
        ("1m30s", 90),
        ("1m 30s", 90),
        ("1h", 3600),
        ("1d", 86400),
        ("1d12h", 129600),
        ("1.5h", 5400),
        ("90", 90),
        ("90.5", 90.5),
        ("5M", 300),
        ('"5m"', 300),
        ("1e3", 1000),
    ],
)
def test_a_length_of_time_is_read_as_written(written: str, seconds: float) -> None:
    assert parse_config(f"calibration: {{interval: {written}}}").calibration.interval == seconds


def test_parameters_are_set_by_their_symbols_on_top_of_the_preset() -> None:
    config = parse_config(
        "rating:\n  preset: consistent\n  parameters:\n"
        "    {lambda: 0.75, t_cooldown: 2m, t_return: 14d, t_active: 3, n_min: 10, pool_drains: no}"
    )
    assert config.ladders[0].parameters == Parameters(
        victim_loss="prediction_error",
        return_events=15,
        pool_drains=False,
        lambda_=0.75,
        t_cooldown=120,
        t_return=14,
        t_active=3,
        n_min=10,
    )


def test_every_parameter_can_be_set_to_what_it_is() -> None:
    values = Parameters().to_dict()
    del values["shares"]
    lines = "".join(f"    {name}: {value}\n" for name, value in values.items())
    assert parse_config(f"rating:\n  parameters:\n{lines}") == parse_config("")


@pytest.mark.parametrize("word", ["off", "Off", "OFF", "no", "false", '"off"', "none", "never"])
def test_off_means_off_in_every_spelling(word: str) -> None:
    config = parse_config(f"announcements: {{promotion: {word}}}")
    assert config.announcements.promotion == "off"


@pytest.mark.parametrize("word", ["on", "yes", "true"])
def test_on_means_what_is_usual_for_the_event(word: str) -> None:
    config = parse_config(f"announcements: {{promotion: {word}, demotion: {word}}}")
    assert config.announcements.promotion == "broadcast"
    assert config.announcements.demotion == "private"


@pytest.mark.parametrize(
    ("word", "value"), [("on", True), ("yes", True), ("True", True), ("off", False), ("no", False)]
)
def test_a_switch_takes_the_words_admins_use(word: str, value: bool) -> None:
    assert parse_config(f"display: {{tab_list: {word}}}").display.tab_list is value


def test_a_prefix_is_the_template_around_the_label() -> None:
    display = parse_config('display: {prefix: "&8{label}&7 | ", unranked: "&8-"}').display
    shown = display.before(parse_markup("&6HT1"))
    assert shown is not None
    assert plain(shown) == "HT1 | "
    unranked = display.before(None)
    assert unranked is not None
    assert plain(unranked) == "- | "


def test_players_without_a_tier_have_nothing_before_their_name_at_first() -> None:
    display = parse_config("").display
    assert display.before(None) is None
    assert display.before(Text("HT1")) is not None


def test_filters_by_world_ignore_letter_case() -> None:
    only = parse_config("filters: {worlds: {only: [Arena, 7]}}")
    assert only.rates("arena")
    assert only.rates("7")
    assert not only.rates("world")
    assert not only.rates(None)
    ignoring = parse_config("filters: {worlds: {ignore: creative}}")
    assert ignoring.rates("world")
    assert ignoring.rates(None)
    assert not ignoring.rates("Creative")


LADDERS = """
rating: {parameters: {n_min: 7, t_cooldown: 5}}
ladders:
  duels:
    servers: [duels]
    rating: {preset: consistent, parameters: {n_min: 3}}
  arena:
    servers: [survival, skyblock]
    worlds: [Arena]
  end:
    worlds: [world_the_end]
    # not where the ladder above plays
    servers: [survival]
"""


@pytest.mark.parametrize(
    ("server", "world", "ladder"),
    [
        ("duels", "anything", "duels"),
        ("duels", None, "duels"),
        ("survival", "arena", "arena"),
        ("skyblock", "ARENA", "arena"),
        ("survival", "world_the_end", "end"),
        ("survival", "world", "main"),
        ("survival", None, "main"),
        ("creative", "arena", "main"),
    ],
)
def test_a_place_belongs_to_the_ladder_that_claims_it(
    server: str, world: str | None, ladder: str
) -> None:
    assert parse_config(LADDERS).ladder_for(server, world) == ladder


def test_a_ladder_takes_what_it_does_not_say_from_the_main_one() -> None:
    config = parse_config(LADDERS)
    main, duels, arena = (config.ladder(name).parameters for name in ("main", "duels", "arena"))
    assert arena == main == Parameters(n_min=7, t_cooldown=5)
    assert duels.victim_loss == "prediction_error"
    assert (duels.n_min, duels.t_cooldown) == (3, 5)
    with pytest.raises(KeyError):
        config.ladder("nobody")


@pytest.mark.parametrize("language", ["en", "zh_cn"])
def test_both_languages_hold_exactly_the_messages_there_are(language: str) -> None:
    text = (files("plugin_bridge") / "lang" / f"{language}.yml").read_text(encoding="utf-8")
    lines = yaml.safe_load(text)
    assert list(lines) == list(dict.fromkeys(lines))
    assert set(lines) == set(PLACEHOLDERS)
    config = parse_config(f"language: {language}")
    assert config.language == language
    for key, names in PLACEHOLDERS.items():
        said = say(config, key)
        assert said
        assert all(EVERY_VALUE[name] in said for name in names), key


@pytest.mark.parametrize(
    ("word", "language"), [("zh-CN", "zh_cn"), ("ZH_CN", "zh_cn"), ("zh", "zh_cn"), ("en_US", "en")]
)
def test_a_language_is_recognised_by_its_usual_names(word: str, language: str) -> None:
    assert parse_config(f"language: {word}").language == language


def test_a_message_can_be_worded_anew_or_silenced() -> None:
    config = parse_config('messages: {rank_best: "<b>Top!", promotion: ""}')
    assert config.messages.line("rank_best") == Text("Top!", bold=True)
    assert say(config, "promotion") == ""
    assert say(config, "demotion")


def test_a_message_takes_exactly_the_values_it_may_use() -> None:
    messages = parse_config('messages: {rank_next: "soon"}').messages
    assert messages.plain("rank_next", tier="HT1", points="3") == "soon"
    with pytest.raises(TypeError, match="points"):
        messages.line("rank_next", tier="HT1")
    with pytest.raises(KeyError):
        messages.line("no_such_line")


def test_odd_tags_are_warned_of_and_shown() -> None:
    config = parse_config("messages:\n  rank_best: 'Yes</pre> <click:run_command:/op>me'\n")
    assert say(config, "rank_best") == "Yes</pre> <click:run_command:/op>me"
    assert [(w.line, w.column) for w in config.warnings] == [(2, 18), (2, 25)]
    assert "</pre> does nothing here" in config.warnings[0].headline


@pytest.mark.parametrize(
    ("label", "columns"),
    [
        ("&6[HT1]", []),
        ("<gold><b>[HT1]</b> & co. <3 \\<x &#ff8800!", []),
        ("", []),
        ("<goldd>[HT1]", [11]),
        ("<gold[HT1]", [11]),
        ("&z[HT1]", [11]),
        ("&#gg0000[HT1]", [11]),
        ("&#ff88[HT1]", [11]),
        ("&6[HT1]</red> <gold", [18, 25]),
    ],
)
def test_whatever_does_nothing_in_a_label_is_warned_of(label: str, columns: list[int]) -> None:
    tier = parse_config(f"tiers:\n- name: A\n  label: '{label}'\n- name: B\n")
    unranked = parse_config(f"display:\n  unranked: '{label}'")
    assert [(w.line, w.column) for w in tier.warnings] == [(3, column) for column in columns]
    assert [w.column - 3 for w in unranked.warnings] == columns
    if columns:
        assert "does nothing here" in tier.warnings[0].headline


def test_a_ladder_on_a_server_that_is_not_named_elsewhere_is_warned_of() -> None:
    text = (
        "servers: [{name: duels}]\nladders:\n  a: {servers: [duels]}\n  b: {servers: [duel, x]}\n"
    )
    first, second = parse_config(text).warnings
    assert (first.line, first.column, first.suggestion) == (4, 17, "duels")
    assert (second.line, second.column, second.suggestion) == (4, 23, None)
    assert "`x` is not in `servers`" in second.message
    many = ", ".join(f"s{number}" for number in range(200))
    assert len(parse_config(f"ladders: {{a: {{servers: [{many}]}}}}").warnings) == 10


def test_relative_paths_start_from_the_folder_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_text("listen: {port: 0, tls: {certificate: a.pem, key: /b.pem}}", encoding="utf-8")
    config = load_config(path)
    assert config.storage.database == tmp_path / "data" / "adr-bridge.sqlite3"
    assert config.listen.tls == Tls(tmp_path / "a.pem", Path("/b.pem"))
    assert config.listen.port == 0


def test_an_absolute_path_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_text(f"storage: {{database: '{tmp_path / 'x.db'}'}}", encoding="utf-8")
    assert load_config(path).storage.database == tmp_path / "x.db"


def test_reading_leaves_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(b"display:\r\n  prefix: &c[broken\r\n")
    path.chmod(0o444)
    before = path.stat()
    with pytest.raises(ConfigError):
        load_config(path)
    assert path.read_bytes() == b"display:\r\n  prefix: &c[broken\r\n"
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.yml"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_byte_order_mark_does_not_matter(tmp_path: Path, mark: bytes) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes(mark + "tiers: [{name: Élite}, {name: 青铜}]".encode())
    assert [tier.name for tier in load_config(path).tiers] == ["Élite", "青铜"]


def test_the_files_are_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    path = tmp_path / "config.yml"
    path.write_text("language: zh_cn\ntiers: [{name: Élite}, {name: 青铜}]", encoding="utf-8")
    program = (
        "import sys; from plugin_bridge.config import *; c = load_config(sys.argv[1]);"
        "print(ascii([c.tier(1).name, c.tier(2).name, c.messages.plain('unranked_word')]));"
        "default_config_text()"
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-W", "error", "-c", program, str(path)],
        env={
            "LC_ALL": "C",
            "PYTHONUTF8": "0",
            "PYTHONCOERCECLOCALE": "0",
            "PYTHONPATH": ":".join(sys.path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == ascii(["Élite", "青铜", "未定级"])

"""What all tests may ask for: their long form, and a place for what they measured."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

_MEASURED = "measured"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the long forms: more of everything, for minutes"
    )
    parser.addoption(
        "--keep", action="store_true", help="keep the ratios of speed of this run as the new ones"
    )
    parser.addoption(
        "--seed", type=int, default=None, help="repeat the random choices of a run that printed it"
    )


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter,
) -> None:
    reports = (
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.when == "call"
    )
    lines = [
        text for report in reports for word, text in report.user_properties if word == _MEASURED
    ]
    if lines:
        terminalreporter.section("measured")
        for line in lines:
            terminalreporter.write_line(str(line))


@pytest.fixture(scope="session")
def long(request: pytest.FixtureRequest) -> bool:
    """Whether the long form of a test is wanted."""
    return bool(request.config.getoption("--long"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Another one in every run, shown when the test fails."""
    given = request.config.getoption("--seed")
    chosen = random.SystemRandom().randrange(1_000_000) if given is None else int(given)
    print(f"repeat with --seed {chosen}")
    return chosen


@pytest.fixture
def measured(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Takes a line with numbers, which is shown below the results."""
    return lambda line: request.node.user_properties.append((_MEASURED, line))

"""One illegal act in a legal hand is found, with its event, and nothing else is reported with it."""

from __future__ import annotations

from functools import cache

import pytest
from support.hands import play
from support.injections import INJECTORS, Injector, injected

from engine.audit import audit
from engine.eventlog import format_log
from engine.events import Log

SEEDS = range(18)


@cache
def logs() -> tuple[Log, ...]:
    """Known and hidden hands, some of them played by people who throw golds."""
    return tuple(play(seed, hidden=seed % 2 == 1, careless=seed % 3 == 0) for seed in SEEDS)


@pytest.mark.parametrize("injector", INJECTORS, ids=lambda injector: injector.__name__)
def test_the_act_is_found_and_nothing_else(injector: Injector) -> None:
    """At several places of many hands."""
    tried = 0
    for seed, log in zip(SEEDS, logs(), strict=True):
        for changed, kind, number in injected(injector, log, seed, 2):
            tried += 1
            found = [(one.kind, one.events[-1]) for one in audit(changed)]
            assert found == [(kind, number)], f"seed {seed}\n{format_log(changed, numbered=True)}"
    assert tried > 0

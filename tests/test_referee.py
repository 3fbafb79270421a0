"""The referee as other packages use it: claims, answers, corrections in the middle, points."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.hands import play

from engine.audit import audit
from engine.errors import HandError
from engine.eventlog import format_event, parse_event, parse_log
from engine.events import Chow, Event, KongAdded, KongConcealed, KongOpen, LaidOpen, Log, Pung, WinClaim, seat_of
from engine.events import Deal as DealEvent
from engine.judging import ClaimRuling, Ruling
from engine.reasons import Reason
from engine.referee import Referee
from engine.seats import SEATS, Seat
from engine.verdicts import CannotKnow, Fact, Refusal, Win

E, S, W, N = SEATS
WAITS_ON_58P = "123456m789p23455s67p"
START = "gold 9m\nE discard 1s\nS draw head\nS discard 3p\nW draw head\n"


def referee(text: str, deal: str = "deal E fuzhou streak 0") -> Referee:
    """The referee after these events."""
    return Referee(parse_log(f"{deal}\n{text}"))


def claims(text: str, seat: Seat, deal: str = "deal E fuzhou streak 0") -> list[str]:
    """What a seat may claim, as text."""
    return [format_event(claim) for claim in referee(text, deal).legal_claims(seat)]


def win_ruling(text: str, claim: str) -> Ruling:
    """The answer to a declared win."""
    event = parse_event(claim)
    assert isinstance(event, WinClaim)
    ruling = referee(text).judge(event)
    assert isinstance(ruling, Ruling)
    return ruling


# What may be claimed


def test_claims_on_a_discard() -> None:
    """Win, pung, every chow; only the next seat chows; nobody claims an own discard or a gold."""
    hands = "S holds 123456m789p23455s67p\nW holds 55p1357m2468s13579p1s\ngold 9m\nE discard 2m\n"
    hands += "S draw 1p\nS discard 1p\nW draw 1m\nW discard 1m\nN draw\nN discard 2m\nE draw\n"
    assert claims(hands + "E discard 5p", S) == ["S win discard 5p", "S chow 5p with 67p"]
    assert claims(hands + "E discard 5p", W) == ["W kong 5p", "W pung 5p"]
    assert claims(hands + "E discard 5p", E) == []
    assert claims(hands + "E discard 3s", S) == ["S chow 3s with 24s", "S chow 3s with 45s"]
    assert claims(hands + "E discard 9m", S) == []
    assert claims(hands + "E discard 5p\nS draw 1p", W) == []


def test_a_closed_hand_has_no_list_of_claims() -> None:
    """Its tiles are not known."""
    assert claims("gold 9m\nE discard 5p", S) == []


def test_an_added_kong_is_offered_when_the_fourth_tile_comes() -> None:
    """Not right after the pung, but on any later own turn (field report 62)."""
    text = "S holds 8888m12345p123456s7p\ngold 9m\nE discard 7m\nS draw 7m\n"
    assert "S kong concealed 8m" in claims(text, S)
    text = "S holds 88m12345p12345679s7p\ngold 9m\nE discard 8m\nS pung 8m\n"
    assert claims(text, S) == []
    text += "S discard 9s\nW draw\nW discard 1m\nN draw\nN discard 1m\nE draw\nE discard 1m\nS draw 8m"
    assert claims(text, S) == ["S kong added 8m"]
    later = text + "\nS discard 7s\nW draw\nW discard 1m\nN draw\nN discard 1m\nE draw\nE discard 2m\nS draw 2s"
    assert claims(later, S) == ["S kong added 8m"]
    assert claims(later, S, "deal E fuzhou streak 0 added_kong_later=false") == []


def test_a_kong_after_a_claim_where_it_is_allowed() -> None:
    """`kong_after_claim`."""
    text = "S holds 888m33m12345p12345s7p\ngold 9m\nE discard 3m\nS pung 3m\n"
    assert claims(text, S) == []
    text = text.replace("888m33m", "8888m33m").replace("7p", "", 1)
    assert claims(text, S) == []
    assert claims(text, S, "deal E fuzhou streak 0 kong_after_claim=true") == ["S kong concealed 8m"]


def test_a_flower_waits_to_be_replaced() -> None:
    """A seat that owes a draw has no claims; the table says what it waits for (field report 63)."""
    text = f"S holds {WAITS_ON_58P}\ngold 9m\nE discard 1s\nS draw E\n"
    assert claims(text, S) == []
    waiting = referee(text + "S flowers E")
    assert (waiting.state.phase.value, waiting.state.turn, waiting.state.seats[S].owed) == ("replacement", S, 1)
    assert waiting.legal_claims(S) == ()
    assert claims(text + "S flowers E\nS draw tail 8p", S) == ["S win self_draw 8p"]


def test_claims_with_a_gold_where_a_table_plays_that() -> None:
    """`gold_in_claims=any`: one gold stands for a missing tile."""
    text = "S holds 57m46p9m1234567s1357p\ngold 9m\nE discard 5m"
    assert "S pung 5m with 59m" not in claims(text, S)
    offered = claims(text, S, "deal E fuzhou streak 0 gold_in_claims=any")
    assert {"S pung 5m with 59m", "S chow 5m with 79m"} <= set(offered)


# Answers


def test_an_open_hand_is_answered_with_yes_or_no() -> None:
    """Certain, with the events that prove it."""
    good = win_ruling(START + "W discard 8p", f"S win discard 8p hand {WAITS_ON_58P}")
    assert isinstance(good.verdict, Win)
    assert (good.stands, good.certain, good.evidence) == (True, True, ())
    bad = win_ruling(START + "W discard 8p\nN draw\nN discard 8p", f"S win discard 8p hand {WAITS_ON_58P}")
    assert isinstance(bad.verdict, Refusal)
    assert (bad.verdict.reason, bad.certain, bad.evidence) == (Reason.PASS_LOCK, True, (7,))


def test_a_closed_hand_is_answered_with_what_is_missing() -> None:
    """Cannot know; and what the table alone already says."""
    nothing = win_ruling(START + "W discard 8p", "S win discard 8p")
    assert nothing.verdict == CannotKnow((Fact.HAND,))
    assert (nothing.possible, nothing.evidence, nothing.certain) == (None, (), False)
    passed = win_ruling(START + "W discard 8p\nN draw\nN discard 8p", "S win discard 8p")
    assert passed.verdict == CannotKnow((Fact.HAND,))
    assert (passed.possible, passed.evidence) == (Reason.PASS_LOCK, (7,))
    thrown = win_ruling(START + "W discard 9m\nN draw\nN discard 8p", "W win discard 8p")
    assert isinstance(thrown.verdict, Refusal)
    assert (thrown.verdict.reason, thrown.evidence) == (Reason.GOLD_LOCK_SELF_DRAW_ONLY, (7,))


def test_an_unseen_indicator_leaves_the_gold_open() -> None:
    """The kind that is gold is asked for."""
    ruling = win_ruling("E discard 8p", f"S win discard 8p hand {WAITS_ON_58P}")
    assert ruling.verdict == CannotKnow((Fact.GOLD,))


@pytest.mark.parametrize(
    ("text", "claim", "reason"),
    [
        ("gold 9m\nE discard 3p", "W chow 3p with 45p", Reason.CHOW_WRONG_SEAT),
        ("gold 9m\nE discard 3p", "S chow 3p with 4p6s", Reason.NOT_A_RUN),
        ("gold 9m\nE discard 9m", "S pung 9m", Reason.GOLD_DISCARD_UNCLAIMABLE),
        ("gold 9m\nE discard E", "S pung E", Reason.FLOWER_CLAIM),
        ("gold 9m\nE discard 3p\nS pung 3p", "S kong concealed 4m", Reason.KONG_AFTER_CLAIM),
        (f"S holds {WAITS_ON_58P}\ngold 9m\nE discard 3p", "S pung 3p", Reason.TILES_NOT_HELD),
        (f"S holds {WAITS_ON_58P}1m\ngold 9m\nE discard 5s", "S pung 5s", Reason.TOO_MANY_TILES),
    ],
)
def test_melds_are_answered(text: str, claim: str, reason: Reason) -> None:
    """The first reason in the order of the rules, closed hands as far as the table shows."""
    ruling = referee(text).judge(parse_event(claim))  # type: ignore[arg-type]
    assert isinstance(ruling, ClaimRuling)
    assert ruling.refusal is not None
    assert ruling.refusal.reason is reason


CALLED = "W discard 8p\nN draw\nN discard 3s\nS pung 3s\nS discard 5s\nW draw\nW discard 8p"
AFTER_CALL = "123456m789p55s67p"
ROUND = "W discard 8p\nN draw\nN discard 3p\nE draw\nE discard 3p\nS draw 1s\nS discard 1s\nW draw\nW discard 8p"
ROBBED = (
    "gold 9m\nE discard 8p\nN pung 8p\nN discard 1m\nE draw\nE discard 1m\nS draw\nS discard 1s\nW draw\nW discard 5p\n"
    "N draw\nN kong added 8p"
)


@pytest.mark.parametrize(
    ("options", "text", "hand", "locked"),
    [
        ("", "W discard 8p\nN draw\nN discard 8p", WAITS_ON_58P, True),
        ("", "W discard 8p\nN chow 8p with 67p\nN discard 8p", WAITS_ON_58P, True),
        ("", ROUND, WAITS_ON_58P, False),
        ("", CALLED, AFTER_CALL, False),
        ("pass_lock_reset=own_draw", CALLED, AFTER_CALL, True),
        ("pass_lock_reset=own_draw", ROUND, WAITS_ON_58P, False),
        ("pass_lock_reset=end_of_hand", ROUND, WAITS_ON_58P, True),
        ("pass_lock_scope=off", "W discard 8p\nN draw\nN discard 8p", WAITS_ON_58P, False),
    ],
)
def test_each_preset_keeps_its_own_pass_lock(options: str, text: str, hand: str, locked: bool) -> None:
    """Field reports 64 and 65: another's call, an own call, an own draw."""
    claim = parse_event(f"S win discard 8p hand {hand}")
    assert isinstance(claim, WinClaim)
    ruling = referee(START + text, f"deal E fuzhou streak 0 {options}").judge(claim)
    assert isinstance(ruling, Ruling)
    assert ruling.stands is not locked
    assert (isinstance(ruling.verdict, Refusal) and ruling.verdict.reason is Reason.PASS_LOCK) is locked


HIDDEN_KONG = (
    "gold 9m\nE kong concealed back\nE draw tail\nE discard 1s\nS draw\nS discard 3p\nW draw\nW discard 4p\nN draw\n"
)


@pytest.mark.parametrize(
    ("hand", "reason"), [("234m1124p335s788s4p", Reason.NOT_COMPLETE), ("234m111p345p456s77s", None)]
)
def test_a_win_beside_a_kong_that_lies_face_down(hand: str, reason: Reason | None) -> None:
    """A hand that is complete with no kind of kong is refused; of one that is complete the points are not known."""
    text = HIDDEN_KONG + "N discard 2p\nE draw\n"
    drawn = "4p" if reason else "7s"
    verdict = win_ruling(text, f"E win self_draw {drawn} hand {hand}").verdict
    if reason is None:
        assert isinstance(verdict, CannotKnow)
        assert verdict.missing == (Fact.HAND,)
    else:
        assert isinstance(verdict, Refusal)
        assert verdict.reason is reason


@pytest.mark.parametrize(
    ("options", "locked"), [("pass_lock_scope=all_tiles", True), ("", False), ("pass_lock_rob_kong=false", False)]
)
def test_a_robbed_kong_that_was_declined(options: str, locked: bool) -> None:
    """Field report 65: declining to rob sets the lock, and an earlier pass binds the robbing."""
    text = ROBBED + "\nN draw\nN discard 5p"
    claim = parse_event(f"S win discard 5p hand {WAITS_ON_58P}")
    assert isinstance(claim, WinClaim)
    declined = referee(text, f"deal E fuzhou streak 0 {options}").judge(claim)
    assert isinstance(declined, Ruling)
    assert declined.evidence == ((11, 13) if locked else (11,))  # 5p by West; the kong of 8p
    robbing = parse_event(f"S win rob_kong 8p hand {WAITS_ON_58P}")
    assert isinstance(robbing, WinClaim)
    ruling = referee(ROBBED, f"deal E fuzhou streak 0 {options}").judge(robbing)
    assert isinstance(ruling, Ruling)
    assert ruling.stands is not locked


# Corrections


EVENTS = st.tuples(st.integers(0, 11), st.floats(0, 1, exclude_max=True))


def _some(seed: int, place: float) -> tuple[Log, int]:
    log = play(seed, hidden=seed % 2 == 1)
    return log, 2 + int(place * (len(log) - 1))


@given(EVENTS)
@settings(max_examples=15, deadline=None)
def test_adding_then_undoing_gives_the_same_table(where: tuple[int, float]) -> None:
    """Whatever event it is."""
    log, number = _some(*where)
    before = Referee(log[: number - 1])
    after = before.apply(log[number - 1])
    assert after.undo().state == before.state
    assert after.undo().violations() == before.violations()


@given(EVENTS)
@settings(max_examples=10, deadline=None)
def test_edits_in_the_middle_are_new_logs(where: tuple[int, float]) -> None:
    """Deleting, inserting and replacing an event give the referee of the changed log."""
    log, number = _some(*where)
    whole = Referee(log)
    event = log[number - 1]
    assert whole.delete(number).insert(number, event).state == whole.state
    assert whole.replace(number, event).state == whole.state
    assert whole.delete(number).state == Referee((*log[: number - 1], *log[number:])).state


def test_event_by_event_is_the_whole_log() -> None:
    """Also when a hand laid open at the end tells about an earlier claim."""
    for seed in (1, 3, 5):
        log = play(seed, hidden=True)
        one = Referee(log[:1])
        for event in log[1:]:
            one = one.apply(event)
        assert one.state == Referee(log).state
        assert one.violations() == Referee(log).violations() == audit(log)


def test_a_take_back_leaves_one_tile() -> None:
    """Field report 22: a discard is taken back, the tile is in the hand again and nowhere else."""
    thrown = referee(f"S holds {WAITS_ON_58P}\ngold 9m\nE discard 1s\nS draw 2m\nS discard 2m")
    back = thrown.undo()
    assert back.state.seats[S].known.count(parse_event("S discard 2m").tile) == 2  # type: ignore[union-attr]
    assert [one.tile.code for one in back.state.river] == ["1s"]
    assert back.apply(parse_event("S discard 7p")).violations() == ()


def test_five_copies_are_named_and_nothing_stops() -> None:
    """Field reports 19 and 59: the misread tile is named, the table goes on."""
    text = "gold 3m\nE discard 3m\nS draw\nS discard 3m\nW draw\nW discard 3m\nN draw\nN discard 3m\nE draw"
    seen = referee(text)
    assert [(one.kind.value, one.data["tiles"], one.events) for one in seen.violations()] == [
        ("impossible_tiles", "3m", (9,))
    ]
    assert seen.state.turn is E
    assert seen.replace(9, parse_event("N discard 3p")).violations() == ()


# The end of a hand


def test_a_false_win_costs_what_the_table_says() -> None:
    """Ten to each other seat; nothing by default; a wrong count that nobody declared a win on costs nothing."""
    text = START + f"W discard 1m\nS win discard 1m hand {WAITS_ON_58P}\nN draw\nN draw"
    priced = referee(text, "deal E fuzhou streak 0 false_win_points=10")
    assert [one.kind.value for one in priced.violations()] == ["false_win", "too_many_tiles"]
    assert [penalty.deltas for penalty in priced.penalties()] == [(10, -30, 10, 10)]
    assert [penalty.deltas for penalty in referee(text).penalties()] == [(0, 0, 0, 0)]


def test_points_of_a_hand_in_progress() -> None:
    """There are none yet."""
    with pytest.raises(HandError, match="not over"):
        referee(START).settle()
    with pytest.raises(HandError, match="starts with a deal"):
        Referee(())


def test_wins_that_need_the_log() -> None:
    """A win on the dealer's first discard is 抢金 in the wild-tile version: 2 * 2 + 30 = 34 from the dealer."""
    text = f"S flowers ES\nS draw tail\nS draw tail\ngold 9m\nE discard 8p\nS win discard 8p hand {WAITS_ON_58P}"
    hand = referee(text, "deal E fuzhou-baida streak 0")
    assert hand.settle().deltas == (-34, 34, 0, 0)


@pytest.mark.parametrize("seed", range(10))
def test_rotating_seats_rotates_everything(seed: int) -> None:
    """Points, winner and violations turn with the table."""
    log = play(seed)
    turned = Referee(tuple(_turn(event) for event in log))
    first, second = Referee(log).settle(), turned.settle()
    assert second.deltas == (first.deltas[3], *first.deltas[:3])
    assert turned.violations() == ()
    if first.next_dealer is not None:
        assert second.next_dealer is first.next_dealer.next


def _turn(event: Event) -> Event:
    if isinstance(event, DealEvent):
        return replace(event, dealer=event.dealer.next)
    seat = seat_of(event)
    return event if seat is None else replace(event, seat=seat.next)  # type: ignore[call-arg]


@given(st.integers(0, 11), st.randoms(use_true_random=False))
@settings(max_examples=10, deadline=None)
def test_the_order_of_tiles_never_matters(seed: int, random: object) -> None:
    """Hands written in any order give the same table and points."""
    log = play(seed)
    mixed = tuple(_mixed(event, random) for event in log)
    assert Referee(mixed).state.seats == Referee(log).state.seats
    assert Referee(mixed).settle().deltas == Referee(log).settle().deltas


def _mixed(event: Event, random: object) -> Event:
    if isinstance(event, LaidOpen):
        tiles = list(event.tiles)
        random.shuffle(tiles)  # type: ignore[attr-defined]
        return replace(event, tiles=tuple(tiles))
    if isinstance(event, WinClaim) and event.hand is not None:
        hand = list(event.hand)
        random.shuffle(hand)  # type: ignore[attr-defined]
        return replace(event, hand=tuple(hand))
    if isinstance(event, Chow):
        return replace(event, held=event.held[::-1])
    return event


def test_every_claim_offered_is_legal_and_every_claim_made_was_offered() -> None:
    """In whole hands: what `legal_claims` lists audits clean, and players make no other claims."""
    for seed in range(6):
        log = play(seed)
        for number in range(2, len(log)):
            event, before = log[number], Referee(log[:number])
            if isinstance(event, Chow | Pung | KongOpen | KongAdded | KongConcealed):
                assert event in before.legal_claims(event.seat)
            for seat in SEATS:
                for claim in before.legal_claims(seat):
                    assert before.apply(claim).violations() == before.violations()


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        (START + "W discard 8p", f"S win discard 8p hand {WAITS_ON_58P}"),
        (START + "W discard 8p", f"S win discard 8p hand {WAITS_ON_58P}8p"),
        (
            START + "W discard 8p\nN draw\nN discard 1m\nE draw\nE discard 1m\nS draw 8p",
            f"S win self_draw 8p hand {WAITS_ON_58P}",
        ),
        (
            START + "W discard 8p\nN draw\nN discard 1m\nE draw\nE discard 1m\nS draw",
            f"S win self_draw 8p hand {WAITS_ON_58P}8p",
        ),
        ("gold 5p\nE discard 1s", f"E win rob_gold swap 1s hand {WAITS_ON_58P}1s"),
        ("gold 5p\nE discard 1s", f"E win rob_gold swap 1s hand {WAITS_ON_58P}"),
        ("gold 9m", f"E win heavenly hand {WAITS_ON_58P}8p"),
    ],
)
def test_a_hand_is_laid_down_with_the_winning_tile_or_without(text: str, claim: str) -> None:
    """At once, or after the claim: the same win."""
    at_once = referee(f"{text}\n{claim}")
    words, _, hand = claim.partition(" hand ")
    later = referee(f"{text}\n{words}\n{claim[0]} holds {hand}")
    for one in (at_once, later):
        assert one.violations() == ()
        assert one.winner is not None
        assert one.winner.context.seat is Seat.parse(claim[0])

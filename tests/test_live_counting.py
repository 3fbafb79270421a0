"""Hands that are counted, and what their numbers say of draws that nobody sees."""

from __future__ import annotations

from dataclasses import replace

from assistant_api.services.live.book import Book
from assistant_api.services.live.changes import Act, Sight, gather
from assistant_api.services.live.counting import STEADY_S, Count, counted, tiles_in_hand
from assistant_api.services.live.hands import opened_hands
from assistant_api.services.live.laid import as_laid, closed_tracks
from assistant_api.services.live.partial import melds_in_part
from assistant_api.services.live.readings import Gone, readings
from assistant_api.services.live.reckoning import reckoned
from assistant_api.services.live.records import By, Noted
from assistant_api.services.live.table import LiveHand
from assistant_api.services.live.visible import VISIBLE, SeenBy
from engine.context import WinSource
from engine.eventlog import parse_log
from engine.events import Chow, Discard, Draw, WinClaim
from engine.illegal import ILLEGAL_ACTS
from engine.seats import SEATS, Seat
from engine.tiles import Tile, Unseen
from engine.violations import ViolationKind
from tests.support.live_oracle import QUAD
from vision.live.view import SeenTile, TableView, Zone
from vision.synth.placing import DOWN, STANDING
from vision.synth.table_plan import Customs

NOW = 60.0
LIES = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.4), (0.0, 1.4))


def tile(track: int, face: Tile | None, zone: Zone, seat: Seat | None, x: float, y: float, since_s: float) -> SeenTile:
    return SeenTile(track, face, face is None, 0.95, (x, y), 0.0, zone, seat, QUAD, since_s, since_s)


def hand_of(*xs: float, since_s: float = 1.0) -> TableView:
    backs = (tile(place, None, Zone.HAND, Seat.SOUTH, x, -13.0, since_s) for place, x in enumerate(xs))
    return TableView(NOW, 1, tuple(backs))


def test_tiles_of_a_hand_are_counted_once_and_without_strays() -> None:
    row = [place * 1.0 for place in range(10)]
    assert tiles_in_hand(hand_of(*row), Seat.SOUTH) == 10
    assert tiles_in_hand(hand_of(*row, 4.4), Seat.SOUTH) == 10, "one that was moved lies in both places for a while"
    assert tiles_in_hand(hand_of(*row, 10.5), Seat.SOUTH) == 11, "the drawn one lies a little apart"
    assert tiles_in_hand(hand_of(*row, 14.0), Seat.SOUTH) == 10
    assert tiles_in_hand(hand_of(), Seat.SOUTH) == 0


def test_a_hand_is_trusted_when_its_number_followed_the_play() -> None:
    hand = played("deal E\ngold 9m\nE discard 3p")
    state = hand.state
    counts = {}
    for moment, number in enumerate((16, 17, 16, 17, 16)):
        for step in (0.0, STEADY_S):
            view = replace(hand_of(*(float(place) for place in range(number))), time_s=moment * 6.0 + step)
            counts = counted(counts, view, state)
    assert counts[Seat.SOUTH].is_trusted
    assert not counts[Seat.WEST].is_trusted, "nothing of it is seen, as of hands that stand"
    still = {Seat.SOUTH: Count(16, 0.0, right=9)}
    assert not still[Seat.SOUTH].is_trusted, "a number that never changes is no hand that plays"


def played(text: str) -> LiveHand:
    """The hand a camera would have noted, with a discard every three seconds; draws are inferred."""
    notes = []
    for key, event in enumerate(parse_log(text)):
        by = By.PERSON if key == 0 else By.INFERRED if isinstance(event, Draw) else By.CAMERA
        seen = ()
        if isinstance(event, Discard) and isinstance(event.tile, Tile):
            seen = (tile(key, event.tile, Zone.RIVER, None, float(key), 0.0, key * 3.0),)
        notes.append(Noted(key, event, by, 0.9, key * 3.0, key, seen))
    known = {(noted.key, 0): noted.tiles[0] for noted in notes if noted.tiles}
    return LiveHand(Book.of(tuple(notes)), known, next_key=len(notes), time_s=NOW)


def with_counts(hand: LiveHand, since_s: float, **numbers: int) -> LiveHand:
    usual = {seat: hand.state.seats[seat].concealed_count for seat in SEATS}
    usual |= {Seat.parse(name): number for name, number in numbers.items()}
    since = {seat: since_s if seat.code in numbers else 0.0 for seat in SEATS}
    return replace(hand, counts={seat: Count(usual[seat], since[seat], 5, 0, changes=5) for seat in SEATS})


PLAY = "deal E\ngold 9m\nE discard 3p\nS draw\nS discard 1s\nW draw\nW discard 5p"


def kinds(hand: LiveHand) -> list[tuple[ViolationKind, Seat | None]]:
    return [(one.kind, one.seat) for one in hand.referee.violations()]


def test_numbers_that_agree_change_nothing() -> None:
    hand = played(PLAY)
    assert reckoned(with_counts(hand, 19.0)) is None
    assert reckoned(with_counts(hand, 19.0, N=17)) is None, "its turn has come"


def test_a_hand_with_a_tile_less_did_not_draw() -> None:
    found = reckoned(with_counts(played(PLAY), 18.0, W=15))
    assert found is not None
    assert kinds(found.hand) == [(ViolationKind.TOO_FEW_TILES, Seat.WEST)]
    assert reckoned(with_counts(played(PLAY), 40.0, W=15)) is None, "the number changed long after the discard"


def test_a_flower_that_was_not_replaced() -> None:
    log = PLAY.replace("W discard 5p", "W flowers F\nW draw\nW discard 5p")
    found = reckoned(with_counts(played(log), 24.0, W=15))
    assert found is not None
    assert kinds(found.hand) == [(ViolationKind.UNREPLACED_FLOWER, Seat.WEST)]


def test_draws_out_of_turn_and_twice() -> None:
    found = reckoned(with_counts(played(PLAY), 25.0, S=17))
    assert found is not None
    assert kinds(found.hand) == [(ViolationKind.DRAW_OUT_OF_TURN, Seat.SOUTH)]
    found = reckoned(with_counts(played(PLAY), 25.0, N=18))
    assert found is not None
    assert kinds(found.hand) == [(ViolationKind.TOO_MANY_TILES, Seat.NORTH)]


def test_a_claim_after_the_next_seat_has_drawn() -> None:
    hand = with_counts(played(PLAY + "\nS pung 5p"), 19.5, N=17)
    hand = replace(hand, counts={**hand.counts, Seat.SOUTH: replace(hand.counts[Seat.SOUTH], since_s=21.0)})
    found = reckoned(hand)
    assert found is not None
    assert kinds(found.hand) == [(ViolationKind.NOTHING_TO_CLAIM, Seat.SOUTH)]


def test_a_discard_in_a_heap_out_of_another_hand() -> None:
    hand = with_counts(played(PLAY), 18.0, N=15, W=17)
    found = reckoned(hand)
    assert found is not None
    assert kinds(found.hand) == [(ViolationKind.DISCARD_OUT_OF_TURN, Seat.NORTH)]


def test_every_act_is_said_to_be_seen_or_not() -> None:
    assert VISIBLE.keys() == ILLEGAL_ACTS.keys()
    assert all(one.why for one in VISIBLE.values())
    lying, standing = Customs(closed=DOWN), Customs(closed=STANDING)
    assert VISIBLE["second_draw"].at(lying)
    assert not VISIBLE["second_draw"].at(standing)
    assert VISIBLE["discard_out_of_turn"].at(standing)
    assert not VISIBLE["discard_out_of_turn"].at(replace(standing, river="heap"))
    assert VISIBLE["wrong_wall_end"].by is SeenBy.NOTHING


def test_a_meld_of_two_tiles_and_the_discard_that_is_gone() -> None:
    hand = played(PLAY)
    hand = replace(hand, time_s=24.0, gone_s={(6, 0): 20.0})
    loose = [tile(90 + x, Tile.P5, Zone.MELD, Seat.NORTH, float(x), 13.0, 20.5) for x in (1, 2)]
    (found,) = melds_in_part(hand, loose)
    assert found.act is Act.MELD
    assert [one.tile for one in found.tiles] == [Tile.P5] * 3
    assert not melds_in_part(replace(hand, time_s=21.0), loose), "the third may still be found"
    assert not melds_in_part(hand, [loose[0], replace(loose[1], tile=Tile.P9)])


def test_a_misread_tile_of_a_meld_for_which_a_discard_left() -> None:
    state = played(PLAY + "\nN draw\nN discard 1s").state
    tiles = tuple(tile(90 + x, face, Zone.MELD, Seat.EAST, float(x), 13.0, 25.0) for x, face in enumerate(SHOWN))
    sight = Sight(Act.MELD, Seat.EAST, tiles, 25.0)
    gone = Gone(8, Seat.NORTH, Tile.S1, 24.5)
    chow = Chow(Seat.EAST, Tile.S1, (Tile.S2, Tile.S3))
    assert chow in [one.event for one in readings(sight, state, [gone])]
    assert chow not in [one.event for one in readings(sight, state, [])]
    earlier = replace(gone, since_s=5.0)
    assert chow not in [one.event for one in readings(sight, state, [earlier])]


SHOWN = (Tile.S2, Tile.S2, Tile.S3)


def test_a_face_beside_a_new_meld_belongs_to_it() -> None:
    meld = [tile(track, Tile.P5, Zone.MELD, Seat.NORTH, float(track), 13.0, 20.0) for track in (1, 2)]
    third = tile(3, Tile.P5, Zone.HAND, Seat.NORTH, 3.0, 13.0, 20.0)
    lies = replace(third, quad=LIES)
    view = TableView(NOW, 1, (*meld, lies))
    assert [one.zone for one in as_laid(view, ()).tiles] == [Zone.MELD] * 3
    assert as_laid(view, (), None, {1, 2}).tiles[2].zone is Zone.HAND, "that meld is an old one"


def test_a_second_meld_beside_a_closed_hand_is_found_as_the_first_was() -> None:
    row = [tile(place, None, Zone.HAND, Seat.WEST, float(place), 13.0, 1.0) for place in range(9)]
    first, second = (
        [
            replace(tile(track, face, Zone.HAND, Seat.WEST, float(track), 13.0, 20.0), quad=LIES)
            for track in range(start, start + 3)
        ]
        for start, face in ((10, Tile.S1), (13, Tile.P8))
    )
    after_one = as_laid(TableView(21.0, 50, (*row, *first)), ())
    assert {one.track for one in after_one.in_zone(Zone.MELD)} == {10, 11, 12}
    after_both = as_laid(TableView(31.0, 99, (*row, *first, *second)), (), told={10, 11, 12})
    assert {one.track for one in after_both.in_zone(Zone.MELD)} == set(range(10, 16))


def test_two_faces_that_touch_beside_a_closed_hand_are_part_of_a_meld() -> None:
    row = [tile(place, None, Zone.HAND, Seat.WEST, float(place), 13.0, 1.0) for place in range(5)]
    one, other = (
        replace(tile(track, Tile.P9, Zone.HAND, Seat.WEST, float(track), 13.0, 20.0), quad=LIES) for track in (10, 11)
    )
    assert len(as_laid(TableView(21.0, 50, (*row, one, other)), ()).in_zone(Zone.MELD)) == 2
    apart = replace(other, place=(14.0, 13.0))
    assert not as_laid(TableView(21.0, 50, (*row, one, apart)), ()).in_zone(Zone.MELD)


def test_a_discard_that_is_taken_beside_a_hand_wins_and_one_that_is_laid_away_from_it_does_not() -> None:
    thrown = played("deal E\ngold 9m\nE discard 3p")
    hand = replace(thrown, gone_s={(len(thrown.notes) - 1, 0): NOW - 2.0})
    row = [tile(place, None, Zone.HAND, Seat.WEST, float(place), 13.0, 1.0) for place in range(9)]
    taken = replace(tile(20, Tile.P3, Zone.HAND, Seat.WEST, 10.0, 13.0, NOW - 2.0), quad=LIES)
    (sight,) = opened_hands(hand, TableView(NOW, 1, (*row, taken)), ())
    assert (sight.act, sight.seat, sight.tiles) == (Act.OPEN_HAND, Seat.WEST, (taken,))
    away = replace(taken, place=(14.0, 13.0))
    assert not opened_hands(hand, TableView(NOW, 1, (*row, away)), ())


def test_a_tile_of_an_opened_hand_that_was_not_found_is_no_false_win() -> None:
    """Sixteen tiles of a seat that has drawn after its flower: which one is missing nobody knows."""
    hand = played("deal E\ngold 9m\nE discard 3p\nS draw\nS flowers F")
    faces = [tile(place, Tile(place), Zone.HAND, Seat.SOUTH, float(place), 13.0, NOW - 1.0) for place in range(16)]
    found = readings(Sight(Act.OPEN_HAND, Seat.SOUTH, tuple(faces), NOW - 1.0), hand.state, ())
    own = [one.event for one in found if isinstance(one.event, WinClaim) and one.event.source.is_own_draw]
    assert [claim.hand and (len(claim.hand), claim.hand[-1]) for claim in own] == [(17, Unseen.UNREADABLE)]


def test_a_tile_of_an_opened_hand_that_cannot_be_read_is_one_of_it() -> None:
    """It was taken for a back, though not surely, when the others were laid open; one that lay there before is none."""
    hand = played("deal E\ngold 9m\nE discard 3p")
    faces = [
        replace(tile(place, Tile(place), Zone.HAND, Seat.SOUTH, float(place), 13.0, NOW - 2.0), quad=LIES)
        for place in range(16)
    ]
    unread = replace(tile(20, None, Zone.HAND, Seat.SOUTH, 17.3, 13.0, NOW - 1.5), confidence=0.4)
    (sight,) = opened_hands(hand, TableView(NOW, 1, (*faces, unread)), ())
    assert sight.tiles == (*faces, unread)
    claims = [one.event for one in readings(sight, hand.state, ()) if isinstance(one.event, WinClaim)]
    assert {claim.hand and claim.hand[-1] for claim in claims} == {Unseen.UNREADABLE}
    (sight,) = opened_hands(hand, TableView(NOW, 1, (*faces, replace(unread, since_s=1.0))), ())
    assert sight.tiles == tuple(faces)


def test_backs_of_a_hand_that_turn_white_while_it_is_laid_open_are_no_meld() -> None:
    """What stood there is read as white dragons for a moment, until the tiles that lie there now are found."""
    row = [tile(place, None, Zone.HAND, Seat.WEST, float(place), 13.0, 1.0) for place in range(9)]
    before = closed_tracks(TableView(9.0, 45, tuple(row)), ())
    turned = [replace(one, tile=Tile.WHITE, face_down=False) for one in row[:2]]
    found = tile(20, Tile.M2, Zone.HAND, Seat.WEST, 2.0, 13.0, 9.8)
    view = TableView(10.0, 50, (*turned, found, *row[3:]))
    closed = closed_tracks(view, before)
    assert closed == set(range(9)) - {2}
    assert {one.zone for one in as_laid(view, (), closed=closed).tiles} == {Zone.HAND}
    assert {one.zone for one in as_laid(view, ()).tiles} == {Zone.HAND, Zone.MELD}


def test_three_faces_where_a_hand_stands_unseen_are_a_meld_once_no_more_are_found() -> None:
    faces = [
        tile(k, face, Zone.HAND, Seat.WEST, 11.0 + k, 13.3, NOW - 3.0) for k, face in enumerate((Tile.M3, Tile.P2))
    ]
    last = tile(2, Tile.P3, Zone.HAND, Seat.WEST, 13.0, 13.4, NOW - 2.5)

    def zones(*tiles: SeenTile, at_s: float = NOW) -> set[Zone]:
        return {one.zone for one in as_laid(TableView(at_s, 1, tiles), ()).tiles}

    assert zones(*faces, last) == {Zone.MELD}
    assert zones(*faces, last, at_s=NOW - 1.0) == {Zone.HAND}, "more of a hand may be found"
    assert zones(*faces) == {Zone.HAND}
    assert zones(*faces, replace(last, place=(17.0, 13.3))) == {Zone.HAND}


def test_four_tiles_that_are_a_whole_hand_are_no_meld() -> None:
    """A seat with three melds lays its last tiles open; four alike may be a kong beside a hand that is not seen."""
    row = [
        tile(k, face, Zone.HAND, Seat.WEST, 11.0 + k, 13.3, NOW - 3.0)
        for k, face in enumerate((Tile.P5, Tile.P6, Tile.P6, Tile.P7))
    ]

    def zones(tiles: list[SeenTile], count: int) -> set[Zone]:
        return {one.zone for one in as_laid(TableView(NOW, 1, tuple(tiles)), (), counts={Seat.WEST: count}).tiles}

    assert zones(row, 4) == {Zone.HAND}
    assert zones(row, 7) == {Zone.MELD}
    assert zones([replace(one, tile=Tile.P6) for one in row], 4) == {Zone.MELD}


def test_a_back_in_a_row_of_flowers_is_a_blank_white_dragon() -> None:
    row = [tile(track, face, Zone.FLOWERS, Seat.NORTH, float(track), 11.8, 5.0) for track, face in enumerate(NAMES)]
    blank = replace(tile(7, None, Zone.FLOWERS, Seat.NORTH, 2.0, 11.8, 5.4), seen_s=NOW)

    def read(back: SeenTile) -> tuple[Tile | None, bool]:
        last = as_laid(TableView(NOW, 1, (*row, back)), ()).tiles[-1]
        return last.tile, last.face_down

    assert read(blank) == (Tile.WHITE, False)
    assert read(replace(blank, since_s=NOW)) == (None, True), "it has only just been seen"
    assert read(replace(blank, seen_s=5.4)) == (None, True), "it was seen for a moment, and an arm lies there since"
    assert read(replace(blank, since_s=1.0)) == (None, True), "nothing of the row lay there yet"
    assert read(replace(blank, place=(2.0, 13.8))) == (None, True), "that is the row of the hand"
    assert read(replace(blank, place=(4.0, 11.8))) == (None, True)
    second = replace(blank, track=8, place=(3.0, 11.8))
    both = as_laid(TableView(NOW, 1, (*row, blank, second)), ()).tiles
    assert [one.tile for one in both[-2:]] == [Tile.WHITE, Tile.WHITE], "one lies next to the other"


def test_a_suited_tile_alone_at_the_end_of_the_flowers_was_laid_as_one() -> None:
    flowers = [tile(track, face, Zone.FLOWERS, Seat.NORTH, float(track), 11.0, 5.0) for track, face in enumerate(NAMES)]
    wrong = tile(7, Tile.S7, Zone.FLOWERS, Seat.NORTH, 2.0, 11.0, 40.0)
    found = gather([wrong], flowers, RULES, NOW, 2.5)
    assert [(sight.act, sight.tiles) for sight in found.sights] == [(Act.FLOWERS, (wrong,))]
    together = gather([replace(wrong, since_s=5.3)], flowers, RULES, NOW, 2.5)
    assert not together.sights, "drawn and laid with flowers, so it is misread"


def test_a_flower_away_from_all_others_of_its_seat_is_a_mistake_of_the_eye() -> None:
    flowers = [tile(track, face, Zone.FLOWERS, Seat.NORTH, float(track), 11.0, 5.0) for track, face in enumerate(NAMES)]
    stray = tile(7, Tile.GREEN, Zone.FLOWERS, Seat.NORTH, 9.0, 11.0, 40.0)
    assert not gather([stray], flowers, RULES, NOW, 2.5).sights
    second_row = replace(stray, place=(1.0, 9.6))
    assert len(gather([second_row], flowers, RULES, NOW, 2.5).sights) == 1
    assert len(gather([stray, replace(stray, track=8, place=(10.0, 11.0))], flowers, RULES, NOW, 2.5).sights) == 2
    assert len(gather([stray], (), RULES, NOW, 2.5).sights) == 1, "the first one of its seat"
    near = replace(stray, place=(4.0, 11.0))
    assert gather([near], flowers, RULES, NOW, 2.5).sights
    assert not gather([replace(near, tile=Tile.WHITE)], flowers, RULES, NOW, 2.5).sights, "a pale patch of cloth"


def test_a_hand_with_three_golds_wins_by_them_at_the_opening() -> None:
    hand = played("deal E\ngold 9m")
    faces = [*[Tile.M9] * 3, *[Tile(place) for place in range(9, 23)]]
    tiles = [tile(place, face, Zone.HAND, Seat.EAST, float(place), 13.0, NOW) for place, face in enumerate(faces)]
    first = next(iter(readings(Sight(Act.OPEN_HAND, Seat.EAST, tuple(tiles), NOW), hand.state, ())))
    assert isinstance(first.event, WinClaim)
    assert first.event.source is WinSource.OPENING_THREE


NAMES = (Tile.EAST, Tile.RED)
RULES = played("deal E").state.rules

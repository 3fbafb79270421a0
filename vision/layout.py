"""From tiles that lie somewhere to the parts of a finished hand: concealed tiles, winning tile, melds, flowers, gold.

Only geometry and the kinds of tiles decide. Which kinds are flowers and how many tiles a hand has, the caller says: the
rules know, this module does not. Readings are never changed; what looks wrong is told as a problem.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise
from math import hypot, inf
from statistics import median

import numpy as np

from engine.tiles import PLANTS, SEASONS, Tile
from vision.clusters import Cluster, meld_parts, split_rows
from vision.clutter import clutter
from vision.layout_checks import check
from vision.problems import Problem, ProblemCode
from vision.reading import TileReading
from vision.rows import Arrangement, Row, arrange

EIGHT_FLOWERS = frozenset(SEASONS + PLANTS)

_NEAR_IN_ROW = 3.0  # tile widths between the hand and a winning tile laid beside it
_NEAR_OFF_ROW = 2.2  # tile widths between centres of the hand's nearest tile and a winning tile laid above or below it
_FAR = 5.0  # tile widths between the centres of a hand's parts
_SCALE = 1.9  # within one photo of a hand, tiles far and near differ less than this
_TOUCH = 0.3  # tile widths between rows that lie against each other


@dataclass(frozen=True, slots=True)
class Layout:
    """Indices of readings by group; each reading is in exactly one of them.

    Attributes:
        hand: concealed tiles from the far row to the near one, left to right, without a winning tile laid apart.
        winning: the winning tile where it lies apart, else None (it is then somewhere in the hand).
        melds: three or four tiles each, in the order they lie.
        flowers: all flowers.
        gold: the tile that shows the gold, else None.
        strays: tiles of no group, such as lone face-down ones.
        problems: everything that looks wrong.
        up_deg: where the hand's up points in the picture, clockwise in degrees from the picture's own up.
    """

    hand: tuple[int, ...] = ()
    winning: int | None = None
    melds: tuple[tuple[int, ...], ...] = ()
    flowers: tuple[int, ...] = ()
    gold: int | None = None
    strays: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()
    up_deg: float = 0.0

    def group_of(self, index: int) -> str | None:
        """``hand``, ``winning``, ``melds``, ``flowers``, ``gold``, or None for a stray tile."""
        if index == self.winning:
            return "winning"
        if index == self.gold:
            return "gold"
        groups = {"hand": self.hand, "flowers": self.flowers, "melds": sum(self.melds, ())}
        return next((name for name, tiles in groups.items() if index in tiles), None)


@dataclass(slots=True)
class _Draft:
    """Groups while they are found."""

    hand: list[Cluster] = field(default_factory=list)
    melds: list[Cluster] = field(default_factory=list)
    singles: list[int] = field(default_factory=list)
    strays: list[int] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    winning: int | None = None
    gold: int | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def hand_tiles(self) -> list[int]:
        """Indices in order of reading."""
        return [index for cluster in self.hand for index in cluster.tiles]


def lay_out(
    readings: Sequence[TileReading],
    *,
    flower_kinds: Collection[Tile] = EIGHT_FLOWERS,
    hand_tiles: int | None = 17,
) -> Layout:
    """Parts of a finished hand.

    Args:
        readings: tiles of one picture, in any order.
        flower_kinds: tiles that are flowers wherever they lie.
        hand_tiles: tiles of a finished hand, each kong counted as three; None where that is not known: then nothing
            is counted, and a lone tile in line with the hand is taken for the winning tile.
    """
    if not readings:
        return Layout(problems=(Problem(ProblemCode.NO_TILES, "no tile was found in the picture"),))
    arrangement = arrange(readings)
    others = clutter(readings, arrangement)
    draft = _Draft(strays=sorted(others))
    clusters = [
        replace(cluster, tiles=tuple(index for index in cluster.tiles if index not in others))
        for cluster in split_rows(arrangement.rows, readings)
        if not others.issuperset(cluster.tiles)
    ]
    clusters = _in_scale(draft, clusters, arrangement)
    clusters = _take_flowers(draft, clusters, readings, frozenset(flower_kinds))
    _take_melds(draft, clusters, readings, arrangement)
    _place_singles(draft, readings, arrangement, hand_tiles)
    layout = Layout(
        hand=tuple(draft.hand_tiles),
        winning=draft.winning,
        melds=tuple(cluster.tiles for cluster in draft.melds),
        flowers=tuple(draft.flowers),
        gold=draft.gold,
        strays=tuple(draft.strays),
        up_deg=arrangement.up_deg,
    )
    return replace(layout, problems=(*draft.problems, *check(layout, readings, hand_tiles)))


def _take_flowers(
    draft: _Draft, clusters: Sequence[Cluster], readings: Sequence[TileReading], kinds: frozenset[Tile]
) -> list[Cluster]:
    """Moves flowers into the draft; gives the clusters that are left. Flowers between other tiles are told."""
    rest: list[Cluster] = []
    for cluster in clusters:
        flower = _flower_places([readings[index] for index in cluster.tiles], kinds)
        others = [place for place, is_flower in enumerate(flower) if not is_flower]
        draft.flowers.extend(index for index, is_flower in zip(cluster.tiles, flower, strict=True) if is_flower)
        if not others:
            continue
        rest.append(replace(cluster, tiles=tuple(cluster.tiles[place] for place in others)))
        inside = tuple(cluster.tiles[place] for place in range(others[0], others[-1]) if flower[place])
        if inside:
            message = "a flower lies" if len(inside) == 1 else f"{len(inside)} flowers lie"
            draft.problems.append(
                Problem(ProblemCode.FLOWER_IN_HAND, f"{message} between other tiles; is that read right?", inside)
            )
    return rest


def _flower_places(readings: Sequence[TileReading], kinds: frozenset[Tile]) -> list[bool]:
    """Which tiles of a cluster are flowers; an unknown one is where its known neighbours all are."""
    known = [None if reading.tile is None else reading.tile in kinds for reading in readings]
    places = []
    for place, (reading, is_flower) in enumerate(zip(readings, known, strict=True)):
        if is_flower is None and not reading.face_down:
            before = next((value for value in reversed(known[:place]) if value is not None), None)
            after = next((value for value in known[place + 1 :] if value is not None), None)
            beside = {before, after} - {None}
            guess = reading.best in kinds
            is_flower = beside == {True} or (guess and (True in beside or not beside))
        places.append(bool(is_flower))
    return places


def _take_melds(
    draft: _Draft, clusters: Sequence[Cluster], readings: Sequence[TileReading], arrangement: Arrangement
) -> None:
    """Sorts clusters into melds, hand, strays and single tiles."""
    groups = [cluster for cluster in clusters if len(cluster.tiles) > 1]
    draft.singles = [cluster.tiles[0] for cluster in clusters if len(cluster.tiles) == 1]
    if not groups:  # nothing lies together: no more can be said than that these are tiles
        draft.hand, draft.singles = list(clusters), []
        return
    shapes = {cluster: _melds_of([readings[index] for index in cluster.tiles]) for cluster in groups}
    core = _core(groups, shapes, arrangement)
    for cluster in groups:
        parts = None if cluster in core else shapes[cluster]
        if parts is not None:
            draft.melds.extend(_cut(cluster, parts))
        elif all(readings[index].face_down for index in cluster.tiles):
            draft.strays.extend(cluster.tiles)
        else:
            draft.hand.append(cluster)
    _drop_far(draft, arrangement)
    _save_spoilt_melds(draft, readings, arrangement)
    _add_to_kongs(draft, readings, arrangement)
    for cluster in draft.melds:
        if cluster.doubtful:
            draft.problems.append(
                Problem(ProblemCode.DOUBTFUL_GROUP, "these tiles may be a meld or part of the hand", cluster.tiles)
            )
    for index in [index for index in draft.singles if readings[index].face_down]:
        draft.singles.remove(index)
        draft.strays.append(index)


def _in_scale(draft: _Draft, clusters: Sequence[Cluster], arrangement: Arrangement) -> list[Cluster]:
    """Clusters of about the size of the largest one in the picture; smaller or larger tiles are not of this hand."""
    size = {
        cluster: float(np.median(np.sqrt(arrangement.sizes[list(cluster.tiles)].prod(axis=1)))) for cluster in clusters
    }
    usual = size[max(clusters, key=lambda cluster: size[cluster] * len(cluster.tiles))]
    fits = [cluster for cluster in clusters if usual / _SCALE <= size[cluster] <= usual * _SCALE]
    draft.strays.extend(index for cluster in clusters if cluster not in fits for index in cluster.tiles)
    return fits


def _melds_of(tiles: Sequence[TileReading]) -> tuple[int, ...] | None:
    """Sizes of the melds a cluster is made of, or None; face-down tiles alone are a kong only if they are four."""
    if len(tiles) != 4 and all(tile.face_down for tile in tiles):
        return None
    return meld_parts(tiles)


def _core(
    groups: Sequence[Cluster], shapes: Mapping[Cluster, tuple[int, ...] | None], arrangement: Arrangement
) -> set[Cluster]:
    """Clusters that are the hand even if they could be melds: the only one, the likeliest of several, and blocks of
    rows laid tightly under each other, edge to edge, of which one is no meld."""
    if len(groups) == 1:
        return set(groups)
    large = [cluster for cluster in groups if len(cluster.tiles) > 4]
    core: set[Cluster] = set()
    if large and all(shapes.values()):  # a hand has one or two tiles beyond its sets of three
        core.add(max(large, key=lambda cluster: (len(cluster.tiles) % 3 > 0, len(cluster.tiles))))
    for upper in groups:
        for lower in groups:
            melds = _is_meld(shapes[upper]) and _is_meld(shapes[lower])
            if not melds and _stacked(upper, lower, arrangement) > 0.8:
                core |= {upper, lower}
    return core


def _is_meld(parts: tuple[int, ...] | None) -> bool:
    return parts is not None and len(parts) == 1


def _cut(cluster: Cluster, parts: Sequence[int]) -> list[Cluster]:
    """The melds of a cluster; which is doubtful where they lie without gaps."""
    doubtful = cluster.doubtful or len(parts) > 1
    ends = list(accumulate(parts, initial=0))
    return [replace(cluster, tiles=cluster.tiles[start:end], doubtful=doubtful) for start, end in pairwise(ends)]


def _stacked(upper: Cluster, lower: Cluster, arrangement: Arrangement) -> float:
    """Share of their common width that two clusters have above each other; 0 where they do not touch."""
    if upper.row >= lower.row:
        return 0.0
    centres, sizes = arrangement.centres, arrangement.sizes
    above, below = list(upper.tiles), list(lower.tiles)
    step = median(centres[below, 1].tolist()) - median(centres[above, 1].tolist())
    height = (median(sizes[below, 1].tolist()) + median(sizes[above, 1].tolist())) / 2
    if abs(step - height) > _TOUCH:
        return 0.0
    start_a, end_a = (centres[above, 0] - sizes[above, 0] / 2).min(), (centres[above, 0] + sizes[above, 0] / 2).max()
    start_b, end_b = (centres[below, 0] - sizes[below, 0] / 2).min(), (centres[below, 0] + sizes[below, 0] / 2).max()
    common = min(end_a, end_b) - max(start_a, start_b)
    return float(max(common, 0.0) / (max(end_a, end_b) - min(start_a, start_b)))


def _drop_far(draft: _Draft, arrangement: Arrangement) -> None:
    """Takes clusters far from the largest one out of the hand."""
    if not draft.hand:
        return
    core = max(draft.hand, key=lambda cluster: len(cluster.tiles))
    for cluster in list(draft.hand):
        if min(_distance(index, core.tiles, arrangement) for index in cluster.tiles) > _FAR:
            draft.hand.remove(cluster)
            draft.strays.extend(cluster.tiles)


def _save_spoilt_melds(draft: _Draft, readings: Sequence[TileReading], arrangement: Arrangement) -> None:
    """Three or four tiles apart from a larger hand that make no meld: a meld with a misread tile, and told so."""
    if not draft.hand:
        return
    core = max(draft.hand, key=lambda cluster: len(cluster.tiles))
    for cluster in list(draft.hand):
        if cluster is core or len(cluster.tiles) not in (3, 4) or cluster.row == core.row:
            continue
        if any(_stacked(*pair, arrangement) for other in draft.hand for pair in ((cluster, other), (other, cluster))):
            continue
        draft.hand.remove(cluster)
        draft.melds.append(cluster)
        codes = " ".join(readings[index].code for index in cluster.tiles)
        draft.problems.append(
            Problem(ProblemCode.NOT_A_MELD, f"{codes} lie together but are no run, triplet or kong", cluster.tiles)
        )


def _add_to_kongs(draft: _Draft, readings: Sequence[TileReading], arrangement: Arrangement) -> None:
    """A single tile laid against a triplet of its kind is the fourth of an added kong."""
    for single in list(draft.singles):
        for place, meld in enumerate(draft.melds):
            kinds = {readings[index].best for index in (*meld.tiles, single)}
            if len(meld.tiles) == 3 and len(kinds) == 1 and _against(single, meld, arrangement):
                draft.melds[place] = replace(meld, tiles=(*meld.tiles, single))
                draft.singles.remove(single)
                break


def _against(single: int, meld: Cluster, arrangement: Arrangement) -> bool:
    centres, sizes = arrangement.centres, arrangement.sizes
    for index in meld.tiles:
        offset = np.abs(centres[index] - centres[single])
        reach = (sizes[index] + sizes[single]) / 2
        if offset[0] < 0.6 * reach[0] and abs(offset[1] - reach[1]) < _TOUCH:
            return True
    return False


def _place_singles(
    draft: _Draft, readings: Sequence[TileReading], arrangement: Arrangement, hand_tiles: int | None
) -> None:
    """The single tile nearest the hand is the winning tile if one is missing; the loneliest other shows the gold.

    Where there is a choice, tiles that were told come before unknown ones, which may be no tiles.
    """
    if not draft.hand and len(draft.singles) > 1:  # all is melded but one tile: it lies beside the winning tile
        beside = min(draft.singles, key=lambda index: _distance(index, _others(index, draft.singles), arrangement))
        draft.singles.remove(beside)
        draft.hand.append(Cluster((beside,), row=0))
    hand = draft.hand_tiles
    count = len(hand) + 3 * len(draft.melds)
    missing = hand_tiles is None or count < hand_tiles
    if hand and draft.singles and (missing or len(draft.singles) > 1):
        _take_winning(draft, hand, arrangement, off_row=missing)
    if draft.singles:
        everything = range(len(arrangement.centres))
        draft.gold = max(
            draft.singles,
            key=lambda index: (
                readings[index].tile is not None,
                _distance(index, _others(index, everything), arrangement),
            ),
        )
        draft.singles.remove(draft.gold)
    draft.strays.extend(draft.singles)
    draft.singles = []


def _take_winning(draft: _Draft, hand: Sequence[int], arrangement: Arrangement, *, off_row: bool) -> None:
    """The single tile in line with the hand, or else (``off_row``) one right above or below it, which is doubtful."""

    def gap(single: int) -> float:
        return _gap_to(single, hand, next(row for row in arrangement.rows if single in row.tiles))

    nearest = min(draft.singles, key=gap)
    if gap(nearest) > _NEAR_IN_ROW:
        nearest = min(draft.singles, key=lambda index: _distance(index, hand, arrangement))
        if not off_row or _distance(nearest, hand, arrangement) > _NEAR_OFF_ROW:
            return
        draft.problems.append(
            Problem(ProblemCode.DOUBTFUL_GROUP, "this may be the winning tile or show the gold", (nearest,))
        )
    draft.winning = nearest
    draft.singles.remove(nearest)


def _others(index: int, among: Iterable[int]) -> list[int]:
    return [other for other in among if other != index]


def _distance(index: int, others: Sequence[int], arrangement: Arrangement) -> float:
    """From centre to the nearest other centre, in tile widths; infinite without others."""
    x, y = arrangement.centres[index]
    return min((hypot(x - arrangement.centres[i, 0], y - arrangement.centres[i, 1]) for i in others), default=inf)


def _gap_to(single: int, hand: Sequence[int], row: Row) -> float:
    """Free space to a hand tile right beside it in its row; infinite where the neighbour is something else."""
    place = row.tiles.index(single)
    gaps = [inf]
    if place > 0 and row.tiles[place - 1] in hand:
        gaps.append(row.gaps[place - 1])
    if place + 1 < len(row.tiles) and row.tiles[place + 1] in hand:
        gaps.append(row.gaps[place] + 0.01)  # people lay it at the right end
    return min(gaps)

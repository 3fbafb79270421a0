"""Names of tiles, melds and seats, and the engine's sentences, in the caller's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from assistant_api.languages import Language, in_language, translate
from engine.melds import MeldKind
from engine.seats import Seat
from engine.tiles import Face, Tile


class Bilingual(Protocol):
    """What the engine names in Chinese and English."""

    @property
    def zh(self) -> str:
        """In Chinese."""

    @property
    def en(self) -> str:
        """In English."""


def said(thing: Bilingual, language: Language) -> str:
    """A sentence or term of the engine, Chinese in Chinese, English alone in English."""
    return in_language(language, thing.zh, thing.en)


def term(thing: Bilingual, language: Language) -> str:
    """A term of the game; English pages show the Chinese word beside it."""
    return f"{thing.zh} {thing.en}" if language is Language.EN else in_language(language, thing.zh, thing.en)


def tile_name(face: Face, language: Language) -> str:
    """Name of a tile, English with the Chinese characters: ``三万 3 characters``."""
    if isinstance(face, Tile):
        return term(face, language)
    return translate(language, "tile.back" if face.code == "back" else "tile.unknown")


def seat_name(seat: Seat, language: Language) -> str:
    """Name of a seat."""
    return translate(language, f"seat.{seat.code}")


def meld_name(kind: MeldKind | None, language: Language) -> str:
    """Name of a kind of meld, also of tiles that are none."""
    return translate(language, f"meld.{kind or 'none'}")


def join_names(names: Iterable[str], language: Language) -> str:
    """A list of names as one text."""
    return translate(language, "app.list_separator").join(names)

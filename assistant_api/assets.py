"""The static files, held in memory under one version: a hash of everything a page is made of.

A page and its scripts come from the same version, since the version is part of their addresses
(``/static/3f9c0a1b2c4d/js/scan.js``): such an address never changes its content, so it is cached for a year, and a page
of an older version never runs newer scripts. Relative imports between scripts keep working; no build step is needed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

from assistant_api.tile_art import sprite

WEB = Path(__file__).parent / "web"
VERSION_DIGITS = 12
_MEDIA_TYPES = {  # the system's own table may be wrong or empty
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
_NOT_SMALLER = {".png", ".woff2", ".jpg", ".webp"}


@dataclass(frozen=True)
class Asset:
    """One static file; ``gzipped`` is None where packing does not make it smaller."""

    body: bytes
    media_type: str
    gzipped: bytes | None


class Assets:
    """All static files of a folder of pages (``static/``, ``templates/``, ``worker.js``) and the drawn tiles.

    Args:
        web: the folder.

    >>> assets = Assets()
    >>> assets.url("style.css") == f"/static/{assets.version}/style.css"
    True
    """

    def __init__(self, web: Path = WEB) -> None:
        self.web = web
        bodies = {name: path.read_bytes() for name, path in _files(web / "static")}
        bodies["tiles.svg"] = sprite().encode()
        self._assets = {name: _asset(name, body) for name, body in bodies.items()}
        digest = hashlib.sha256()
        for name, body in sorted({**bodies, **_page_parts(web)}.items()):
            digest.update(f"{name} {len(body)}\n".encode() + body)
        self.version = digest.hexdigest()[:VERSION_DIGITS]

    def url(self, name: str) -> str:
        """The address of a file, with the version; KeyError when there is no such file."""
        if name not in self._assets:
            raise KeyError(f"no static file {name!r}")
        return f"/static/{self.version}/{name}"

    def find(self, path: str) -> tuple[Asset, bool] | None:
        """The file at a path below ``/static/``, and whether the path names this version; None for no such file.

        A path of another version finds nothing: it would mix an old page with new scripts.
        """
        first, _, rest = path.partition("/")
        versioned = re.fullmatch(f"[0-9a-f]{{{VERSION_DIGITS}}}", first) is not None
        if versioned and first != self.version:
            return None
        asset = self._assets.get(rest if versioned else path)
        return None if asset is None else (asset, versioned)

    @cached_property
    def service_worker(self) -> bytes:
        """The service worker, told its version and the files to keep for it."""
        urls = [self.url(name) for name in sorted(self._assets)]
        head = f"const VERSION = {json.dumps(self.version)};\nconst FILES = {json.dumps(urls)};\n"
        return head.encode() + (self.web / "worker.js").read_bytes()


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path


def _page_parts(web: Path) -> dict[str, bytes]:
    """What else a page depends on: its template, its words, the service worker."""
    words = files("assistant_api").joinpath("strings")
    return {
        **{f"templates/{name}": path.read_bytes() for name, path in _files(web / "templates")},
        **{f"strings/{table.name}": table.read_bytes() for table in words.iterdir() if table.is_file()},
        "worker.js": (web / "worker.js").read_bytes(),
    }


def _asset(name: str, body: bytes) -> Asset:
    suffix = Path(name).suffix
    media_type = _MEDIA_TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    packed = None if suffix in _NOT_SMALLER else gzip.compress(body, mtime=0)
    return Asset(body, media_type, packed if packed is not None and len(packed) < len(body) else None)

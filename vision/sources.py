"""Where pictures come from: photos and folders of photos."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from vision.errors import SourceError

PHOTO_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif"})


def list_photos(paths: Iterable[str | Path]) -> tuple[Path, ...]:
    """The photos meant by file and folder names, in the order given.

    A file is taken whatever its name says; of a folder the files with a photo's suffix are taken, sorted by name,
    without hidden ones and without the folders inside.

    Raises:
        SourceError: a name that does not exist, or a folder without photos.
    """
    photos: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            found = sorted(
                file
                for file in path.iterdir()
                if file.suffix.lower() in PHOTO_SUFFIXES and not file.name.startswith(".") and file.is_file()
            )
            if not found:
                raise SourceError(
                    f"no photos in the folder {path.name or path}; expected JPEG, PNG, WebP or HEIC files"
                )
            photos.extend(found)
        elif path.exists():
            photos.append(path)
        else:
            raise SourceError(f"{str(path)!r} does not exist; expected a photo or a folder of photos")
    return tuple(photos)

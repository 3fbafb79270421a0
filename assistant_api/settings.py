"""Settings of the program: environment variables ``JINQUE_*`` over the defaults below.

Every limit that protects the server is here, with its unit in the name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from platformdirs import user_data_path
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from assistant_api.errors import ConfigError
from vision.frames import Limits


class Settings(BaseSettings):
    """What the commands, the API and the page run with."""

    model_config = SettingsConfigDict(env_prefix="JINQUE_", extra="ignore", frozen=True)

    database_path: Annotated[
        Path, Field(description="The SQLite file that keeps the hands; its folder is made when it is missing.")
    ] = user_data_path("jinque") / "jinque.sqlite3"
    database_url: Annotated[
        str | None,
        Field(description="A database by URL instead of that file, such as postgresql://user@host/name."),
    ] = None
    https_folder: Annotated[
        Path, Field(description="The folder that keeps the certificate authority of 'jinque serve --https'.")
    ] = user_data_path("jinque") / "https"
    tilesets_path: Annotated[
        Path, Field(description="The folder that keeps people's own sets of tiles; it is made when it is missing.")
    ] = user_data_path("jinque") / "tilesets"
    photos_path: Annotated[
        Path, Field(description="The folder that keeps photos people sent to learn from; see 'jinque photos'.")
    ] = user_data_path("jinque") / "photos"
    ruleset: Annotated[str, Field(description="Ruleset used where none is named.")] = "fuzhou"
    max_photo_mib: Annotated[int, Field(ge=1, le=200, description="Largest photo file taken, in MiB.")] = 30
    max_photo_megapixels: Annotated[int, Field(ge=1, le=200, description="Largest photo taken, in megapixels.")] = 64
    shown_photo_px: Annotated[
        int, Field(ge=640, le=8000, description="Long side of the photo kept for showing, in pixels.")
    ] = 2000
    unsaved_photo_hours: Annotated[
        int, Field(ge=1, description="A photo that belongs to no saved hand is deleted after so many hours.")
    ] = 24
    photos_per_minute: Annotated[int, Field(ge=1, description="Photos taken from one device in a minute.")] = 60
    writes_per_minute: Annotated[int, Field(ge=1, description="Other writes taken from one device in a minute.")] = 600
    live_tables: Annotated[int, Field(ge=1, le=64, description="Live tables that are followed at the same time.")] = 8
    live_frames_per_second: Annotated[
        int, Field(ge=1, le=60, description="Frames taken from one camera in a second; more are dropped.")
    ] = 15
    live_frame_px: Annotated[
        int, Field(ge=640, le=4000, description="Long side of the frames that a live camera is asked for, in pixels.")
    ] = 1600
    max_live_kib: Annotated[int, Field(ge=16, le=8192, description="Largest frame of a live camera, in KiB.")] = 1024
    max_live_pixels: Annotated[int, Field(ge=100_000, description="Largest frame of a live camera, in pixels.")] = (
        4_000_000
    )
    live_patience_s: Annotated[
        int, Field(ge=5, description="A live table without a frame for so many seconds stops looking; its log stays.")
    ] = 900
    reading_threads: Annotated[int, Field(ge=1, le=64, description="Processor threads the networks may use.")] = 2
    log_level: Annotated[
        str, Field(pattern="^(debug|info|warning|error)$", description="What the server writes to its log.")
    ] = "warning"

    @property
    def database(self) -> Path | str:
        """Where the database is."""
        return self.database_url or self.database_path

    @property
    def max_photo_bytes(self) -> int:
        """Largest photo file taken, in bytes."""
        return self.max_photo_mib * 1024 * 1024

    @property
    def max_live_bytes(self) -> int:
        """Largest frame of a live camera, in bytes."""
        return self.max_live_kib * 1024

    @property
    def photo_limits(self) -> Limits:
        """The limits a photo is checked against before it is decoded."""
        return Limits(max_bytes=self.max_photo_bytes, max_pixels=self.max_photo_megapixels * 1_000_000)


def load_settings() -> Settings:
    """Settings from the environment; ConfigError names the variable that is wrong and what it should be."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise ConfigError(f"JINQUE_{name}: {first['msg']}, got {first['input']!r}") from None

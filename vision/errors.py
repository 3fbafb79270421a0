"""Exceptions of the vision side. They mean "cannot go on"; what a photo does not show is a value (unknown, Problem).

JinqueError (engine)
└── VisionError
    ├── FrameError          a picture could not be taken in
    │   ├── EmptyFileError      the file has no bytes
    │   ├── FormatError         the bytes are not a still photo of a known kind
    │   ├── DamagedError        the file is cut off or broken
    │   └── TooLargeError       more bytes or pixels than the limits allow
    ├── SourceError         a file or folder is not there, or holds no photo
    ├── ModelError          a network cannot be used
    │   ├── ModelMissingError   its files are not installed
    │   └── ModelMismatchError  its checksum, labels or shapes are not those of its card
    ├── DatasetError        a folder of labelled photos is missing or breaks its own format
    ├── FloorsError         a file of bars for evaluations cannot be used
    ├── MissingExtraError   an optional package is not installed
    ├── RecipeError         a training recipe cannot be used
    └── TilesetError        a person's own set cannot be learnt from a photo, or not be used
        ├── FaceCountError      a photo shows more or fewer faces than its order names
        ├── FaceOrderError      the faces of a photo are others than its order says
        ├── DoubledFaceError    a face lies twice in a photo of single ones
        ├── BlurredError        a photo shows too little of the faces
        └── OtherNetworkError   a set was learnt with another version of the network
"""

from __future__ import annotations

from typing import ClassVar

from engine.errors import JinqueError


class VisionError(JinqueError):
    """Root of the vision side; ``code`` is the stable snake_case name used on the wire."""

    code: ClassVar[str] = "vision_error"


class FrameError(VisionError):
    """A picture could not be taken in."""

    code = "bad_photo"


class EmptyFileError(FrameError):
    """The file has no bytes."""

    code = "empty_file"


class FormatError(FrameError):
    """The bytes are not a still photo of a known kind."""

    code = "unknown_format"


class DamagedError(FrameError):
    """The file is cut off or broken."""

    code = "damaged_photo"


class TooLargeError(FrameError):
    """More bytes or pixels than the limits allow."""

    code = "photo_too_large"


class SourceError(VisionError):
    """A file or folder is not there, cannot be opened, or holds no photo."""

    code = "no_photo"


class ModelError(VisionError):
    """A network cannot be used."""

    code = "model_unusable"


class ModelMissingError(ModelError):
    """The files of a network are not installed."""

    code = "model_missing"


class ModelMismatchError(ModelError):
    """Checksum, labels or shapes of a network are not those of its card."""

    code = "model_mismatch"


class DatasetError(VisionError):
    """A folder of labelled photos is missing or breaks its own format."""

    code = "bad_dataset"


class FloorsError(VisionError):
    """A file of bars for evaluations cannot be used."""

    code = "bad_floors"


class MissingExtraError(VisionError):
    """An optional package is not installed."""

    code = "missing_extra"


class RecipeError(VisionError):
    """A training recipe cannot be used."""

    code = "bad_recipe"


class TilesetError(VisionError):
    """A person's own set of tiles cannot be learnt from what was shown, or cannot be used."""

    code = "bad_tileset"


class FaceCountError(TilesetError):
    """A photo shows more or fewer faces than its order names, or in other rows."""

    code = "tileset_count"


class FaceOrderError(TilesetError):
    """The faces of a photo are others than its order says."""

    code = "tileset_order"


class DoubledFaceError(TilesetError):
    """A face lies twice in a photo of single ones."""

    code = "tileset_doubled"


class BlurredError(TilesetError):
    """A photo shows too little of the faces: it is blurred, or they are small."""

    code = "tileset_blurred"


class OtherNetworkError(TilesetError):
    """A set was learnt with another version of the network."""

    code = "tileset_network"

"""Pictures taken in safely: known by content, limits checked before decoding, turned upright on every path.

A frame holds pixels only: nothing of the EXIF block (place, phone, time) is kept.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageFile, JpegImagePlugin, PngImagePlugin, WebPImagePlugin
from pillow_heif import HeifImageFile

from vision.errors import DamagedError, EmptyFileError, FormatError, SourceError, TooLargeError

BGR: TypeAlias = NDArray[np.uint8]

_HEADER_BYTES = 16
_HEIF_BRANDS = {b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"miaf", b"MiHB"}
_OTHER_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"GIF8", "a GIF"),
    (b"BM", "a BMP"),
    (b"II*\0", "a TIFF or raw photo"),
    (b"MM\0*", "a TIFF or raw photo"),
    (b"%PDF", "a PDF"),
    (b"PK\3\4", "a ZIP archive or office document"),
    (b"\x1aE\xdf\xa3", "a video"),
    (b"<", "a web page or drawing"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a picture may weigh: bytes of the file, pixels in all, pixels along one side.

    The defaults let 50-megapixel phone photos pass; the side is bound because OpenCV's warps count in 16 bits.
    """

    max_bytes: int = 30_000_000
    max_pixels: int = 64_000_000
    max_side_px: int = 20_000


DEFAULT_LIMITS = Limits()

# A broken EXIF block is no reason to refuse the pixels, nor to tell people.
warnings.filterwarnings("ignore", module=r"PIL\.TiffImagePlugin")


@dataclass(frozen=True, eq=False)
class Frame:
    """One upright picture.

    Attributes:
        image: uint8 [H, W, 3], blue-green-red, upright; read-only.
        time_s: when it was taken, in seconds of its source's own clock; 0 for a photo.
        source: where it came from, for messages; a file name or a camera's name.
    """

    image: BGR
    time_s: float = 0.0
    source: str = ""

    def __post_init__(self) -> None:
        if self.image.dtype != np.uint8 or self.image.ndim != 3 or self.image.shape[2] != 3 or not self.image.size:
            raise FormatError(
                f"image: expected uint8 [H, W, 3], got {self.image.dtype} {list(self.image.shape)}"
                " (use frame_from_array for other arrays)"
            )
        view = self.image.view()
        view.setflags(write=False)
        object.__setattr__(self, "image", view)

    @property
    def width(self) -> int:
        """Pixels across, after turning upright."""
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        """Pixels down, after turning upright."""
        return int(self.image.shape[0])


def read_frame(path: str | Path, *, limits: Limits = DEFAULT_LIMITS, time_s: float = 0.0) -> Frame:
    """The photo in a file; what kind it is, its bytes say, not its name.

    Raises:
        SourceError: there is no such file, or it cannot be opened.
        FrameError: see `decode_frame`.
    """
    return decode_frame(read_bytes(path, limits=limits), limits=limits, time_s=time_s, source=Path(path).name)


def read_bytes(path: str | Path, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """The bytes of a photo's file, whose size is asked first; errors as `read_frame`."""
    path = Path(path)
    try:
        if path.is_dir():
            raise SourceError(f"{path.name} is a folder; expected a photo")
        _check_bytes(path.stat().st_size, path.name, limits)
        return path.read_bytes()
    except OSError as error:
        raise SourceError(f"cannot open {path.name!r}: {(error.strerror or 'it is not readable').lower()}") from error


def read_frames(paths: Iterable[str | Path], *, limits: Limits = DEFAULT_LIMITS) -> Iterator[Frame]:
    """The photos of several files, one after the other, decoded as they are asked for."""
    for path in paths:
        yield read_frame(path, limits=limits)


def decode_frame(data: bytes, *, limits: Limits = DEFAULT_LIMITS, time_s: float = 0.0, source: str = "photo") -> Frame:
    """The upright photo in the bytes of a JPEG, PNG, WebP or HEIC file.

    Colours beside 8-bit RGB are converted; a transparent part becomes grey. Sizes are judged by the header, before a
    pixel is decoded.

    Raises:
        EmptyFileError: no bytes.
        FormatError: another kind of file, or an animation.
        TooLargeError: above a limit.
        DamagedError: the kind is known but the file is cut off or broken.
    """
    _check_bytes(len(data), source, limits)
    opened = _open(data, source)
    with opened as image:
        _check_pixels(image.size, source, limits)
        if getattr(image, "is_animated", False) and image.format in ("PNG", "WEBP"):
            raise FormatError(f"{source} is an animation; send a still photo")
        orientation = _orientation(image)
        try:
            pixels = _fast_jpeg(data, image)
            if pixels is None:
                pixels = _bgr(image)
        except Exception as error:  # a decoder may raise anything on broken bytes
            raise DamagedError(f"{source} is cut off or damaged and cannot be decoded; send the photo again") from error
    return Frame(upright(pixels, orientation), time_s, source)


def exif_turn(path: Path) -> int:
    """EXIF orientation 1..8 that a photo's file still asks for; 1 where there is none. Errors as `read_frame`."""
    with _open(read_bytes(path), path.name) as image:
        return _orientation(image)


def frame_from_array(
    pixels: NDArray[Any],
    *,
    orientation: int = 1,
    limits: Limits = DEFAULT_LIMITS,
    time_s: float = 0.0,
    source: str = "",
) -> Frame:
    """A frame of decoded pixels.

    Args:
        pixels: uint8 or uint16, grey [H, W], BGR [H, W, 3] or BGRA [H, W, 4].
        orientation: EXIF orientation 1..8 the pixels still have to be turned by; 1 when they are upright.

    Raises:
        FormatError: another shape or type, or an orientation outside 1..8.
        TooLargeError: above a limit.
    """
    if pixels.dtype not in (np.uint8, np.uint16) or pixels.ndim not in (2, 3) or not pixels.size:
        raise FormatError(
            f"pixels: expected uint8 or uint16 [H, W, 1, 3 or 4], got {pixels.dtype} {list(pixels.shape)}"
        )
    if pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    _check_pixels((pixels.shape[1], pixels.shape[0]), source or "array", limits)
    channels = pixels.shape[2]
    if channels == 1:
        pixels = np.repeat(pixels, 3, axis=2)
    elif channels == 4:
        pixels = _on_grey(pixels)
    elif channels != 3:
        raise FormatError(f"pixels: expected 1, 3 or 4 channels, got {channels}")
    return Frame(upright(pixels, orientation), time_s, source)


def upright(image: BGR, orientation: int) -> BGR:
    """Pixels [H, W, C] turned as EXIF orientation 1..8 says; FormatError for another number.

    Source: EXIF 2.32, tag 0x0112.
    """
    if orientation not in range(1, 9):
        raise FormatError(f"orientation: expected 1..8, got {orientation!r}")
    for step in _TURNS.get(orientation, ()):
        image = np.asarray(step(image), np.uint8)
    return np.ascontiguousarray(image)


_TURNS: dict[int, tuple[Callable[[BGR], Any], ...]] = {
    2: (lambda image: cv2.flip(image, 1),),
    3: (lambda image: cv2.rotate(image, cv2.ROTATE_180),),
    4: (lambda image: cv2.flip(image, 0),),
    5: (cv2.transpose,),
    6: (lambda image: cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE),),
    7: (cv2.transpose, lambda image: cv2.rotate(image, cv2.ROTATE_180)),
    8: (lambda image: cv2.rotate(image, cv2.ROTATE_90_COUNTERCLOCKWISE),),
}
"""What brings the pixels of an EXIF orientation upright."""


def _check_bytes(count: int, source: str, limits: Limits) -> None:
    if count == 0:
        raise EmptyFileError(f"{source} is empty; send the photo again")
    if count > limits.max_bytes:
        raise TooLargeError(
            f"{source} has {count / 1e6:.0f} MB; at most {limits.max_bytes / 1e6:.0f} MB are taken,"
            " send a smaller photo"
        )


def _check_pixels(size: tuple[int, int], source: str, limits: Limits) -> None:
    width, height = size
    if width * height > limits.max_pixels or max(size) > limits.max_side_px:
        raise TooLargeError(
            f"{source} has {width} x {height} pixels; at most {limits.max_pixels / 1e6:.0f} megapixels and"
            f" {limits.max_side_px} pixels a side are taken, send a smaller photo"
        )


def _open(data: bytes, source: str) -> ImageFile.ImageFile:
    """The image with only its header read. The plug-ins are called directly, since `Image.open` would try every
    format it knows and warn by a pixel limit of its own."""
    head = data[:_HEADER_BYTES]
    kind: type[ImageFile.ImageFile] | Any
    if head.startswith(b"\xff\xd8\xff"):
        kind = JpegImagePlugin.JpegImageFile
    elif head.startswith(b"\x89PNG\r\n\x1a\n"):
        kind = PngImagePlugin.PngImageFile
    elif head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        kind = WebPImagePlugin.WebPImageFile
    elif head[4:8] == b"ftyp" and (head[8:12] in _HEIF_BRANDS or _HEIF_BRANDS & _brands(data)):
        kind = HeifImageFile
    else:
        raise FormatError(f"{source} is {_kind_of(data)}; send a photo as JPEG, PNG, WebP or HEIC")
    try:
        image: ImageFile.ImageFile = kind(io.BytesIO(data))
    except Exception as error:  # a parser may raise anything on broken bytes
        raise DamagedError(f"{source} is cut off or damaged and cannot be opened; send the photo again") from error
    return image


def _brands(data: bytes) -> set[bytes]:
    """Compatible brands of an ISO media file (ISO/IEC 14496-12, box `ftyp`)."""
    end = min(int.from_bytes(data[:4], "big"), len(data), 256)
    return {data[start : start + 4] for start in range(16, end, 4)}


def _kind_of(data: bytes) -> str:
    for magic, name in _OTHER_KINDS:
        if data.startswith(magic):
            return name
    if data[4:8] == b"ftyp":
        return "a video" if b"avif" not in _brands(data) | {data[8:12]} else "an AVIF"
    try:
        data[:2048].decode("utf-8")
    except UnicodeDecodeError:
        return "not a picture of a known kind"
    return "a text file"


def _orientation(image: ImageFile.ImageFile) -> int:
    """EXIF orientation 1..8; 1 where there is none or it makes no sense. HEIC comes turned by its own container."""
    try:
        value = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # a broken EXIF block is no reason to refuse the pixels
        return 1
    return value if isinstance(value, int) and 1 <= value <= 8 else 1


def _fast_jpeg(data: bytes, image: Image.Image) -> BGR | None:
    """Pixels of a plain JPEG, decoded by OpenCV in less than half of Pillow's time; None where Pillow has to look.

    OpenCV fills up a file that was cut off without a word, so the end mark has to follow the last scan.
    """
    if image.mode != "RGB" or not isinstance(image, JpegImagePlugin.JpegImageFile):
        return None
    if data.rfind(b"\xff\xd9") < data.rfind(b"\xff\xda"):
        return None
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if pixels is None or pixels.shape != (image.height, image.width, 3):
        return None
    return np.asarray(pixels, np.uint8)


def _bgr(image: Image.Image) -> BGR:
    """Decoded pixels, uint8 [H, W, 3], not yet turned."""
    if image.mode in ("I", "I;16", "I;16B", "I;16L", "F"):
        grey = np.clip(np.asarray(image).astype(np.int64) >> 8, 0, 255).astype(np.uint8)
        return np.repeat(grey[:, :, None], 3, axis=2)
    if "transparency" in image.info or image.mode in ("RGBA", "LA", "PA", "La", "RGBa"):
        return _on_grey(np.asarray(image.convert("RGBA"))[:, :, [2, 1, 0, 3]])
    return np.asarray(image.convert("RGB"))[:, :, ::-1]


def _on_grey(bgra: NDArray[np.uint8]) -> BGR:
    """Colours laid on middle grey: white and dark tiles both keep their edge."""
    if bool((bgra[:, :, 3] == 255).all()):
        return bgra[:, :, :3]
    alpha = bgra[:, :, 3:].astype(np.uint16)
    mixed = (bgra[:, :, :3] * alpha + 127 * (255 - alpha) + 127) // 255
    return mixed.astype(np.uint8)

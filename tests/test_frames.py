"""Photos come in safely: by content, upright on every path, and with one clear sentence when they cannot."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image
from pillow_heif import from_pillow

from vision.errors import DamagedError, EmptyFileError, FormatError, FrameError, SourceError, TooLargeError
from vision.frames import Frame, Limits, decode_frame, frame_from_array, read_frame, read_frames
from vision.sources import list_photos

UPRIGHT = np.zeros((48, 64, 3), np.uint8)  # BGR: red top left, green top right, blue below
UPRIGHT[:24, :32] = (0, 0, 220)
UPRIGHT[:24, 32:] = (0, 220, 0)
UPRIGHT[24:] = (220, 0, 0)

TO_STORED: dict[int, Image.Transpose | None] = {  # how a camera held that way stores the upright picture
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def picture() -> Image.Image:
    """The upright picture as Pillow has it."""
    return Image.fromarray(np.ascontiguousarray(UPRIGHT[:, :, ::-1]))


def stored(orientation: int) -> Image.Image:
    """The picture as a camera turned that way stores it."""
    turn = TO_STORED[orientation]
    return picture() if turn is None else picture().transpose(turn)


def encode(image: Image.Image, kind: str, orientation: int | None = None) -> bytes:
    """Bytes of a file, with the EXIF orientation if one is given."""
    exif = Image.Exif()
    if orientation is not None:
        exif[ExifTags.Base.Orientation] = orientation
        exif.get_ifd(ExifTags.IFD.GPSInfo)[2] = (26.0, 4.0, 0.0)
    buffer = io.BytesIO()
    if kind == "HEIC":
        from_pillow(image).save(buffer, quality=95, exif=exif.tobytes())
    else:
        options = {"quality": 95} if kind != "PNG" else {}
        image.save(buffer, kind, exif=exif, **options)
    return buffer.getvalue()


def assert_upright(frame: Frame) -> None:
    """The corners have the colours of the upright picture."""
    assert frame.image.shape == UPRIGHT.shape
    assert (frame.width, frame.height) == (64, 48)
    assert np.abs(frame.image.astype(int) - UPRIGHT).mean() < 8


def png_of(width: int, height: int) -> bytes:
    """A valid all-black PNG, small in bytes however many pixels it claims."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    packer = zlib.compressobj(9)
    body = b"".join(packer.compress(bytes(1 + width // 8)) for _ in range(height)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("orientation", TO_STORED)
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_orientation_on_every_path(kind: str, orientation: int, tmp_path: Path) -> None:
    """File, bytes, array and batch give the same upright picture."""
    data = encode(stored(orientation), kind, orientation)
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    array = np.asarray(stored(orientation))[:, :, ::-1]
    batch = list(read_frames([path, path]))

    for frame in (decode_frame(data), read_frame(path), frame_from_array(array, orientation=orientation), *batch):
        assert_upright(frame)
    assert np.array_equal(batch[0].image, decode_frame(data).image)


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_heic_turned_and_named_jpg(orientation: int, tmp_path: Path) -> None:
    """A HEIC is known by its bytes, and its turn is applied once, not twice."""
    path = tmp_path / "IMG_0001.jpg"
    path.write_bytes(encode(stored(orientation), "HEIC", orientation))

    assert_upright(read_frame(path))


@pytest.mark.parametrize("suffix", [".heic", ".png", ".bin", ""])
def test_the_name_does_not_matter(suffix: str, tmp_path: Path) -> None:
    """A JPEG under any name is a JPEG."""
    path = tmp_path / f"photo{suffix}"
    path.write_bytes(encode(picture(), "JPEG"))

    assert_upright(read_frame(path))


def test_multi_picture_jpeg_is_a_photo() -> None:
    """Phones store a second picture behind the first (MPO); the first is the photo."""
    buffer = io.BytesIO()
    picture().save(buffer, "MPO", save_all=True, append_images=[picture().rotate(180)], quality=95)

    assert_upright(decode_frame(buffer.getvalue()))


def test_second_picture_cut_off_is_no_reason_to_refuse() -> None:
    """Of two pictures in one file the first is whole: then it counts, though the file has no end mark."""
    buffer = io.BytesIO()
    picture().save(buffer, "MPO", save_all=True, append_images=[picture().rotate(180)], quality=95)

    assert_upright(decode_frame(buffer.getvalue()[:-40]))


@pytest.mark.filterwarnings("ignore::UserWarning:PIL.TiffImagePlugin")
def test_broken_exif_is_no_reason_to_refuse() -> None:
    """Pixels count; a nonsense EXIF block or turn is passed over."""
    for exif in (b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0garbage"):
        buffer = io.BytesIO()
        picture().save(buffer, "JPEG", quality=95, exif=exif)
        assert_upright(decode_frame(buffer.getvalue()))
    assert_upright(decode_frame(encode(picture(), "JPEG", 77)))


def _converted(mode: str) -> bytes:
    buffer = io.BytesIO()
    picture().convert(mode).save(
        buffer, "JPEG" if mode == "CMYK" else "PNG", **({"quality": 95} if mode == "CMYK" else {})
    )
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["CMYK", "RGBA", "P"])
def test_other_colour_models(mode: str) -> None:
    """CMYK, alpha and palette photos become the same pixels."""
    assert_upright(decode_frame(_converted(mode)))


def test_grey_and_16_bit() -> None:
    """One channel is repeated; sixteen bits keep their brightness instead of turning white."""
    ramp = np.tile(np.arange(0, 65536, 1024, dtype=np.uint16), (8, 1))
    buffer = io.BytesIO()
    Image.fromarray(ramp).save(buffer, "PNG")
    expected = np.repeat((ramp >> 8).astype(np.uint8)[:, :, None], 3, axis=2)

    assert np.array_equal(decode_frame(buffer.getvalue()).image, expected)
    assert np.array_equal(frame_from_array(ramp).image, expected)
    assert decode_frame(_converted("L")).image.shape == (48, 64, 3)


def test_transparent_parts_are_grey() -> None:
    """What is transparent shows neither black nor a hidden colour."""
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[:2, :, 3] = 0
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")

    for frame in (decode_frame(buffer.getvalue()), frame_from_array(pixels)):
        assert frame.image[0, 0].tolist() == [127, 127, 127]
        assert frame.image[3, 3].tolist() == [255, 255, 255]


def test_frames_are_read_only_and_hold_no_exif() -> None:
    """Nothing but pixels, a time and a name."""
    frame = decode_frame(encode(picture(), "JPEG", 1), time_s=1.5, source="a.jpg")

    assert set(vars(frame)) == {"image", "time_s", "source"}
    assert (frame.time_s, frame.source) == (1.5, "a.jpg")
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0, 0] = 0


def test_huge_png_is_refused_by_its_header() -> None:
    """A small file of 20,000 x 20,000 pixels costs next to nothing."""
    data = png_of(20_000, 20_000)
    assert len(data) < 200_000
    tracemalloc.start()
    with pytest.raises(TooLargeError, match=r"20000 x 20000 pixels; at most 64 megapixels"):
        decode_frame(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 2_000_000


@pytest.mark.parametrize("size", [(12_000, 9_000), (1, 30_000)])
def test_other_sizes_above_the_limit(size: tuple[int, int]) -> None:
    """Between Pillow's warning and its error, and too long on one side: our own sentence, no warning."""
    with pytest.raises(TooLargeError, match=f"{size[0]} x {size[1]} pixels"):
        decode_frame(png_of(*size))


@pytest.mark.slow
@pytest.mark.parametrize("size", [(4000, 3000), (8192, 6144)])
def test_phone_photos_pass(size: tuple[int, int]) -> None:
    """12 and 50 megapixels are what phones take."""
    buffer = io.BytesIO()
    Image.new("RGB", size, (90, 120, 60)).save(buffer, "JPEG", quality=80)

    assert decode_frame(buffer.getvalue()).image.shape == (size[1], size[0], 3)


def _animation(kind: str) -> bytes:
    buffer = io.BytesIO()
    picture().save(buffer, kind, save_all=True, append_images=[picture().rotate(180)], duration=100)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: b"", EmptyFileError, "shot.jpg is empty"),
        (lambda: b"123m456p\n", FormatError, "shot.jpg is a text file; send a photo as JPEG, PNG, WebP or HEIC"),
        (lambda: "三万".encode(), FormatError, "shot.jpg is a text file"),
        (lambda: b"%PDF-1.7 ...", FormatError, "is a PDF"),
        (lambda: b"\0\0\0\x18ftypisom\0\0\0\0isom", FormatError, "is a video"),
        (lambda: bytes(range(200, 256)), FormatError, "is not a picture of a known kind"),
        (lambda: _animation("GIF"), FormatError, "is a GIF"),
        (lambda: _animation("PNG"), FormatError, "is an animation; send a still photo"),
        (lambda: _animation("WEBP"), FormatError, "is an animation; send a still photo"),
        (lambda: encode(picture(), "JPEG")[:400], DamagedError, "cut off or damaged"),
        (lambda: encode(picture(), "JPEG")[:-60], DamagedError, "cut off or damaged"),
        (lambda: encode(picture(), "PNG")[:-40], DamagedError, "cut off or damaged"),
        (lambda: encode(picture(), "WEBP")[:-40], DamagedError, "cut off or damaged"),
        (lambda: encode(picture(), "HEIC")[:-200], DamagedError, "cut off or damaged"),
        (lambda: b"\xff\xd8\xff\xe0", DamagedError, "cut off or damaged"),
        (lambda: bytes(30_000_001), TooLargeError, "has 30 MB; at most 30 MB are taken"),
    ],
)
def test_bad_files(make: Callable[[], bytes], error: type[FrameError], message: str, tmp_path: Path) -> None:
    """Each bad file gets its own class and one sentence, the same from bytes and from a file."""
    data = make()
    path = tmp_path / "shot.jpg"
    path.write_bytes(data)

    with pytest.raises(error, match=message) as from_bytes:
        decode_frame(data, source="shot.jpg")
    with pytest.raises(error) as from_file:
        read_frame(path)
    assert str(from_bytes.value) == str(from_file.value)
    assert "\n" not in str(from_file.value)


def test_large_file_is_not_even_read(tmp_path: Path) -> None:
    """The size of the file is asked before its bytes."""
    path = tmp_path / "video.jpg"
    with path.open("wb") as file:
        file.truncate(40_000_000_000)

    with pytest.raises(TooLargeError, match="has 40000 MB"):
        read_frame(path)


def test_limits_are_settable() -> None:
    """A service may be stricter."""
    with pytest.raises(TooLargeError, match="64 x 48 pixels"):
        decode_frame(encode(picture(), "JPEG"), limits=Limits(max_pixels=1000))


@pytest.mark.parametrize(
    ("pixels", "orientation", "message"),
    [
        (np.zeros((4, 4, 3), np.float32), 1, r"got float32 \[4, 4, 3\]"),
        (np.zeros((4, 4, 2), np.uint8), 1, "expected 1, 3 or 4 channels, got 2"),
        (np.zeros((0, 4, 3), np.uint8), 1, r"got uint8 \[0, 4, 3\]"),
        (np.zeros((4, 4, 3), np.uint8), 9, r"orientation: expected 1\.\.8, got 9"),
    ],
)
def test_bad_arrays(pixels: np.ndarray, orientation: int, message: str) -> None:
    """Arrays that are no picture are refused with what came."""
    with pytest.raises(FormatError, match=message):
        frame_from_array(pixels, orientation=orientation)


def test_folders_are_sorted_and_bad_names_told(tmp_path: Path) -> None:
    """A folder gives its photos by name, without hidden and other files."""
    for name in ("b.JPG", "a.heic", ".hidden.jpg", "notes.txt", "c.png"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "empty").mkdir()

    assert [path.name for path in list_photos([tmp_path, tmp_path / "notes.txt"])] == [
        "a.heic",
        "b.JPG",
        "c.png",
        "notes.txt",
    ]
    with pytest.raises(SourceError, match="no photos in the folder empty"):
        list_photos([tmp_path / "empty"])
    with pytest.raises(SourceError, match=r"gone\.jpg' does not exist"):
        list_photos([tmp_path / "gone.jpg"])
    with pytest.raises(SourceError, match=r"cannot open 'gone\.jpg': no such file"):
        read_frame(tmp_path / "gone.jpg")
    with pytest.raises(SourceError, match="empty is a folder"):
        read_frame(tmp_path / "empty")

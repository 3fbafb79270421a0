"""`jinque photos`: from photos that people send to a data set that is evaluated and trained on."""

from __future__ import annotations

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from assistant_api import commands, commands_evaluate, commands_photos
from engine.tiles import Tile
from tests.support.commands import Commands
from tests.support.dotted import TILE_H, TILE_W, dotted_reader, photo
from vision.dataset import check_dataset, load_dataset
from vision.training.classifier_data import cut_photo_set
from vision.training.real_photos import BACK, FACE, load_set

ROW = [Tile.M1, Tile.M2, Tile.P5, Tile.EAST, Tile.PLUM]
CREDIT = ("--source", "a club in the next town", "--licence", "CC-BY-4.0")


class Queue(Commands):
    """Commands with a queue of their own; the reader is unsure of 5p."""

    def add(self, *paths: Path) -> list[str]:
        """Ids of photos taken in."""
        return [one["id"] for one in self.json("photos", "add", *map(str, paths), *CREDIT)["added"]]


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Queue:
    """Commands whose networks are scripted."""
    for module in (commands, commands_photos, commands_evaluate):
        monkeypatch.setattr(module, "shipped_reader", lambda *_: dotted_reader(unsure=[Tile.P5]))
    monkeypatch.setenv("JINQUE_PHOTOS_PATH", str(tmp_path / "queue"))
    return Queue(tmp_path / "queue", capsys)


def written(path: Path, tiles: list[Tile] = ROW, exif: Image.Exif | None = None) -> Path:
    """A photo of tiles as a file, with EXIF data where given."""
    pixels = np.ascontiguousarray(photo([tiles]).image[:, :, ::-1])
    Image.fromarray(pixels).save(path, exif=exif or Image.Exif())
    return path


def test_from_a_photo_to_a_data_set(queue: Queue, tmp_path: Path) -> None:
    """Add, list, show, correct, export: the export is evaluated, and both trainings read it."""
    (name,) = queue.add(written(tmp_path / "table.png"))
    (listed,) = queue.json("photos", "list")
    assert (listed["id"], listed["state"], listed["licence"], listed["tiles"]) == (name, "new", "CC-BY-4.0", None)

    shown = queue.json("photos", "show", name[:4], "--out", str(tmp_path / "shown.png"))
    assert shown["state"] == "proposed"
    assert [one["tile"] for one in shown["tiles"]] == ["1m", "2m", "?", "E", "5f"]
    assert [one["number"] for one in shown["tiles"]] == [1, 2, 3, 4, 5]
    assert shown["tiles"][2]["alternatives"][0][0] == "5p"
    drawn = cv2.imread(str(tmp_path / "shown.png"))
    assert drawn is not None
    assert drawn.shape == (shown["height"], shown["width"], 3)

    half = queue.json("photos", "review", name, "--tile", "1=3m", code=1)
    assert (half["state"], half["unknown"], half["tiles"][0]["tile"]) == ("proposed", [3], "3m")
    done = queue.json(
        "photos", "review", name, "--tile", "1=1m", "--tile", "3=5p", "--drop", "5", "--add", "back=4,4,40,60"
    )
    assert (done["state"], [one["tile"] for one in done["tiles"]]) == ("reviewed", ["1m", "2m", "5p", "E", "back"])

    folder = tmp_path / "sent"
    out = queue.json("photos", "export", str(folder), "--split", "train")
    assert (out["photos"], out["tiles"]) == ([name], 5)
    assert check_dataset(folder) == ()
    (labelled,) = load_dataset(folder, "train")
    assert labelled.codes == ("1m", "2m", "5p", "E", "back")
    size = np.array([done["width"], done["height"]] * 2)
    assert np.allclose((labelled.boxes * size)[4], [4, 4, 40, 60], atol=0.01)
    assert np.allclose((labelled.boxes * size)[0], [24, 24, 24 + TILE_W, 24 + TILE_H], atol=0.01)
    with (folder / "sources.csv").open(encoding="utf-8", newline="") as file:
        (credit,) = csv.DictReader(file)
    assert (credit["file"], credit["source"], credit["licence"]) == (f"{name}.jpg", CREDIT[1], CREDIT[3])

    (trained,) = load_set(folder, "train")
    assert trained.classes.tolist() == [FACE] * 4 + [BACK]
    assert cut_photo_set(folder, ("train",)).labels.tolist() == [Tile.M1, Tile.M2, Tile.P5, Tile.EAST, 42]
    figures = queue.json("evaluate", str(folder), "--split", "train")
    assert (figures["photos"], figures["tiles"]) == (1, 5)
    assert figures["right"] == 3


@pytest.mark.parametrize(
    "credit", [(), CREDIT[:2], CREDIT[2:], ("--source", " ", *CREDIT[2:]), (*CREDIT[:2], "--licence", "")]
)
def test_nothing_enters_without_source_and_licence(queue: Queue, tmp_path: Path, credit: tuple[str, ...]) -> None:
    """One sentence that says what to give; the queue stays as it was."""
    code, out, err = queue.run("photos", "add", str(written(tmp_path / "a.png")), *credit)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "say with --source" in err
    assert "--licence" in err
    assert not queue.folder.exists()


def test_the_place_in_a_photo_is_not_kept(queue: Queue, tmp_path: Path) -> None:
    """Neither EXIF place nor anything else besides the pixels, which are upright."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    exif[ExifTags.Base.Make] = "a phone"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (26.0, 4.0, 30.0)
    path = written(tmp_path / "turned.jpg", exif=exif)
    with Image.open(path) as sent:
        width, height = sent.size
        assert sent.getexif().get_ifd(ExifTags.IFD.GPSInfo)
    (name,) = queue.add(path)
    with Image.open(queue.folder / f"{name}.jpg") as kept:
        assert kept.size == (height, width)
        assert not kept.getexif()
        assert "exif" not in kept.info


def test_doubles_are_known_by_their_pixels(queue: Queue, tmp_path: Path) -> None:
    """The same photo under another name and with other EXIF data; a photo that is none keeps no other one out."""
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "a phone"
    first, again = written(tmp_path / "a.png"), written(tmp_path / "b.png", exif=exif)
    (tmp_path / "c.jpg").write_text("no photo", encoding="utf-8")
    other = written(tmp_path / "d.png", [Tile.S1, Tile.S2])
    taken = queue.json("photos", "add", *map(str, (first, again, tmp_path / "c.jpg", other)), *CREDIT, code=2)
    assert [one["file"] for one in taken["added"]] == ["a.png", "d.png"]
    assert taken["doubles"] == [{"file": "b.png", "id": taken["added"][0]["id"]}]
    assert [one["file"] for one in taken["refused"]] == ["c.jpg"]
    assert "send a photo as JPEG" in taken["refused"][0]["message"]
    assert [one["file"] for one in queue.json("photos", "list")] == ["a.png", "d.png"]


def test_a_queue_elsewhere_and_removal(queue: Queue, tmp_path: Path) -> None:
    """`--to` names another folder; what is removed is gone whole."""
    there = tmp_path / "there"
    queue.json("photos", "add", str(written(tmp_path / "a.png")), *CREDIT, "--to", str(there))
    assert queue.json("photos", "list") == []
    (kept,) = queue.json("photos", "list", "--queue", str(there))
    assert queue.json("photos", "remove", kept["id"], "--queue", str(there)) == {"removed": kept["id"]}
    assert list(there.iterdir()) == []
    code, out, _ = queue.run("photos", "list", "--queue", str(there))
    assert (code, "no photos in the queue" in out) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "nothing"), "there is no photo 'nothing' in the queue"),
        (("review", "ID", "--tile", "9=1m"), "there is no tile 9; the photo shows the numbers 1 to 5"),
        (("review", "ID", "--tile", "first=1m"), "expected its number and what it is, such as 4=5m"),
        (("review", "ID", "--tile", "1=?"), "'?' is not one tile"),
        (("review", "ID", "--tile", "1=12m"), "'12m' is not one tile"),
        (("review", "ID", "--tile", "1=1m", "--drop", "1"), "named and dropped"),
        (("review", "ID", "--add", "1m=5,5"), "expected code and corners in pixels"),
        (("review", "ID", "--add", "1m=5,5,9000,80"), "5,5,9000,80 is no place of a tile"),
        (("show", "ID", "--out", "shown.txt"), "written as .png or .jpg"),
        (("export", "OUT", "ID"), "nobody has reviewed"),
        (("export", "OUT"), "no photo is reviewed yet"),
    ],
)
def test_bad_input_is_one_line(queue: Queue, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2, and nothing is changed."""
    (name,) = queue.add(written(tmp_path / "a.png"))
    before = queue.json("photos", "show", name)
    given = [{"ID": name, "OUT": str(tmp_path / "out")}.get(word, word) for word in arguments]
    code, out, err = queue.run("photos", *given)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert queue.json("photos", "show", name) == before
    assert not (tmp_path / "out").exists()


def test_no_data_set_is_written_over(queue: Queue, tmp_path: Path) -> None:
    """Nothing is taken unseen; an export needs a new folder; damaged files are told, not guessed at."""
    (name,) = queue.add(written(tmp_path / "a.png", ROW[:2]))
    code, _, err = queue.run("photos", "review", name)
    assert (code, "see its tiles first" in err) == (2, True)
    queue.json("photos", "show", name)
    assert queue.json("photos", "review", name)["state"] == "reviewed"
    code, _, err = queue.run("photos", "export", str(tmp_path))
    assert (code, "is not empty" in err) == (2, True)
    (queue.folder / f"{name}.jpg").write_bytes(b"")
    code, _, err = queue.run("photos", "export", str(tmp_path / "out"))
    assert (code, "is gone or damaged" in err, (tmp_path / "out").exists()) == (2, True, False)
    (queue.folder / f"{name}.json").write_text("{}", encoding="utf-8")
    code, _, err = queue.run("photos", "list")
    assert (code, "is damaged" in err) == (2, True)


def test_what_people_see(queue: Queue, tmp_path: Path) -> None:
    """Ids, states, numbers; the sentence that says what is left to do."""
    _, out, _ = queue.run("photos", "add", str(written(tmp_path / "a.png")), *CREDIT)
    name = out.split()[0]
    assert "收下 taken: a.png" in out
    _, out, _ = queue.run("photos", "list")
    assert "CC-BY-4.0" in out
    _, out, _ = queue.run("photos", "show", name)
    assert "proposed" in out
    code, out, err = queue.run("photos", "review", name)
    assert (code, "一万" in out, "--tile 3=5m" in err) == (1, True, True)

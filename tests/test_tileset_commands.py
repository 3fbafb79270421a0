"""`jinque tileset` and `/api/tilesets`, with tiles that carry their number in dots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from assistant_api import commands, commands_tileset
from assistant_api.services.tileset_files import TilesetFolder
from assistant_api.services.tilesets import load_for
from engine.tiles import Tile
from tests.support.commands import Commands
from tests.support.dotted import dotted_reader, photo
from tests.test_tilesets import HARD, ROWS, changed
from vision.photo import PhotoReader

Maker = Callable[..., TestClient]


def written(path: Path, rows: Sequence[Sequence[Tile]]) -> str:
    """A photo of rows as a file."""
    cv2.imwrite(str(path), photo(rows).image)
    return str(path)


class Desk(Commands):
    """Commands with a folder of their own and a reader that is unsure of five kinds."""

    def kept(self) -> list[str]:
        """Files in the folder of sets."""
        return sorted(path.name for path in (self.folder / "sets").glob("*"))


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    """Commands whose networks are scripted."""
    for module in (commands, commands_tileset):
        monkeypatch.setattr(module, "shipped_reader", lambda *_: dotted_reader(unsure=HARD))
    monkeypatch.setenv("JINQUE_TILESETS_PATH", str(tmp_path / "sets"))
    return Desk(tmp_path, capsys)


def test_a_set_from_one_photo_to_a_better_reading(desk: Desk, tmp_path: Path) -> None:
    """Add, list, show, read with it, remove."""
    hand = written(tmp_path / "hand.png", [[*HARD, Tile.M1, Tile.GREEN]])
    assert desk.json("tileset", "list") == []
    added = desk.json("tileset", "add", "家里的 牌", written(tmp_path / "set.png", ROWS))
    assert (added["name"], added["faces"], added["missing"], added["keeps_pictures"]) == ("家里的 牌", 42, [], False)
    assert desk.json("tileset", "list") == [added] == [desk.json("tileset", "show", "家里的 牌")]

    before = [tile["tile"] for tile in desk.json("read", hand)["tiles"]]
    after = [tile["tile"] for tile in desk.json("read", "--tileset", "家里的 牌", hand)["tiles"]]
    assert before.count("?") == len(HARD)
    assert sorted(after) == sorted([*(tile.code for tile in HARD), "1m", "F"])

    assert desk.json("tileset", "remove", "家里的 牌") == {"removed": "家里的 牌"}
    assert desk.kept() == []
    code, _, err = desk.run("read", "--tileset", "家里的 牌", hand)
    assert code == 2
    assert "there is no set of tiles named '家里的 牌'; none was added yet" in err


def test_pictures_are_kept_only_when_asked_and_teach_a_later_network(desk: Desk, tmp_path: Path) -> None:
    """Without consent a new network asks for the photos again; with it the set is learnt anew by itself."""
    photo_of_set = written(tmp_path / "set.png", ROWS)
    desk.json("tileset", "add", "numbers", photo_of_set)
    assert desk.json("tileset", "add", "pictures", photo_of_set, "--keep-crops")["keeps_pictures"] is True
    folder, later = TilesetFolder(tmp_path / "sets"), dotted_reader(unsure=HARD, network="dots-2")
    assert folder.load("numbers").tileset.crops is None
    tileset = load_for(folder, later, "pictures")
    assert tileset.network == folder.load("pictures").tileset.network == "dots-2"
    assert later.with_tileset(tileset)
    assert load_for(folder, later, "numbers").network == "dots-1"


def test_contact_sheet(desk: Desk, tmp_path: Path) -> None:
    """A picture of what the set knows, by consent with the faces themselves."""
    desk.json("tileset", "add", "mine", written(tmp_path / "set.png", ROWS), "--keep-crops")
    sheet = tmp_path / "sheet.png"
    desk.json("tileset", "show", "mine", "--out", str(sheet))
    picture = cv2.imread(str(sheet))
    assert picture is not None
    assert picture.shape == (5 * 92, 9 * 72, 3)
    code, _, err = desk.run("tileset", "show", "mine", "--out", str(tmp_path / "sheet.txt"))
    assert (code, "written as .png or .jpg" in err) == (2, True)


def test_own_order_labels_and_more_photos(desk: Desk, tmp_path: Path) -> None:
    """A set without flowers by its own order; a further photo with labels adds looks."""
    first = written(tmp_path / "a.png", ROWS[:4])
    added = desk.json("tileset", "add", "mine", first, "--order", "123456789m/123456789p/123456789s/ESWNCFP")
    assert (added["faces"], added["missing"]) == (34, [f"{number}f" for number in range(1, 9)])
    labels = tmp_path / "labels.txt"
    labels.write_text("1f 2f ?\n33f\n", encoding="utf-8")
    rows = [[Tile.SPRING, Tile.SUMMER, Tile.M1], [Tile.AUTUMN, Tile.AUTUMN]]
    more = desk.json("tileset", "add", "mine", written(tmp_path / "b.png", rows), "--labels", str(labels))
    assert (more["faces"], more["looks"]) == (37, 38)
    assert desk.json("tileset", "order")[3] == ["E", "S", "W", "N", "C", "F", "P"]


@pytest.mark.parametrize(
    ("rows", "arguments", "message"),
    [
        (changed(0, 4, None), (), "row 1 has 8 instead of 9"),
        (changed(1, 6, Tile.P3), (), "3p seems to lie there twice"),
        ([ROWS[1], ROWS[0], *ROWS[2:]], (), "do not lie in the order"),
        (ROWS, ("--order", "123m/123m"), "names 1m twice"),
        (ROWS, ("--order", "12x"), "row 1 of the order"),
        (ROWS, ("--labels", "nowhere.txt"), "cannot read the labels 'nowhere.txt'"),
        (ROWS, ("--order", "1m", "--labels", "x"), "--order excludes --labels"),
    ],
)
def test_bad_input_stores_nothing(
    desk: Desk, tmp_path: Path, rows: list[list[Tile]], arguments: tuple[str, ...], message: str
) -> None:
    """One sentence on stderr, exit code 2, no file."""
    code, out, err = desk.run("tileset", "add", "mine", written(tmp_path / "set.png", rows), *arguments)
    assert (code, out, desk.kept()) == (2, "", [])
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_bad_names_and_too_many_photos(desk: Desk, tmp_path: Path) -> None:
    """Names stay inside the folder; more than three photos are refused."""
    good = written(tmp_path / "set.png", ROWS)
    for name in ("", "x" * 25, "a\tb\x00"):
        assert desk.run("tileset", "add", name, good)[0] == 2
    code, _, err = desk.run("tileset", "add", "mine", *[good] * 4)
    assert (code, "1 to 3 photos" in err, desk.kept()) == (2, True, [])
    desk.json("tileset", "add", "../up", good)
    assert desk.kept() == ["..%2Fup.npz"]
    assert [known["name"] for known in desk.json("tileset", "list")] == ["../up"]


def test_a_damaged_file_is_told(desk: Desk, tmp_path: Path) -> None:
    """Listing says which set to remove and add again; removing works."""
    desk.json("tileset", "add", "mine", written(tmp_path / "set.png", ROWS))
    (tmp_path / "sets" / "mine.npz").write_bytes(b"PK\x03\x04 nonsense")
    code, _, err = desk.run("tileset", "show", "mine")
    assert (code, "'mine' is damaged; remove the set and add it again" in err) == (2, True)
    desk.json("tileset", "remove", "mine")


@pytest.fixture
def client(make_client: Maker, tmp_path: Path) -> TestClient:
    """The API with scripted networks and a folder of its own."""
    return make_client(dotted_reader(unsure=HARD), tilesets_path=tmp_path / "sets")


def upload(client: TestClient, rows: Sequence[Sequence[Tile]], **fields: str) -> Any:
    """Send a photo of rows; gives the answer."""
    _, data = cv2.imencode(".png", photo(rows).image)
    answer = client.post("/api/photos", files={"photo": ("set.png", bytes(data), "image/png")}, data=fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


def faces_of(draft: Any) -> list[dict[str, Any]]:
    """The faces of a draft as the page sends them back."""
    return [{"tile": face["tile"], "quad": face["quad"]} for row in draft["rows"] for face in row]


def test_a_set_over_the_api(client: TestClient) -> None:
    """Upload, draft in order, save, read with it, delete."""
    assert client.get("/api/tilesets").json() == []
    photo_id = upload(client, ROWS)["photo"]["id"]
    draft = client.post("/api/tilesets/draft", json={"photo_id": photo_id}).json()
    assert (draft["in_order"], draft["message"]) == (True, None)
    assert [[face["tile"] for face in row] for row in draft["rows"]] == [[tile.code for tile in row] for row in ROWS]
    body = {"name": "mine", "photos": [{"photo_id": photo_id, "faces": faces_of(draft)}]}
    answer = client.post("/api/tilesets", json=body)
    assert (answer.status_code, answer.json()["faces"]) == (201, 42)
    (listed,) = client.get("/api/tilesets").json()
    assert {"name", "faces", "created"} <= listed.keys()

    row = [[*HARD, Tile.M1]]
    assert [tile["tile"] for tile in upload(client, row)["draft"]["tiles"]].count("?") == len(HARD)
    read = [tile["tile"] for tile in upload(client, row, tileset="mine")["draft"]["tiles"]]
    assert sorted(read) == sorted([*(tile.code for tile in HARD), "1m"])

    assert client.delete("/api/tilesets/mine").status_code == 204
    gone = client.delete("/api/tilesets/mine")
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")


def test_a_draft_out_of_order_is_corrected_by_a_person(client: TestClient) -> None:
    """Tiles as read, a sentence why; what the person says is learnt, ? is passed over."""
    rows = [[Tile.M1, Tile.P5, Tile.EAST], [Tile.GREEN]]
    photo_id = upload(client, rows)["photo"]["id"]
    draft = client.post("/api/tilesets/draft", json={"photo_id": photo_id}).json()
    assert draft["in_order"] is False
    assert "in rows of 9, 9, 9, 7, 8" in draft["message"]
    faces = faces_of(draft)
    assert [face["tile"] for face in faces] == ["1m", "5p", "E", "F"]
    faces[0]["tile"] = "?"
    body = {"name": "mine", "photos": [{"photo_id": photo_id, "faces": faces}], "keep_pictures": True}
    assert client.post("/api/tilesets", json=body).json()["known"] == ["5p", "E", "F"]
    faces[0]["tile"] = "9x"
    assert client.post("/api/tilesets", json=body).status_code == 422
    body["photos"] = [{"photo_id": "nothing", "faces": faces}]
    assert client.post("/api/tilesets", json=body).status_code == 404


def winning_hand() -> list[list[Tile]]:
    """A finished hand in a row: 123m 456m 789m 123p 456p 99s, whose 2m and 5p are read as unknown, 9s too."""
    return [[*range_of(Tile.M1, 9), *range_of(Tile.P1, 6), Tile.S9, Tile.S9]]


def range_of(first: Tile, count: int) -> list[Tile]:
    """Tiles in a run."""
    return [Tile(int(first) + step) for step in range(count)]


def saved(client: TestClient, **more: Any) -> Any:
    """Upload the winning hand, correct it as a person does, and save it."""
    read = upload(client, winning_hand())
    truth = iter(winning_hand()[0])
    tiles = [
        {"id": tile["id"], "tile": next(truth).code, "group": "hand", "meld": None} for tile in read["draft"]["tiles"]
    ]
    tiles.append({"id": "gold", "tile": "1s", "group": "gold", "meld": None})
    facts = {"winner": "S", "source": "self_draw", "dealer": "E", "streak": 0}
    body = {"tiles": tiles, "facts": facts, "photo_id": read["photo"]["id"], "ruleset": "fuzhou", **more}
    return client.post("/api/hands", json=body)


def test_corrections_feed_the_set_only_with_consent(client: TestClient) -> None:
    """Corrected tiles and kinds that were missing become looks; without `learn` nothing changes."""
    photo_id = upload(client, [[Tile.M1, Tile.M3]])["photo"]["id"]
    draft = client.post("/api/tilesets/draft", json={"photo_id": photo_id}).json()
    client.post("/api/tilesets", json={"name": "mine", "photos": [{"photo_id": photo_id, "faces": faces_of(draft)}]})

    def known() -> list[str]:
        return list(client.get("/api/tilesets").json()[0]["known"])

    answer = saved(client, tileset="mine")
    assert answer.status_code == 201, answer.text
    assert known() == ["1m", "3m"]
    assert saved(client, tileset="mine", learn=True).status_code == 201
    assert known() == [tile.code for tile in (*range_of(Tile.M1, 9), *range_of(Tile.P1, 6), Tile.S9)]
    assert upload(client, [list(HARD[:3])], tileset="mine")["draft"]["tiles"][0]["tile"] != "?"


def test_consent_needs_a_set(client: TestClient) -> None:
    """The hand is not saved when it is not said which set may learn; a set that is gone costs no hand."""
    answer = saved(client, learn=True)
    assert (answer.status_code, "the name of a set" in answer.json()["reason"]) == (422, True)
    assert client.get("/api/hands").json()["count"] == 0
    assert saved(client, learn=True, tileset="gone").status_code == 201


def test_blurred_photos_are_refused_over_the_api(client: TestClient) -> None:
    """With a code and a sentence in the caller's language."""
    _, data = cv2.imencode(".png", np.asarray(photo(ROWS, blur=5.0).image))
    sent = client.post("/api/photos", files={"photo": ("set.png", bytes(data), "image/png")}).json()
    answer = client.post(
        "/api/tilesets/draft", json={"photo_id": sent["photo"]["id"]}, headers={"Accept-Language": "zh-Hans"}
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "tileset_blurred")
    assert "拿稳手机" in answer.json()["detail"]


def test_readers_share_their_networks() -> None:
    """A reader with a set is another view of the same networks."""
    reader: PhotoReader = dotted_reader()
    lesson_free = reader.with_tileset(_empty(reader))
    assert lesson_free.networks == reader.networks
    frame = photo([[Tile.M1, Tile.P9]])
    assert [tile.code for tile in lesson_free.read(frame).tiles] == [tile.code for tile in reader.read(frame).tiles]


def _empty(reader: PhotoReader) -> Any:
    from vision.tilesets import Tileset

    return Tileset.empty("empty", reader.network)

"""Networks are found, and refused when they are not what their card says."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from vision.errors import ModelMismatchError, ModelMissingError
from vision.photo import PhotoReader
from vision.weights import FACE_LABELS, find_weights

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one made-up network."""
    (tmp_path / "tiny.onnx").write_bytes(b"weights")
    card = {
        "file": "tiny.onnx",
        "sha256": hashlib.sha256(b"weights").hexdigest(),
        "labels": ["face", "back"],
        "input_size": 64,
        "thresholds": {"score": 0.5},
    }
    (tmp_path / "tiny.json").write_text(json.dumps(card))
    return tmp_path


def change(folder: Path, **fields: object) -> None:
    """Rewrites fields of the card; None drops one."""
    card = json.loads((folder / "tiny.json").read_text()) | fields
    (folder / "tiny.json").write_text(json.dumps({key: value for key, value in card.items() if value is not None}))


def test_found(folder: Path) -> None:
    """Path, labels, input size and thresholds come from the card."""
    weights = find_weights("tiny", folder=folder, labels=["face", "back"])

    assert weights.path == folder / "tiny.onnx"
    assert (weights.labels, weights.input_size, weights.thresholds) == (("face", "back"), 64, {"score": 0.5})


def test_face_labels() -> None:
    """The 42 codes of the notation, then back and not_a_face."""
    assert len(FACE_LABELS) == 44
    assert FACE_LABELS[0] == "1m"
    assert FACE_LABELS[41:] == ("8f", "back", "not_a_face")


def test_missing(folder: Path) -> None:
    """No card, and a card without its file."""
    with pytest.raises(ModelMissingError, match="'huge' is not installed"):
        find_weights("huge", folder=folder)
    (folder / "tiny.onnx").unlink()
    with pytest.raises(ModelMissingError, match=r"tiny\.onnx is missing"):
        find_weights("tiny", folder=folder)


def test_mismatch(folder: Path) -> None:
    """Other bytes, other labels, a field less, no card at all."""
    with pytest.raises(ModelMismatchError, match="expected 3 labels, got 2; the first difference is label 2"):
        find_weights("tiny", folder=folder, labels=["face", "back", "other"])
    with pytest.raises(ModelMismatchError, match="the first difference is label 0"):
        find_weights("tiny", folder=folder, labels=["back", "face"])
    (folder / "tiny.onnx").write_bytes(b"other weights")
    with pytest.raises(ModelMismatchError, match=r"tiny\.onnx is not the file its card describes"):
        find_weights("tiny", folder=folder)
    change(folder, labels=None)
    with pytest.raises(ModelMismatchError, match="it lacks labels"):
        find_weights("tiny", folder=folder)
    (folder / "tiny.json").write_text("[]")
    with pytest.raises(ModelMismatchError, match="it lacks everything"):
        find_weights("tiny", folder=folder)
    (folder / "tiny.json").write_text("{")
    with pytest.raises(ModelMismatchError, match="cannot be read as a model card"):
        find_weights("tiny", folder=folder)


@pytest.mark.parametrize("card", sorted((ROOT / "models").glob("*.json")), ids=lambda path: path.stem)
def test_bundled_networks_pass_their_checks(card: Path) -> None:
    """Each network in the repository is what its card says."""
    assert find_weights(card.stem).path.parent == ROOT / "models"


def test_a_folder_of_networks_stands_in_for_the_bundled_ones(tmp_path: Path) -> None:
    """A network with a card in the folder is taken from there, the other one is the bundled one, and checksums tell."""
    bundled = PhotoReader.bundled(threads=1).networks
    with pytest.raises(ModelMissingError, match=r"expected detector\.json or classifier\.json"):
        PhotoReader.of_folder(tmp_path)
    card = json.loads((ROOT / "models" / "classifier.json").read_text())
    weights = (ROOT / "models" / "classifier.onnx").read_bytes() + b"\x32\x06a test"  # field 6 of ONNX: a remark
    (tmp_path / "other.onnx").write_bytes(weights)
    digest = hashlib.sha256(weights).hexdigest()
    (tmp_path / "classifier.json").write_text(json.dumps(card | {"file": "other.onnx", "sha256": digest}))
    assert PhotoReader.of_folder(tmp_path, threads=1).networks == {**bundled, "classifier": digest}
    (tmp_path / "other.onnx").unlink()
    with pytest.raises(ModelMissingError, match=r"other\.onnx is missing; put it into"):
        PhotoReader.of_folder(tmp_path)


@pytest.mark.slow
def test_wheel_carries_the_networks(tmp_path: Path) -> None:
    """A built wheel holds the models folder inside the vision package, and finds them there."""
    source = tmp_path / "source"
    for name in ("engine", "vision", "assistant_api", "models"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    build = "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=source, check=True, capture_output=True)

    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = wheel.namelist()
        wheel.extractall(unpacked)
    files = [path for path in (ROOT / "models").rglob("*") if path.is_file()]
    assert {f"vision/_models/{path.relative_to(ROOT / 'models').as_posix()}" for path in files} <= set(names)
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"engine", "vision", "assistant_api"}
    for card in (ROOT / "models").glob("*.json"):
        find = f"from vision.weights import find_weights; print(find_weights({card.stem!r}).path)"
        run = subprocess.run([sys.executable, "-c", find], cwd=unpacked, check=True, capture_output=True, text=True)
        assert Path(run.stdout.strip()).parent == unpacked / "vision" / "_models"

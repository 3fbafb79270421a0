"""Training recipes: what is refused, and that data paths follow the environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from vision.errors import RecipeError
from vision.training.recipes import append_row, files_hash, load_recipe, train


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "recipe.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('kind = "tracker"', "expected one of detector, classifier"),
        ("kind = ", "is not TOML"),
        ('kind = "detector"\nminutes = -1', "positive"),
        ('kind = "detector"\nseed = "x"', "whole number"),
    ],
)
def test_a_bad_recipe_says_what_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(RecipeError, match=says):
        load_recipe(write(tmp_path, text))


def test_an_absent_recipe_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"nowhere\.toml"):
        train(tmp_path / "nowhere.toml")


def test_data_root_is_the_environment_then_the_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, 'kind = "detector"\ndata = "photos"')
    monkeypatch.delenv("JINQUE_DATA", raising=False)
    assert load_recipe(path).data_root == tmp_path / "photos"
    monkeypatch.setenv("JINQUE_DATA", str(tmp_path / "other"))
    assert load_recipe(path).data_root == tmp_path / "other"


def test_minutes_must_be_positive(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="positive"):
        train(write(tmp_path, 'kind = "detector"'), minutes=0)


def test_files_hash_sees_content_and_name(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    first.write_bytes(b"1")
    second.write_bytes(b"2")
    before = files_hash([first, second])
    assert before == files_hash([second, first])
    second.write_bytes(b"3")
    assert files_hash([first, second]) != before


def test_rows_gather_under_one_header(tmp_path: Path) -> None:
    path = tmp_path / "results" / "runs.csv"
    append_row(path, {"run": 1, "recall": 0.5})
    append_row(path, {"run": 2, "recall": 0.75})
    assert path.read_text(encoding="utf-8") == "run,recall\n1,0.5\n2,0.75\n"

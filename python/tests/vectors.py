"""The vector files of the repository."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "vectors"


def tests(name: str) -> list[dict[str, Any]]:
    """All tests of a file, each with the entries of its group."""
    groups = json.loads((FOLDER / f"{name}.json").read_text())["testGroups"]
    return [group | test for group in groups for test in group["tests"]]


def hex_of(test: dict[str, Any], name: str) -> bytes:
    return bytes.fromhex(test[name])

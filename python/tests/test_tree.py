"""Trees: what verification finds of every change, progress, and that nothing is written after an error or a signal."""

import os
import signal
import threading
from pathlib import Path

import pytest
from carryless.tree import TreeError, tag_tree, verify_tree

KEY = bytes(range(32))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "inner").mkdir(parents=True)
    for i in range(20):
        (folder / "inner" / f"file {i}").write_bytes(bytes([i]) * (i * 70_000))
    (folder / "name\nwith end").write_text("x")
    (folder / "link").symlink_to("inner")
    return folder


def statuses(manifest: Path, tree: Path) -> dict[bytes, str]:
    return {name: status for name, status, _ in verify_tree(manifest, KEY, base=tree)}


def test_every_change_is_found(tree: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest"
    assert tag_tree(["."], KEY, manifest, base=tree) == 22
    assert set(statuses(manifest, tree).values()) == {"ok"} and len(statuses(manifest, tree)) == 22
    first = manifest.read_bytes()
    assert first.startswith(b"carryless-manifest-v1\nalgorithm 4-decbrwhash1305-hchacha20\n")
    tag_tree(["."], KEY, manifest, base=tree, threads=1, overwrite=True)
    assert manifest.read_bytes() == first
    (tree / "inner" / "file 3").write_bytes(b"other")
    (tree / "inner" / "file 4").unlink()
    (tree / "new").touch()
    found = statuses(manifest, tree)
    assert (found[b"inner/file 3"], found[b"inner/file 4"], found[b"new"]) == ("changed", "missing", "new")
    assert list(found.values()).count("ok") == 20
    only = verify_tree(manifest, KEY, ["inner/file 5"], base=tree)
    assert only == [(b"inner/file 5", "ok", None)]
    [(_, status, reason)] = verify_tree(manifest, KEY, ["nowhere"], base=tree)
    assert status == "error" and reason is not None


def test_options(tree: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest"
    assert tag_tree(["."], KEY, manifest, base=tree, include=["file 1*"], symlinks="skip", label="set") == 11
    assert {status for _, status, _ in verify_tree(manifest, KEY, base=tree, label="set")} == {"ok"}
    old = tmp_path / "old"
    tag_tree(["inner"], KEY, old, base=tree, algorithm="polyhash1305-hchacha20")
    assert b"algorithm polyhash1305-hchacha20\n" in old.read_bytes()
    with pytest.raises(TreeError, match="label"):
        verify_tree(manifest, KEY, base=tree)


def test_errors(tree: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest"
    with pytest.raises(TreeError, match="nowhere: no such file"):
        tag_tree(["nowhere"], KEY, manifest, base=tree)
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        tag_tree(["."], b"key", manifest, base=tree)
    with pytest.raises(ValueError, match="record, follow or skip"):
        tag_tree(["."], KEY, manifest, base=tree, symlinks="break")
    os.mkfifo(tree / "pipe")
    with pytest.raises(TreeError, match=r"pipe: .* not read"):
        tag_tree(["."], KEY, manifest, base=tree)
    assert not manifest.exists()
    tag_tree(["."], KEY, manifest, base=tree, skip_special=True)
    with pytest.raises(TreeError, match="exists"):
        tag_tree(["inner"], KEY, manifest, base=tree)
    with pytest.raises(TreeError, match="made with another key"):
        verify_tree(manifest, bytes(32), base=tree)
    manifest.write_bytes(manifest.read_bytes().replace(b"inner/file 3", b"inner/file 2"))
    with pytest.raises(TreeError, match="MAC is wrong"):
        verify_tree(manifest, KEY, base=tree)
    with pytest.raises(TreeError, match="cannot read the manifest"):
        verify_tree(tmp_path / "none", KEY, base=tree)
    key_file = tmp_path / "key"
    key_file.write_text("no key")
    key_file.chmod(0o600)
    with pytest.raises(TreeError, match="not a usable key"):
        verify_tree(manifest, key_file, base=tree)


def test_progress_and_signals(tree: Path, tmp_path: Path) -> None:
    # 64 GiB of zeros that take no space: enough for a second at least.
    with open(tree / "large", "wb") as file:
        file.truncate(64 << 30)
    manifest = tmp_path / "manifest"
    seen: list[tuple[int, int, int]] = []

    def stop(files: int, of: int, count: int) -> None:
        seen.append((files, of, count))
        if count > 1 << 20:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        tag_tree(["."], KEY, manifest, base=tree, progress=stop)
    assert seen[-1][1] == 23 and seen[-1][2] < 64 << 30
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        tag_tree(["."], KEY, manifest, base=tree)
    timer.join()
    assert not manifest.exists() and sorted(path.name for path in tmp_path.iterdir()) == ["tree"]

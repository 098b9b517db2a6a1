"""Trees: what verification finds of every change, progress, and that nothing is written after an error or a signal."""

import io
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import tqdm
from carryless.tree import TreeError, tag_tree, verify_tree

KEY = bytes(range(32))

# What the command made: a key file, and manifests with options of every kind.
KEY_FILE = "carryless-key-v1:4f14a7a941987e0d2bac58c78e5c08a17ffcd117dd34f7c533e2a9c06b9db02e:0e7de94e\n"
MANIFEST = r"""carryless-manifest-v1
algorithm 4-decbrwhash1305-hchacha20
segments two-level-1048576
key-id 71c192701acada63
label a set
symlinks record
specials refuse
gitignore ignore
exclude *.o
root t

file a21fc14c168140eabede40db64bdfd1e 0 t/empty
file ef2d69b6f84e045f89f2e336ce0563bd 2500000 t/large
link t/link	../nowhere
file c3e9bf35ca7cf575e08b92cd46299a1a 300001 t/odd\n\\
file d64ec3b65b7b4d269072c8d948716635 13 t/text
mac 292f3f34beccd12a8136ccedc3134a48
"""
OTHER_OPTIONS = """carryless-manifest-v1
algorithm polyhash1305-hchacha20
segments horner-16
key-id 71c192701acada63
symlinks skip
specials skip
gitignore obey
one-file-system yes
include l*
root .

file 7ae88ebc20d949b6291244cc9702bb76 2500000 large
file 134e5c612ac27a7e40546e4ad1d18df7 6 left out.o
mac cc3a9859870eea4c1ca78cc6f88e3d1c
"""


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


def test_manifests_are_those_of_the_command(tmp_path: Path) -> None:
    key, folder = tmp_path / "key", tmp_path / "t"
    key.touch(0o600)
    key.write_text(KEY_FILE)
    folder.mkdir()
    (folder / "empty").touch()
    (folder / "large").write_bytes(bytes(2_500_000))
    (folder / "left out.o").write_bytes(b"object")
    (folder / "link").symlink_to("../nowhere")
    (folder / "odd\n\\").write_bytes(b"x" * 300_001)
    (folder / "text").write_bytes(b"hello, world\n")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    assert tag_tree(["t"], key, ours, base=tmp_path, exclude=["*.o"], label="a set") == 5
    assert ours.read_text() == MANIFEST
    theirs.write_text(MANIFEST)
    found = verify_tree(theirs, key, base=tmp_path, label="a set")
    assert found == [(name, "ok", None) for name in (b"t/empty", b"t/large", b"t/link", b"t/odd\n\\", b"t/text")]
    options: dict[str, Any] = {"symlinks": "skip", "gitignore": True, "one_file_system": True, "skip_special": True}
    tag_tree(["."], key, ours, base=folder, include=["l*"], algorithm="polyhash1305-hchacha20", overwrite=True, **options)
    assert ours.read_text() == OTHER_OPTIONS


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
    for wrong_key in (32, [0] * 32, None):
        with pytest.raises(TypeError, match="32 bytes, or the path of a key file"):
            tag_tree(["."], wrong_key, manifest, base=tree)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        tag_tree(".", KEY, manifest, base=tree)
    with pytest.raises(TreeError, match="no path") as raised:
        tag_tree([], KEY, manifest, base=tree)
    # What another process is told of it.
    assert repr(pickle.loads(pickle.dumps(raised.value))) == repr(raised.value)
    with pytest.raises(TreeError, match="empty label"):
        tag_tree(["."], KEY, manifest, base=tree, label="")
    with pytest.raises(TreeError, match="threads, not 0"):
        tag_tree(["."], KEY, manifest, base=tree, threads=0)
    with pytest.raises(TreeError, match="not a usable pattern"):
        tag_tree(["."], KEY, manifest, base=tree, include=["["])
    with pytest.raises(ValueError, match="algorithm"):
        tag_tree(["."], KEY, manifest, base=tree, algorithm="md5")
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
    with pytest.raises(TreeError, match="No such file"):
        verify_tree(tmp_path / "none", KEY, base=tree)
    key_file = tmp_path / "key"
    key_file.write_text("no key")
    key_file.chmod(0o600)
    with pytest.raises(TreeError, match="not a usable key"):
        verify_tree(manifest, key_file, base=tree)
    with pytest.raises(TreeError, match="not an ordinary file"):
        verify_tree(tree / "pipe", KEY, base=tree)


@pytest.fixture
def large_tree(tree: Path) -> Path:
    """64 GiB of zeros that take no space: enough for a second at least."""
    with open(tree / "large", "wb") as file:
        file.truncate(64 << 30)
    return tree


def test_progress_counts_all_bytes(tree: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest"
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file())
    with tqdm.tqdm(total=size, file=io.StringIO()) as bar:
        tag_tree(["."], KEY, manifest, base=tree, progress=bar.update)
        assert bar.n == size
        verify_tree(manifest, KEY, base=tree, progress=bar.update)
        assert bar.n == 2 * size


def test_progress_ends_a_run(large_tree: Path, tmp_path: Path) -> None:
    def stop(count: int) -> None:
        raise RuntimeError(f"after {count} bytes")

    with pytest.raises(RuntimeError, match=r"after \d+ bytes"):
        tag_tree(["."], KEY, tmp_path / "manifest", base=large_tree, progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_signals_end_a_run(large_tree: Path, tmp_path: Path) -> None:
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tag_tree(["."], KEY, tmp_path / "manifest", base=large_tree)
    timer.join()
    assert time.monotonic() - start < 1
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]


def test_a_manifest_without_entries_must_be_asked_for(tmp_path: Path) -> None:
    folder, manifest = tmp_path / "tree", tmp_path / "manifest"
    folder.mkdir()
    with pytest.raises(TreeError, match="no file was found"):
        tag_tree(["."], KEY, manifest, base=folder)
    assert not manifest.exists()
    assert tag_tree(["."], KEY, manifest, base=folder, allow_empty=True) == 0
    with pytest.raises(TreeError, match="no entries"):
        verify_tree(manifest, KEY, base=folder)
    assert verify_tree(manifest, KEY, base=folder, allow_empty=True) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can drop its rights to leases")
def test_files_without_a_lease_are_counted_or_read_twice() -> None:
    # The folders above pytest's own are closed to other users.
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        root.chmod(0o755)
        files_without_a_lease(root / "tree", root / "manifest")


def files_without_a_lease(folder: Path, manifest: Path) -> None:
    folder.mkdir(mode=0o755)
    for name in "ab":
        (folder / name).write_text(name)
    # A child that owns none of the files and has no capabilities. It prints what it was warned of.
    code = f"""
import os, sys, warnings
from carryless.tree import UnguardedWarning, tag_tree, verify_tree
key = {KEY!r}
tag_tree(["."], key, {str(manifest)!r}, base={str(folder)!r})
os.chmod({str(manifest)!r}, 0o644)
os.setgid(65534); os.setuid(65534)
for twice in (False, True):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = verify_tree({str(manifest)!r}, key, base={str(folder)!r}, twice=twice)
    print(twice, [status for _, status, _ in found], [str(w.message) for w in seen if w.category is UnguardedWarning])
"""
    printed = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    one, two = printed.splitlines()
    assert one.startswith("False ['ok', 'ok']") and "lease could be had: 2" in one
    assert two == "True ['ok', 'ok'] []"

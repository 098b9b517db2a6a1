"""Runs over several processes: sealed results, clusters of Dask, stores of fsspec. With ``CARRYLESS_CLUSTER=full`` 100,000 files and an object of 64 GiB."""

import http.server
import os
import pickle
import re
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from carryless.cluster import InsecureTransportError, TreeError, Worker, tag, verify
from carryless.tree import tag_tree, verify_tree

distributed = pytest.importorskip("distributed")
fsspec = pytest.importorskip("fsspec")

import carryless.dask  # noqa: E402

KEY = bytes(range(32))
MIB = 1 << 20
FULL = os.environ.get("CARRYLESS_CLUSTER") == "full"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    (folder / "inner" / "deep").mkdir(parents=True)
    for i, length in enumerate([0, 1, 4096, MIB, MIB + 1, 9 * MIB, 20 * MIB + 7]):
        (folder / "inner" / f"file {i} é").write_bytes(os.urandom(length))
    for i in range(50):
        (folder / "inner" / "deep" / f"{i}%20.x").write_bytes(b"x" * i)
    return folder


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def ok(findings: Iterable[tuple[bytes, str, str | None]]) -> int:
    """How many there are, all of them as recorded."""
    findings = list(findings)
    assert {status for _, status, _ in findings} == {"ok"}, [found for found in findings if found[1] != "ok"][:5]
    return len(findings)


def assert_same(manifest: Path, folder: Path) -> None:
    """The manifest is the command's, and each verifies the other's."""
    theirs = manifest.with_name("theirs")
    entries = tag_tree(["."], KEY, theirs, base=folder, overwrite=True)
    assert manifest.read_bytes() == theirs.read_bytes()
    assert ok(verify_tree(manifest, KEY, base=folder)) == entries


def test_workers_keep_their_key(tree: Path, tmp_path: Path) -> None:
    seen: list[Worker] = []

    def engine(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
        seen.append(worker)
        with pytest.raises(TypeError, match="not pickled"):
            pickle.dumps(worker)
        with pytest.raises(TypeError, match="cannot pickle"):
            pickle.dumps(worker._keyed)
        assert KEY.hex() not in repr(worker) and str(KEY) not in repr(vars(worker)["_keyed"])
        return map(Worker.from_secret_bytes(worker.to_secret_bytes()), tasks)

    assert tag(tree, KEY, tmp_path / "manifest", map_segments=engine) == 57
    assert_same(tmp_path / "manifest", tree)
    assert len(seen) == 1


def test_dots_after_a_link_lead_to_its_target(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to("tree/inner", target_is_directory=True)
    monkeypatch.chdir(tmp_path)
    tag("link/..", KEY, tmp_path / "manifest", map_segments=map)
    monkeypatch.undo()
    assert_same(tmp_path / "manifest", tree)


def test_other_results_are_refused(tree: Path, tmp_path: Path) -> None:
    kept: list[list[bytes]] = []

    def keeping(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
        kept.append([worker(task) for task in tasks])
        return kept[-1]

    tag(tree, KEY, tmp_path / "manifest", map_segments=keeping, threads=4)
    assert len(kept[0]) >= 3

    def attempt(results: Iterable[bytes]) -> None:
        with pytest.raises(TreeError, match=r"not that of its task|results are missing"):
            tag(tree, KEY, tmp_path / "other", map_segments=lambda worker, tasks: results, threads=4)
        assert not (tmp_path / "other").exists()

    attempt(kept[0])

    def moved(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
        first, second, *rest = [worker(task) for task in tasks]
        return [first[:8] + second[8:], second[:8] + first[8:], *rest]

    def edited(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
        return [result[:-1] + bytes([result[-1] ^ 1]) for result in map(worker, tasks)]

    for engine in (moved, edited):
        with pytest.raises(TreeError, match="not that of its task"):
            tag(tree, KEY, tmp_path / "other", map_segments=engine, threads=4)

    def again_and_backwards(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
        results = [worker(task) for task in tasks]
        return reversed(results + results[1:])

    tag(tree, KEY, tmp_path / "other", map_segments=again_and_backwards, threads=4)
    assert_same(tmp_path / "other", tree)


def test_bases(tree: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest"
    with ThreadPoolExecutor(4) as pool:
        tag([tree / "inner" / "deep", "inner/file 1 é"], KEY, manifest, base=tree, map_segments=pool.map, threads=4)
    assert manifest.read_bytes().count(b"\nroot inner/") == 2
    assert ok(verify(manifest, KEY, f"file://{tree}", map_segments=map)) == 51
    with pytest.raises(ValueError, match="not below"):
        tag("/elsewhere", KEY, manifest, base=tree, map_segments=map)
    with pytest.raises(ValueError, match="one folder"):
        tag([tree, tree], KEY, manifest, map_segments=map)
    with pytest.raises(ValueError, match="storage_options"):
        tag(tree, KEY, manifest, map_segments=map, storage_options={"anon": True}, overwrite=True)
    with pytest.raises(TreeError, match="exists"):
        tag(tree, KEY, manifest, map_segments=map)


def test_objects_in_memory(tree: Path, tmp_path: Path) -> None:
    """A file system of fsspec, with filters, what is not there, and what changes while it is read."""
    memory = fsspec.filesystem("memory")
    memory.put(str(tree), "/bucket", recursive=True)
    manifest, filtered = tmp_path / "manifest", tmp_path / "filtered"
    try:
        tag("memory://bucket", KEY, manifest, map_segments=map, threads=2)
        assert_same(manifest, tree)
        assert ok(verify(manifest, KEY, "memory://bucket", map_segments=map)) == 57
        tag(
            ["inner/deep", "inner/file 6 é"],
            KEY,
            filtered,
            base="memory://bucket",
            include=["3*", "file*"],
            exclude=["*4*"],
            map_segments=map,
        )
        tag_tree(
            ["inner/deep", "inner/file 6 é"],
            KEY,
            tmp_path / "theirs",
            base=tree,
            include=["3*", "file*"],
            exclude=["*4*"],
            overwrite=True,
        )
        assert filtered.read_bytes() == (tmp_path / "theirs").read_bytes()
        with pytest.raises(TreeError, match="gitignore"):
            tag("memory://bucket", KEY, tmp_path / "none", gitignore=True, map_segments=map)
        with pytest.raises(TreeError, match="nowhere: no such"):
            tag("nowhere", KEY, tmp_path / "none", base="memory://bucket", map_segments=map)

        def changing(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
            memory.pipe("/bucket/inner/file 2 é", b"longer than it was" * 4096)
            memory.rm("/bucket/inner/file 3 é")
            return map(worker, tasks)

        found = {
            name.decode(): (status, why) for name, status, why in verify(manifest, KEY, "memory://bucket", map_segments=changing)
        }
        assert found.pop("inner/file 2 é") == ("error", "changed while it was read")
        assert found.pop("inner/file 3 é") == ("error", "no such object")
        assert {status for status, _ in found.values()} == {"ok"}
        memory.pipe("/bucket/new", b"")
        found = {name.decode(): (status, why) for name, status, why in verify(manifest, KEY, "memory://bucket", map_segments=map)}
        assert [found[f"inner/file {i} é"][0] for i in range(4)] == ["ok", "ok", "changed", "missing"]
        assert found["new"] == ("new", None)
    finally:
        memory.rm("/bucket", recursive=True)


def test_dask(client: Any, tree: Path, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest"
    seen: list[int] = []
    assert carryless.dask.tag(tree, KEY, manifest, client=client, progress=seen.append) == 57
    assert_same(manifest, tree)
    assert sum(seen) == sum(file.stat().st_size for file in tree.rglob("*") if file.is_file()) and len(seen) > 2
    tag_tree(["."], KEY, tmp_path / "theirs", base=tree, overwrite=True)
    assert ok(carryless.dask.verify(tmp_path / "theirs", KEY, tree)) == 57
    assert not any(
        client.run(lambda dask_worker: [name for name in dask_worker.plugins if name.startswith("carryless")]).values()
    )


def test_an_interrupted_run_leaves_nothing(client: Any, tree: Path, tmp_path: Path) -> None:
    def stop(more: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        carryless.dask.tag(tree, KEY, tmp_path / "manifest", client=client, progress=stop)
    assert [path.name for path in tmp_path.iterdir()] == ["tree"]
    assert not any(
        client.run(lambda dask_worker: [name for name in dask_worker.plugins if name.startswith("carryless")]).values()
    )


def test_a_tree_and_a_lost_worker(client: Any, tmp_path: Path) -> None:
    """Small files and a sparse large one; a worker is killed in the middle."""
    folder = tmp_path / "tree"
    files, size = (100_000, 64 << 30) if FULL else (3000, 8 << 30)
    for i in range(files):
        if i % 1000 == 0:
            (folder / str(i // 1000)).mkdir(parents=True)
        (folder / str(i // 1000) / str(i)).write_bytes(i.to_bytes(4, "big") * 1024)
    with open(folder / "large", "wb") as file:
        file.truncate(size)
        file.seek(size // 3)
        file.write(b"not only zeros")
    killed: list[int] = []

    def kill(more: int) -> None:
        if not killed:
            killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    begin = time.monotonic()
    manifest = tmp_path / "manifest"
    assert carryless.dask.tag(folder, KEY, manifest, client=client, progress=kill) == files + 1
    print(f"tagged {files} files and {size >> 30} GiB in {time.monotonic() - begin:.1f} s, with a worker lost")
    assert killed
    assert_same(manifest, folder)
    if FULL:
        assert ok(carryless.dask.verify(manifest, KEY, folder, client=client)) == files + 1


def test_transport(tree: Path, tmp_path: Path) -> None:
    """Without encryption only what stays on this computer."""
    for address, private in {
        "tls://10.0.0.1:8786": True,
        "inproc://10.0.0.1/1/2": True,
        "tcp://127.0.0.1:8786": True,
        "tcp://[::1]:8786": True,
        "tcp://10.0.0.1:8786": False,
        "tcp://scheduler:8786": False,
        "ws://10.0.0.1:80": False,
        "ucx://10.0.0.1:80": False,
    }.items():
        assert carryless.dask._is_private(address) is private, address
    own = own_address()
    if own is None:
        pytest.skip("this machine has no address but loopback")
    with (
        distributed.LocalCluster(n_workers=1, host=own, processes=False, protocol="tcp", dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(InsecureTransportError, match=re.escape(f"tcp://{own}")),
    ):
        carryless.dask.tag(tree, KEY, tmp_path / "manifest", client=client)
    with distributed.Client(processes=False, dashboard_address=None) as client:
        assert carryless.dask.tag(tree, KEY, tmp_path / "manifest", client=client) == 57
    with (
        distributed.LocalCluster(n_workers=1, host=own, processes=False, security=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert cluster.scheduler_address.startswith(f"tls://{own}")
        assert carryless.dask.tag(tree, KEY, tmp_path / "manifest", client=client, overwrite=True) == 57


def own_address() -> str | None:
    """An address of this computer that others may reach."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


class Ranges(http.server.SimpleHTTPRequestHandler):
    """Files of a folder, with ranges and ETags."""

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not path.is_file() or wanted is None:
            return super().do_GET()
        contents = path.read_bytes()[int(wanted[1]) : int(wanted[2]) + 1]
        self.send_response(206)
        self.send_header("Content-Length", str(len(contents)))
        self.end_headers()
        self.wfile.write(contents)


def test_http(client: Any, tree: Path, tmp_path: Path) -> None:
    pytest.importorskip("aiohttp")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Ranges(*args, directory=str(tree)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    manifest = tmp_path / "manifest"
    try:
        assert carryless.dask.tag(url, KEY, manifest, client=client) == 57
        assert_same(manifest, tree)
        (tree / "inner" / "file 1 é").write_bytes(b"2")
        found = {name.decode(): status for name, status, _ in carryless.dask.verify(manifest, KEY, url + "/", client=client)}
        assert found.pop("inner/file 1 é") == "changed" and set(found.values()) == {"ok"}
        tag(["inner/deep", f"{url}/inner/file 1 é"], KEY, tmp_path / "part", base=url, map_segments=map)
        assert ok(verify_tree(tmp_path / "part", KEY, base=tree)) == 51
    finally:
        server.shutdown()


def test_s3(client: Any, tree: Path, tmp_path: Path) -> None:
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    options = {"key": "k", "secret": "s", "endpoint_url": f"http://{host}:{port}"}
    manifest = tmp_path / "manifest"
    try:
        store = fsspec.filesystem("s3", **options)
        store.mkdir("bucket")
        store.put(str(tree), "bucket/data", recursive=True)
        store.pipe("bucket/data/folder/", b"")
        assert carryless.dask.tag("s3://bucket/data", KEY, manifest, client=client, storage_options=options) == 57
        assert_same(manifest, tree)
        assert ok(carryless.dask.verify(manifest, KEY, "s3://bucket/data", client=client, storage_options=options)) == 57
        store.pipe("bucket/data/inner/file 2 é", os.urandom(4096))
        found = {
            name.decode(): status
            for name, status, _ in carryless.dask.verify(
                manifest, KEY, "s3://bucket/data", client=client, storage_options=options
            )
        }
        assert found.pop("inner/file 2 é") == "changed" and set(found.values()) == {"ok"}

        def changing(worker: Worker, tasks: Iterator[bytes]) -> Iterable[bytes]:
            store.pipe("bucket/data/inner/file 6 é", bytes(20 * MIB + 7))
            return map(worker, tasks)

        with pytest.raises(TreeError, match="file 6 é: changed while it was read"):
            tag("s3://bucket/data", KEY, tmp_path / "none", storage_options=options, map_segments=changing)
    finally:
        server.stop()


def test_ray(tree: Path, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    from carryless.ray import map_segments

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        tag(tree, KEY, tmp_path / "manifest", map_segments=map_segments, threads=2)
        assert_same(tmp_path / "manifest", tree)
    finally:
        ray.shutdown()


def test_spark(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    pyspark = pytest.importorskip("pyspark")
    from carryless.spark import map_segments

    conf = pyspark.SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1")
    with pyspark.SparkContext(conf=conf) as context:
        tag(tree, KEY, tmp_path / "manifest", map_segments=map_segments(context), threads=2)
        assert_same(tmp_path / "manifest", tree)

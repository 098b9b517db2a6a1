"""What clusters refuse, with which reason: tasks that are none, workers of other versions, servers that do not do what reading needs."""

import http.server
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import carryless.cluster
import pytest
from carryless.cluster import VERSION, TreeError, Worker, WorkerError, tag, verify
from carryless.tree import tag_tree

distributed = pytest.importorskip("distributed")
fsspec = pytest.importorskip("fsspec")

import carryless.dask  # noqa: E402

KEY = bytes(range(32))
MIB = 1 << 20


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    for i in range(40):
        (folder / str(i)).write_bytes(os.urandom(i))
    return folder


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def engine_with(tasks_of: Callable[[list[bytes]], Iterable[bytes]]) -> Any:
    """An engine that gives its workers other tasks."""
    return lambda worker, tasks: map(worker, tasks_of(list(tasks)))


def keeping(kept: list[bytes]) -> Any:
    """An engine that keeps the tasks."""

    def keep(tasks: list[bytes]) -> list[bytes]:
        kept.extend(tasks)
        return tasks

    return engine_with(keep)


def claims(first: int, count: int, size: int) -> bytes:
    """A task of the first format: one object, and parts of it."""
    numbers = [0, first, count, size, 1, 1]
    return b"cltask-1" + b"".join(number.to_bytes(8, "little") for number in numbers) + b"ai"


def test_tasks_that_are_none(folder: Path, tmp_path: Path) -> None:
    kept: list[bytes] = []
    tag(folder, KEY, tmp_path / "m", map_segments=keeping(kept))
    memory = fsspec.filesystem("memory")
    memory.put(str(folder), "/refusals", recursive=True)
    try:
        for url in (str(folder), "memory://refusals"):

            def refused(task: bytes, reason: str) -> None:
                with pytest.raises(TreeError, match=reason):
                    tag(url, KEY, tmp_path / "none", map_segments=engine_with(lambda _: [task]))
                assert not (tmp_path / "none").exists()

            for first, count, size in [(0, 1 << 30, 1 << 50), (0, 1 << 40, 1 << 63), ((1 << 44) - 1, 1, (1 << 64) - 1)]:
                refused(
                    claims(first, count, size), "cltask-1, and this worker reads cltask-2: client and workers need one version"
                )
            for task in (b"", b"cltask-", b"another task of 1024 bytes" * 40):
                refused(task, "the bytes are no task")
            refused(kept[0], "not of this run")
            refused(b"cltask-2" + claims(0, 1 << 30, 1 << 50)[8:] + bytes(40), "not of this run")

            def edited(at: int) -> Callable[[list[bytes]], list[bytes]]:
                return lambda tasks: [tasks[0][:at] + bytes([tasks[0][at] ^ 1]) + tasks[0][at + 1 :]]

            for at in (8, 31, 32, -1):
                with pytest.raises(TreeError, match="not of this run"):
                    tag(url, KEY, tmp_path / "none", map_segments=engine_with(edited(at % 40)))
    finally:
        memory.rm("/refusals", recursive=True)


def test_tasks_tell_no_names(tmp_path: Path) -> None:
    (tmp_path / "a secret name").write_text("x")
    seen: list[bytes] = []
    tag(tmp_path, KEY, tmp_path.with_name("m"), map_segments=keeping(seen))
    assert seen and not any(b"secret" in task for task in seen)


def test_workers_of_other_versions(folder: Path, tmp_path: Path) -> None:
    def sent(change: Callable[[bytes], bytes]) -> Any:
        return lambda worker, tasks: map(Worker.from_secret_bytes(change(worker.to_secret_bytes())), tasks)

    here = rf"process {os.getpid()}: carryless {re.escape(VERSION)}, and the client has "
    for change, theirs in [
        (lambda secret: secret.replace(VERSION.encode(), b"0.0.9, tasks cltask-1", 1), "0.0.9, tasks cltask-1"),
        (lambda secret: secret.partition(b"\n")[2], "another version"),
        (lambda secret: b"", "another version"),
    ]:
        with pytest.raises(WorkerError, match=here + theirs) as caught:
            tag(folder, KEY, tmp_path / "m", map_segments=sent(change))
        assert KEY.hex() not in str(caught.value) and str(KEY) not in str(caught.value)
    assert tag(folder, KEY, tmp_path / "m", map_segments=sent(lambda secret: secret)) == 40


def test_opener_names_a_worker_without_the_package(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Ray and Spark send it: by value, so that nothing of the package is needed to read it."""
    cloudpickle = pytest.importorskip("cloudpickle")
    sent = cloudpickle.dumps(carryless.cluster.opener())
    assert (
        tag(
            folder,
            KEY,
            tmp_path / "m",
            map_segments=lambda worker, tasks: map(cloudpickle.loads(sent)(worker.to_secret_bytes()), tasks),
        )
        == 40
    )
    for module in [name for name in sys.modules if name.startswith("carryless")]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(RuntimeError, match=rf"process {os.getpid()}: .*: install carryless {re.escape(VERSION)} on every worker"):
        cloudpickle.loads(sent)(b"")


def test_dask_names_the_worker(client: Any, folder: Path, tmp_path: Path) -> None:
    odd, _ = client.nthreads()

    def refused(reason: str) -> None:
        with pytest.raises(WorkerError, match=reason) as caught:
            carryless.dask.tag(folder, KEY, tmp_path / "m", client=client)
        assert f"worker {odd}: " in str(caught.value) and VERSION in str(caught.value)

    def set_version(version: str | None) -> None:
        import carryless._carryless as module

        if version is None:
            del module.CLUSTER_VERSION
        else:
            module.CLUSTER_VERSION = version

    def hide(hidden: bool) -> None:
        import sys

        name = "carryless._carryless"
        if hidden:
            sys._kept, sys.modules[name] = sys.modules[name], None  # type: ignore
        else:
            sys.modules[name] = sys._kept  # type: ignore

    client.run(set_version, "0.0.9, tasks cltask-1", workers=[odd])
    refused(r"carryless 0\.0\.9, tasks cltask-1; the client has .*: install that version on every worker$")
    client.run(set_version, None, workers=[odd])
    refused("an older carryless")
    client.run(set_version, VERSION, workers=[odd])
    client.run(hide, True, workers=[odd])
    refused("carryless is not installed; the client has .*: install that version")
    client.run(hide, False, workers=[odd])
    assert carryless.dask.tag(folder, KEY, tmp_path / "m", client=client) == 40


def test_dask_names_the_worker_that_lacks_a_package(client: Any, folder: Path, tmp_path: Path) -> None:
    odd, _ = client.nthreads()

    def hide(hidden: bool) -> None:
        import sys

        sys.modules.pop("carryless._storage", None)
        if hidden:
            sys.modules["aiohttp"] = None  # type: ignore
        else:
            sys.modules.pop("aiohttp", None)

    client.run(hide, True, workers=[odd])
    try:
        with serving(Files, folder) as url, pytest.raises(WorkerError, match=rf"worker {re.escape(odd)}: .*aiohttp"):
            carryless.dask.tag(url, KEY, tmp_path / "m", client=client)
    finally:
        client.run(hide, False, workers=[odd])
    left = client.run(lambda dask_worker: [name for name in dask_worker.plugins if name.startswith("carryless")])
    assert not any(left.values())


def test_workers_that_come_later_say_why() -> None:
    """Dask does not report the error of their plugin when it is set up: their tasks raise it."""

    class Late:
        address = "tcp://10.0.0.7:40123"

    plugin = carryless.dask._Plugin("carryless-1", b"of another version")
    for attempt in (lambda: plugin.setup(Late()), lambda: plugin.read(b"")):
        with pytest.raises(WorkerError, match=r"^worker tcp://10\.0\.0\.7:40123: .*the client has another version"):
            attempt()
    plugin = carryless.dask._Plugin("carryless-1", b"")
    with pytest.raises(WorkerError, match="the run has ended"):
        plugin.read(b"")


def test_clients_that_are_none(client: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TypeError, match="not a LocalCluster"):
        carryless.dask.tag(folder, KEY, tmp_path / "m", client=client.cluster)
    monkeypatch.setattr(carryless.dask, "WAIT", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as empty,
        pytest.raises(WorkerError, match=r"no workers after 0\.2 s"),
    ):
        carryless.dask.tag(folder, KEY, tmp_path / "m", client=empty)
    with pytest.raises(ValueError, match="is closed"):
        carryless.dask.tag(folder, KEY, tmp_path / "m", client=empty)
    monkeypatch.setattr(distributed, "get_client", no_client)
    with pytest.raises(ValueError, match="no client of Dask: make one"):
        carryless.dask.verify(tmp_path / "m", KEY, folder)


def no_client() -> Any:
    """What Dask says where there is none."""
    raise ValueError("No global client found and no address provided")


class Files(http.server.SimpleHTTPRequestHandler):
    """The server of the standard library, which ignores ranges."""

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving(handler: type[Files], folder: Path, queue: int = 128) -> Iterator[str]:
    class Server(http.server.ThreadingHTTPServer):
        request_queue_size = queue

    server = Server(("127.0.0.1", 0), lambda *args: handler(*args, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def test_a_small_server_is_enough(folder: Path, tmp_path: Path) -> None:
    """2000 objects of a server that queues five connections, from two threads; without ranges, which none of them needs."""
    for i in range(40, 2000):
        (folder / str(i)).write_bytes(os.urandom(i % 257))
    begin = time.monotonic()
    assert http.server.ThreadingHTTPServer.request_queue_size == 5
    with serving(Files, folder, queue=5) as url, ThreadPoolExecutor(2) as pool:
        assert tag(url, KEY, tmp_path / "m", map_segments=pool.map, threads=2) == 2000
    assert time.monotonic() - begin < 60
    tag_tree(["."], KEY, tmp_path / "theirs", base=folder)
    assert (tmp_path / "m").read_bytes() == (tmp_path / "theirs").read_bytes()


def test_servers_that_ignore_ranges(folder: Path, tmp_path: Path) -> None:
    (folder / "large").write_bytes(bytes(9 * MIB))
    asked: list[str] = []

    class Counting(Files):
        def do_GET(self) -> None:
            asked.append(f"{self.path} {self.headers.get('Range')} {self.headers.get('Accept-Encoding')}")
            if self.headers.get("Range") == "bytes=0-0" and self.path == "/honest":
                self.send_response(206)
                self.send_header("Content-Length", "1")
                self.end_headers()
                self.wfile.write(b"\0")
                return
            super().do_GET()

    with serving(Counting, folder) as url:
        with pytest.raises(OSError, match=rf"{url}/large: the server ignores ranges, .* \(HTTP 200 to a request of one byte\)"):
            tag(url, KEY, tmp_path / "m", map_segments=map)
        assert [line for line in asked if "/ " not in line] == ["/large bytes=0-0 identity"], "nothing else was read"
        (folder / "large").rename(folder / "honest")
        # The check passes, and reading still sees it.
        with pytest.raises(
            TreeError,
            match=r"^no manifest written: honest: OSError: the server ignores ranges, which objects of more than 8 MiB need$",
        ):
            tag(url, KEY, tmp_path / "m", map_segments=map)


def test_servers_that_do_not_answer(folder: Path, tmp_path: Path) -> None:
    silent = {"GET /7"}
    release = threading.Event()

    class Silent(Files):
        def do_GET(self) -> None:
            if f"GET {self.path}" in silent or (self.path != "/" and "all" in silent):
                release.wait(30)
            elif self.path == "/8" and "500" in silent:
                self.send_error(500)
            else:
                super().do_GET()

        def do_HEAD(self) -> None:
            if "HEAD" in silent:
                release.wait(30)
            elif self.path == "/8" and "500" in silent:
                self.send_error(500)
            else:
                super().do_HEAD()

    def reason(url: str, **options: Any) -> str:
        begin = time.monotonic()
        with pytest.raises((TreeError, OSError)) as caught:
            tag(url, KEY, tmp_path / "m", map_segments=map, **options)
        assert time.monotonic() - begin < 20 and not (tmp_path / "m").exists()
        return str(caught.value)

    try:
        with serving(Silent, folder) as url:
            assert reason(url, timeout=2) == "no manifest written: 7: TimeoutError: no answer within 2 s"
            silent.add("all")
            # As many wait as there may be requests, and the others are not asked for, but for those that begin when the first ones end.
            for requests in (3, None):
                some = rf"not asked for: (\d+) requests before, the last for {url}/\d+, had no"
                found = reason(url, timeout=2, requests=requests)
                told = re.fullmatch(rf"no manifest written: \d+: TimeoutError: ({some}|no) answer within 2 s; and 39 more", found)
                assert told, found
                assert told[2] is None or (requests or 8) <= int(told[2]) < 2 * (requests or 8), found
                silent.add("HEAD")
            silent.add("GET /")
            assert reason(url, timeout=2) == f"{url}: TimeoutError: no answer within 2 s"
            silent.clear()
            tag(url, KEY, tmp_path / "m", map_segments=map)
            silent.update({"GET /7", "500"})
            errors = {
                name: why for name, status, why in verify(tmp_path / "m", KEY, url, map_segments=map, timeout=2) if status != "ok"
            }
            assert errors.pop(b"7") == "TimeoutError: no answer within 2 s"
            # It is an error of the server, and the object is not missing.
            assert (errors.pop(b"8") or "").startswith("ClientResponseError: 5") and not errors
    finally:
        release.set()


def test_requests_are_counted(folder: Path, tmp_path: Path) -> None:
    under_way, most = 0, 0
    lock = threading.Lock()

    class Slow(Files):
        def send_head(self) -> Any:
            nonlocal under_way, most
            with lock:
                under_way += 1
                most = max(most, under_way)
            time.sleep(0.02)
            with lock:
                under_way -= 1
            return super().send_head()

    with serving(Slow, folder) as url, ThreadPoolExecutor(3) as pool:
        tag(url, KEY, tmp_path / "m", map_segments=pool.map, threads=3, requests=3)
        assert most == 3
        verify(tmp_path / "m", KEY, url, map_segments=pool.map, threads=3)
        assert 3 < most <= 8


@pytest.mark.parametrize("requests", [0, -1, 1.5, "3", True])
def test_numbers_of_requests(requests: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="requests is a number"):
        tag("http://127.0.0.1:9", KEY, tmp_path / "m", map_segments=map, requests=requests)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), "3", True])
def test_time_limits(timeout: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="timeout is a number"):
        tag("http://127.0.0.1:9", KEY, tmp_path / "m", map_segments=map, timeout=timeout)


def test_options_without_meaning(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="asynchronous"):
        tag("memory://nowhere", KEY, tmp_path / "m", map_segments=map, timeout=3)
    with pytest.raises(ValueError, match="no storage_options, requests or timeout"):
        tag(folder, KEY, tmp_path / "m", map_segments=map, requests=3)
    with pytest.raises(OSError, match=r"^http://127\.0\.0\.1:9: ClientConnectorError: "):
        tag("http://127.0.0.1:9", KEY, tmp_path / "m", map_segments=map)

"""Manifests of many files and objects, read by the workers of a Dask cluster. The extra ``[dask]``; book/src/clusters.md is the manual.

>>> from distributed import Client
>>> import pathlib, tempfile
>>> from carryless.dask import tag, verify
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "data").mkdir(), (folder / "data" / "a").write_text("contents")
>>> with Client(processes=False, dashboard_address=None) as client:
...     tag(folder / "data", bytes(32), folder / "manifest", client=client)
...     verify(folder / "manifest", bytes(32), folder / "data", client=client)
1
[(b'a', 'ok', None)]
"""

import ipaddress
import pkgutil
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import distributed
from distributed.diagnostics.plugin import WorkerPlugin

from . import cluster
from .cluster import VERSION, Finding, InsecureTransportError, MapSegments, Path, TreeError, Worker, WorkerError

__all__ = ["InsecureTransportError", "TreeError", "WorkerError", "map_segments", "tag", "verify"]

#: Tasks that the scheduler knows of for each thread: one that runs, and others so that no thread waits for the client.
AHEAD = 4

#: Seconds until the first worker is there.
WAIT = 10

#: How often a task is tried again after an exception, and how many workers may die of it.
RETRIES = 3


class _Plugin(WorkerPlugin):  # type: ignore[misc]
    """Takes the key to the workers, those that start later included."""

    def __init__(self, name: str, secret: bytes) -> None:
        self.name = name
        self._secret = secret
        self._worker: Worker | None = None
        self._failure = "the run has ended"

    def setup(self, worker: Any) -> None:
        secret, self._secret = self._secret, b""
        try:
            self._worker = Worker.from_secret_bytes(secret)
        except Exception as error:
            # Dask does not report this error for workers that start later: their tasks raise it.
            self._failure = f"worker {worker.address}: {error}"
            raise WorkerError(self._failure) from error

    def teardown(self, worker: Any) -> None:
        self._worker = None

    def read(self, task: bytes) -> bytes:
        if self._worker is None:
            raise WorkerError(self._failure)
        return self._worker(task)


def _read(name: str, task: bytes) -> bytes:
    """What a worker is asked to do: the key is in its plugin."""
    plugin: _Plugin = distributed.get_worker().plugins[name]
    return plugin.read(task)


def map_segments(client: "distributed.Client") -> MapSegments:
    """An engine for :func:`carryless.cluster.tag` and :func:`~carryless.cluster.verify`: the workers of this client's cluster.

    An :class:`InsecureTransportError` if the key would leave this computer without encryption; a :class:`~carryless.cluster.WorkerError` if there are no workers, or one of them
    has not this client's version of carryless.
    """
    _check_client(client)
    _check_transport(client)
    _check_workers(client)

    def run(worker: Worker, tasks: Iterator[bytes], /) -> Iterable[bytes]:
        name = f"carryless-{worker.run}"
        try:
            client.register_plugin(_Plugin(name, worker.to_secret_bytes()), name=name)
            yield from _results(client, name, tasks)
        finally:
            client.unregister_worker_plugin(name)

    return run


def _results(client: "distributed.Client", name: str, tasks: Iterator[bytes]) -> Iterator[bytes]:
    """The results as they come. The scheduler knows of a few tasks for each thread, however many there are."""
    numbered = enumerate(tasks)

    def submit(number: int, task: bytes) -> Any:
        return client.submit(_read, name, task, key=f"{name}-{number}", pure=False, retries=RETRIES)

    running = {submit(*next_one) for next_one in islice(numbered, AHEAD * _threads(client))}
    completed = distributed.as_completed(list(running), with_results=True)
    try:
        for future, sealed in completed:
            running.discard(future)
            if (next_one := next(numbered, None)) is not None:
                following = submit(*next_one)
                running.add(following)
                completed.add(following)
            yield sealed
    finally:
        client.cancel(list(running))


def _threads(client: "distributed.Client") -> int:
    threads: int = sum(client.nthreads().values())
    return max(1, threads)


def _check_client(client: "distributed.Client") -> None:
    if not isinstance(client, distributed.Client):
        raise TypeError(f"a client is a distributed.Client, not a {type(client).__name__}")
    if client.asynchronous:
        raise TypeError("an asynchronous client: give one that is not")
    if client.status != "running":
        raise ValueError(f"the client of Dask is {client.status}")


def _check_workers(client: "distributed.Client") -> None:
    """An error that names the workers whose version of carryless is not this one."""
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:
        raise WorkerError(f"{client.scheduler.address}: the cluster has no workers after {WAIT} s") from None
    # A function of the standard library, for workers that have nothing of this package.
    found = client.run(pkgutil.resolve_name, "carryless._carryless:CLUSTER_VERSION", on_error="return")
    wrong = [f"worker {address}: {_lack(version)}" for address, version in found.items() if version != VERSION]
    if wrong:
        more = f"; and {len(wrong) - 1} more workers" if len(wrong) > 1 else ""
        raise WorkerError(f"{wrong[0]}; the client has {VERSION}: install that version on every worker{more}")


def _lack(version: Any) -> str:
    """What a worker has that has not the version of the client."""
    if isinstance(version, ModuleNotFoundError) and (version.name or "").startswith("carryless"):
        return "carryless is not installed"
    if isinstance(version, AttributeError):
        return "an older carryless, whose tasks have no version"
    if isinstance(version, Exception):
        return f"carryless cannot be imported ({type(version).__name__}: {version})"
    return f"carryless {version}"


def _check_transport(client: "distributed.Client") -> None:
    addresses = [client.scheduler.address, client.scheduler_info()["address"], *client.nthreads()]
    for address in addresses:
        if not _is_private(address):
            raise InsecureTransportError(
                f"{address}: the key would cross a network without encryption. Give the cluster certificates (tls://), or loopback addresses to one on this computer"
            )


def _is_private(address: str) -> bool:
    """Whether what is sent there is encrypted or stays on this computer."""
    url = urlsplit(address)
    if url.scheme in ("tls", "wss", "inproc"):
        return True
    try:
        return ipaddress.ip_address(url.hostname or "").is_loopback
    except ValueError:
        return url.hostname == "localhost"


def _engine(client: "distributed.Client | None") -> dict[str, Any]:
    """The options of an engine, by the client given or the one that there is."""
    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:
            raise ValueError("no client of Dask: make one, distributed.Client(...), or give one by client=") from None
    return {"map_segments": map_segments(client), "threads": _threads(client)}


def tag(
    urls: Path | Sequence[Path],
    key: Any,
    manifest: Path,
    *,
    client: "distributed.Client | None" = None,
    **options: Any,
) -> int:
    """Tags what is below a URL by the workers of a cluster, and writes the manifest of the command: see :func:`carryless.cluster.tag` for the options.

    Without `client` the current one is taken; a :class:`ValueError` if there is none. An :class:`InsecureTransportError` if the key would leave this computer without encryption.
    """
    return cluster.tag(urls, key, manifest, **_engine(client), **options)


def verify(manifest: Path, key: Any, base: Path, *, client: "distributed.Client | None" = None, **options: Any) -> list[Finding]:
    """Compares what is below a URL with a manifest, by the workers of a cluster: see :func:`carryless.cluster.verify` for the options."""
    return cluster.verify(manifest, key, base, **_engine(client), **options)

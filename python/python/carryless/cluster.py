"""Manifests of many files and objects, read by the processes of any engine that can map a function over tasks.

:mod:`carryless.dask` is this for Dask. An engine is a function ``map_segments(worker, tasks)`` that yields ``worker(task)`` for each of the tasks, all of them bytes, in any order;
the built-in :class:`map` is the simplest, and the ``map`` of a pool of threads another:

>>> import pathlib, tempfile
>>> from concurrent.futures import ThreadPoolExecutor
>>> from carryless.cluster import tag, verify
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "data").mkdir(), (folder / "data" / "a").write_text("contents")
>>> with ThreadPoolExecutor(2) as pool:
...     tag(folder / "data", bytes(32), folder / "manifest", map_segments=pool.map, threads=2)
1
>>> verify(folder / "manifest", bytes(32), folder / "data", map_segments=map)
[(b'a', 'ok', None)]

An engine whose workers are other processes sends them the bytes of ``worker.to_secret_bytes()`` once, encrypted, and has them call
``Worker.from_secret_bytes``: a worker has the key and is not pickled.
"""

import os
import pickle
import socket
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ._carryless import CLUSTER_VERSION, ClusterSession, ClusterWorker, TreeError, cluster_key

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._storage import Store

__all__ = ["VERSION", "Finding", "InsecureTransportError", "MapSegments", "TreeError", "Worker", "WorkerError", "tag", "verify"]

#: The version of the package and the format of tasks, which client and workers must share.
VERSION: str = CLUSTER_VERSION

# What the bytes of a worker begin with. The version follows, and a line end.
_HEADER = b"carryless worker "

#: The bytes of a name, its status (`ok`, `changed`, `kind`, `missing`, `folder-missing`, `new`, `error`) and the reason of an error.
Finding = tuple[bytes, str, str | None]

#: Called with the number of bytes that were read since the last call.
Progress = Callable[[int], object]

Path = str | PathLike[str]


class InsecureTransportError(RuntimeError):
    """The key would leave this computer without encryption."""


class WorkerError(RuntimeError):
    """A worker cannot take part: it has another version of carryless than the client, or lacks it or another package."""


class _Store(NamedTuple):
    """How a worker reads objects: the arguments of `_storage.Store` besides the base."""

    options: Mapping[str, Any]
    requests: int | None = None
    timeout: float | None = None


class Worker:
    """A function from the bytes of a task to the bytes of its result, which are encrypted. It has the key of the run.

    Made by :func:`tag` and :func:`verify`, and by :meth:`from_secret_bytes` in other processes.
    """

    def __init__(self, key: bytes, setup: tuple[str, bytes, str], base: str, store: _Store | None) -> None:
        self._secret = (key, setup, base, store)
        self._keyed = ClusterWorker(key, *setup)
        self._base = base
        self._store = None if store is None else _open(base, store)

    def __call__(self, task: bytes) -> bytes:
        """Reads and hashes what the task says."""
        if self._store is None:
            return self._keyed.read_files(self._base, task)
        return self._store.read(self._keyed.begin(task))

    def to_secret_bytes(self) -> bytes:
        """The key, and all else that a worker needs: to be sent to other processes of the run, encrypted, and nowhere else."""
        return _HEADER + VERSION.encode() + b"\n" + pickle.dumps(self._secret)

    @staticmethod
    def from_secret_bytes(secret: bytes) -> "Worker":
        """The worker in another process. The bytes must come from :meth:`to_secret_bytes`: as with all that is pickled, bytes of others can run code.

        A :class:`WorkerError` that names this process if the client has another version of carryless; nothing is unpickled then.
        """
        version, _, pickled = secret.removeprefix(_HEADER).partition(b"\n")
        if not secret.startswith(_HEADER) or version != VERSION.encode():
            theirs = version.decode(errors="replace") if secret.startswith(_HEADER) else "another version"
            raise WorkerError(f"{_here()}: carryless {VERSION}, and the client has {theirs}: they need one version")
        return Worker(*pickle.loads(pickled))

    @property
    def run(self) -> str:
        """The name of the run, which is not secret."""
        return self._secret[1][1].hex()

    def __reduce__(self) -> str:
        raise TypeError("a worker has a key and is not pickled; see to_secret_bytes")

    def __repr__(self) -> str:
        return f"<carryless.cluster.Worker of run {self.run}>"


def _here() -> str:
    return f"{socket.gethostname()}, process {os.getpid()}"


def opener() -> Callable[[bytes], Any]:
    """:meth:`Worker.from_secret_bytes` for engines that send functions by value: the error of a worker without carryless names that worker."""
    version = VERSION

    def open_secret(secret: bytes) -> Any:
        import os
        import socket

        try:
            from carryless.cluster import Worker
        except ImportError as error:
            here = f"{socket.gethostname()}, process {os.getpid()}"
            raise RuntimeError(f"{here}: {error}: install carryless {version} on every worker") from error
        return Worker.from_secret_bytes(secret)

    return open_secret


class MapSegments(Protocol):
    """An engine: yields ``worker(task)`` for every task, in any order. Tasks are made as they are asked for."""

    def __call__(self, worker: Worker, tasks: Iterator[bytes], /) -> Iterable[bytes]: ...


def tag(
    urls: Path | Sequence[Path],
    key: "Buffer | Path",
    manifest: Path,
    *,
    map_segments: MapSegments,
    threads: int = 1,
    base: Path | None = None,
    storage_options: Mapping[str, Any] | None = None,
    label: str | None = None,
    algorithm: str | None = None,
    symlinks: str = "record",
    skip_special: bool = False,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    gitignore: bool = False,
    one_file_system: bool = False,
    overwrite: bool = False,
    allow_empty: bool = False,
    requests: int | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> int:
    """Tags what is below a URL and writes the manifest that ``carryless tag -C base .`` writes of the same files, whole or not at all.

    `urls` is a folder, whose contents are named relative to it; with `base`, the URL of another folder, one or more folders and objects in it, relative or not.
    Paths and ``file://`` are read by Rust, on the workers' own file systems; all else by :mod:`fsspec`, with its `storage_options`. `key` is 32 bytes, or
    the path of a key file. `manifest` is a path on this computer. `threads`: how many tasks the engine runs at a time; a hint. `requests`: how many requests the client,
    and each process of a worker, has under way at a time, at least 1; without it 8 to servers of HTTP and 64 to other stores. `timeout`: seconds until a request
    is answered, 60 without it; what is not is an error of that object. The other options are those of the command; links, special files and file systems concern files only, and `gitignore` is an error elsewhere. `progress` is called with the bytes read since the last call: tqdm's `update` will do.

    Returns the number of entries. A :class:`~carryless.tree.TreeError` if any of it could not be tagged, or changed meanwhile.
    """
    place = _Place.of(urls, base)
    session = ClusterSession.to_tag(
        place.roots,
        key,
        manifest,
        local=place.is_local,
        base=place.base,
        label=label,
        algorithm=algorithm,
        symlinks=symlinks,
        skip_special=skip_special,
        include=list(include),
        exclude=list(exclude),
        gitignore=gitignore,
        one_file_system=one_file_system,
        overwrite=overwrite,
        allow_empty=allow_empty,
    )
    store = _store(place, storage_options, requests, timeout)
    return _run(session, place, key, store, map_segments, threads, progress, tags=True)[0]


def verify(
    manifest: Path,
    key: "Buffer | Path",
    base: Path,
    *,
    map_segments: MapSegments,
    threads: int = 1,
    storage_options: Mapping[str, Any] | None = None,
    label: str | None = None,
    skip_special: bool = False,
    allow_empty: bool = False,
    requests: int | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> list[Finding]:
    """Compares what is below the folder `base`, a URL or path, with a manifest of :func:`tag` or of the command, as ``carryless verify -C base`` does.

    `requests` and `timeout` are those of :func:`tag`. A finding for every name that the manifest records or covers. A :class:`~carryless.tree.TreeError` if it is none by this key and label.
    """
    place = _Place.of(base, None)
    session = ClusterSession.to_verify(
        manifest, key, base=place.base, label=label, skip_special=skip_special, allow_empty=allow_empty
    )
    store = _store(place, storage_options, requests, timeout)
    return _run(session, place, key, store, map_segments, threads, progress, tags=False)[1]


class _Place:
    """Where names begin, and what is named below."""

    def __init__(self, base: str, roots: list[str], is_local: bool) -> None:
        self.base, self.roots, self.is_local = base, roots, is_local

    @staticmethod
    def of(urls: Path | Sequence[Path], base: Path | None) -> "_Place":
        given = [os.fspath(url) for url in ([urls] if isinstance(urls, (str, PathLike)) else urls)]
        if base is None:
            if len(given) != 1:
                raise ValueError(f"one folder, or base and what is below it, not {len(given)} URLs")
            given, base = ["."], given[0]
        text = os.fspath(base)
        scheme = text.partition("://")[0] if "://" in text else "file"
        is_local = scheme in ("file", "local")
        folder = text.removeprefix(f"{scheme}://") if is_local else text
        roots = [_below(url.removeprefix(f"{scheme}://") if is_local else url, folder) for url in given]
        # Workers need not run where the client does. Not `abspath`: it takes `..` after a link for the folder above the link.
        return _Place(os.path.join(os.getcwd(), folder) if is_local else folder, roots, is_local)


def _below(url: str, base: str) -> str:
    """The path of a URL relative to that of a folder."""
    if url.rstrip("/") == base.rstrip("/"):
        return "."
    below = url.removeprefix(base.rstrip("/") + "/")
    if "://" in below or below.startswith("/"):
        raise ValueError(f"{url} is not below {base}")
    return below


def _store(place: _Place, options: Mapping[str, Any] | None, requests: int | None, timeout: float | None) -> _Store | None:
    """How objects are read; none for files of this computer."""
    if not place.is_local:
        return _Store(dict(options or {}), requests, timeout)
    if options or requests is not None or timeout is not None:
        raise ValueError("files of this computer take no storage_options, requests or timeout")
    return None


def _open(base: str, store: _Store) -> "Store":
    from ._storage import Store

    return Store(base, *store)


def _run(
    session: ClusterSession,
    place: _Place,
    key: "Buffer | Path",
    store: _Store | None,
    map_segments: MapSegments,
    threads: int,
    progress: Progress | None,
    *,
    tags: bool,
) -> tuple[int, list[Finding]]:
    if store is None:
        session.list_files()
    else:
        _open(place.base, store).list_to(session, missing_is_error=tags)
        session.list_objects()
    count = session.plan(threads)
    worker = Worker(cluster_key(key), session.setup(), place.base, store)
    told = 0
    results = map_segments(worker, map(session.task, range(count))) if count else ()
    try:
        for sealed in results:
            session.join(sealed)
            if progress is not None and (more := session.bytes_read() - told):
                told += more
                progress(more)
    finally:
        # An engine takes the key back even while the exception that ended the run is kept.
        if isinstance(results, Generator):
            results.close()
    return session.finish()

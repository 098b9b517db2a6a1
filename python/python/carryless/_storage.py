"""Objects of the file systems of fsspec: listed by the client, read by workers."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

import fsspec
from fsspec.asyn import sync

from ._carryless import CLUSTER_PART, ClusterReading, ClusterSession

#: Bytes that a thread of a worker holds at a time. A multiple of the length of a part.
PIECE = 8 * CLUSTER_PART

#: Requests of a process that are under way at a time, unless the caller gives their number. A server of HTTP may queue few connections (that of Python 5), and then
#: those of all processes together wait for seconds.
REQUESTS = 64
REQUESTS_OF_WEB = 8

#: Seconds until a request is answered, unless the caller gives their number.
TIMEOUT = 60.0

#: What file systems say about an object that is another after a change. The first that there is counts.
IDENTITIES = ("ETag", "etag", "generation", "mtime", "LastModified", "last_modified", "Last-Modified", "updated", "modified")

#: What servers of HTTP call a folder, which is a page of links.
PAGES = ("text/html", "application/xhtml+xml")

#: Name, size and identity of an object.
Object = tuple[bytes, int, bytes]

IGNORED = "the server ignores ranges, which objects of more than 8 MiB need"


class Store:
    """A folder of a file system, by its URL and the options of its implementation. Its limits are those of this process, however many threads read."""

    def __init__(self, base: str, options: Mapping[str, Any], requests: int | None = None, timeout: float | None = None) -> None:
        if requests is not None and (type(requests) is not int or requests < 1):
            raise ValueError(f"requests is a number of at least 1, not {requests!r}")
        if timeout is not None and not (type(timeout) in (int, float) and 0 < timeout < math.inf):
            raise ValueError(f"timeout is a number of seconds above 0, not {timeout!r}")
        # An instance of its own that remembers no listings: what has changed since must be seen.
        own: dict[str, Any] = {"skip_instance_cache": True, "use_listings_cache": False}
        if base.startswith(("http://", "https://")):
            # Sizes and ranges are those of the object, not of what a server makes of it on its way.
            own["headers"] = {"Accept-Encoding": "identity", **options.get("headers", {})}
            # The limit is that of `_answer`, not the five minutes of the library.
            own["client_kwargs"] = {"timeout": _without_limit(), **options.get("client_kwargs", {})}
        self._fs, root = fsspec.core.url_to_fs(base, **{**options, **own})
        self._root: str = root.rstrip("/")
        self._web = "http" in self._fs.protocol
        self._parallel: bool = getattr(self._fs, "async_impl", False)
        if not self._parallel and (requests is not None or timeout is not None):
            raise ValueError(f"{base}: requests and timeout need a file system of fsspec that is asynchronous")
        self._requests = requests or (REQUESTS_OF_WEB if self._web else REQUESTS)
        self._timeout = TIMEOUT if timeout is None else timeout
        self._turns = asyncio.Semaphore(self._requests)
        # Requests in a row that had no answer, and the path of the last of them.
        self._unanswered, self._silent = 0, ""

    def _path(self, name: bytes) -> str:
        text = name.decode()
        below = "" if text == "." else "/" + (quote(text) if self._web else text)
        return self._root + below

    def _name(self, path: str) -> bytes:
        below = path.removeprefix(self._root + "/")
        return (unquote(below) if self._web else below).encode()

    def list_to(self, session: ClusterSession, *, missing_is_error: bool) -> None:
        """Lists what is below the roots of a run. An `OSError` if a folder cannot be listed, or the server gives no ranges and there are objects that need them."""
        longest: Object = (b"", 0, b"")
        for root in session.roots():
            try:
                for batch in self._below(root, session):
                    session.add_objects(batch)
                    longest = max([longest, *batch], key=lambda found: found[1])
            except FileNotFoundError:
                if missing_is_error:
                    session.add_error(root, "no such object or folder")
        if self._web and longest[1] > PIECE:
            self._check_ranges(self._path(longest[0]))

    def _below(self, root: bytes, session: ClusterSession) -> Iterator[list[Object]]:
        """What is below a root, folder by folder. (`walk` of fsspec passes over folders that it cannot list.)"""
        top = self._path(root)
        if root != b"." and not self._is_folder(top):
            yield self._objects({top: _or_raise(top, self._ask("info", [top])[0])}, session)
            return
        folders = [top]
        while folders:
            folders, now = folders[: -self._requests], folders[-self._requests :]
            for folder, listing in zip(now, self._ask("ls", now, [{"detail": True}] * len(now), limited=self._web)):
                if isinstance(listing, FileNotFoundError) and folder != top:
                    continue  # removed since its own folder was listed
                found = {}
                for about in _or_raise(folder, listing):
                    path = about["name"]
                    if path.rstrip("/") == folder and not about.get("size"):
                        continue  # stands for the folder itself in stores that have no folders
                    if about["type"] == "directory":
                        folders.append(path.rstrip("/"))
                    elif not (self._web and set("?#") & set(path)):
                        found[path] = about
                yield self._objects(found, session)

    def _is_folder(self, path: str) -> bool:
        if self._web:
            # To ask a server whether something is a folder is to read all of it.
            about = _or_raise(path, self._ask("info", [path])[0])
            if about.get("mimetype", PAGES[0]) not in PAGES:
                return False
        return bool(_or_raise(path, self._ask("isdir", [path])[0]))

    def _objects(self, found: dict[str, Any], session: ClusterSession) -> list[Object]:
        """Objects by what the listing says about them, and what it does not is asked for. What cannot be had is an error of that object."""
        unknown = [path for path, about in found.items() if about.get("size") is None]
        found.update(zip(unknown, self._ask("info", unknown)))
        objects = []
        for path, about in found.items():
            if isinstance(about, FileNotFoundError):
                continue  # removed since its folder was listed
            if isinstance(about, Exception):
                session.add_error(self._name(path), _reason(about))
            elif about.get("size") is None:
                session.add_error(self._name(path), "the server does not say how long it is")
            else:
                objects.append((self._name(path), about["size"], _identity(about)))
        return objects

    def _check_ranges(self, path: str) -> None:
        """An `OSError` that says so if the server answers a request of one byte with the whole object. No more of it is read."""

        async def ask(path: str) -> int:
            session = await self._fs.set_session()
            headers = {**self._fs.kwargs.get("headers", {}), "Range": "bytes=0-0"}
            async with session.get(self._fs.encode_url(path), **{**self._fs.kwargs, "headers": headers}) as answer:
                answer.raise_for_status()
                status: int = answer.status
                return status

        status = _or_raise(path, self._run([(ask, path, {})])[0])
        if status != 206:
            raise OSError(f"{path}: {IGNORED} (HTTP {status} to a request of one byte)")

    def _ask(
        self, method: str, paths: list[str], options: list[dict[str, Any]] | None = None, *, limited: bool = True
    ) -> list[Any]:
        """What a method of the file system says to each path, or an exception. Many requests are under way at a time where it can."""
        options = options or [{}] * len(paths)
        if not self._parallel:
            return [_outcome(getattr(self._fs, method), path, more) for path, more in zip(paths, options)]
        ask = getattr(self._fs, f"_{method}")
        return self._run([(ask, path, more) for path, more in zip(paths, options)], limited=limited)

    def _run(self, calls: list[tuple[Callable[..., Awaitable[Any]], str, dict[str, Any]]], *, limited: bool = True) -> list[Any]:
        async def run() -> list[Any]:
            return await asyncio.gather(*(self._answer(*call, limited) for call in calls), return_exceptions=True)

        answers: list[Any] = sync(self._fs.loop, run)
        return [self._plain(answer) for answer in answers]

    async def _answer(self, ask: Callable[..., Awaitable[Any]], path: str, options: dict[str, Any], limited: bool) -> Any:
        """One answer in time. When as many requests in a row as are under way at a time had none, the server is asked no more, or the run would wait for each object."""
        async with self._turns:
            if self._unanswered >= self._requests:
                before = f"{self._unanswered} requests before, the last for {self._silent},"
                raise TimeoutError(f"not asked for: {before} had no answer within {self._timeout:g} s")
            limit = asyncio.timeout(self._timeout if limited else None)
            try:
                async with limit:
                    answer = await ask(path, **options)
            except TimeoutError:
                if not limit.expired():
                    raise
                self._unanswered, self._silent = self._unanswered + 1, path
                raise TimeoutError(f"no answer within {self._timeout:g} s") from None
            self._unanswered = 0
            return answer

    def _plain(self, answer: Any) -> Any:
        """That of HTTP says `FileNotFoundError`, whatever the reason for which it knows nothing of an object."""
        cause = answer.__cause__ if self._web and isinstance(answer, FileNotFoundError) else None
        return answer if cause is None or getattr(cause, "status", None) == 404 else cause

    def read(self, reading: ClusterReading) -> bytes:
        """Reads what a task says, no more than `PIECE` bytes at a time, and seals the result."""
        part = reading.range()
        for batch in _batches(reading.objects()):
            paths = [self._path(name) for name, _, _ in batch]
            if part is not None or batch[0][1] > PIECE:
                start, length = part or (0, batch[0][1])
                failures = [self._read_pieces(reading, paths[0], start, start + length)]
                contents = [b""]
            else:
                contents = self._read_whole(paths, [size for _, size, _ in batch])
                failures = [content if isinstance(content, Exception) else None for content in contents]
            for content, failure, about in zip(contents, failures, self._ask("info", paths)):
                failure = failure or (about if isinstance(about, Exception) else None)
                if failure is not None:
                    reading.fail(_reason(failure))
                    continue
                if content:
                    reading.update(content)
                reading.end(_identity(about))
        return reading.seal()

    def _read_pieces(self, reading: ClusterReading, path: str, start: int, end: int) -> Exception | None:
        for at in range(start, end, PIECE):
            until = min(at + PIECE, end)
            [content] = self._ask("cat_file", [path], [{"start": at, "end": until}])
            if isinstance(content, Exception):
                return content
            if len(content) > until - at:
                return OSError(IGNORED)
            reading.update(content)
            if len(content) < until - at:
                break  # it has become shorter, and `end` says so
        return None

    def _read_whole(self, paths: list[str], sizes: list[int]) -> list[Any]:
        """The contents of each object, or an exception. Nothing is asked for where there is nothing: a range of no bytes is an error of servers."""
        some = [i for i, size in enumerate(sizes) if size]
        contents: list[Any] = [b""] * len(paths)
        for i, content in zip(
            some, self._ask("cat_file", [paths[i] for i in some], [{"start": 0, "end": sizes[i]} for i in some])
        ):
            contents[i] = content
        return contents


def _without_limit() -> Any:
    import aiohttp

    return aiohttp.ClientTimeout(total=None)


def _batches(objects: Iterable[Object]) -> Iterator[list[Object]]:
    """Runs of objects that have at most `PIECE` bytes together, or are alone."""
    batch: list[Object] = []
    held = 0
    for found in objects:
        if batch and held + found[1] > PIECE:
            yield batch
            batch, held = [], 0
        batch.append(found)
        held += found[1]
    if batch:
        yield batch


def _outcome(ask: Any, path: str, options: Mapping[str, Any]) -> Any:
    try:
        return ask(path, **options)
    except Exception as error:
        return error


def _or_raise(path: str, answer: Any) -> Any:
    """The answer, or an exception that names the path."""
    if isinstance(answer, FileNotFoundError):
        raise answer
    if isinstance(answer, Exception):
        raise OSError(f"{path}: {_reason(answer)}") from answer
    return answer


def _identity(about: Mapping[str, Any]) -> bytes:
    """What is another after a change of the object: its size, and the first of `IDENTITIES` that the file system tells."""
    found = (f"{key}={about[key]}" for key in IDENTITIES if about.get(key) is not None)
    return f"{about.get('size')} {next(found, '')}".encode()


def _reason(error: Exception) -> str:
    kind, text = type(error).__name__, str(error)
    return "no such object" if isinstance(error, FileNotFoundError) else f"{kind}: {text}" if text else kind

"""Objects of the file systems of fsspec: listed by the client, read by workers."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, unquote

import fsspec
from fsspec.asyn import sync

from ._carryless import CLUSTER_PART, ClusterReading, ClusterSession

#: Bytes that a thread of a worker holds at a time. A multiple of the length of a part.
PIECE = 8 * CLUSTER_PART

#: Questions about objects that are under way at a time.
QUESTIONS = 64

#: What file systems say about an object that is another after a change. The first that there is counts.
IDENTITIES = ("ETag", "etag", "generation", "mtime", "LastModified", "last_modified", "Last-Modified", "updated", "modified")

#: Name, size and identity of an object.
Object = tuple[bytes, int, bytes]


class Store:
    """A folder of a file system, by its URL and the options of its implementation."""

    def __init__(self, base: str, options: Mapping[str, Any]) -> None:
        # An instance of its own that remembers no listings: what has changed since must be seen.
        own = {"skip_instance_cache": True, "use_listings_cache": False}
        self._fs, root = fsspec.core.url_to_fs(base, **{**options, **own})
        self._root: str = root.rstrip("/")
        self._web = "http" in self._fs.protocol

    def _path(self, name: bytes) -> str:
        text = name.decode()
        below = "" if text == "." else "/" + (quote(text) if self._web else text)
        return self._root + below

    def _name(self, path: str) -> bytes:
        below = path.removeprefix(self._root + "/")
        return (unquote(below) if self._web else below).encode()

    def list_to(self, session: ClusterSession, *, missing_is_error: bool) -> None:
        """Lists what is below the roots of a run."""
        for root in session.roots():
            try:
                for batch in self._below(root):
                    session.add_objects(batch)
            except FileNotFoundError:
                if missing_is_error:
                    session.add_error(root, "no such object or folder")

    def _below(self, root: bytes) -> Iterator[list[Object]]:
        """What is below a root, folder by folder. (`walk` of fsspec passes over folders that it cannot list.)"""
        top = self._path(root)
        if root != b"." and not self._fs.isdir(top):
            yield [self._object(top, self._fs.info(top))]
            return
        folders = [top]
        while folders:
            folders, now = folders[:-QUESTIONS], folders[-QUESTIONS:]
            for folder, listing in zip(now, self._ask("ls", now, detail=True)):
                if isinstance(listing, FileNotFoundError) and folder != top:
                    continue  # removed since its own folder was listed
                if isinstance(listing, Exception):
                    raise listing
                found = {}
                for about in listing:
                    path = about["name"]
                    if path.rstrip("/") == folder and not about.get("size"):
                        continue  # stands for the folder itself in stores that have no folders
                    if about["type"] == "directory":
                        folders.append(path.rstrip("/"))
                    elif not (self._web and set("?#") & set(path)):
                        found[path] = about
                yield self._objects(found)

    def _objects(self, found: dict[str, Any]) -> list[Object]:
        """Objects by what the listing says about them, and what it does not is asked for."""
        unknown = [path for path, about in found.items() if about.get("size") is None]
        for path, about in zip(unknown, self._ask("info", unknown)):
            if isinstance(about, Exception):
                raise about
            found[path] = about
        return [self._object(path, about) for path, about in found.items()]

    def _object(self, path: str, about: Mapping[str, Any]) -> Object:
        size = about.get("size")
        if size is None:
            raise OSError(f"{path}: the server does not say how long it is")
        return self._name(path), size, _identity(about)

    def _ask(self, method: str, paths: list[str], **options: Any) -> list[Any]:
        """What a method of the file system says to each path, or an exception. Many questions are under way at a time where it can."""
        if not getattr(self._fs, "async_impl", False):
            return [_outcome(getattr(self._fs, method), path, options) for path in paths]

        async def ask() -> list[Any]:
            turns = asyncio.Semaphore(QUESTIONS)

            async def one(path: str) -> Any:
                async with turns:
                    return await getattr(self._fs, f"_{method}")(path, **options)

            return await asyncio.gather(*map(one, paths), return_exceptions=True)

        answers: list[Any] = sync(self._fs.loop, ask)
        return answers

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
        try:
            for at in range(start, end, PIECE):
                reading.update(self._fs.cat_file(path, start=at, end=min(at + PIECE, end)))
        except Exception as error:
            return error
        return None

    def _read_whole(self, paths: list[str], sizes: list[int]) -> list[Any]:
        """The contents of each object, or an exception. Nothing is asked for where there is nothing: a range of no bytes is an error of servers."""
        some = [i for i, size in enumerate(sizes) if size]
        ranges = [paths[i] for i in some], [0] * len(some), [sizes[i] for i in some]
        contents: list[Any] = [b""] * len(paths)
        for i, content in zip(some, self._fs.cat_ranges(*ranges, on_error="return") if some else []):
            contents[i] = content
        return contents


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


def _identity(about: Mapping[str, Any]) -> bytes:
    """What is another after a change of the object: its size, and the first of `IDENTITIES` that the file system tells."""
    found = (f"{key}={about[key]}" for key in IDENTITIES if about.get(key) is not None)
    return f"{about.get('size')} {next(found, '')}".encode()


def _reason(error: Exception) -> str:
    kind, text = type(error).__name__, str(error)
    return "no such object" if isinstance(error, FileNotFoundError) else f"{kind}: {text}" if text else kind

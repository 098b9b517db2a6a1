"""Runs of `carryless.dask` on 1 to 4 local workers beside the command's library on as many threads: files of 4 KiB, one sparse file, cluster start left out.

Tag and verify, median of several runs in turn. Needs the extra `dask`; run it on a quiet machine from the folder that holds the trees:

    python measure_cluster.py [FILES] [GIB]
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import distributed
from carryless.dask import tag, verify
from carryless.tree import tag_tree, verify_tree

KEY = bytes(range(32))
RUNS = 3


def timed(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def small(folder: Path, count: int) -> None:
    contents = os.urandom(4096 * 256)
    for i in range(count):
        if i % 1000 == 0:
            (folder / str(i // 1000)).mkdir(parents=True)
        (folder / str(i // 1000) / str(i)).write_bytes(contents[i % 255 * 4096 :][:4096])


def large(folder: Path, gib: int) -> None:
    folder.mkdir()
    with open(folder / "large", "wb") as file:
        file.truncate(gib << 30)


def compare(name: str, folder: Path, threads: int, client: distributed.Client) -> None:
    """The times of both, in turn; equal manifests."""
    ours, theirs = folder.with_name("ours"), folder.with_name("theirs")
    runs: dict[str, Callable[[], object]] = {
        "tag, library": lambda: tag_tree(["."], KEY, theirs, base=folder, threads=threads, overwrite=True),
        "tag, cluster": lambda: tag(folder, KEY, ours, client=client, overwrite=True),
        "verify, library": lambda: verify_tree(ours, KEY, base=folder, threads=threads),
        "verify, cluster": lambda: verify(theirs, KEY, folder, client=client),
    }
    times: dict[str, list[float]] = {what: [] for what in runs}
    for _ in range(RUNS + 1):
        for what, run in runs.items():
            times[what].append(timed(run))
    if ours.read_bytes() != theirs.read_bytes():
        raise SystemExit("different manifests")
    middle = {what: statistics.median(found[1:]) for what, found in times.items()}
    for verb in ("tag", "verify"):
        library, cluster = middle[f"{verb}, library"], middle[f"{verb}, cluster"]
        print(
            f"{name:24} {threads} {verb:6} library {library:7.3f} s  cluster {cluster:7.3f} s  ratio {library / cluster:.2f}",
            flush=True,
        )


def main() -> None:
    count, gib = (int(given) if given else default for given, default in zip([*sys.argv[1:], "", ""], (20_000, 4)))
    with tempfile.TemporaryDirectory(dir=".") as temporary:
        top = Path(temporary).resolve()
        trees = {f"{count} files of 4 KiB": top / "small", f"{gib} GiB, sparse": top / "large"}
        small(top / "small", count)
        large(top / "large", gib)
        for workers in (1, 2, 4):
            with (
                distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
                distributed.Client(cluster) as client,
            ):
                for name, folder in trees.items():
                    compare(name, folder, workers, client)


if __name__ == "__main__":
    main()

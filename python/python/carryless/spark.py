"""Spark as an engine for :mod:`carryless.cluster`: ``tag(..., map_segments=carryless.spark.map_segments(context))``.

The key travels as a broadcast variable, which executors may write to disk. A cluster that does not encrypt both is an :class:`~carryless.cluster.InsecureTransportError`.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from pyspark import SparkContext

from .cluster import InsecureTransportError, MapSegments, Worker, opener

__all__ = ["map_segments"]

#: What a cluster of more than one process must say ``true`` to.
REQUIRED = ("spark.authenticate", "spark.network.crypto.enabled", "spark.io.encryption.enabled")

#: Tasks of a job for each slot of the cluster: jobs follow each other, so that tasks are made as they are needed.
AHEAD = 16


def map_segments(context: SparkContext) -> MapSegments:
    """An engine: the executors of a Spark cluster."""
    conf = context.getConf()
    missing = [key for key in REQUIRED if conf.get(key, "false").lower() != "true"]
    if missing and not context.master.startswith("local"):
        raise InsecureTransportError(
            f"{context.master}: the key would travel or lie on disk without encryption: set {', '.join(missing)}"
        )

    def run(worker: Worker, tasks: Iterator[bytes], /) -> Iterable[bytes]:
        secret = context.broadcast(worker.to_secret_bytes())
        open_secret = opener()

        # It travels by value, for executors that have nothing of this package.
        def read(some: Iterable[bytes]) -> Iterator[bytes]:
            return map(open_secret(secret.value), some)

        try:
            while batch := list(islice(tasks, AHEAD * context.defaultParallelism)):
                yield from context.parallelize(batch, len(batch)).mapPartitions(read).collect()
        finally:
            secret.destroy()

    return run

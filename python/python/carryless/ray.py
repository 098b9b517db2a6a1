"""Ray as an engine for :mod:`carryless.cluster`: ``tag(..., map_segments=carryless.ray.map_segments)``.

Ray keeps the arguments of actors, the key among them, in its control store, and encrypts what it sends with ``RAY_USE_TLS=1`` only. A cluster of more than this computer without it is
an :class:`~carryless.cluster.InsecureTransportError`.
"""

import os
from collections.abc import Iterator

import ray
from ray.util import ActorPool

from .cluster import InsecureTransportError, Worker, opener

__all__ = ["map_segments"]

#: Tasks that wait in an actor besides the one that runs.
AHEAD = 2


def _actor() -> type:
    """The class of the actors. It travels by value, for nodes that have nothing of this package."""
    open_secret = opener()

    class Actor:
        def __init__(self, secret: bytes) -> None:
            self._worker = open_secret(secret)

        def read(self, task: bytes) -> bytes:
            result: bytes = self._worker(task)
            return result

    return Actor


def map_segments(worker: Worker, tasks: Iterator[bytes], /) -> Iterator[bytes]:
    """The results of tasks, by an actor for each CPU of the cluster. Actors that are lost start again, and their tasks with them."""
    nodes = [node["NodeManagerAddress"] for node in ray.nodes() if node["Alive"]]
    if len(nodes) > 1 and os.environ.get("RAY_USE_TLS") != "1":
        raise InsecureTransportError(
            f"Ray runs on {len(nodes)} nodes, and the key would travel without encryption: see RAY_USE_TLS"
        )
    actor = ray.remote(num_cpus=1, max_restarts=3, max_task_retries=3)(_actor())
    secret = ray.put(worker.to_secret_bytes())
    actors = [actor.remote(secret) for _ in range(max(1, int(ray.cluster_resources().get("CPU", 1))))]
    pool = ActorPool(actors)
    try:
        for sent, task in enumerate(tasks):
            if sent >= AHEAD * len(actors):
                yield pool.get_next_unordered()
            pool.submit(lambda actor, task: actor.read.remote(task), task)
        while pool.has_next():
            yield pool.get_next_unordered()
    finally:
        for one in actors:
            ray.kill(one)

"""Trees of files: the manifests of `carryless tag` and `carryless verify`, byte for byte, so that either checks what the other wrote.

>>> import pathlib, tempfile
>>> from carryless.tree import tag_tree, verify_tree
>>> with tempfile.TemporaryDirectory() as folder:
...     manifest = pathlib.Path(folder, "manifest")
...     _ = pathlib.Path(folder, "a").write_text("contents")
...     tag_tree(["."], bytes(32), manifest, base=folder)
...     verify_tree(manifest, bytes(32), base=folder)
1
[(b'a', 'ok', None)]
"""

from ._carryless import TreeError, UnguardedWarning, tag_tree, verify_tree

__all__ = ["TreeError", "UnguardedWarning", "tag_tree", "verify_tree"]

"""Trees of files: the manifests of `carryless tag` and `carryless verify`, byte for byte, so that either checks what the other wrote.

A key is 32 bytes, or the path of a key file of `carryless keygen`. `progress(files, of, bytes)` is called ten times a second.

>>> import pathlib, tempfile
>>> from carryless.tree import tag_tree, verify_tree
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> _ = (folder / "a").write_text("contents")
>>> tag_tree(["."], bytes(32), folder / "manifest", base=folder)
1
>>> verify_tree(folder / "manifest", bytes(32), base=folder)
[(b'a', 'ok', None)]
"""

from ._carryless import TreeError, tag_tree, verify_tree

__all__ = ["TreeError", "tag_tree", "verify_tree"]

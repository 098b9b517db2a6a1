"""Every cell of book/src/python.ipynb runs, and gives what the notebook shows."""

import ast
import json
from typing import Any

import vectors

NOTEBOOK = vectors.FOLDER.parent / "book" / "src" / "python.ipynb"


def test_notebook() -> None:
    names: dict[str, Any] = {}
    compared = 0
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        statements = ast.parse("".join(cell["source"]))
        shown = ["".join(output["data"]["text/plain"]) for output in cell["outputs"]]
        last = statements.body.pop() if isinstance(statements.body[-1], ast.Expr) else None
        exec(compile(statements, "notebook", "exec"), names)
        if isinstance(last, ast.Expr):
            assert [repr(eval(compile(ast.Expression(last.value), "notebook", "eval"), names))] == shown
            compared += 1
    assert compared >= 8

"""Elements of a field as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .arrays import FieldArray


def format_array(array: FieldArray, form: str) -> str:
    """The elements in one of the forms, nested in brackets as the array is."""
    if form not in _FORMS:
        raise ValueError(f"elements are formatted as {', '.join(_FORMS)}, not as {form!r}")
    return np.array2string(_FORMS[form](array), formatter={"all": str}, separator=", ")


def _each(text: Callable[[int], str]) -> Callable[[FieldArray], Any]:
    """The function that writes each element, as an int, by `text`."""
    return lambda array: np.asarray(np.frompyfunc(text, 1, 1)(array.to_numpy().astype(object)), dtype=object)


def _polynomial(value: int) -> str:
    """The sum of powers of z, the highest first."""
    names = {0: "1", 1: "z"}
    bits = reversed(range(value.bit_length()))
    return " + ".join(names.get(i, f"z^{i}") for i in bits if value >> i & 1) or "0"


def _powers(array: FieldArray) -> Any:
    """Powers of the field's primitive element g, and 0."""
    texts = np.full(array.shape, "0", dtype=object)
    used = ~array.is_zero()
    names = {0: "1", 1: "g"}
    texts[used] = [names.get(e, f"g^{e}") for e in np.atleast_1d(array[used].log()).tolist()]
    return texts


_FORMS: dict[str, Callable[[FieldArray], Any]] = {
    "int": _each(str),
    "hex": _each(hex),
    "poly": _each(_polynomial),
    "power": _powers,
}

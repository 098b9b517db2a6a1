"""What functions of numpy do with arrays of elements: `__array_function__`.

numpy moves items, each the words of an element, and never sees their values. What it moves is made of elements first, so that integers and sequences beside
an array are elements, as they are beside an operator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _computing, _linear, _protocol
from . import arrays as _arrays

if TYPE_CHECKING:
    from .fields import Field

# The parameters of a function in numpy's order: `+` stands before elements, `*` before a sequence of arrays of elements, `=` before an array of elements
# that is written to, `?` before what may be anything, `!` before what must be None. All others are integers, axes, conditions, in which elements are refused.
# `out` is `=out`; what is not listed is refused.
MOVING: dict[Callable[..., Any], str] = {
    np.append: "+arr +values axis",
    np.array_split: "+ary indices_or_sections axis",
    np.atleast_1d: "+ary",
    np.atleast_2d: "+ary",
    np.atleast_3d: "+ary",
    np.broadcast_to: "+array shape",
    np.choose: "a *choices =out mode",
    np.column_stack: "*tup",
    np.concatenate: "*arrays axis =out !dtype",
    np.copy: "+a order",
    np.copyto: "=dst +src where",
    np.delete: "+arr obj axis",
    np.diag: "+v k",
    np.diagflat: "+v k",
    np.diagonal: "+a offset axis1 axis2",
    np.dstack: "*tup",
    np.expand_dims: "+a axis",
    np.flip: "+m axis",
    np.fliplr: "+m",
    np.flipud: "+m",
    np.hstack: "*tup !dtype",
    np.insert: "+arr obj +values axis",
    np.moveaxis: "+a source destination",
    np.put: "=a ind +v mode",
    np.ravel: "+a order",
    np.repeat: "+a repeats axis",
    np.reshape: "+a shape order",
    np.roll: "+a shift axis",
    np.rot90: "+m k axes",
    np.split: "+ary indices_or_sections axis",
    np.squeeze: "+a axis",
    np.stack: "*arrays axis =out !dtype",
    np.swapaxes: "+a axis1 axis2",
    np.take: "+a indices axis =out mode",
    np.take_along_axis: "+arr indices axis",
    np.tile: "+A reps",
    np.transpose: "+a axes",
    np.tril: "+m k",
    np.triu: "+m k",
    np.vstack: "*tup !dtype",
    np.where: "condition +x +y",
}


def _array_equal(field: Field, a1: Any, a2: Any) -> bool:
    x, y = _protocol.elements_or_none(field, a1, a2) or (_protocol.integers(a1), _protocol.integers(a2))
    return x.shape == y.shape and bool(np.all(x == y))


# Functions with an implementation of their own, which takes the field and the arguments.
OTHERS: dict[Callable[..., Any], tuple[str, Callable[..., Any]]] = {
    np.array_equal: ("?a1 ?a2", _array_equal),
    np.dot: ("+a +b =out", lambda field, a, b, out=None: a.dot(b, out)),
    np.all: ("+a axis", _computing.of_nonzero(np.all)),
    np.any: ("+a axis", _computing.of_nonzero(np.any)),
    np.argwhere: ("+a", _computing.of_nonzero(np.argwhere)),
    np.array2string: ("+a", _computing.of_integers(np.array2string)),
    np.array_equiv: ("+a1 +a2", lambda field, a1, a2: bool(np.all(a1 == a2))),
    np.array_repr: ("+arr", lambda field, arr: repr(arr)),
    np.array_str: ("+a", lambda field, a: str(a)),
    np.convolve: ("+a +v mode", _computing.convolve),
    np.count_nonzero: ("+a axis", _computing.of_nonzero(np.count_nonzero)),
    np.cumprod: ("+a axis !dtype =out", _computing.cumprod),
    np.cumsum: ("+a axis !dtype =out", _computing.cumsum),
    np.diff: ("+a n axis", _computing.diff),
    np.empty_like: ("+prototype !dtype", lambda field, prototype: field.zeros(prototype.shape)),
    np.fft.fft: ("+a n axis", _computing.fft),
    np.fft.ifft: ("+a n axis", _computing.ifft),
    np.flatnonzero: ("+a", _computing.of_nonzero(np.flatnonzero)),
    np.full_like: ("+a +fill_value !dtype", _computing.full_like),
    np.inner: ("+a +b", _computing.inner),
    np.isin: ("+element +test_elements assume_unique invert", _computing.isin),
    np.kron: ("+a +b", _computing.kron),
    np.linalg.det: ("+a", _linear.det),
    np.linalg.inv: ("+a", _linear.inv),
    np.linalg.matrix_power: ("+a n", _linear.matrix_power),
    np.linalg.matrix_rank: ("+A !tol !hermitian !rtol", lambda field, A: _linear.matrix_rank(field, A)),
    np.linalg.solve: ("+a +b", _linear.solve),
    np.ndim: ("+a", lambda field, a: a.ndim),
    np.nonzero: ("+a", _computing.of_nonzero(np.nonzero)),
    np.ones_like: ("+a !dtype", lambda field, a: field.ones(a.shape)),
    np.outer: ("+a +b =out", _computing.outer),
    np.pad: ("+array pad_width mode +constant_values reflect_type", _computing.pad),
    np.prod: ("+a axis !dtype =out keepdims", lambda field, a, axis=None, out=None, keepdims=False: a.prod(axis, out, keepdims)),
    np.shape: ("+a", lambda field, a: a.shape),
    np.size: ("+a axis", lambda field, a, axis=None: np.size(a._items, axis)),
    np.sum: ("+a axis !dtype =out keepdims", lambda field, a, axis=None, out=None, keepdims=False: a.sum(axis, out, keepdims)),
    np.tensordot: ("+a +b axes", _computing.tensordot),
    np.trace: ("+a offset axis1 axis2 !dtype =out", _computing.trace),
    np.unique: ("+ar return_index return_inverse return_counts", _computing.unique),
    np.vander: ("+x N increasing", _computing.vander),
    np.vdot: ("+a +b", _computing.vdot),
    np.zeros_like: ("+a !dtype", lambda field, a: field.zeros(a.shape)),
}


@cache
def _marks(parameters: str) -> dict[str, str]:
    """The mark of each parameter."""
    return {part.lstrip("+*=?!"): part[0] if part[0] in "+*=?!" else "" for part in parameters.split()}


def _holds_elements(value: Any) -> bool:
    return isinstance(value, _arrays.FieldArray) or (isinstance(value, (list, tuple)) and any(map(_holds_elements, value)))


def _argument(field: Field, function: str, name: str, mark: str, value: Any) -> Any:
    """The value of a parameter, with elements where it takes them."""
    if mark == "+":
        return field._element(value)
    if mark == "*":
        return [field._element(part) for part in value]
    if mark == "=" and not (name == "out" and value is None):
        if not isinstance(value, _arrays.FieldArray):
            raise TypeError(f"numpy.{function}: {name} is a FieldArray, not {type(value).__name__}")
        return field._own(value)
    if mark == "!" and value is not None:
        raise TypeError(f"numpy.{function} of elements takes no argument {name}")
    if mark == "" and _holds_elements(value):
        raise TypeError(f"numpy.{function}: {name} takes no elements of a field")
    return value


def _arguments(field: Field, function: str, parameters: str, args: Any, kwargs: Any) -> dict[str, Any]:
    """The arguments by their names, positional ones first. A TypeError names what the function has no parameter for."""
    marks = _marks(parameters)
    surplus = [f"number {i + 1}" for i in range(len(marks), len(args))] + [name for name in kwargs if name not in marks]
    if surplus:
        raise TypeError(f"numpy.{function} of elements takes no argument {', '.join(surplus)}")
    given = {**dict(zip(marks, args)), **kwargs}
    return {name: _argument(field, function, name, marks[name], value) for name, value in given.items()}


def _items(value: Any) -> Any:
    if isinstance(value, _arrays.FieldArray):
        return value._items
    return [part._items for part in value] if isinstance(value, list) and _holds_elements(value) else value


def _elements(field: Field, result: Any) -> Any:
    if isinstance(result, (list, tuple)):
        return type(result)(_elements(field, part) for part in result)
    return _arrays.FieldArray._of_items(field, result)


def call(field: Field, func: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
    """What numpy asks of `__array_function__`."""
    parameters, other = OTHERS.get(func) or (MOVING.get(func), None)
    if parameters is None:
        # A type that knows elements may know more.
        if not all(issubclass(kind, (_arrays.FieldArray, np.ndarray)) for kind in types):
            return NotImplemented
        raise _computing.refusal(func)
    named = _arguments(field, func.__name__, parameters, args, kwargs)
    if other is not None:
        return other(field, **{name: value for name, value in named.items() if _marks(parameters)[name] != "!"})
    values = [_items(value) for value in named.values()]
    result = func(*values[: len(args)], **dict(zip([*named][len(args) :], values[len(args) :])))
    if result is None or named.get("out") is not None:
        return named.get("out")
    return _elements(field, result)

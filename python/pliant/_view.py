"""Arrays of a body that are always those of now."""

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class View(NDArrayOperatorsMixin):
    """The positions, velocities or masses of the particles of a body: read-only, and without a copy.

    A view looks its array up whenever it is used: it follows the body through steps and edits, and raises InputError once
    the body has been removed. `view[...]` and `np.asarray(view)` give NumPy arrays over the same memory. While such an
    array exists, bodies cannot be added or removed (BufferError): keep `view.copy()` instead.
    """

    __slots__ = ("_ref", "_what")

    def __init__(self, ref, what):
        self._ref = ref
        self._what = what

    def __array__(self, dtype=None):
        array = self._ref.array(self._what)
        return array if dtype is None else array.astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        plain = [np.asarray(x) if isinstance(x, View) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **keywords)

    def __getitem__(self, key):
        return np.asarray(self)[key]

    def __len__(self):
        return len(np.asarray(self))

    def __iter__(self):
        return iter(np.asarray(self))

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)

    def __repr__(self):
        return f"View of the {self._what} of {self._ref.kind} {self._ref.name!r}:\n{np.asarray(self)!r}"

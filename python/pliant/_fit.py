"""The weighted rigid fit of one cloud of points to another, and its derivatives, for many clouds at once."""

import numpy as np

from . import _core


def fit_rigid(rest, x, weights=None, previous=None):
    """Fits the rest points to x by a rotation and a shift, with weights > 0.

    Arrays have the shape (..., points, 3), weights (..., points); leading axes are fitted one by one and are broadcast. Where
    the points do not determine a rotation, `previous` (..., 3, 3) decides; without it, the identity.
    """
    x = np.asarray(x, dtype=np.float64)
    rest = np.asarray(rest, dtype=np.float64)
    shape = np.broadcast_shapes(rest.shape, x.shape)
    if len(shape) < 2 or shape[-1] != 3:
        raise _core.InputError(f"fit_rigid: the points must have the shape (..., points, 3), not {shape}")
    batch, count = shape[:-2], shape[-2]
    weights = np.broadcast_to(1.0 if weights is None else np.asarray(weights, dtype=np.float64), (*batch, count))
    previous = np.broadcast_to(np.eye(3) if previous is None else np.asarray(previous, dtype=np.float64), (*batch, 3, 3))
    return RigidFit(np.broadcast_to(rest, shape), np.broadcast_to(x, shape), weights, previous)


class RigidFit:
    """The result of fit_rigid. `fit(point)` is where the fitted frame carries a point of the rest shape."""

    def __init__(self, rest, x, weights, previous):
        self._batch = rest.shape[:-2]
        self._count = rest.shape[-2]
        self._rest = self._flat(rest, self._count, 3)
        self._weights = self._flat(weights, self._count)
        found = _core.fit(self._rest, self._flat(x, self._count, 3), self._weights, self._flat(previous, 3, 3))
        self._found = found
        for name, value in found.items():
            setattr(self, name, value.reshape(*self._batch, *value.shape[1:]))

    def _flat(self, array, *inner):
        return np.ascontiguousarray(np.broadcast_to(array, (*self._batch, *inner)), dtype=np.float64).reshape(-1, *inner)

    def _known(self, at):
        f = self._found
        at = self._flat(np.asarray(at, dtype=np.float64), 3)
        return self._rest, self._weights, f["rotation"], f["k_inverse"], f["center"], f["rest_center"], at

    def __call__(self, at):
        arm = np.asarray(at, dtype=np.float64) - self.rest_center
        return self.center + np.einsum("...ij,...j->...i", self.rotation, arm)

    def jacobian(self, at):
        """d fit(at) / d x_i for every point i: (..., points, 3, 3)."""
        return _core.fit_jacobian(*self._known(at)).reshape(*self._batch, self._count, 3, 3)

    def forces(self, at, force):
        """What the points feel of a force on the bound point, (..., points, 3): its sum and torque are kept."""
        force = self._flat(np.asarray(force, dtype=np.float64), 3)
        return _core.fit_forces(*self._known(at), force).reshape(*self._batch, self._count, 3)

    def velocity(self, at, velocities):
        """Velocity and angular velocity of the bound point, (..., 3) each, of points that move."""
        velocities = self._flat(np.asarray(velocities, dtype=np.float64), self._count, 3)
        v, w = _core.fit_velocity(*self._known(at), velocities)
        return v.reshape(*self._batch, 3), w.reshape(*self._batch, 3)

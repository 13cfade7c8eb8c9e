"""Gradient descent through the rigid fit: moves the points of a cloud until a point that is bound to it reaches a target.

The gradient of 1/2 |fit(x)(bound) - target|^2 by the points x_i is J_i^T (fit(x)(bound) - target), and that is what
`forces` gives: a force on the bound point, passed on to the points. Many clouds are treated at once.
"""

import numpy as np

import pliant

random = np.random.default_rng(3)
clouds, points = 16, 8
rest = random.normal(size=(clouds, points, 3))
bound = random.normal(size=(clouds, 3))
target = bound + random.normal(size=(clouds, 3))

x = rest.copy()
for step in range(200):
    fit = pliant.fit_rigid(rest, x)
    gap = fit(bound) - target
    if step % 40 == 0:
        print(f"step {step:3}: the bound points are {np.linalg.norm(gap, axis=-1).max():.3e} from their targets")
    x -= fit.forces(bound, gap)

fit = pliant.fit_rigid(rest, x)
error = float(np.linalg.norm(fit(bound) - target, axis=-1).max())
print(f"in the end: {error:.1e}")
assert error < 1e-6

"""A cloth that hangs from two corners."""
import pliant

world = pliant.World()
cloth = world.add_cloth(shape={"kind": "rectangle", "cells": [20, 20]}, position=[0, 2, 0],
                        pins=[{"at": [-0.5, 2, -0.5]}, {"at": [0.5, 2, -0.5]}])
pliant.run(world, frames=120, output="cloth.png")
print(f"its lowest point is at {cloth.positions[:, 1].min():.2f} m")

"""A clothes line from code: a rope, towels on pegs, a wind that turns and dies down, and a peg that gives way."""

import math

import pliant

HEIGHT, TOWELS = 2.0, 4

world = pliant.World()
world.add_collider(name="ground")
world.add_rod(name="rope", shape={"kind": "line", "from": [-1.6, HEIGHT, 0], "to": [1.6, HEIGHT, 0], "edges": 32},
              radius=0.006, youngs_modulus=2e7, density=800, clamps=[{"end": "start"}, {"end": "end"}])
for i in range(TOWELS):
    x = 0.7 * (i - (TOWELS - 1) / 2)
    world.add_cloth(name=f"towel-{i}", shape={"kind": "rectangle", "size": [0.5, 0.7], "cells": [10, 14]}, rotation=[90, 0, 0],
                    position=[x, HEIGHT - 0.35, 0], areal_density=0.25, air_drag=1.2, air_lift=0.4, damping=1)
    for side in (-1, 1):
        world.add_glue(name=f"peg-{i}-{'left' if side < 0 else 'right'}", a="rope", b=f"towel-{i}",
                       at=[x + 0.25 * side, HEIGHT, 0])


def weather(now: pliant.World) -> None:
    angle, speed = 0.6 * math.sin(2 * now.time), 4 if now.time < 1.2 else 0.5  # [rad], [m/s]
    now.set(forces={"wind": [speed * math.sin(angle), 0, speed * math.cos(angle)]})
    if now.frame == 60:
        now["peg-1-left"].remove()


pliant.run(world, frames=200, output="clothes_line.png", each=weather)
lowest = [float(towel.positions.min(axis=0)[1]) for towel in world.cloths]
print("lowest corners [m]:", ", ".join(f"{y:.2f}" for y in lowest))
assert lowest[1] == min(lowest) > 0.5, "the towel that lost a peg hangs lowest, by the other one"

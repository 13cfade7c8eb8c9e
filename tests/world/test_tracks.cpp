#include "pliant/world/tracks.h"

#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"
#include "pliant/scene/scene.h"
#include "pliant/snapshot/snapshot.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#include "same_bits.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

TrackKey key(double time, double value) { return {time, {{value, 0, 0}}}; }
TrackKey key(double time, const Vec3d& value) { return {time, {value, true}}; }

/// A sheet that hangs by one side in gusts, with a keyed wind, gravity, friction and stiffness.
Scene windy_scene()
{
    return read_scene_text(R"({
        "forces": {"wind": [5, 0, 0], "drag": 0.2, "gusts": 0.6, "gust_time": 0.3, "turbulence": 0.4, "turbulence_length": 0.5},
        "contact": {"on": true},
        "tracks": [
            {"parameter": "forces.gravity", "keys": [{"frame": 0, "value": [0, -9.81, 0]}, {"frame": 20, "value": [0, 4, 0]}]},
            {"parameter": "cloths.sheet-*.damping", "keys": [{"time": 0.1, "value": 0}, {"time": 0.3, "value": 3}], "easing": "smooth"},
            {"parameter": "contact.friction", "keys": [{"time": 0, "value": 0}, {"time": 0.5, "value": 1}]},
            {"parameter": "rods.rope.youngs_modulus", "keys": [{"time": 0, "value": 1e6}, {"time": 0.5, "value": 1e8}]}],
        "cloths": [{"name": "sheet", "shape": {"kind": "rectangle", "size": [0.5, 0.5], "cells": [8, 8]}, "air_drag": 1,
            "position": [0, 2, 0], "pins": [{"at": [-0.25, 2, -0.25]}], "array": {"count": [2, 1, 1], "spacing": [1, 0, 0]}}],
        "rods": [{"name": "rope", "shape": {"kind": "line", "edges": 8}, "position": [0, 4, 0], "clamps": [{"end": "start"}]}],
        "rigids": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 3, 0]}]})",
                           "windy");
}

TEST(Tracks, AreAtTheirKeysAndBetween)
{
    Track track{.parameter = "forces.drag", .keys = {key(1, 10), key(3, 20)}};
    EXPECT_EQ(value_at(track, 0).number.x, 10);
    EXPECT_EQ(value_at(track, 1).number.x, 10);
    EXPECT_DOUBLE_EQ(value_at(track, 1.5).number.x, 12.5);
    EXPECT_EQ(value_at(track, 9).number.x, 20);
    track.easing = Easing::smooth;
    EXPECT_DOUBLE_EQ(value_at(track, 1.5).number.x, 10 + 10 * 0.15625);
}

/// Free fall under a gravity that grows evenly is a cubic.
TEST(Tracks, KeyGravity)
{
    World world;
    set_settings(world, {.substeps = 20});
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1});
    add_track(world, {.parameter = "forces.gravity", .keys = {key(0, Vec3d{}), key(2, Vec3d{0, -12, 0})}});
    Solver solver;
    for (int i = 0; i < 60; ++i) solver.step(world);
    const double y = static_cast<double>(world.rigid_bodies->pose[world.rigids.index(ball)].x.y);
    EXPECT_NEAR(y, -1.0, 0.03);  // 6 t^3 / 6, less half a frame
    EXPECT_NEAR(static_cast<double>(world.forces->gravity.y), -6 + 6.0 / 60, 1e-5);
}

TEST(Tracks, GoThroughTheLimitsOfTheTables)
{
    World world;
    add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1}, {}, "ball");
    const auto refuse = [&](const Track& track) {
        EXPECT_THROW(add_track(world, track), InputError) << track.parameter;
        EXPECT_TRUE(world.tracks->empty());
    };
    refuse({.parameter = "forces.drag", .keys = {key(0, 1), key(1, -1)}});
    refuse({.parameter = "forces.drag", .keys = {key(1, 1), key(1, 2)}});
    refuse({.parameter = "forces.drag", .keys = {}});
    refuse({.parameter = "forces.drag", .keys = {key(0, Vec3d{1, 2, 3})}});
    refuse({.parameter = "forces.wind", .keys = {key(0, 1)}});
    refuse({.parameter = "forces.drag", .keys = {key(0, std::numeric_limits<double>::quiet_NaN())}});
    refuse({.parameter = "rigids.box.friction", .keys = {key(0, 1)}});
    refuse({.parameter = "rigids.ball.fiction", .keys = {key(0, 1)}});
    refuse({.parameter = "drag", .keys = {key(0, 1)}});
    refuse({.parameter = "settings.dt", .keys = {key(0, 1)}});
    add_track(world, {.parameter = "rigids.ball.friction", .keys = {key(0, 0.25)}});
    EXPECT_EQ(world.rigids[0].params.friction, Real(0.25));
    add_track(world, {.parameter = "rigids.b*.friction", .keys = {key(0, 0.75)}});
    EXPECT_EQ(world.rigids[0].params.friction, Real(0.75));
    remove_rigid(world, world.rigids.id_at(0));
    Solver().step(world);  // nothing is left to change
}

TEST(Tracks, AndGustsGiveTheSameBitsWithAFreshSolverAndASnapshot)
{
    World kept = windy_scene().world, fresh = kept, read = kept;
    Solver solver;
    for (int i = 0; i < 40; ++i) {
        solver.step(kept);
        Solver().step(fresh);
        read = read_snapshot(write_snapshot(read));
        Solver().step(read);
        ASSERT_EQ(hash_state(kept), hash_state(fresh)) << "frame " << i;
        ASSERT_EQ(hash_state(kept), hash_state(read)) << "frame " << i;
    }
    EXPECT_NEAR(static_cast<double>(kept.forces->gravity.y), 4, 1e-5);
    EXPECT_NEAR(static_cast<double>(kept.cloths[1].params.damping), 3, 1e-5);
    EXPECT_GT(kept.air_travel->x, 1);
}

TEST(Tracks, AndGustsGiveTheSameBitsForAnyNumberOfThreads)
{
    expect_same_bits([] { return windy_scene().world; }, 20);
}

/// What drags a particle along is the air around it: in the mean the wind, at a time and place as turbulent as asked.
TEST(AirFlow, IsAsGustyAndTurbulentAsAsked)
{
    Forces forces;
    forces.wind = {3, 0, 4};
    forces.gusts = Real(0.5);
    forces.turbulence = Real(0.2);
    double low = 99, high = 0, squares = 0;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<Real> place(-50, 50);
    for (int i = 0; i < 4000; ++i) {
        const AirFlow air = air_flow(forces, {}, 0.1 * i);
        const double speed = static_cast<double>(air.wind.norm());
        low = std::min(low, speed);
        high = std::max(high, speed);
        const Vec3 off = air.at({place(random), place(random), place(random)}) - air.wind;
        squares += static_cast<double>(off.squared_norm()) / (speed * speed);
        EXPECT_NEAR(static_cast<double>(air.wind.x * 4 - air.wind.z * 3), 0, 1e-4);  // it never turns
    }
    EXPECT_NEAR(low, 2.5, 0.3);
    EXPECT_NEAR(high, 7.5, 0.3);
    EXPECT_NEAR(std::sqrt(squares / 4000 / 3), 0.2, 0.01);
}

/// Eddies move on with the wind: what is at x now was one wind upstream before.
TEST(AirFlow, CarriesItsEddiesAlong)
{
    Forces forces;
    forces.wind = {2, 0, 0};
    forces.turbulence = Real(0.3);
    const AirFlow before = air_flow(forces, {}, 0), after = air_flow(forces, {2, 0, 0}, 1);
    for (int i = 0; i < 20; ++i) {
        const Vec3 x{Real(0.25) * static_cast<Real>(i), Real(0.5), Real(-1.25)};
        EXPECT_LT(static_cast<double>((before.at(x) - after.at(x + Vec3{2, 0, 0})).norm()), 1e-5);
    }
}

}  // namespace
}  // namespace pliant

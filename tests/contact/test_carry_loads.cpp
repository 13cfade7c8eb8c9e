// Heavy rigid bodies lie on light sheets without pressing them flat.

#include "pliant/geometry/shapes.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace pliant {
namespace {

struct Load {
    int sheets = 10, cells = 16;
    double size = 0.8, thickness = 0.008, radius = 0.12, sheet_mass = 0.1, mass = 3, drop = 0.004;
};

std::string scene_of(const Load& load)
{
    std::string cloths;
    for (int i = 0; i < load.sheets; ++i)
        cloths += fmt::format(
            R"({}{{"name": "sheet-{}", "shape": {{"size": [{}, {}], "cells": [{}, {}]}}, "mass": {}, "thickness": {}, "position": [0, {}, 0]}})",
            i == 0 ? "" : ", ", i, load.size, load.size, load.cells, load.cells, load.sheet_mass, load.thickness,
            load.thickness * (0.5 + 1.01 * i) + 1e-4);
    const double y = 1.01 * load.thickness * load.sheets + load.radius + load.drop;
    return fmt::format(R"({{"cloths": [{}], "colliders": [{{"name": "ground"}}],
        "rigids": [{{"name": "ball", "shape": {{"kind": "sphere", "radius": {}}}, "mass": {}, "position": [0.01, {}, 0.02]}}]}})",
                       cloths, load.radius, load.mass, y);
}

/// Runs it with nothing but the defaults.
void expect_carried(const Load& load, const std::string& which)
{
    Scene scene = read_scene_text(scene_of(load), "test", ".", {});
    Solver solver;
    double lowest = 1e9, strain = 0;
    for (int frame = 0; frame < 30; ++frame) {
        ASSERT_EQ(solver.step(scene.world).trouble.text, "") << which;
        lowest = std::min(lowest, static_cast<double>(scene.world.rigid_bodies->pose[0].x.y) - load.radius);
        for (const Cloth& cloth : scene.world.cloths) strain = std::max(strain, measure_strain(scene.world, cloth).max);
    }
    EXPECT_GT(lowest, 0.95 * load.thickness * load.sheets) << which;
    EXPECT_LT(strain, 0.02) << which;
    EXPECT_EQ(solver.count_intersections(scene.world), 0u) << which;
}

TEST(CarryLoads, AHeavyBallDoesNotSinkIntoTenSheets) { expect_carried({}, "ten sheets"); }
TEST(CarryLoads, NorIntoOne) { expect_carried({.sheets = 1, .mass = 8}, "one sheet"); }

TEST(CarryLoads, HoldsForAnyMassAndNumberOfSheets)
{
    std::mt19937 random(7);
    const auto between = [&](double low, double high) {
        return low * std::pow(high / low, static_cast<double>(random() % 1000) / 1000);
    };
    for (int k = 0; k < 6; ++k) {
        Load load;
        load.sheets = 1 + static_cast<int>(random() % 8);
        load.size = between(0.2, 3);
        load.cells = 10 + static_cast<int>(random() % 7);
        load.thickness = load.size / load.cells * between(0.08, 0.3);
        load.radius = load.size * between(0.1, 0.25);
        load.sheet_mass = 0.2 * load.size * load.size * between(0.3, 3);
        load.mass = load.sheet_mass * between(1, 100);
        load.drop = between(0.001, 0.3);
        expect_carried(load, fmt::format("{}: {} sheets of {} kg, {} kg", k, load.sheets, load.sheet_mass, load.mass));
    }
}

}  // namespace
}  // namespace pliant

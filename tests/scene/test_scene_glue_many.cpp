// Glue by box, where bodies are nearest, for every particle, between copies; roots and clamps of rods on bodies.

#include "messages.h"
#include "pliant/solver/solver.h"
#include "pliant/world/queries.h"
#include "scene/scene_texts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using namespace testing_scenes;

Vec3d place(const Scene& s, const Anchor& anchor)
{
    return place_of(anchor, s.world.time, s.world.particles, s.world.rigid_bodies);
}

double largest_gap(const Scene& s)
{
    double gap = 0;
    for (const Glue& glue : s.world.glues) gap = std::max(gap, (place(s, glue.a) - place(s, glue.b)).norm());
    return gap;
}

void run(Scene& s, int frames)
{
    Solver solver;
    for (int i = 0; i < frames; ++i) ASSERT_EQ(solver.step(s.world).trouble.text, "");
}

constexpr const char* kBoxes = R"("rigids": [
{ "name": "low", "shape": { "kind": "box", "size": [2, 1, 2] } },
{ "name": "top", "shape": { "kind": "box", "size": [1, 1, 1] }, "position": [0.25, 1.2, 0.1], "rotation": [0, 30, 0] }],
)";

TEST(SceneGlueNearest, IsTheMiddleOfWhatIsNearest)
{
    const Scene s = read(std::string("{") + kBoxes +
                         R"("glue": [{ "kind": "weld", "a": { "body": "top" }, "b": { "body": "low" } },
{ "kind": "distance", "a": { "body": "top" }, "b": { "body": "low" } }]})");
    for (const Anchor* anchor : {&s.world.glues[0].a, &s.world.glues[0].b})
        EXPECT_LT((place(s, *anchor) - Vec3d{0.25, 0.6, 0.1}).norm(), 1e-4);
    EXPECT_LT((place(s, s.world.glues[1].a) - Vec3d{0.25, 0.7, 0.1}).norm(), 1e-4);
    EXPECT_LT((place(s, s.world.glues[1].b) - Vec3d{0.25, 0.5, 0.1}).norm(), 1e-4);
    EXPECT_NEAR(s.world.glues[1].length, 0.2, 1e-5);
}

TEST(SceneGlueNearest, FindsTheNearestPointsOfAnyKinds)
{
    const Scene s = read(R"({
"solids": [{ "name": "ball", "shape": { "kind": "sphere", "radius": 0.2, "spacing": 0.05 }, "position": [0, 1, 0] }],
"cloths": [{ "name": "sheet", "shape": { "size": [1, 1], "cells": [10, 10] } }],
"rods": [{ "name": "rope", "shape": { "kind": "line", "from": [0, 1.5, 0], "to": [0, 3, 0], "edges": 10 } }]})");
    const BodyRef ball = s.world.solids.id_at(0), sheet = s.world.cloths.id_at(0), rope = s.world.rods.id_at(0);
    const ClosestPoints down = closest_points(s.world, ball, sheet);
    EXPECT_NEAR(down.distance, 0.8, 0.01);
    EXPECT_NEAR(down.a.y, 0.8, 0.01);
    EXPECT_LT(std::hypot(down.a.x, down.a.z), 0.06);
    const ClosestPoints up = closest_points(s.world, rope, ball), back = closest_points(s.world, ball, rope);
    EXPECT_NEAR(up.distance, 0.3 - 0.005, 0.01);
    EXPECT_LT((up.a - Vec3d{0, 1.5, 0}).norm(), 1e-5);
    EXPECT_LT((up.a - back.b).norm() + (up.b - back.a).norm(), 1e-6) << "whichever comes first";
    EXPECT_THROW(closest_points(s.world, ball, ColliderId{}), InputError);
}

TEST(SceneGlueCopies, JoinNeighboursToAChainThatHolds)
{
    Scene s = read(R"({ "rigids": [{ "name": "link", "shape": { "kind": "capsule", "radius": 0.02, "height": 0.1 },
  "rotation": [0, 0, 90], "array": { "count": [12, 1, 1], "spacing": [0.15, 0, 0] }, "density": 1000 }],
"glue": [{ "name": "joint", "a": { "body": "link-*" }, "b": { "body": "link-*" } },
         { "name": "hook", "a": { "body": "link-0" }, "b": {}, "at": [-0.07, 0, 0] }]})");
    ASSERT_EQ(s.world.glues.size(), 12u);
    EXPECT_EQ(s.world.glues[0].name, "joint-0");
    EXPECT_EQ(s.world.glues[10].name, "joint-10");
    for (int k = 0; k < 11; ++k) {
        EXPECT_EQ(s.world.glues[k].a.body, k);
        EXPECT_EQ(s.world.glues[k].b.body, k + 1);
        EXPECT_LT((place(s, s.world.glues[k].a) - Vec3d{0.15 * k + 0.075, 0, 0}).norm(), 1e-3);
    }
    run(s, 60);
    EXPECT_LT(largest_gap(s), 1e-4);
    EXPECT_LT(s.world.rigid_bodies->pose[11].x.y, -0.5);
}

TEST(SceneGlueCopies, MoveTheirPlacesAlong)
{
    const std::string bodies = R"("cloths": [{ "name": "flag", "shape": { "size": [1, 1], "cells": [4, 4] },
  "array": { "count": [3, 1, 1], "spacing": [2, 0, 0] } }],
"rods": [{ "name": "pole", "shape": { "kind": "line", "from": [-0.6, 0, -0.5], "to": [-0.6, 0, 0.5], "edges": 4 },
  "array": { "count": [3, 1, 1], "spacing": [2, 0, 0] }, "pins": [{ "at": [-0.6, 0, -0.5] }] }],
)";
    const Scene s = read("{" + bodies + R"("glue": [
{ "name": "top", "a": { "body": "flag-*" }, "b": { "body": "pole-*" }, "at": [-0.5, 0, -0.5] },
{ "name": "wire", "a": { "body": "flag-*", "low": [0.2, -1, -1], "high": [0.6, 1, 1] }, "b": {} }]})");
    ASSERT_EQ(s.world.glues.size(), 6u);
    for (int k = 0; k < 3; ++k) {
        EXPECT_LT((place(s, s.world.glues[k].b) - Vec3d{2.0 * k - 0.5, 0, -0.5}).norm(), 1e-5);
        EXPECT_TRUE(s.world.cloths[k].particles.contains(s.world.glues[k].a.parents[0]));
        EXPECT_LT((place(s, s.world.glues[3 + k].a) - Vec3d{2.0 * k + 0.375, 0, 0}).norm(), 1e-5)
            << "the box moves too";
    }
    EXPECT_EQ(s.world.drivers->pins.size(), 3u);
    expect_error("{" + bodies + R"("glue": [{ "a": { "body": "flag-*" }, "b": { "body": "pole-1*" } }]})",
                 "s.json:5: glue/0/b/body: ", "means 1 bodies, but \"flag-*\" 3");
    expect_error("{" + bodies + R"("glue": [{ "a": { "body": "flog-*" }, "b": { "body": "pole-1" } }]})",
                 "s.json:5: glue/0/a/body: ", "there is no");
    expect_error("{" + bodies + R"("glue": [{ "a": { "body": "pole-1*" }, "b": { "body": "pole-1*" } }]})",
                 "s.json:5: glue/0/a/body: ", "one body alone");
}

TEST(SceneGlueEach, GluesEveryParticleAtItsPlace)
{
    const std::string bodies = R"("cloths": [{ "name": "skirt", "shape": { "size": [1, 1], "cells": [8, 8] } }],
"rigids": [{ "name": "hip", "shape": { "kind": "box", "size": [1, 0.1, 0.2] }, "position": [0, 0, -0.55], "hold": {} }],
)";
    Scene s = read("{" + bodies + R"("glue": [{ "name": "hem", "each": true, "b": { "body": "hip" },
"a": { "body": "skirt", "low": [-1, -1, -0.6], "high": [1, 1, -0.45] } }]})");
    ASSERT_EQ(s.world.glues.size(), 9u);
    for (const Glue& glue : s.world.glues) {
        ASSERT_EQ(glue.a.parents.size(), 1u);
        EXPECT_LT((place(s, glue.a) - place(s, glue.b)).norm(), 1e-6);
    }
    run(s, 30);
    EXPECT_LT(largest_gap(s), 1e-4);
    expect_error("{" + bodies + R"("glue": [{ "each": true, "a": { "body": "skirt" }, "b": { "body": "hip" } }]})",
                 "s.json:3: glue/0/each: ", "of which particles?");
    expect_error("{" + bodies + R"("glue": [{ "each": true, "at": [0, 0, 0], "a": { "body": "skirt", "particles": [1] },
"b": { "body": "hip" } }]})",
                 "s.json:3: glue/0/each: ", "at its own place");
    expect_error("{" + bodies + R"("glue": [{ "a": { "body": "skirt", "particles": [1], "low": [0, 0, 0],
"high": [1, 1, 1] }, "b": { "body": "hip" } }]})",
                 "s.json:3: glue/0/a/low: ", "beside particles");
}

constexpr const char* kHead = R"("rigids": [{ "name": "head", "shape": { "kind": "sphere", "radius": 0.1 },
  "position": [0, 2, 0], "mass": 4, "angular_velocity": [0, 4, 0] }],
"forces": { "gravity": [0, 0, 0] },
)";

TEST(SceneRodRoots, MoveWithTheBodyAndKeepItsMomentum)
{
    Scene s = read(std::string("{") + kHead +
                   R"("rods": [{ "name": "hair", "roots": "head", "position": [0, 2, 0], "radius": 0.001,
"shape": { "kind": "hair", "radius": 0.1, "count": 30, "edges": 6, "length": 0.12 } }]})");
    ASSERT_EQ(s.world.glues.size(), 30u);
    EXPECT_EQ(s.world.glues[7].name, "hair-root-7");
    EXPECT_TRUE(s.world.drivers->pins.empty()) << "the head holds the roots, not the world";
    const double before = static_cast<double>(s.world.rigid_bodies->spin[0].y);
    run(s, 60);
    EXPECT_LT(largest_gap(s), 1e-4);
    const double spin = static_cast<double>(s.world.rigid_bodies->spin[0].y);
    EXPECT_GT(spin, 0.5 * before);
    EXPECT_LT(spin, before) << "the hair has to be turned as well";
    expect_error(
        std::string("{") + kHead + R"("rods": [{ "name": "hair", "roots": "haed", "shape": { "kind": "hair" } }]})",
        "s.json:4: rods/0/roots: ", "did you mean \"head\"?");
    expect_error(
        std::string("{") + kHead + R"("rods": [{ "name": "hair", "roots": "hair", "shape": { "kind": "hair" } }]})",
        "s.json:4: rods/0/roots: ", "the rod itself");
}

TEST(SceneRodClamps, HoldToABodyAndLetGo)
{
    const std::string rod = R"("rods": [{ "name": "arm", "youngs_modulus": 1e9,
"shape": { "kind": "line", "from": [0, 2, 0], "to": [1, 2, 0], "edges": 10 }, "clamps": [)";
    Scene s = read("{" + rod + R"({ "release": 0.5 }, { "end": "end", "body": "weight" }] }],
"rigids": [{ "name": "weight", "shape": { "kind": "sphere", "radius": 0.05 }, "position": [1, 2, 0], "mass": 0.05 }]})");
    ASSERT_EQ(s.world.glues.size(), 2u);
    EXPECT_EQ(s.world.glues[0].name, "arm-clamp-0");
    run(s, 25);
    EXPECT_LT((place(s, s.world.glues[0].a) - Vec3d{0, 2, 0}).norm(), 1e-4) << "held";
    EXPECT_LT(largest_gap(s), 1e-4);
    run(s, 40);
    EXPECT_FALSE(s.world.glues[0].on);
    EXPECT_LT(place(s, s.world.glues[0].a).y, 1.8) << "let go";
    EXPECT_LT((place(s, s.world.glues[1].a) - place(s, s.world.glues[1].b)).norm(), 1e-4);
    expect_error("{" + rod + R"({ "body": "weight", "motion": { "keys": [{ "time": 1 }] } }] }], "rigids": [
{ "name": "weight", "shape": { "kind": "sphere", "radius": 0.05 } }]})",
                 "s.json:2: rods/0/clamps/0/motion: ", "remove motion or body");
}

}  // namespace
}  // namespace pliant

// Pieces of a scene that are added to a World on its way.

#include "pliant/snapshot/snapshot.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#include "scene/scene_texts.h"

namespace pliant {
namespace {

using namespace testing_scenes;

const char* const kAddedSheet = R"({"cloths": [{"name": "sheet", "shape": {"kind": "rectangle", "cells": [4, 4]}}]})";

TEST(ExtendWorld, AddsWhatTheSceneWouldHaveHad)
{
    const std::string glue = R"("glue": [{"a": {"body": "sheet"}, "b": {"body": "box"}, "at": [0.5, 0, 0.5]}])";
    const std::string box = R"("rigids": [{"name": "box", "shape": {"kind": "box"}, "position": [1.1, 0, 0.5]}])";
    World world = read(kAddedSheet).world;
    extend_world(world, "{" + box + "}", "more");
    extend_world(world, "{" + glue + R"(, "forces": {"wind": [1, 0, 0]}})", "more");
    Scene whole = read(R"({"cloths": [{"name": "sheet", "shape": {"kind": "rectangle", "cells": [4, 4]}}],)" + box +
                       "," + glue + R"(, "forces": {"wind": [1, 0, 0]}})");
    for (int frame = 0; frame < 5; ++frame) {
        Solver().step(world);
        Solver().step(whole.world);
    }
    EXPECT_EQ(hash_state(world), hash_state(whole.world));
}

TEST(ExtendWorld, AFailureAddsNothing)
{
    World world = read(kAddedSheet).world;
    const std::string before = write_snapshot(world);
    for (const char* text :
         {R"({"rigids": [{"name": "box", "shape": {"kind": "box"}}], "glue": [{"a": {"body": "x"}, "at": [0, 0, 0]}]})",
          R"({"cloths": [{"shape": {"kind": "rectangle"}, "pins": [{"low": [8, 8, 8], "high": [9, 9, 9]}]}]})",
          R"({"cloths": [{"name": "sheet", "shape": {"kind": "rectangle"}}], "forces": {"wind": [9, 0, 0]}})"}) {
        EXPECT_THROW(extend_world(world, text, "more"), InputError) << text;
        EXPECT_EQ(world.cloths.size(), 1U);
        EXPECT_TRUE(world.rigids.empty());
        EXPECT_EQ(world.particles->size(), 25);
        EXPECT_EQ(world.forces->wind.x, 0);
    }
    World same = read_snapshot(before);
    Solver().step(world);
    Solver().step(same);
    EXPECT_EQ(hash_state(world), hash_state(same));
}

TEST(ExtendWorld, NamesThatAreNotGivenAreNotTaken)
{
    World world;
    for (int i = 0; i < 3; ++i)
        extend_world(world, R"({"rigids": [{"shape": {"kind": "box"}}, {"shape": {"kind": "box"}}]})", "more");
    EXPECT_EQ(world.rigids.size(), 6U);
    EXPECT_EQ(world.rigids.back().name, "rigid-5");
}

}  // namespace
}  // namespace pliant

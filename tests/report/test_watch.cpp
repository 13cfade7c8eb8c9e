#include "pliant/report/watch.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// All that a watch says about a run.
std::vector<std::string> watched(const std::string& text, int frames, const std::vector<std::string>& sets = {})
{
    Scene scene = read_scene_text(text, "test", ".", sets);
    Watch watch(scene.world);
    Solver solver;
    std::vector<std::string> said;
    for (int frame = 1; frame <= frames; ++frame) {
        solver.step(scene.world);
        for (const std::string& line : watch.look(frame, scene.world)) said.push_back(line);
    }
    EXPECT_EQ(watch.summary().size(), said.size()) << "each thing is said once";
    return said;
}

const std::string kHanging = R"({"cloths": [{"name": "sheet", "shape": {"cells": [30, 30]}, "rotation": [90, 0, 0],
                                 "pins": [{"at": [-0.5, 0.5, 0]}, {"at": [0.5, 0.5, 0]}]}]})";

TEST(Watch, SaysNothingOfARunThatHolds) { EXPECT_EQ(watched(kHanging, 60), std::vector<std::string>()); }

TEST(Watch, NamesTheBodyThatStretchesAndTheRemedy)
{
    const std::vector<std::string> said =
        watched(kHanging, 60, {"cloths.sheet.fibres=\"none\"", "settings.substeps=1", "settings.iterations=1"});
    ASSERT_FALSE(said.empty());
    EXPECT_NE(said[0].find("cloth \"sheet\": strain"), std::string::npos) << said[0];
    EXPECT_NE(said[0].find("substeps"), std::string::npos) << said[0];
}

const std::string kThrown =
    R"("rigids": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.2}}],
    "cloths": [{"name": "sheet", "shape": {"size": [1, 1], "cells": [8, 8]}, "position": [0, 0.6, 0], "velocity": [0, -3, 0]}]})";

TEST(Watch, SaysNothingOfBodiesThatTouch) { EXPECT_EQ(watched("{" + kThrown, 30), std::vector<std::string>()); }

TEST(Watch, NamesGlueThatOpens)
{
    // Nothing holds it: without iterations the glue does nothing.
    const std::vector<std::string> said = watched(
        R"({"settings": {"iterations": 0}, "rigids": [{"name": "a", "shape": {"kind": "box"}}],
            "glue": [{"name": "hook", "a": {"body": "a"}, "b": {}, "at": [0, 0.5, 0]}]})",
        60);
    ASSERT_FALSE(said.empty());
    EXPECT_NE(said[0].find("glue \"hook\": gap"), std::string::npos) << said[0];
}

TEST(Watch, NoticesEnergyOutOfNothing)
{
    Scene scene = read_scene_text(
        R"({"rigids": [{"name": "a", "shape": {"kind": "box"}, "velocity": [1, 0, 0]}], "forces": {"gravity": [0, 0, 0]}})",
        "test");
    Watch watch(scene.world);
    EXPECT_TRUE(watch.look(6, scene.world).empty());
    place_rigid(scene.world, scene.world.rigids.id_at(0), {.velocity = {2, 0, 0}});
    const std::vector<std::string> said = watch.look(12, scene.world);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("rigid body \"a\": unexplained energy gain"), std::string::npos) << said[0];
}

}  // namespace
}  // namespace pliant

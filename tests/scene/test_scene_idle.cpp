// Warnings about what a scene says to no effect.

#include "messages.h"
#include "pliant/files/atomic_file.h"
#include "scene/scene_texts.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

class SceneIdle : public FolderTest {
  protected:
    SceneIdle() : FolderTest("scene_idle") { std::filesystem::create_directories(folder_); }

    /// The only warning about a scene, or nothing.
    std::string warning(const std::string& text, const Sets& sets = {}) const
    {
        const std::vector<std::string> warnings = find_warnings(read(text, sets, folder_.string()));
        EXPECT_LE(warnings.size(), 1u);
        return warnings.empty() ? "" : warnings[0];
    }
};

constexpr const char* kCubeShape = R"({"kind": "box", "spacing": 0.25})";
constexpr const char* kRopeShape = R"({"kind": "line", "edges": 5})";
constexpr const char* kSheetShape = R"({"size": [1, 1], "cells": [4, 4]})";

TEST_F(SceneIdle, TheStrainLimitNeedsIterations)
{
    const std::string text = one_body("solids", kCubeShape, "\"gamma\": 0.2");
    EXPECT_EQ(warning(text), "");
    EXPECT_PRED2(says, warning(text, {"settings.iterations=0"}), "s.json:3: solids/0/gamma: has no effect");
    EXPECT_EQ(warning(one_body("solids", kCubeShape, ""), {"settings.iterations=0"}), "") << "nothing was said";
}

TEST_F(SceneIdle, AModulusTakesThePlaceOfBendAndTwist)
{
    const std::string text = one_body("rods", kRopeShape, "\"bend\": 0.2");
    EXPECT_EQ(warning(text), "");
    EXPECT_PRED2(says, warning(text, {"rods.a.youngs_modulus=1e6"}), "s.json:3: rods/0/bend: has no effect beside");
    EXPECT_PRED2(says, warning(one_body("rods", kRopeShape, "\"youngs_modulus\": 1e6"), {"rods.a.twist=0.5"}),
                 "s.json:--set: rods/0/twist: has no effect beside");
}

std::string with_glue(const std::string& glue, const std::string& rod = kRopeShape)
{
    return fmt::format(R"({{"solids": [{{"name": "block", "shape": {}}}], "rods": [{{"name": "rope", "shape": {}}}],
"rigids": [{{"name": "ball", "shape": {{"kind": "sphere"}}, "position": [0, 3, 0]}}],
"glue": [
{}]}})",
                       kCubeShape, rod, glue);
}

TEST_F(SceneIdle, AGlueNeedsTwoSides)
{
    const std::string one = R"({"a": {"body": "block"}, "at": [0, 0.5, 0]})";
    EXPECT_PRED2(says, warning(with_glue(one)), "s.json:4: glue/0/b: is missing");
    EXPECT_EQ(warning(with_glue(R"({"a": {"body": "block"}, "b": {}, "at": [0, 0.5, 0]})")), "");
}

TEST_F(SceneIdle, AGlueBetweenHeldBodiesHoldsNothing)
{
    const std::string text = with_glue(R"({"a": {"body": "rope", "particles": [0]}, "b": {"body": "ball"}})");
    const std::string pin = R"(rods.rope.pins=[{"particles": [0]}])";
    EXPECT_EQ(warning(text), "");
    EXPECT_EQ(warning(text, {pin}), "");
    EXPECT_PRED2(says, warning(text, {pin, "rigids.ball.hold={}"}), "s.json:4: glue/0: has no effect: both sides");
    EXPECT_EQ(warning(text, {pin, R"(rigids.ball.hold={"release": 1})"}), "") << "it is let go later";
    EXPECT_EQ(warning(text, {R"(rods.rope.pins=[{"particles": [0], "release": 1}])", "rigids.ball.hold={}"}), "");
}

TEST_F(SceneIdle, AWeldTakesOneStrandOfHair)
{
    const std::string weld = R"({"kind": "weld", "a": {"body": "rope"}, "b": {"body": "ball"}, "at": [0, 0.5, 0]})";
    EXPECT_EQ(warning(with_glue(weld)), "");
    const std::string bundle = R"({"kind": "bundle", "count": 3, "radius": 0.1, "edges": 5})";
    EXPECT_PRED2(says, warning(with_glue(weld, bundle)), "s.json:4: glue/0: the weld holds strand");
    EXPECT_EQ(warning(with_glue(R"({"kind": "point", "a": {"body": "rope"}, "b": {}, "at": [0, 0.1, 0]})", bundle)),
              "");
}

TEST_F(SceneIdle, AVertexIsPinnedOnce)
{
    const auto pinned = [&](const char* list, const char* shape, const std::string& more) {
        return warning(one_body(list, shape, more));
    };
    EXPECT_EQ(pinned("cloths", kSheetShape, R"("pins": [{"particles": [3, 4]}, {"particles": [5]}])"), "");
    EXPECT_PRED2(
        says, pinned("cloths", kSheetShape, R"("pins": [{"particles": [3, 4]}, {"particles": [4]}])"),
        "s.json:3: cloths/0/pins: 1 particle is held more than once (by pins, clamps or as roots of hair), the "
        "first at number 4");
    EXPECT_PRED2(says, pinned("rods", kRopeShape, R"("clamps": [{"end": "start"}], "pins": [{"particles": [0]}])"),
                 "rods/0/pins: 1 particle is held more than once");
    EXPECT_PRED2(
        says,
        pinned(
            "solids", kCubeShape,
            R"("pins": [{"particles": [1]}, {"particles": [1]}], "array": {"count": [2, 1, 1], "spacing": [2, 2, 2]})"),
        "solids/0/pins: 1 particle is held more than once");
}

TEST_F(SceneIdle, AClothIsThinnerThanItsTrianglesAreWide)
{
    EXPECT_EQ(warning(one_body("cloths", kSheetShape, "\"thickness\": 0.2")), "");
    EXPECT_PRED2(says, warning(one_body("cloths", kSheetShape, "\"thickness\": 0.4")),
                 "s.json:3: cloths/0/thickness: 0.4 m is more than the mean edge length of 0.2");
}

TEST_F(SceneIdle, AnOpenMeshIsNotFilledInSilence)
{
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n", faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\n";
    write_file((folder_ / "closed.obj").string(), points + faces + "f 3 1 4\n");
    write_file((folder_ / "open.obj").string(), points + faces);
    const auto filled = [](const char* file) {
        return one_body("solids", fmt::format(R"({{"kind": "mesh", "count": 200, "file": "{}"}})", file), "");
    };
    EXPECT_EQ(warning(filled("closed.obj")), "");
    EXPECT_PRED2(says, warning(filled("open.obj")), "s.json:2: solids/0/shape/file: is not closed: 3 edges");
}

}  // namespace
}  // namespace pliant

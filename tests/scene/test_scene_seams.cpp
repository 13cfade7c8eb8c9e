// Seams in scene files: what they build, and what is said of those that cannot be built.

#include "scene/scene_texts.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

std::string scene_with(const std::string& seam)
{
    return fmt::format(R"({{
"solids": [{{ "name": "block", "shape": {{ "kind": "box", "spacing": 0.2 }} }}],
"cloths": [{{ "name": "front", "shape": {{ "size": [1, 1], "cells": [8, 8] }}, "position": [0, 0.3, 0] }},
{{ "name": "back", "shape": {{ "size": [1, 1], "cells": [8, 8] }}, "position": [0, 0, 0] }},
{{ "name": "ball", "shape": {{ "kind": "sphere", "radius": 0.3, "divisions": 4 }}, "position": [3, 0, 0] }}],
"seams": [
{}
]
}})",
                       seam);
}

TEST(SceneSeams, SewBordersInABox)
{
    const Scene s = read(scene_with(R"({ "name": "side", "match": "along", "gap": 0.005, "closing": 0.5,
  "a": { "body": "front", "low": [0.49, 0, -1], "high": [0.51, 1, 1] },
  "b": { "body": "back", "low": [0.49, -1, -1], "high": [0.51, 1, 1] } },
{ "a": { "body": "front", "particles": [0, 80] }, "b": { "body": "ball", "part": "all" }, "stiffness": 20 })"));
    ASSERT_EQ(s.world.glues.size(), 9U + 2U);
    EXPECT_EQ(s.world.glues[0].name, "side-0");
    EXPECT_EQ(s.world.glues[0].params.closing, 0.5);
    EXPECT_EQ(s.world.glues[0].b.parents.size(), 3U) << "off the surface by a gap";
    EXPECT_EQ(s.world.glues[10].name, "seam-1-1");
    EXPECT_EQ(s.world.glues[10].params.stiffness, 20);
}

TEST(SceneSeams, NameTheKeyAndTheRemedy)
{
    expect_error(scene_with(R"({ "a": { "body": "fornt" }, "b": { "body": "back" } })"),
                 "s.json:7: seams/0/a/body: ", "did you mean \"front\"?");
    expect_error(scene_with(R"({ "a": { "body": "front" }, "b": {} })"), "s.json:7: seams/0/b/body: ", "name a cloth");
    expect_error(scene_with(R"({ "a": { "body": "front" }, "b": { "body": "block" } })"),
                 "s.json:7: seams/0/b/body: ", "use glue");
    expect_error(scene_with(R"({ "a": { "body": "front" }, "b": { "body": "ball" } })"),
                 "s.json:7: seams/0/b: ", "is closed and has no border");
    expect_error(scene_with(R"({ "a": { "body": "front", "low": [0, 0, 0] }, "b": { "body": "back" } })"),
                 "s.json:7: seams/0/a: ", "needs both low and high");
    expect_error(
        scene_with(R"({ "a": { "body": "front", "low": [5, 5, 5], "high": [6, 6, 6] }, "b": { "body": "back" } })"),
        "s.json:7: seams/0/a: ", "catches no vertex of the border");
    expect_error(
        scene_with(R"({ "a": { "body": "front", "low": [5, 5, 5], "particles": [1] }, "b": { "body": "back" } })"),
        "s.json:7: seams/0/a/particles: ", "keep one of them");
    expect_error(scene_with(R"({ "a": { "body": "front" }, "b": { "body": "back" }, "reach": 0.01 })"),
                 "s.json:7: seams/0: ", "the nearest vertex is 0.3 m away");
    expect_error(scene_with(R"({ "a": { "body": "front" }, "b": { "body": "front" } })"),
                 "s.json:7: seams/0: ", "is on both sides");
}

}  // namespace
}  // namespace pliant

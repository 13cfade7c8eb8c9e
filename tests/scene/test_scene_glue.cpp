// Glue in scene files: what it builds, and what is said of that which cannot be built.

#include "messages.h"
#include "pliant/json/fields_json.h"
#include "pliant/report/stats.h"
#include "pliant/solver/solver.h"
#include "scene/scene_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

/// A scene with one body of each kind and the given glue.
std::string scene(const std::string& glue)
{
    return fmt::format(R"({{
"settings": {{ "substeps": 4 }},
"solids": [{{ "name": "block", "shape": {{ "kind": "box", "size": [0.4, 0.4, 0.4], "spacing": 0.1 }} }}],
"cloths": [{{ "name": "sheet", "shape": {{ "size": [1, 1], "cells": [8, 8] }}, "position": [0, 0.3, 0] }}],
"rods": [{{ "name": "rope", "shape": {{ "kind": "line", "from": [0, 1, 0], "to": [0, 2, 0], "edges": 5 }} }}],
"rigids": [{{ "name": "ball", "shape": {{ "kind": "sphere", "radius": 0.1 }}, "position": [0, 3, 0] }}],
"glue": [
{}
]
}})",
                       glue);
}

TEST(SceneGlue, AnchorsEveryKind)
{
    const Scene s = read(scene(R"({ "a": { "body": "block" }, "b": { "body": "sheet" }, "at": [0, 0.2, 0] },
{ "name": "top", "a": { "body": "rope" }, "b": {}, "at": [0, 2, 0] },
{ "a": { "body": "rope", "at": [0, 1.1, 0] }, "b": { "body": "ball", "at": [0, 2.9, 0] }, "kind": "weld" },
{ "a": { "body": "sheet", "particles": [0] }, "b": { "motion": { "keys": [{ "time": 1 }] } }, "stiffness": 50,
  "damping": 1, "break_force": 20, "keys": [{ "time": 1, "on": false }] })"));
    const BodyList<Glue>& glues = s.world.glues;
    ASSERT_EQ(glues.size(), 4u);
    EXPECT_EQ(glues[0].name, "glue-0");
    EXPECT_GE(glues[0].a.parents.size(), 4u);
    EXPECT_GE(glues[0].b.parents.size(), 4u);
    EXPECT_EQ(glues[1].name, "top");
    EXPECT_EQ(glues[1].a.parents.size(), 1u) << "the end of the rope";
    EXPECT_EQ(glues[1].b.kind, AnchorKind::motion);
    EXPECT_EQ(glues[2].a.parents.size(), 3u) << "an edge and its ghost";
    EXPECT_EQ(glues[2].b.body, 0);
    EXPECT_EQ(glues[3].a.parents, std::vector{s.world.cloths[0].particles.first});
    EXPECT_EQ(glues[3].params.stiffness, 50);
    EXPECT_TRUE(find_warnings(s).empty());
}

TEST(SceneGlue, BindsLinearlyByWeights)
{
    const Scene s = read(scene(R"({ "a": { "body": "rope", "particles": [0, 5], "weights": [2, -1] }, "b": {} })"));
    const Glue& glue = s.world.glues[0];
    const Vec3d at = place_of(glue.a, 0, s.world.particles, s.world.rigid_bodies);
    EXPECT_LT((at - Vec3d{0, 0, 0}).norm(), 1e-6) << "as far before the start as the end is behind it";
    EXPECT_LT((glue.b.point - at).norm(), 1e-6) << "the other side is there too";
    EXPECT_FALSE(glue.a.oriented);
    expect_error(scene(R"({ "a": { "body": "rope", "particles": [0, 5], "weights": [2, 1] }, "b": {} })"),
                 "s.json:8: glue/0/a: ", "sum of 3");
    expect_error(scene(R"({ "a": { "body": "rope", "particles": [0, 5], "weights": [1] }, "b": {} })"),
                 "s.json:8: glue/0/a: ", "1 weights for 2 particles");
    expect_error(scene(R"({ "a": { "body": "rope", "weights": [1] }, "b": {} })"),
                 "s.json:8: glue/0/a/weights: ", "give particles too");
    expect_error(
        scene(R"({ "a": { "body": "rope", "particles": [0, 5], "weights": [2, -1], "at": [0, 1, 0] }, "b": {} })"),
        "s.json:8: glue/0/a/at: ", "remove at or weights");
}

TEST(SceneGlue, WarnsOfConflictsAndRefusesCircles)
{
    const std::string conflict =
        R"({ "name": "left", "a": { "body": "rope", "particles": [0] }, "b": { "at": [-1, 1, 0] } },
{ "name": "right", "a": { "body": "rope", "particles": [0] }, "b": { "at": [1, 1, 0] } })";
    const std::vector<std::string> warnings = find_warnings(read(scene(conflict)));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_PRED2(says, warnings[0], "glue left, right: they bind the same particle");
    expect_error(
        scene(
            R"({ "name": "there", "a": { "body": "sheet", "particles": [0] }, "b": { "body": "block", "particles": [0, 1, 4, 5] } },
{ "name": "back", "a": { "body": "block", "particles": [0] }, "b": { "body": "sheet", "particles": [0, 1, 9] } })"),
        "s.json:9: glue/1: ", "in a circle with \"there\"");
}

TEST(SceneGlue, NamesTheKeyAndTheRemedy)
{
    expect_error(scene(R"({ "a": { "body": "blok" }, "b": {}, "at": [0, 0, 0] })"),
                 "s.json:8: glue/0/a/body: ", "did you mean \"block\"?");
    expect_error(scene(R"({ "a": { "body": "block" }, "b": {} })"), "s.json:8: glue/0: ", "give at");
    expect_error(scene(R"({ "a": { "body": "block", "particles": [9999] }, "b": {} })"),
                 "s.json:8: glue/0/a/particles: ", "no particle 9999");
    expect_error(scene(R"({ "a": { "body": "ball", "particles": [0] }, "b": {} })"),
                 "s.json:8: glue/0/a/particles: ", "is rigid");
    expect_error(scene(R"({ "a": { "body": "rope", "particles": [0, 1, 2] }, "b": {} })"),
                 "s.json:8: glue/0/a: ", "lie on a line");
    expect_error(scene(R"({ "a": {}, "b": {}, "at": [0, 0, 0] })"), "s.json:8: glue/0: ", "neither side can move");
    expect_error(scene(R"({ "a": { "body": "ball" }, "b": {}, "at": [0, 3, 0], "damping": 1 })"),
                 "s.json:8: glue/0: ", "needs a stiffness");
    expect_error(scene(R"({ "a": { "body": "ball", "motion": {} }, "b": {}, "at": [0, 3, 0] })"),
                 "s.json:8: glue/0/a/motion: ", "remove motion or body");
    expect_error(scene(R"({ "a": { "body": "ball" }, "b": {}, "at": [0, 3, 0], "stifness": 1 })"),
                 "s.json:8: ", "did you mean \"stiffness\"?");
    expect_error(scene(R"({ "a": { "body": "ball" }, "b": {}, "at": [0, 3, 0],
"keys": [{ "time": 1 }, { "time": 1 }] })"),
                 "s.json:8: glue/0: ", "in order of time");
}

TEST(SceneGlue, PutsEventsForcesAndWorkIntoTheStatistics)
{
    Scene s = read(scene(R"({ "name": "hook", "a": { "body": "ball" }, "b": {}, "at": [0, 3.1, 0],
"keys": [{ "time": 0.1, "on": false }] })"));
    Stats stats(s.world);
    Solver solver;
    for (int frame = 1; frame <= 10; ++frame) {
        const StepReport report = solver.step(s.world);
        stats.add(frame, s.world, {.phases = solver.profile, .contacts = report.contacts, .events = report.events});
    }
    const Json json = Json::parse(stats.text());
    EXPECT_EQ(json["counts"]["glues"], 1);
    Json events = Json::array();
    for (const Json& frame : json["frames"])
        for (const Json& event : frame["events"]) events.push_back(event);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0]["what"], "released");
    EXPECT_EQ(events[0]["glue"], "hook");
    EXPECT_NEAR(events[0]["time"].get<double>(), 0.1, 0.005);
    const double weight = 9.81 * static_cast<double>(s.world.rigid_bodies->mass[0]);
    EXPECT_NEAR(json["frames"][3]["glue"]["hook"]["force"].get<double>(), weight, 0.02 * weight);
    EXPECT_FALSE(json["frames"][9]["glue"]["hook"]["on"].get<bool>());
}

}  // namespace
}  // namespace pliant

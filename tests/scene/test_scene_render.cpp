// Meshes that bodies of a scene carry for display.

#include "pliant/render/frame.h"
#include "pliant/solver/solver.h"
#include "scene/scene_texts.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

const char* const kCage = R"({ "kind": "box", "size": [1, 1, 1], "spacing": 0.25 })";

TEST(SceneRender, IsShownInPlaceOfTheBody)
{
    const std::string render = R"("render": { "kind": "sphere", "radius": 0.9, "divisions": 6 })";
    for (const std::string& text :
         {one_body("solids", kCage, render), one_body("cloths", R"({ "size": [1, 1], "cells": [6, 6] })", render)}) {
        Scene scene = read(text);
        Frame frame;
        update_frame(scene.world, 0, frame);
        ASSERT_EQ(frame.layers.size(), 1U);
        ASSERT_EQ(frame.layers[0].points.size(), 6U * 6 * 6 + 2);
        ASSERT_EQ(frame.layers[0].triangles->size(), 12U * 6 * 6);
        for (const Vec3& x : frame.layers[0].points) EXPECT_NEAR(double(x.norm()), 0.9, 1e-5);
        Solver solver;
        for (int f = 0; f < 30; ++f) solver.step(scene.world);
        const Real before = frame.layers[0].points[0].y;
        update_frame(scene.world, 30, frame);
        EXPECT_NEAR(double(before - frame.layers[0].points[0].y), 9.81 / 2 * 0.25, 0.05) << "it falls along";
    }
}

TEST(SceneRender, IsScaledTurnedAndStretchedWithTheBody)
{
    Scene scene = read(one_body("solids", kCage,
                                R"("scale": 2, "position": [0, 5, 0], "stretch": [2, 1, 1],
"render": { "kind": "box", "size": [0.5, 0.5, 0.5], "divisions": 2 })"));
    Frame frame;
    update_frame(scene.world, 0, frame);
    Real left = 0, right = 0, low = 9, high = 0;
    for (const Vec3& x : frame.layers[0].points) {
        left = std::min(left, x.x);
        right = std::max(right, x.x);
        low = std::min(low, x.y);
        high = std::max(high, x.y);
    }
    EXPECT_NEAR(double(right - left), 2, 1e-4) << "half a metre, scaled and stretched by two";
    EXPECT_NEAR(double(high - low), 1, 1e-4);
    EXPECT_NEAR(double(high + low), 10, 1e-4);
}

TEST(SceneRender, NamesTheKeyAndTheRemedy)
{
    const auto solid = [](const char* render) {
        return one_body("solids", kCage, std::string("\"render\": ") + render);
    };
    expect_error(solid(R"({ "kind": "points", "points": [[0, 0, 0]] })"),
                 "s.json:3: solids/0/render/kind: ", "is no surface");
    expect_error(solid(R"({ "kind": "sphere", "spacing": 0.1 })"),
                 "s.json:3: solids/0/render/spacing: ", "means nothing for the kind \"sphere\"");
    expect_error(solid(R"({ "kind": "mesh", "file": "no.obj" })"),
                 "s.json:3: solids/0/render/file: ", "there is no file no.obj");
    expect_error(one_body("cloths", R"({ "size": [1, 1] })", R"("render": { "kind": "mesh" })"),
                 "s.json:3: cloths/0/render/file: ", "is missing");
}

}  // namespace
}  // namespace pliant

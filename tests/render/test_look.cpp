#include "pliant/base/check.h"
#include "pliant/render/look.h"
#include "pliant/render/paint.h"
#include "pliant/scene/scene.h"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

TEST(CameraKeys, PathGoesThroughItsKeysWithoutAJump)
{
    const std::vector<CameraKey> keys = {
        {1, {0, 1, 5}, {0, 0, 0}, 30}, {2, {3, 1, 4}, {1, 0, 0}, 40}, {4, {5, 2, 0}, {1, 1, 0}, 20}};
    for (const CameraKey& key : keys) {
        const Camera at = camera_at(keys, key.time);
        EXPECT_LT((at.eye - key.position).norm() + (at.target - key.target).norm(), 1e-9);
        EXPECT_NEAR(at.field_of_view, key.fov * std::numbers::pi / 180, 1e-9);
    }
    EXPECT_EQ(camera_at(keys, -3).eye, keys.front().position);
    EXPECT_EQ(camera_at(keys, 30).eye, keys.back().position);
    const double h = 1e-4;
    for (double t = 0.5; t < 4.5; t += 0.01) {  // neither a jump nor a kink
        const Vec3d a = camera_at(keys, t - h).eye, b = camera_at(keys, t).eye, c = camera_at(keys, t + h).eye;
        EXPECT_LT((b - a).norm(), 10 * h);
        EXPECT_LT((c - 2 * b + a).norm(), 0.01 * h);
    }
    EXPECT_EQ(camera_at({keys[1]}, 0).eye, keys[1].position);
}

TEST(Looks, LastOneThatNamesABodyCounts)
{
    const std::vector<Look> looks = {{.of = {"leg-*"}, .color = "#102030"},
                                     {.of = {"leg-left", "arm"}, .color = "#ffffff", .shown = false}};
    EXPECT_EQ(find_look(looks, "leg-right"), &looks[0]);
    EXPECT_EQ(find_look(looks, "leg-left"), &looks[1]);
    EXPECT_EQ(find_look(looks, "leg"), nullptr);
    Frame frame{.layers = {{.name = "leg-right"}, {.name = "arm"}, {.name = "head"}}};
    apply_looks(looks, World{}, frame);
    EXPECT_EQ(frame.layers[0].color, 0x102030U);
    EXPECT_FALSE(frame.layers[1].shown);
    EXPECT_FALSE(frame.layers[2].color.has_value());
}

double mean_accent(Pattern pattern, double width)
{
    constexpr int kSteps = 200;
    double sum = 0;
    for (int i = 0; i < 2 * kSteps; ++i)  // over two rows
        for (int j = 0; j < kSteps; ++j)
            sum += static_cast<double>(accent_at(pattern, (j + 0.5) / kSteps, (i + 0.5) / kSteps, width));
    return sum / (2 * kSteps * kSteps);
}

TEST(Patterns, CoverTheirShareOfAMaterial)
{
    EXPECT_NEAR(mean_accent(Pattern::none, 0), 0, 1e-6);
    EXPECT_NEAR(mean_accent(Pattern::stripes, 0), 0.5, 0.01);
    EXPECT_NEAR(mean_accent(Pattern::checks, 0), 0.5, 0.01);
    EXPECT_NEAR(mean_accent(Pattern::dots, 0), std::numbers::pi * 0.22 * 0.22, 0.01);
    for (double x = -2; x < 2; x += 0.01)  // finer than a pixel: nothing flickers
        EXPECT_NEAR(accent_at(Pattern::stripes, x, 0, 3), 0.5, 0.13);
    EXPECT_EQ(accent_at(Pattern::stripes, 0.02, 0, 0), 1);
    EXPECT_EQ(accent_at(Pattern::stripes, -0.52, 0, 0), 0) << "on the other side, too";
}

TEST(Patterns, LieOnTheMaterialWhereverItGoes)
{
    const Scene scene = read_scene_text(
        R"({ "cloths": [{ "name": "flag", "shape": { "kind": "rectangle", "size": [2, 1], "cells": [8, 4] }, "rotation": [0, 40, 0] }],
             "rigids": [{ "name": "bar", "shape": { "kind": "box", "size": [0.2, 3, 0.1] }, "position": [5, 0, 0] }] })",
        "scene.json");
    const std::vector<Look> looks = {{.of = {"*"}, .pattern = Pattern::stripes, .accent = "#0000ff", .repeat = 0.25}};
    World world = scene.world;
    Frame frame;
    update_frame(world, 0, frame);
    apply_looks(looks, world, frame);
    for (const Layer& layer : frame.layers) {
        ASSERT_TRUE(layer.paint);
        EXPECT_EQ(layer.paint->accent, 0x0000ffU);
        EXPECT_EQ(layer.paint->repeat, 0.25);
        ASSERT_EQ(layer.paint->place.size(), layer.points.size());
        double longest = 0;
        for (const auto& a : layer.paint->place)
            for (const auto& b : layer.paint->place) longest = std::max(longest, static_cast<double>(a[0] - b[0]));
        EXPECT_NEAR(longest, layer.name == "flag" ? 2 : 3, 1e-4) << "along the warp, and along the longest axis";
    }
    const auto before = frame.layers[0].paint;
    for (Layer& layer : frame.layers)
        for (Vec3& p : layer.points) p *= Real(2);
    apply_looks(looks, world, frame);
    EXPECT_EQ(frame.layers[0].paint, before);
}

TEST(Patterns, AreSeenInPictures)
{
    Frame frame{.layers = {{.name = "sheet",
                            .points = {{Real(-1.2), -1, 0}, {Real(1.2), -1, 0}, {Real(1.2), 1, 0}, {Real(-1.2), 1, 0}},
                            .triangles = std::make_shared<const Triangles>(Triangles{{0, 1, 2}, {0, 2, 3}})}}};
    const std::vector<Look> looks = {
        {.of = {"sheet"}, .color = "#ff0000", .pattern = Pattern::stripes, .accent = "#0000ff", .repeat = 0.5}};
    apply_looks(looks, World{}, frame);
    const Image image = render(frame, {{0, 0, 4}, {0, 0, 0}, 0.5}, 200, 200);
    int red = 0, blue = 0;
    for (int x = 0; x < 200; ++x) {
        const std::uint8_t* p = image.pixel(x, 100);
        red += p[0] > 2 * p[2] ? 1 : 0;
        blue += p[2] > 2 * p[0] ? 1 : 0;
    }
    EXPECT_GT(red, 60);
    EXPECT_NEAR(red, blue, 20);
}

TEST(Looks, MistakesAreNamedWithTheirLine)
{
    const auto error = [](const std::string& more) {
        try {
            read_scene_text("{ \"rigids\": [{ \"name\": \"box\", \"shape\": { \"kind\": \"box\" } }],\n" + more + "}",
                            "scene.json");
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(error(R"("looks": [{ "of": ["b*"], "color": "#aabbcc", "finish": "wood" }])"), "");
    EXPECT_EQ(error(R"("looks": [{ "of": ["box"], "color": "red" }])"),
              "scene.json:2: looks/0: \"red\" is no colour; write it like \"#c8402f\"");
    EXPECT_EQ(error(R"("looks": [{ "of": ["bax"] }])"), "scene.json:2: looks/0: there is no body or collider \"bax\"");
    EXPECT_NE(
        error(R"("camera": [{ "time": 1 }, { "time": 1 }])").find("scene.json:2: camera/1: the time 1 s must be later"),
        std::string::npos);
}

}  // namespace
}  // namespace pliant

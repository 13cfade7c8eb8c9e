#include "pliant/base/check.h"
#include "pliant/render/look.h"
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
    apply_looks(looks, frame);
    EXPECT_EQ(frame.layers[0].color, 0x102030U);
    EXPECT_FALSE(frame.layers[1].shown);
    EXPECT_FALSE(frame.layers[2].color.has_value());
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

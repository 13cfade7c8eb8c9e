#include "pliant/base/check.h"
#include "pliant/scene/scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

std::string error_of(const std::string& text)
{
    try {
        read_scene_text(text, "scene");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

Motion motion_of(const std::string& keys)
{
    const Scene scene = read_scene_text(fmt::format(R"({{"settings": {{"dt": 0.04}},
            "motions": [{{"name": "nod", "pivot": [0, 1, 0], "keys": [{{"frame": 0}}, {{"frame": 50, "degrees": 90}}]}}],
            "colliders": [{{"shape": "sphere", "motion": {}}}]}})",
                                                    keys),
                                        "scene");
    return scene.world.colliders[0].motion;
}

TEST(SceneKeys, MayBeInFrames)
{
    const Motion motion = motion_of(R"({"keys": [{"frame": 25, "degrees": 9}, {"time": 3}]})");
    EXPECT_DOUBLE_EQ(motion.keys[0].time, 25 * static_cast<double>(Real(0.04)));
    EXPECT_EQ(motion.keys[1].time, 3);
    EXPECT_FALSE(motion.keys[0].frame);
}

TEST(SceneKeys, UseAMotionByItsName)
{
    const Motion same = motion_of(R"({"use": "nod"})");
    EXPECT_EQ(same.keys.size(), 2u);
    EXPECT_EQ(same.pivot, (Vec3d{0, 1, 0}));
    EXPECT_TRUE(same.use.empty());
    const Motion other = motion_of(R"({"use": "nod", "pivot": [0, 0, 0], "delay": 0.5})");
    EXPECT_EQ(other.pivot, Vec3d{});
    EXPECT_NEAR(motion_at(other, 2.5).rotation.c[0].z, -1, 1e-6);
    EXPECT_NEAR(motion_at(same, 2.0).rotation.c[0].z, -1, 1e-6);
}

TEST(SceneKeys, SayWhatIsWrong)
{
    const auto says = [](const std::string& text, const std::string& part) {
        EXPECT_NE(error_of(text).find(part), std::string::npos) << error_of(text);
    };
    says(R"({"motions": [{"name": "nod"}], "colliders": [{"motion": {"use": "nood"}}]})", "did you mean \"nod\"");
    says(R"({"motions": [{"name": "a"}, {"name": "a"}]})", "the name of a motion already");
    says(R"({"motions": [{"keys": []}]})", "needs a name");
    says(R"({"colliders": [{"motion": {"keys": [{"time": 1, "frame": 2}]}}]})", "not both");
    says(R"({"colliders": [{"motion": {"keys": [{"degrees": 1}, {"time": 1, "quaternion": [1, 0, 0, 0]}]}}]})",
         "use one of both");
    says(R"({"colliders": [{"motion": {"keys": [{"quaternion": [0, 0, 0, 0]}]}}]})", "zeros");
    says(R"({"tracks": [{"parameter": "forces.drag", "keys": [{"time": 0, "value": -1}]}]})", "drag");
    says(R"({"tracks": [{"parameter": "cloths.flag.damping", "keys": [{"value": 1}]}]})", "no such parameter");
    says(R"({"tracks": [{"parameter": "forces.drag", "keys": [{"value": "much"}]}]})", "a number");
}

TEST(SceneKeys, TurnByQuaternionsAtConstantSpeed)
{
    const Motion motion = motion_of(
        R"({"keys": [{"time": 0}, {"time": 3, "quaternion": [-0.5, 0.5, 0.5, 0.5]}, {"time": 4, "quaternion": [2, 0, 0, 0]}]})");
    for (const double t : {0.0, 0.3, 1.0, 1.7, 2.999, 3.0}) {  // 120 degrees about (-1, -1, -1), the shorter way
        const Mat3d expected = rotation_about({-1, -1, -1}, 40 * t), is = motion_at(motion, t).rotation;
        for (int c = 0; c < 3; ++c) EXPECT_LT((expected.c[c] - is.c[c]).norm(), 1e-9) << t;
    }
    EXPECT_LT((motion_at(motion, 9).rotation.c[0] - Vec3d{1, 0, 0}).norm(), 1e-12);
}

TEST(SceneKeys, ArraysMoveMotionsAlong)
{
    const Scene scene = read_scene_text(R"({
        "motions": [{"name": "swing", "axis": [0, 0, 1], "keys": [{"time": 0}, {"time": 1, "degrees": 90}]}],
        "colliders": [{"name": "paddle", "shape": "sphere", "radius": 0.1, "position": [1, 0, 0], "motion": {"use": "swing"},
                       "array": {"count": [1, 1, 3], "spacing": [0, 0, 2], "delay": 0.5}}],
        "rigids": [{"name": "ball", "shape": {"kind": "sphere"}, "hold": {"motion": {"use": "swing"}},
                    "array": {"count": [2, 1, 1], "spacing": [5, 0, 0]}}]})",
                                        "scene");
    ASSERT_EQ(scene.world.colliders.size(), 3u);
    EXPECT_EQ(scene.world.colliders[2].name, "paddle-2");
    EXPECT_EQ(scene.world.colliders[2].position, (Vec3d{1, 0, 4}));
    EXPECT_EQ(scene.world.colliders[2].motion.pivot, (Vec3d{0, 0, 4}));
    EXPECT_EQ(scene.world.colliders[2].motion.delay, 1);
    EXPECT_EQ(scene.world.drivers->held[1].motion.pivot, (Vec3d{5, 0, 0}));
}

}  // namespace
}  // namespace pliant

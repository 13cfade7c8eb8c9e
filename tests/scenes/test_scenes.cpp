// Every built-in scene runs to its end and keeps what its `expect` block promises.

#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"

#include <gtest/gtest.h>

#include <set>

namespace pliant {
namespace {

class BuiltinScenes : public testing::TestWithParam<std::string> {};

TEST_P(BuiltinScenes, KeepsItsPromises)
{
    Scene scene = read_scene(GetParam());
    ASSERT_FALSE(scene.about.empty());
    ASSERT_FALSE(scene.expect.empty());
    for (const std::string& warning : find_warnings(scene)) ADD_FAILURE() << warning;

    Solver solver;
    ExpectCheck check(scene.expect);
    check.sample(0, scene.world, 0);
    for (int frame = 1; frame <= scene.frames; ++frame) {
        animate(scene.animations, scene.world);
        const StepReport report = solver.step(scene.world);
        ASSERT_EQ(report.trouble.text, "") << "in frame " << frame;
        check.sample(frame, scene.world, report.contacts);
    }
    for (const ExpectResult& result : check.results()) EXPECT_TRUE(result.met) << result.text;
}

TEST(SceneSizes, AreThePublishedOnes)
{
    for (const char* name : {"bunny_drop", "bunny_damped", "bunny_unlimited"}) {
        const Scene bunny = read_scene(name);
        EXPECT_EQ(bunny.world.particles->size(), 2020);
        EXPECT_EQ(bunny.world.solids[0].clusters.size(), 26);
    }
    EXPECT_EQ(read_scene("cube_stretch_one").world.solids[0].clusters.size(), 1);
    EXPECT_EQ(read_scene("cube_stretch_many").world.solids[0].clusters.size(), 29);
    EXPECT_EQ(read_scene("solids_100").world.solids.size(), 100U);
    EXPECT_EQ(read_scene("cloth_hang").world.particles->size(), 32 * 32);
    EXPECT_EQ(read_scene("cloth_hang_5k").world.particles->size(), 71 * 71);
    EXPECT_EQ(read_scene("cloth_on_sphere").world.particles->size(), 6084);
    EXPECT_EQ(read_scene("cloth_on_sphere").world.cloths[0].rest.triangles.size(), 11858U);
}

std::vector<std::string> scenes_to_test()
{
    std::set<std::string> left_out{"solid_million", "cloth_pile_17k"};  // for scale: they take minutes
    if (sizeof(Real) == 8) left_out.insert({"cloth_pile_10k", "hair_bundle", "hair_10k", "shirt"});  // so do these then
    std::vector<std::string> names;
    for (const BuiltinScene& scene : builtin_scenes())
        if (!left_out.contains(scene.name)) names.push_back(scene.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(All, BuiltinScenes, testing::ValuesIn(scenes_to_test()),
                         [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace pliant

#include "pliant/base/check.h"
#include "pliant/json/json_text.h"
#include "pliant/report/stats.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace pliant {
namespace {

Scene falling_box()
{
    return read_scene_text(
        R"({"solids": [{"name": "box", "shape": {"kind": "box", "spacing": 0.25}, "position": [2, 5, 1]}],
                               "colliders": [{"shape": "plane"}]})",
        "test");
}

Json record(int frames)
{
    Scene scene = falling_box();
    Stats stats(scene.world);
    stats.add(0, scene.world, {});
    Solver solver;
    solver.profile.on = true;
    for (int frame = 1; frame <= frames; ++frame) {
        const StepReport report = solver.step(scene.world);
        stats.add(frame, scene.world,
                  {.step_ms = 1.5, .phases = solver.profile, .contacts = report.contacts, .effort = report.effort});
    }
    return Json::parse(stats.text());
}

TEST(Stats, HasEveryKeyOfEveryFrame)
{
    const Json json = record(2);
    EXPECT_EQ(json["settings"]["quality"], "normal");
    EXPECT_FALSE(json["settings"].contains("substeps")) << "the engine chooses";
    EXPECT_GT(json["frames"][1]["substeps"], 1);
    EXPECT_EQ(json["frames"][1]["asked_by"], "box: stiffness");
    EXPECT_EQ(json["counts"]["particles"], 64);
    EXPECT_EQ(json["counts"]["solids"], 1);
    EXPECT_EQ(json["counts"]["colliders"], 1);
    EXPECT_GE(json["counts"]["memberships"], 64);
    ASSERT_EQ(json["frames"].size(), 3u);
    for (const Json& frame : json["frames"]) {
        for (const char* key : {"frame", "time", "phase_ms", "step_ms", "substeps", "asked_by", "kinetic_energy",
                                "potential_energy", "linear_momentum", "angular_momentum", "max_strain", "p99_strain",
                                "center", "contacts", "intersections", "events", "hash"})
            EXPECT_TRUE(frame.contains(key)) << key;
        EXPECT_EQ(frame["linear_momentum"].size(), 3u);
        EXPECT_TRUE(frame["max_strain"].contains("box"));
        EXPECT_TRUE(frame["phase_ms"].contains("limit_strain"));
        EXPECT_EQ(frame["hash"].get<std::string>().size(), 16u);
        EXPECT_EQ(frame["hash"].get<std::string>().find_first_not_of("0123456789abcdef"), std::string::npos);
    }
}

TEST(Stats, MeasuresAFreeFall)
{
    const Json json = record(30);
    const Json& last = json["frames"].back();
    const double t = last["time"];
    EXPECT_NEAR(t, 0.5, 1e-6);
    EXPECT_EQ(last["frame"], 30);
    EXPECT_NEAR(last["linear_momentum"][1], -1000 * 9.81 * t, 1);
    EXPECT_NEAR(last["kinetic_energy"], 1000 * 9.81 * (5 - double(last["center"]["box"][1])), 5)
        << "what it has fallen";
    EXPECT_NEAR(last["center"]["box"][1], 5 - 0.5 * 9.81 * t * t, 0.05) << "to first order in the time step";
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(last["angular_momentum"][axis], 0, 0.05) << "about the centre of mass, not the origin";
    EXPECT_NE(last["hash"], json["frames"][29]["hash"]);
    EXPECT_EQ(last["step_ms"], 1.5);
}

TEST(Stats, WritesNullForWhatIsNotFinite)
{
    Scene scene = falling_box();
    writable(scene.world.particles).v[0].x = std::numeric_limits<Real>::infinity();
    Stats stats(scene.world);
    stats.add(0, scene.world, {});
    EXPECT_TRUE(Json::parse(stats.text())["frames"][0]["kinetic_energy"].is_null());
}

}  // namespace
}  // namespace pliant

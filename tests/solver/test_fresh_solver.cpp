// A Solver holds nothing that decides the next frame: it may be thrown away at any time, and serve another world in
// between.

#include "pliant/geometry/sheets.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// All that a frame leaves to be seen.
struct FrameBits {
    double time = 0;
    std::uint64_t state = 0;
    std::vector<double> work;  // per glue
    std::vector<Real> force;   // the same

    explicit FrameBits(const World& world) : time(world.time), state(hash_state(world))
    {
        for (const Glue& glue : world.glues) {
            work.push_back(glue.work);
            force.push_back(glue.force);
        }
    }
    bool operator==(const FrameBits&) const = default;
};

void run_on(Solver& solver, World& world, int frames)
{
    for (int frame = 0; frame < frames; ++frame) solver.step(world);
}

/// Steps a copy with a new Solver for every frame.
void expect_fresh_solvers_to_agree(World world, int before, int frames)
{
    Solver solver;
    run_on(solver, world, before);
    World copy = world;
    for (int frame = 0; frame < frames; ++frame) {
        const std::uint64_t last = hash_state(world);
        solver.step(world);
        Solver().step(copy);
        ASSERT_NE(hash_state(world), last) << "it moves";
        ASSERT_TRUE(FrameBits(world) == FrameBits(copy)) << "frame " << before + frame;
    }
}

struct SceneFrames {
    const char* name;
    int before;  // frames by one Solver
    int frames;  // frames that are compared

    friend std::ostream& operator<<(std::ostream& out, const SceneFrames& scene) { return out << scene.name; }
};

/// Removes a body, of whatever kind there is.
void remove_some_body(World& world)
{
    if (!world.cloths.empty()) remove_cloth(world, world.cloths.id_at(0));
    else if (!world.solids.empty()) remove_solid(world, world.solids.id_at(0));
    else if (!world.rods.empty()) remove_rod(world, world.rods.id_at(0));
    else remove_rigid(world, world.rigids.id_at(0));
}

class FreshSolver : public testing::TestWithParam<SceneFrames> {};

TEST_P(FreshSolver, GivesTheSameBitsAtAnyFrame)
{
    expect_fresh_solvers_to_agree(read_scene(GetParam().name).world, 0, 2);
    expect_fresh_solvers_to_agree(read_scene(GetParam().name).world, GetParam().before, GetParam().frames);
}

TEST_P(FreshSolver, GivesTheSameBitsAfterABodyIsRemoved)
{
    World world = read_scene(GetParam().name).world;
    Solver solver;
    run_on(solver, world, 2);
    remove_some_body(world);
    World copy = world;
    for (int frame = 0; frame < 2; ++frame) {
        solver.step(world);
        Solver().step(copy);
        ASSERT_TRUE(FrameBits(world) == FrameBits(copy)) << "frame " << frame;
    }
}

INSTANTIATE_TEST_SUITE_P(All, FreshSolver,
                         testing::Values(SceneFrames{"bunny_drop", 40, 5}, SceneFrames{"cloth_hang", 10, 3},
                                         SceneFrames{"flag", 10, 3}, SceneFrames{"rod_helix", 10, 4},
                                         SceneFrames{"rod_pendulum", 20, 5}, SceneFrames{"rigid_drop", 40, 5},
                                         SceneFrames{"glue_windmill", 20, 5}, SceneFrames{"puppet", 20, 4},
                                         SceneFrames{"branches", 4, 2}, SceneFrames{"joint_carousel", 40, 4},
                                         SceneFrames{"joint_lift", 40, 4}, SceneFrames{"tree_wind", 10, 3},
                                         SceneFrames{"cloth_twist", 8, 2}, SceneFrames{"hair_bundle", 4, 2},
                                         SceneFrames{"mixed_pile", 30, 2}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(FreshSolverWorld, MeetsWhatStartedTangledAsTheOldOneDoes)
{
    World world;
    set_contact(world, {.on = true});
    set_settings(world, {.substeps = 10, .iterations = 1});
    set_forces(world, {.gravity = {}});
    const ClothParams params{.thickness = Real(0.006)};
    add_cloth(world, make_sheet(0.2, 0.2, 6, 6, SheetPattern::alternating), params, "flat");
    const ClothId upright = add_cloth(world, make_sheet(0.2, 0.2, 6, 6, SheetPattern::alternating), params, "upright");
    place_cloth(world, upright,
                {.linear = rotation_of({90, 0, 0}), .position = {0.003, 0.05, 0.002}, .velocity = {0, 1, 0}});
    expect_fresh_solvers_to_agree(world, 0, 20);
}

class SharedSolver : public testing::TestWithParam<const char*> {};

TEST_P(SharedSolver, ServesTwoCopiesOfAWorldInTurn)
{
    const World scene = read_scene(GetParam()).world;
    World one = scene, two = scene;
    Forces other = scene.forces;
    other.gravity += Vec3{1, 2, 0};
    set_forces(two, other);
    World alone_one = one, alone_two = two;
    Solver shared, for_one, for_two;
    const auto step_all = [&](int frames) {
        for (int frame = 0; frame < frames; ++frame) {
            shared.step(one);
            shared.step(two);
            for_one.step(alone_one);
            for_two.step(alone_two);
            ASSERT_NE(hash_state(one), hash_state(two));
            ASSERT_TRUE(FrameBits(one) == FrameBits(alone_one)) << frame;
            ASSERT_TRUE(FrameBits(two) == FrameBits(alone_two)) << frame;
        }
    };
    step_all(3);
    for (World* world : {&two, &alone_two}) remove_some_body(*world);  // the copies part ways
    step_all(3);
}

INSTANTIATE_TEST_SUITE_P(All, SharedSolver,
                         testing::Values("flag", "glue_windmill", "puppet", "mixed_pile", "rod_pendulum", "bunny_drop"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace pliant

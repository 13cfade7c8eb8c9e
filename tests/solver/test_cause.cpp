#include "solids/bodies.h"

#include "pliant/solver/cause.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

bool names(const std::string& text, const char* what) { return text.find(what) != std::string::npos; }

World two_boxes(Real mass)
{
    World world;
    add_rigid(world, {.kind = RigidKind::box}, {.mass = 1}, "light");
    const RigidId heavy = add_rigid(world, {.kind = RigidKind::box}, {.mass = mass}, "heavy");
    place_rigid(world, heavy, {.position = {1, 0, 0}});
    const Vec3d at{0.5, 0, 0};
    add_glue(world, anchor_on(world, world.rigids.id_at(0), at), anchor_on(world, heavy, at), {}, "hook");
    return world;
}

TEST(LikelyCause, IsGlueOrTheMassRatioAcrossIt)
{
    EXPECT_PRED2(names, likely_cause_of_rigid(two_boxes(2), 0), "glue \"hook\"");
    EXPECT_PRED2(names, likely_cause_of_rigid(two_boxes(800), 0), "mass ratio across glue \"hook\", 800 to 1");
}

TEST(LikelyCause, IsStiffnessThatWasNamed)
{
    World world;
    add_solid(world, cube(3), {.youngs_modulus = Real(1e12)});
    add_solid(world, cube(3), {});
    EXPECT_PRED2(names, likely_cause(world, world.solids[0]), "stiffness, youngs_modulus");
    EXPECT_FALSE(names(likely_cause(world, world.solids[1]), "stiffness"));
}

TEST(LikelyCause, IsWindOnlyWhereThereIsMuchOfIt)
{
    World world;
    add_cloth(world, make_sheet(1, 1, 4, 4, SheetPattern::uniform), {.air_drag = 1}, "flag");
    EXPECT_FALSE(names(likely_cause(world, world.cloths[0]), "wind"));
    writable(world.forces).wind = {1000, 0, 0};
    EXPECT_PRED2(names, likely_cause(world, world.cloths[0]), "wind");
}

TEST(LikelyCause, IsContactWhereThereIsSome)
{
    World world;
    add_solid(world, cube(3), {});
    EXPECT_FALSE(names(likely_cause(world, world.solids[0]), "contact"));
    add_collider(world, {});
    EXPECT_PRED2(names, likely_cause(world, world.solids[0]), "contact");
}

}  // namespace
}  // namespace pliant

// What no parameter table has limits for: placements, indices, motions, enums. A refused edit changes nothing.

#include "pliant/geometry/shapes.h"
#include "pliant/solver/solver.h"
#include "pliant/world/access.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <limits>

namespace pliant {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

World refusing_world()
{
    World world;
    add_solid(world, fill_with_count(make_box({1, 1, 1}, 1), 60), {});
    add_cloth(world, make_grid(1, 1, 3, 3), {});
    add_rod(world, {{.points = {{3, 0, 0}, {4, 0, 0}, {5, 0, 0}}}}, {});
    add_rigid(world, {});
    return world;
}

TEST(BadInput, PlacementsMustBeFinite)
{
    World world = refusing_world();
    const auto before = hash_state(world);
    const double beyond = 1e3 * static_cast<double>(std::numeric_limits<float>::max());
    std::vector<Placement> bad = {{.position = {kNan, 0, 0}},
                                  {.velocity = {0, kNan, 0}},
                                  {.angular_velocity = {0, 0, kNan}},
                                  {.linear = Mat3d::diagonal({kNan, 1, 1})}};
    if (sizeof(Real) == 4) bad.push_back({.position = {beyond, 0, 0}});
    for (const Placement& placement : bad) {
        EXPECT_THROW(place_solid(world, world.solids.id_at(0), placement), InputError);
        EXPECT_THROW(place_cloth(world, world.cloths.id_at(0), placement), InputError);
        EXPECT_THROW(place_rod(world, world.rods.id_at(0), placement), InputError);
        EXPECT_THROW(place_rigid(world, world.rigids.id_at(0), placement), InputError);
    }
    EXPECT_EQ(hash_state(world), before);
}

TEST(BadInput, ShapesMustBeOfTheirOwnPoints)
{
    World world;
    const SolidShape good = fill_with_count(make_box({1, 1, 1}, 1), 60);
    for (const int index : {-1, 60, 99999}) {
        SolidShape shape = good;
        shape.tetrahedra = {{0, 1, 2, index}};
        EXPECT_THROW(add_solid(world, shape, {}), InputError);
        shape = good;
        shape.surface.triangles.push_back({0, 1, index});
        EXPECT_THROW(add_solid(world, shape, {}), InputError);
        shape = good;
        shape.surface_points.assign(shape.surface.vertices.size(), index);
        EXPECT_THROW(add_solid(world, shape, {}), InputError);
    }
    SolidShape far = good;
    far.points[0].x = 1e300;
    if (sizeof(Real) == 4) { EXPECT_THROW(add_solid(world, far, {}), InputError); }
    EXPECT_EQ(world.solids.size(), 0U);
    EXPECT_EQ(world.particles->size(), 0);
}

TEST(BadInput, EnumsMustHaveANumberThatHasAName)
{
    World world;
    EXPECT_THROW(add_collider(world, {.shape = static_cast<ColliderShape>(9)}), InputError);
    EXPECT_THROW(add_rigid(world, {.kind = static_cast<RigidKind>(77)}), InputError);
    EXPECT_THROW(add_cloth(world, make_grid(1, 1, 3, 3), {.fibres = static_cast<FibreMode>(-1)}), InputError);
    EXPECT_EQ(world.colliders.size() + world.rigids.size() + world.cloths.size(), 0U);
}

TEST(BadInput, KeysPinsAndHandsMustBeFinite)
{
    World world = refusing_world();
    const Motion broken{.keys = {{0, {}, 0}, {1, {0, kNan, 0}, 0}}};
    EXPECT_THROW(pin_particles(world, std::vector{0}, broken), InputError);
    EXPECT_THROW(pin_particles(world, std::vector{0}, {}, kNan), InputError);
    EXPECT_THROW(hold_rigid(world, world.rigids.id_at(0), broken), InputError);
    EXPECT_THROW(clamp_rod(world, world.rods.id_at(0), 0, RodEnd::start, broken), InputError);
    EXPECT_THROW(add_grab(world, Vec3d{kNan, 0, 0}.cast<Real>(), 0), InputError);
    const GrabId grab = add_grab(world, {}, 0);
    EXPECT_THROW(move_grab(world, grab, Vec3d{0, kNan, 0}.cast<Real>()), InputError);
    EXPECT_THROW(anchor_on(world, world.solids.id_at(0), {kNan, 0, 0}), InputError);
    EXPECT_THROW(anchor_on(world, world.cloths.id_at(0), {kNan, 0, 0}), InputError);
    EXPECT_THROW(anchor_on(world, world.rods.id_at(0), {kNan, 0, 0}), InputError);
    EXPECT_THROW(anchor_on(world, world.rigids.id_at(0), {kNan, 0, 0}), InputError);
    EXPECT_TRUE(world.drivers->pins.empty());
    EXPECT_TRUE(world.drivers->held.empty());
    Solver solver;
    EXPECT_EQ(solver.step(world).trouble.text, "");
}

TEST(BadInput, ARefusedPinPinsNothing)
{
    World world = refusing_world();
    EXPECT_THROW(pin_particles(world, std::vector{0, 1, 100000}), InputError);
    EXPECT_GT(world.particles->inv_mass[0], 0);
    EXPECT_GT(world.particles->inv_mass[1], 0);
}

}  // namespace
}  // namespace pliant

// Bodies that touch from the start, with no gap between their faces: touching is a contact, and not a crossing.

#include "contact/sheets.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/geometry/shapes.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct FlushBox {
    Vec3d size, position;
};

struct Arrangement {
    const char* name;
    std::vector<FlushBox> boxes;
};

std::vector<Arrangement> flush_arrangements(double s)
{
    const Vec3d cube{s, s, s};
    const auto at = [&](double x, double y, double z) { return s * Vec3d{x, y, z}; };
    return {{"equal", {{cube, at(0, 0.5, 0)}, {cube, at(0, 1.5, 0)}, {cube, at(0, 2.5, 0)}}},
            {"a quarter aside", {{cube, at(0, 0.5, 0)}, {cube, at(0.25, 1.5, 0.25)}}},
            {"aside along x", {{cube, at(0, 0.5, 0)}, {cube, at(0.25, 1.5, 0)}}},
            {"small on large", {{cube, at(0, 0.5, 0)}, {0.4 * cube, at(0.1, 1.2, 0.05)}}},
            {"side by side", {{cube, at(0, 0.5, 0)}, {cube, at(1, 0.5, 0)}}},
            {"side by side, a quarter aside", {{cube, at(0, 0.5, 0)}, {cube, at(1, 0.5, 0.25)}}},
            {"four in a square",
             {{cube, at(0, 0.5, 0)}, {cube, at(1, 0.5, 0)}, {cube, at(0, 0.5, 1)}, {cube, at(1, 0.5, 1)}}},
            {"on two", {{cube, at(0, 0.5, 0)}, {cube, at(1, 0.5, 0)}, {Vec3d{2 * s, 0.5 * s, s}, at(0.5, 1.25, 0)}}}};
}

World flush_world()
{
    World world = contact_world();
    change_contact(world, [&](ContactParams& params) { params.friction = Real(0.5); });
    add_collider(world, {});
    return world;
}

TEST(Flush, RigidBoxesStandOnEachOther)
{
    for (const auto& [size, frames] : {std::pair{0.2, 60}, {1., 10}, {0.0371, 10}}) {
        for (const Arrangement& arrangement : flush_arrangements(size)) {
            World world = flush_world();
            for (const FlushBox& box : arrangement.boxes)
                place_rigid(world, add_rigid(world, {.kind = RigidKind::box, .size = box.size}, {}),
                            {.position = box.position});
            const double before = measure_energy(world).potential;
            Solver solver;
            for (int frame = 0; frame < frames; ++frame) {
                EXPECT_EQ(solver.step(world).trouble.text, "");
                ASSERT_EQ(find_crossings(world).size(), 0U)
                    << arrangement.name << ", size " << size << ", frame " << frame;
            }
            const double weight = 1000 * size * size * size * 9.81 * static_cast<double>(arrangement.boxes.size());
            EXPECT_GT(measure_energy(world).potential, before - 0.002 * weight * size)
                << arrangement.name << ", size " << size;
            EXPECT_LT(measure_energy(world).potential, before + 0.05 * weight * size)
                << arrangement.name << ", size " << size;
            EXPECT_LT(measure_energy(world).kinetic, 1e-5 * weight * size) << arrangement.name << ", size " << size;
        }
    }
}

/// Too large an island to be solved at once: sweeps begin without knowing the load.
TEST(Flush, AWallOfBricksDoesNotSinkIntoItself)
{
    World world = flush_world();
    const Vec3d whole{0.7, 0.35, 0.4}, half{0.35, 0.35, 0.4};
    const auto lay = [&](const Vec3d& size, double x, int row) {
        place_rigid(world, add_rigid(world, {.kind = RigidKind::box, .size = size}, {}),
                    {.position = {1.005 * x, 0.35 * (row + 0.5), 0.002 * (row % 3)}});
    };
    for (int row = 0; row < 14; ++row) {
        for (int i = 0; i < 5 - row % 2; ++i) lay(whole, 0.7 * (i + 0.5 + 0.5 * (row % 2)), row);
        if (row % 2 == 0) continue;
        lay(half, 0.175, row);
        lay(half, 3.325, row);
    }
    Solver solver;
    for (int frame = 0; frame < 20; ++frame) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        ASSERT_EQ(solver.count_intersections(world), 0U) << "frame " << frame;
    }
}

TEST(Flush, SoftBoxesStandOnEachOther)
{
    for (const Arrangement& arrangement : flush_arrangements(0.2)) {
        World world = flush_world();
        for (const FlushBox& box : arrangement.boxes) {
            SolidShape shape = fill_with_count(make_box(box.size, 2), 60);
            add_skin(shape, 300);
            place_solid(world, add_solid(world, shape, {.density = 300, .youngs_modulus = Real(1e5), .damping = 10}),
                        {.position = box.position});
        }
        const double before = measure_energy(world).potential;
        Solver solver;
        for (int frame = 0; frame < 60; ++frame) {
            EXPECT_EQ(solver.step(world).trouble.text, "");
            ASSERT_EQ(find_crossings(world).size(), 0U) << arrangement.name << ", frame " << frame;
        }
        EXPECT_GT(measure_energy(world).potential, 0.9 * before) << arrangement.name;
    }
}

TEST(Flush, SheetsInOnePlaceLieOnEachOther)
{
    World world = contact_world();
    writable(world.forces).gravity = {};
    add_sheet(world, 0.2, 4, {}, kThin, "low");
    add_sheet(world, 0.2, 4, {}, kThin, "high");
    add_sheet(world, 0.2, 3, {}, kThin, "highest");
    Solver solver;
    for (int frame = 0; frame < 30; ++frame) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        ASSERT_EQ(find_crossings(world).size(), 0U) << "frame " << frame;
    }
    Real height[3];
    for (int c = 0; c < 3; ++c) {
        height[c] = 0;
        const Range range = world.cloths[c].particles;
        for (const Vec3& x : range.of(world.particles->x)) height[c] += x.y / static_cast<Real>(range.count);
    }
    EXPECT_GT(std::abs(height[1] - height[0]), 0.003);
    EXPECT_GT(std::abs(height[2] - height[1]), 0.003);
}

}  // namespace
}  // namespace pliant

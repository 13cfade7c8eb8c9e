// Bodies that are moved from outside, vertex by vertex: what they touch is carried along and never passed through.

#include "pliant/base/check.h"
#include "pliant/files/byte_order.h"
#include "pliant/files/file_table.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/scene/scene.h"
#include "pliant/snapshot/snapshot.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pliant {
namespace {

/// Four vertices that rise by 1 m a second and spread, one frame each half second.
FileTable rising_files()
{
    std::string pc2("POINTCACHE2\0", 12);
    append_little(1, pc2);
    append_little(4, pc2);
    append_little(0.0F, pc2);
    append_little(1.0F, pc2);
    append_little(3, pc2);
    for (int f = 0; f < 3; ++f)
        for (const auto& [x, z] : {std::pair{0.F, 0.F}, {1.F, 0.F}, {1.F, 1.F}, {0.F, 1.F}})
            for (const float k : {x * (1 + 0.5F * static_cast<float>(f)), 0.5F * static_cast<float>(f), z})
                append_little(k, pc2);
    return {{"quad.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n"}, {"quad.pc2", pc2}};
}

constexpr const char* kRising = R"({"settings": {"dt": 0.02, "substeps": 4},
    "cloths": [{"name": "quad", "shape": {"kind": "mesh", "file": "quad.obj"}, "position": [0, 2, 0], "scale": 2,
                "animation": {"file": "quad.pc2", "rate": 2}}]})";

TEST(Animation, GoesWhereTheFileSaysAndStays)
{
    const FileTable files = rising_files();
    const UseFiles scope(files);
    Scene scene = read_scene_text(kRising, "rising");
    Solver solver;
    for (int i = 1; i <= 75; ++i) {
        animate(scene.animations, scene.world);
        solver.step(scene.world);
        const double t = std::min(0.02 * i, 1.0);
        const int p = scene.world.cloths[0].particles.first;
        const Vec3d at = scene.world.particles->position(p + 1);
        EXPECT_LT((at - Vec3d{2 * (1 + t), 2 + 2 * t, 0}).norm(), 1e-5) << i;
        const double up = static_cast<double>(scene.world.particles->v[p + 1].y);
        EXPECT_NEAR(up, i <= 50 ? 2 : 0, i == 50 || i == 51 ? 2.1 : 1e-3) << i;
    }
}

TEST(Animation, GoesOnWithTheSameBitsAfterASnapshot)
{
    const FileTable files = rising_files();
    const UseFiles scope(files);
    Scene scene = read_scene_text(kRising, "rising");
    World read = scene.world;
    Solver solver;
    for (int i = 0; i < 60; ++i) {
        animate(scene.animations, scene.world);
        solver.step(scene.world);
        read = read_snapshot(write_snapshot(read));
        animate(scene.animations, read);
        Solver().step(read);
        ASSERT_EQ(hash_state(scene.world), hash_state(read)) << i;
    }
}

TEST(Animation, RefusesWhatDoesNotFit)
{
    FileTable files = rising_files();
    files["quad.obj"] += "v 9 9 9\n";
    const UseFiles scope(files);
    EXPECT_THROW(read_scene_text(kRising, "rising"), InputError);
    EXPECT_THROW(read_scene_text(R"({"cloths": [{"animation": {"file": "quad.pc2"}}]})", "no mesh"), InputError);
    World world;
    const ClothId id = add_cloth(world, make_sphere(1, 2), {});
    const std::size_t count = static_cast<std::size_t>(world.cloths[0].particles.count);
    EXPECT_THROW(move_cloth(world, id, std::vector<Vec3d>(count + 1), 1), InputError);
    EXPECT_THROW(move_cloth(world, id, std::vector<Vec3d>(count), 0), InputError);
    EXPECT_THROW(move_cloth(world, id, std::vector<Vec3d>(count, {NAN, 0, 0}), 1), InputError);
    EXPECT_TRUE(world.drivers->pins.empty());
}

/// A ball that is turned inside out: no part of it could give way, and nobody is told that none did.
TEST(Animation, DoesNotTouchItself)
{
    World world;
    ContactParams contact = world.contact;
    contact.on = true;
    set_contact(world, contact);
    const ClothId id = add_cloth(world, make_sphere(0.5, 6), {});
    std::vector<Vec3d> to = world.cloths[0].rest.vertices;
    for (Vec3d& x : to) x = -0.9 * x;
    move_cloth(world, id, to, 0.5);
    Solver solver;
    for (int frame = 0; frame < 32; ++frame) {
        const StepReport report = solver.step(world);
        ASSERT_EQ(report.feature_contacts.squeezing[0], "") << frame;
    }
    EXPECT_LT((world.particles->position(0) - to[0]).norm(), 1e-5);
}

/// A ball whose surface waves, swells and moves about at random.
struct Blob {
    explicit Blob(int seed) : random(static_cast<std::uint64_t>(seed)) {}

    Vec3d at(const Vec3d& rest, double t) const
    {
        const double wave = 1 + depth * std::sin(6.28 * rate * t) * std::sin(3 * rest.x / size + 2 * rest.y / size);
        return wave * rest + std::sin(6.28 * rate * t) * way;
    }

    std::mt19937_64 random;
    std::uniform_real_distribution<double> share{0, 1};
    double size = 0.1 + share(random);
    double depth = 0.25 * share(random), rate = 0.3 + 2 * share(random);
    Vec3d way{0.4 * size * share(random), 0.4 * size* share(random), 0.4 * size* share(random)};
};

/// A sheet on it, and a ball and a rope beside: nothing crosses anything.
TEST(AnimationGuarantee, NothingPassesThroughABodyThatDeforms)
{
    for (int seed = 0; seed < 12; ++seed) {
        Blob blob(seed);
        World world;
        ContactParams contact = world.contact;
        contact.on = true;
        set_contact(world, contact);
        const SurfaceMesh ball = make_sphere(blob.size, 10);
        const ClothId moved = add_cloth(world, ball, {}, "blob");
        const ClothId sheet =
            add_cloth(world, make_sheet(3 * blob.size, 3 * blob.size, 16, 16, SheetPattern::alternating), {}, "sheet");
        place_cloth(world, sheet, {.position = {0, 1.2 * blob.size, 0}});
        const RigidId stone =
            add_rigid(world, {.kind = RigidKind::sphere, .radius = Real(0.2 * blob.size)}, {}, "stone");
        place_rigid(world, stone, {.position = {0, 2 * blob.size, 0}});
        const std::vector<Vec3d> rest = world.cloths[0].rest.vertices;
        Solver solver;
        for (int frame = 0; frame < 60; ++frame) {
            const double end = world.time + static_cast<double>(world.settings->dt);
            std::vector<Vec3d> to;
            for (const Vec3d& r : rest) to.push_back(blob.at(r, end));
            move_cloth(world, moved, to, end);
            ASSERT_FALSE(solver.step(world).trouble) << "seed " << seed;
            ASSERT_EQ(solver.count_intersections(world), 0u) << "seed " << seed << ", frame " << frame;
            for (std::size_t k = 0; k < to.size(); ++k)
                ASSERT_LT((world.particles->position(static_cast<int>(k)) - to[k]).norm(), 1e-4 * blob.size);
        }
    }
}

}  // namespace
}  // namespace pliant

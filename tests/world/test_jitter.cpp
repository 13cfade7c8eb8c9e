#include "pliant/world/jitter.h"

#include "pliant/scene/scene.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

World jittered(const char* scene, std::uint64_t seed)
{
    World world = read_scene(scene).world;
    jitter(world, seed);
    return world;
}

TEST(Jitter, IsTheSameForASeedAndAnotherForAnother)
{
    const std::uint64_t one = hash_state(jittered("mixed_pile", 1));
    EXPECT_EQ(one, hash_state(jittered("mixed_pile", 1)));
    EXPECT_NE(one, hash_state(jittered("mixed_pile", 2)));
    EXPECT_NE(one, hash_state(read_scene("mixed_pile").world));
}

TEST(Jitter, MovesWhatIsFreeByLessThanTheThicknessAndNothingElse)
{
    for (const char* name : {"mixed_pile", "cloth_stack", "cloth_twist", "incline", "capstan"}) {
        const World before = read_scene(name).world, after = jittered(name, 3);
        Real thinnest = 1;
        for (const Real radius : before.particles->radius)
            if (radius > 0) thinnest = std::min(thinnest, 2 * radius);
        for (int i = 0; i < before.particles->size(); ++i) {
            const Real moved = (after.particles->x[i] - before.particles->x[i]).norm();
            EXPECT_LE(moved, Real(0.2) * thinnest);
            if (before.particles->inv_mass[i] > 0) continue;
            EXPECT_EQ(moved, 0);
            EXPECT_EQ(after.particles->v[i], before.particles->v[i]);
        }
        for (int b = 0; b < before.rigid_bodies->size(); ++b) {
            const Vec3 moved = after.rigid_bodies->pose[b].x - before.rigid_bodies->pose[b].x;
            EXPECT_EQ(moved.norm() > 0, before.rigid_bodies->inv_mass[b] > 0 && before.glues.empty()) << name;
        }
        EXPECT_TRUE(find_crossings(after).empty()) << name;
    }
}

TEST(Jitter, LeavesWhatIsGluedInItsPlace)
{
    const World before = read_scene("shirt").world, after = jittered("shirt", 4);
    ASSERT_FALSE(before.glues.empty());
    EXPECT_NE(after.particles->v, before.particles->v);
    for (const Glue& glue : before.glues)
        for (const Anchor* anchor : {&glue.a, &glue.b})
            for (const int i : anchor->parents) EXPECT_EQ(after.particles->x[i], before.particles->x[i]);
}

}  // namespace
}  // namespace pliant

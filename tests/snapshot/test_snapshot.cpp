// A World that was written and read again goes on with the same bits; what is damaged is recognised.

#include "pliant/snapshot/snapshot.h"

#include "files/folder_test.h"
#include "pliant/geometry/shapes.h"
#include "pliant/scene/scene.h"
#include "pliant/session/checkpoint.h"
#include "pliant/snapshot/sealed.h"
#include "pliant/solver/solver.h"
#include "pliant/world/access.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace pliant {
namespace {

std::string input_error(const std::string& bytes)
{
    try {
        read_snapshot(bytes, "a.snapshot");
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

World hanging_cloth()
{
    World world;
    const ClothId id = add_cloth(world, make_grid(1, 1, 6, 6), {}, "sheet");
    const int corner[] = {get(world, id).particles.first};
    pin_particles(world, corner);
    return world;
}

/// The work of glue with a motor or friction is known to depend on whether the Solver is fresh; all else is compared.
std::string bytes_but_work(World world)
{
    for (Glue& glue : writable(world.glues)) glue.work = 0;
    return write_snapshot(world);
}

class SnapshotOfScene : public testing::TestWithParam<std::string> {};

/// All members, not only those of the hash: what is written of both Worlds is compared byte by byte, after steps of their own.
TEST_P(SnapshotOfScene, GoesOnWithTheSameBits)
{
    World world = read_scene(GetParam()).world;
    Solver solver;
    for (int frame = 0; frame < 3; ++frame) solver.step(world);
    const std::string bytes = write_snapshot(world);
    World copy = read_snapshot(bytes);
    ASSERT_EQ(write_snapshot(copy), bytes);
    for (int frame = 0; frame < 2; ++frame) {
        solver.step(world);
        Solver().step(copy);
        ASSERT_EQ(hash_state(copy), hash_state(world));
    }
    EXPECT_TRUE(bytes_but_work(copy) == bytes_but_work(world));
}

/// Large ones have nothing that small ones have not, and would take minutes.
std::vector<std::string> scenes_to_snapshot()
{
    const std::set<std::string> large{"solid_million", "cloth_pile_17k", "cloth_pile_10k", "hair_10k", "hair_bundle",
                                      "solids_pile",   "cloth_stack",    "cloth_twist",    "shirt"};
    std::vector<std::string> names;
    for (const BuiltinScene& scene : builtin_scenes())
        if (!large.contains(scene.name)) names.push_back(scene.name);
    return names;
}
INSTANTIATE_TEST_SUITE_P(All, SnapshotOfScene, testing::ValuesIn(scenes_to_snapshot()),
                         [](const auto& scene) { return scene.param; });

TEST(Snapshot, KeepsWhatWasAddedAndRemovedByHand)
{
    World world = hanging_cloth();
    const RigidId gone = add_rigid(world, {}, {}, "gone");
    const RigidId box = add_rigid(world, {.size = {0.1, 0.1, 0.1}}, {.density = 200}, "box");
    remove_rigid(world, gone);
    add_glue(world, anchor_on(world, box, {0, 0, 0}), anchor_on(world, world.cloths.id_at(0), {0.4, 0.4, 0}));
    const GrabId grab = add_grab(world, box, -1, {0, 0, 0}, Real(1e-3));
    move_grab(world, grab, {0, 1, 0});
    set_contact(world, {.on = true});
    set_contact_filter(world, box, world.cloths.id_at(0), false);
    add_force(world, box, {0, 5, 0}, {0, 0, 0});

    World copy = read_snapshot(write_snapshot(world));
    EXPECT_EQ(copy.rigids.index(gone), -1);
    ASSERT_EQ(copy.rigids.index(box), 0);
    ASSERT_NE(copy.grabs.find(grab), nullptr);
    for (int frame = 0; frame < 5; ++frame) {
        Solver().step(world);
        Solver().step(copy);
    }
    EXPECT_EQ(hash_state(copy), hash_state(world));
    EXPECT_EQ(add_rigid(copy, {}), add_rigid(world, {})) << "ids go on alike";
}

TEST(Snapshot, ASolverOfTheOldWorldCompilesTheNewOne)
{
    World world = hanging_cloth();
    Solver solver;
    solver.step(world);
    World other = read_snapshot(write_snapshot(world));
    set_cloth(other, other.cloths.id_at(0), {.areal_density = 5, .air_drag = 1});
    World again = read_snapshot(write_snapshot(other));
    solver.step(again);
    Solver().step(other);
    EXPECT_EQ(hash_state(again), hash_state(other));
}

TEST(Snapshot, SharedDataIsSharedAgain)
{
    World world;
    add_rigid(world, {}, {}, "box");
    const auto mesh = make_collider_mesh(make_box({1, 1, 1}, 1), 0.5);
    for (const char* name : {"a", "b"}) add_collider(world, {.name = name, .shape = ColliderShape::mesh, .mesh = mesh});
    const World copy = read_snapshot(write_snapshot(world));
    EXPECT_EQ(copy.colliders[0].mesh, copy.colliders[1].mesh);
    EXPECT_EQ(copy.colliders[0].mesh->field.distance, mesh->field.distance);
}

TEST(Snapshot, RecognisesEveryDamage)
{
    const std::string whole = write_snapshot(hanging_cloth());
    EXPECT_EQ(input_error(whole), "");
    std::mt19937 random(5);
    for (int k = 0; k < 300; ++k) {
        std::string flipped = whole;
        const std::size_t at = k < 40 ? static_cast<std::size_t>(k) : random() % whole.size();
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << (random() % 8)));
        EXPECT_NE(input_error(flipped), "") << "byte " << at;
        EXPECT_NE(input_error(whole.substr(0, random() % whole.size())), "");
    }
    EXPECT_NE(input_error(whole + "x"), "");
    EXPECT_EQ(input_error(""), "a.snapshot: this is no snapshot of Pliant");
    EXPECT_EQ(input_error(whole.substr(0, 1000)),
              "a.snapshot: this snapshot is damaged or incomplete; use an earlier one");
}

TEST(Snapshot, RefusesAnotherPrecisionAndAnotherKindInASentence)
{
    const std::string other_kind = write_sealed(Pose{});
    EXPECT_NE(input_error(other_kind).find("of another kind, or of another version of Pliant"), std::string::npos);
    std::string other = detail::seal("", layout_of<World>());
    other[12] = sizeof(Real) == 4 ? 8 : 4;
    EXPECT_NE(input_error(other).find("precision; this program computes in"), std::string::npos) << input_error(other);
}

/// Past the checksum, any bytes end in an error or in a value, and take no more memory than there are bytes to excuse it.
TEST(Snapshot, AnyBytesAreReadOrRefused)
{
    ByteWriter writer;
    writer.put(hanging_cloth());
    const std::string whole = writer.take();
    std::mt19937 random(9);
    int refused = 0;
    for (int k = 0; k < 400; ++k) {
        std::string bytes = whole;
        for (int flips = 0; flips < 3; ++flips) bytes[random() % bytes.size()] = static_cast<char>(random());
        World world;
        try {
            ByteReader(bytes).get(world);
        } catch (const DamagedBytes&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 10);
}

TEST(Snapshot, TheLayoutNamesMembersAndTypes)
{
    const std::string layout = layout_of<World>();
    for (const char* part :
         {"middle_velocity", "youngs_modulus", "Glue::LastSubstep", sizeof(Real) == 4 ? "f4x3" : "f8x3"})
        EXPECT_NE(layout.find(part), std::string::npos) << part;
}

class CheckpointFiles : public testing_files::FolderTest {
  protected:
    static Checkpoint at_frame(int frame)
    {
        return {7, frame, std::make_shared<const World>(hanging_cloth()), {}, {}, {}, {}};
    }
    static void damage(const std::string& path)
    {
        std::string bytes = testing_files::read_all(path);
        bytes[bytes.size() / 2] ^= 1;
        std::ofstream(path, std::ios::binary) << bytes;
    }
};

TEST_F(CheckpointFiles, TheOneBeforeIsUsedIfTheNewestIsDamaged)
{
    const std::string file = path("run.checkpoint");
    EXPECT_FALSE(find_checkpoint(file, 7).checkpoint);
    for (const int frame : {10, 20, 30}) write_checkpoint(file, at_frame(frame));
    EXPECT_EQ(names(), (std::vector<std::string>{"run.checkpoint", "run.checkpoint.before"}));
    EXPECT_EQ(find_checkpoint(file, 7).checkpoint->frame, 30);
    damage(file);
    const FoundCheckpoint found = find_checkpoint(file, 7);
    EXPECT_EQ(found.checkpoint->frame, 20);
    ASSERT_EQ(found.passed_over.size(), 1U);
    EXPECT_NE(found.passed_over[0].find("damaged"), std::string::npos);
    damage(file + ".before");
    EXPECT_THROW(find_checkpoint(file, 7), InputError);
}

TEST_F(CheckpointFiles, ARunThatWasKilledBetweenTheRenamesIsFound)
{
    const std::string file = path("run.checkpoint");
    write_checkpoint(file, at_frame(10));
    testing_files::fs::rename(file, file + ".before");
    write_checkpoint(path("other"), at_frame(20));
    testing_files::fs::rename(path("other"), file + ".new");
    EXPECT_EQ(find_checkpoint(file, 7).checkpoint->frame, 20);
}

TEST_F(CheckpointFiles, ThoseOfAnotherSceneAreRefused)
{
    write_checkpoint(path("run.checkpoint"), at_frame(10));
    EXPECT_THROW(find_checkpoint(path("run.checkpoint"), 8), InputError);
    World a = hanging_cloth(), b = hanging_cloth();
    EXPECT_EQ(fingerprint(a), fingerprint(b));
    set_cloth(b, b.cloths.id_at(0), {.damping = 1});
    EXPECT_NE(fingerprint(a), fingerprint(b));
}

}  // namespace
}  // namespace pliant

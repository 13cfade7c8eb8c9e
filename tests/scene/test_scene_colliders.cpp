// Colliders with meshes in scene files: what they build, and what is said of those that cannot be built.

#include "pliant/files/atomic_file.h"
#include "scene/scene_texts.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

TEST(SceneColliders, HaveMeshes)
{
    const auto collider = [](const std::string& keys) { return R"({"colliders": [{"name": "c", )" + keys + "}]}"; };
    const Scene scene =
        read(collider(R"("shape": "mesh", "mesh": {"kind": "torus", "radius": 0.5, "minor_radius": 0.2}, "scale": 2,
                    "voxel": 0.05, "position": [0, 1, 0])"));
    ASSERT_EQ(scene.world.colliders.size(), 1u);
    const Collider& torus = scene.world.colliders[0];
    EXPECT_NEAR(double(nearest_surface(torus, pose_at(torus, 0, 0), {1, 1, 0}).distance), -0.4, 0.02);
    EXPECT_NEAR(double(nearest_surface(torus, pose_at(torus, 0, 0), {0, 1, 0}).distance), 0.6, 0.02);

    expect_error(collider(R"("shape": "mesh")"), "s.json:1: colliders/0/mesh: ", "is missing");
    expect_error(collider(R"("shape": "mesh", "mesh": {"kind": "mesh", "file": "no.obj"})"),
                 "s.json:1: colliders/0/mesh/file: ", "no file");
    expect_error(collider(R"("shape": "mesh", "mesh": {"kind": "points"})"),
                 "s.json:1: colliders/0/mesh/kind: ", "no surface");
    expect_error(collider(R"("shape": "mesh", "mesh": {"kind": "box"}, "voxel": 0.0001)"),
                 "s.json:1: colliders/0/voxel: ", "use 0.0049 m or more");
    expect_error(collider(R"("shape": "mesh", "mesh": {"kind": "box"}, "voxel": 0)"),
                 "s.json:1: colliders/0/voxel: ", "");
    expect_error(collider(R"("shape": "box", "mesh": {"kind": "box"})"),
                 "s.json:1: colliders/0/mesh: ", "means nothing for the shape \"box\"");
    expect_error(collider(R"("voxel": 0.1)"), "s.json:1: colliders/0/voxel: ", "means nothing");
}

class SceneColliderFiles : public FolderTest {
  protected:
    SceneColliderFiles() : FolderTest("pliant_scene_colliders_test") {}
};

TEST_F(SceneColliderFiles, ReadClosedMeshesAndRefuseOpenOnes)
{
    const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    std::filesystem::create_directories(folder_);
    write_file((folder_ / "closed.obj").string(), points + "f 3 1 4\n");
    write_file((folder_ / "open.obj").string(), points);
    const auto mesh = [](const char* name) {
        return fmt::format(R"({{"colliders": [{{"shape": "mesh", "mesh": {{"kind": "mesh", "file": "{}"}}}}]}})", name);
    };
    const Scene scene = read(mesh("closed.obj"), {}, folder_.string());
    ASSERT_EQ(scene.world.colliders.size(), 1u);
    const Collider& c = scene.world.colliders[0];
    EXPECT_NEAR(double(nearest_surface(c, pose_at(c, 0, 0), {Real(0.25), Real(-0.1), Real(0.25)}).distance), 0.1, 1e-3);
    expect_error(mesh("open.obj"), "s.json:1: colliders/0/mesh: ", "the mesh is not closed", {}, folder_.string());
}

}  // namespace
}  // namespace pliant

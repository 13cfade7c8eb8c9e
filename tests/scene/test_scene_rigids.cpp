// Rigid bodies in scene files: what they build, and what is said of those that cannot be built.

#include "pliant/files/atomic_file.h"
#include "pliant/geometry/shapes.h"
#include "pliant/json/fields_json.h"
#include "pliant/render/frame.h"
#include "pliant/report/stats.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#include "scene/scene_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

constexpr const char* kBox = R"({"kind": "box", "size": [1, 2, 3]})";

std::string rigid(const std::string& more, const std::string& shape = kBox) { return one_body("rigids", shape, more); }

TEST(SceneRigids, MakesEveryShape)
{
    struct Case {
        const char* shape;
        RigidKind kind;
        double mass;  // at a density of 1
    };
    for (const Case& c :
         {Case{kBox, RigidKind::box, 6},
          {R"({"kind": "sphere", "radius": 1})", RigidKind::sphere, 4.18879},
          {R"({"kind": "cylinder", "radius": 1, "height": 2})", RigidKind::cylinder, 6.28319},
          {R"({"kind": "capsule", "radius": 1, "height": 2})", RigidKind::capsule, 10.47198},
          {R"({"kind": "torus", "radius": 1, "minor_radius": 0.25, "divisions": 128})", RigidKind::mesh, 1.2337},
          {R"({"kind": "mascot", "height": 1})", RigidKind::mesh, 0.12}}) {
        const Scene scene = read(rigid("\"density\": 1", c.shape));
        ASSERT_EQ(scene.world.rigids.size(), 1u) << c.shape;
        EXPECT_EQ(scene.world.rigids[0].name, "a");
        EXPECT_EQ(scene.world.rigid_bodies->shape[0].kind, c.kind) << c.shape;
        EXPECT_NEAR(double(scene.world.rigid_bodies->mass[0]), c.mass, 0.01 * c.mass) << c.shape;
        EXPECT_TRUE(find_warnings(scene).empty()) << c.shape;
    }
}

TEST(SceneRigids, PlacesTurnsAndWeighs)
{
    const Scene scene = read(rigid(R"("rotation": [0, 0, 90], "scale": 2, "position": [0, 3, 0], "velocity": [1, 0, 0],
                                      "angular_velocity": [0, 0, 2], "mass": 12)"));
    const RigidBodies& b = scene.world.rigid_bodies;
    EXPECT_LT((b.pose[0].x - Vec3{0, 3, 0}).norm(), 1e-6);
    EXPECT_LT((b.pose[0].rotation().c[0] - Vec3{0, 1, 0}).norm(), 1e-6);
    EXPECT_EQ(b.v[0], (Vec3{1, 0, 0}));
    EXPECT_LT((b.inertia[0] - Vec3{52, 40, 20}).norm(), 1e-4);
    EXPECT_LT((b.spin[0] - Vec3{0, 0, 40}).norm(), 1e-4);
    const Scene given = read(rigid(R"("inertia": [1, 2, 3], "mass": 1)"));
    EXPECT_EQ(given.world.rigid_bodies->inertia[0], (Vec3{1, 2, 3}));
}

TEST(SceneRigids, MakesCopiesThatAreHeldOrFree)
{
    Scene scene = read(rigid(R"("array": {"count": [2, 1, 2], "spacing": [4, 1, 5]},
                                "hold": {"motion": {"keys": [{"time": 0}, {"time": 1, "translation": [0, 2, 0]}]},
                                         "release": 0.5})"));
    ASSERT_EQ(scene.world.rigids.size(), 4u);
    EXPECT_EQ(scene.world.rigids[3].name, "a-3");
    EXPECT_EQ(scene.world.drivers->held.size(), 4u);
    Solver solver;
    for (int frame = 0; frame < 15; ++frame) solver.step(scene.world);
    EXPECT_LT((scene.world.rigid_bodies->pose[3].x - Vec3{4, Real(0.5), 5}).norm(), 1e-4);
    for (int frame = 0; frame < 60; ++frame) solver.step(scene.world);
    EXPECT_LT(scene.world.rigid_bodies->v[3].y, 0) << "let go, it falls";
}

TEST(SceneRigids, AreInStatisticsFramesAndExpectations)
{
    const std::string text = R"({"frames": 1, "rigids": [{"name": "a", "shape": {"kind": "box", "size": [1, 2, 3]},
        "position": [0, 5, 0], "rotation": [0, 30, 0], "velocity": [2, 0, 0], "mass": 3}],
        "expect": [{"what": "height", "of": "a", "min": 5, "max": 5}, {"what": "lowest", "min": 3.99, "max": 4.01},
                   {"what": "size_y", "of": "a", "min": 1.99, "max": 2.01}, {"what": "rotation", "of": "a", "min": 29.9,
                   "max": 30.1}, {"what": "max_speed", "min": 2, "max": 2}, {"what": "linear_momentum", "of": "a",
                   "min": 6, "max": 6}, {"what": "kinetic_energy", "min": 6, "max": 6}]})";
    const Scene scene = read(text);
    ExpectCheck check(scene.expect);
    check.sample(0, scene.world, 0);
    for (const ExpectResult& result : check.results()) EXPECT_TRUE(result.met) << result.text;

    Frame frame;
    update_frame(scene.world, 0, frame);
    ASSERT_EQ(frame.layers.size(), 1u);
    EXPECT_EQ(frame.layers[0].name, "a");
    EXPECT_EQ(frame.layers[0].points.size(), 8u);
    EXPECT_EQ(frame.layers[0].triangles->size(), 12u);
    for (const Vec3& p : frame.layers[0].points) EXPECT_NEAR(std::abs(double(p.y) - 5), 1, 1e-5);

    Stats stats(scene.world);
    stats.add(0, scene.world, {});
    const Json json = Json::parse(stats.text());
    EXPECT_EQ(json["counts"]["rigids"], 1);
    EXPECT_NEAR(json["settings"]["rigids"]["a"]["mass"].get<double>(), 3, 1e-6);
    EXPECT_NEAR(json["frames"][0]["center"]["a"][1].get<double>(), 5, 1e-6);
    EXPECT_NEAR(json["frames"][0]["linear_momentum"][0].get<double>(), 6, 1e-5);
    EXPECT_NEAR(json["frames"][0]["potential_energy"].get<double>(), 3 * 9.81 * 5, 1e-3);
    EXPECT_EQ(json["frames"][0]["hash"], fmt::format("{:016x}", hash_state(scene.world)));
}

TEST(SceneRigids, SaysWhatIsWrong)
{
    expect_error(rigid("", R"({"kind": "box", "radius": 1})"), "s.json:2: rigids/0/shape/radius: ", "means nothing");
    expect_error(rigid("", R"({"kind": "mesh"})"), "s.json:2: rigids/0/shape/file: ", "is missing");
    expect_error(rigid("", R"({"kind": "mesh", "file": "no.obj"})"), "s.json:2: rigids/0/shape/file: ", "no file");
    expect_error(rigid("", R"({"kind": "ball"})"), "s.json:2: rigids/0/shape/kind: ", "ball");
    expect_error(rigid(R"("denisty": 3)"), "s.json:3: unknown key", "density");
    expect_error(rigid(R"("inertia": [1, 1, 5])"), "s.json:3: rigids/0/inertia: ", "none is larger");
    expect_error(rigid(R"("mass": 0)"), "s.json:3: rigids/0/mass: ", "");
    expect_error(rigid(R"("margin": 0.1)"), "s.json:3: rigids/0/margin: ", "means nothing");
    expect_error(rigid(R"("friction": -1)"), "s.json:3: rigids/0/friction: ", "");
    expect_error(rigid(R"("hold": {}, "velocity": [1, 0, 0])"), "s.json:3: rigids/0/velocity: ", "held");
    expect_error(rigid(R"("hold": {"motion": {"keys": [{"time": 1}, {"time": 0}]}})"), "s.json:3: rigids/0/hold/motion",
                 "order of time");
    expect_error(R"({"rigids": [{"name": "a", "shape": {"kind": "box"}}], "cloths": [
                     {"name": "a", "shape": {"kind": "disc"}}]})",
                 "s.json:1: rigids/0/name: ", "names must differ");
    expect_error(R"({"rigids": [{"name": "a", "shape": {"kind": "box"}}],
                     "expect": [{"what": "max_strain", "of": "a", "max": 1}]})",
                 "s.json:2: expect/0: ", "rigid");
    expect_error(R"({"rigids": [{"name": "a", "shape": {"kind": "box"}}],
                     "expect": [{"what": "height", "of": "b", "max": 1}]})",
                 "s.json:2: expect/0: ", "no solid, cloth, rod or rigid body is named \"b\"");
}

TEST(SceneRigids, MakesTheConvexHullOfPoints)
{
    const std::string corners = "[0,0,0], [2,0,0], [0,3,0], [2,3,0], [0,0,1], [2,0,1], [0,3,1], [2,3,1]";
    const auto convex = [](const std::string& points) {
        return rigid(R"("density": 2)", R"({"kind": "convex", "points": [)" + points + "]}");
    };
    const Scene scene = read(convex(corners + ", [1,1,0.5], [2,3,1]"));  // one inside, one twice
    const RigidBodies& bodies = scene.world.rigid_bodies;
    EXPECT_NEAR(double(bodies.mass[0]), 12, 1e-5);
    EXPECT_LT((bodies.pose[0].x - Vec3{1, Real(1.5), Real(0.5)}).norm(), 1e-6);
    EXPECT_EQ(bodies.shape[0].mesh->points.size(), 8u);
    const Vec3 m = bodies.inertia[0];
    EXPECT_NEAR(double(m.x + m.y + m.z), 2 * (4 + 9 + 1), 1e-4);  // mass / 12 times twice the squares of the edges

    expect_error(convex("[0,0,0], [1,0,0], [0,1,0]"), "s.json:2: rigids/0/shape/points: ", "there are 3");
    expect_error(convex("[0,0,0], [1,0,0], [0,1,0], [1,1,0]"), "s.json:2: rigids/0/shape/points: ", "in a plane");
    expect_error(rigid("", R"({"kind": "convex"})"), "s.json:2: rigids/0/shape/file: ", "is missing");
    expect_error(rigid("", R"({"kind": "convex", "points": [[0, 0, 0]], "file": "a.obj"})"),
                 "s.json:2: rigids/0/shape/points: ", "keep one");
    expect_error(rigid("", R"({"kind": "convex", "radius": 1})"), "s.json:2: rigids/0/shape/radius: ", "means nothing");
}

TEST(SceneRigids, WarnsOfWhatStartsInsideACollider)
{
    const std::string text = R"({"rigids": [{"name": "a", "shape": {"kind": "box"}, "position": [0, 0.3, 0]}],
                                 "colliders": [{"name": "ground"}]})";
    const std::vector<std::string> warnings = find_warnings(read(text));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("a: starts 0.2 m inside ground"), std::string::npos) << warnings[0];
    EXPECT_TRUE(find_warnings(read(text, {"rigids.a.position.1=0.5"})).empty());
}

class SceneRigidFiles : public FolderTest {
  protected:
    SceneRigidFiles() : FolderTest("pliant_scene_rigids_test") {}
};

TEST_F(SceneRigidFiles, ReadsClosedMeshesAndRefusesOpenOnes)
{
    const SurfaceMesh mesh = make_box({1, 1, 1}, 1);
    std::string obj;
    for (const Vec3d& p : mesh.vertices) obj += fmt::format("v {} {} {}\n", p.x + 3, p.y, p.z);
    std::string faces;
    for (const auto& [a, b, c] : mesh.triangles) faces += fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    std::filesystem::create_directories(folder_);
    write_file((folder_ / "box.obj").string(), obj + faces);
    write_file((folder_ / "open.obj").string(), obj + faces.substr(faces.find('\n') + 1));
    const auto shape = [](const char* kind, const char* name) {
        return rigid("\"density\": 2", fmt::format(R"({{"kind": "{}", "file": "{}"}})", kind, name));
    };
    for (const char* name : {"box.obj", "open.obj"}) {  // a hull needs no closed surface
        const Scene hull = read(shape("convex", name), {}, folder_.string());
        EXPECT_NEAR(double(hull.world.rigid_bodies->mass[0]), 2, 1e-6);
    }
    const Scene scene = read(shape("mesh", "box.obj"), {}, folder_.string());
    EXPECT_NEAR(double(scene.world.rigid_bodies->mass[0]), 2, 1e-6);
    EXPECT_LT((scene.world.rigid_bodies->pose[0].x - Vec3{3, 0, 0}).norm(), 1e-6) << "the centre of mass";
    expect_error(shape("mesh", "open.obj"), "s.json:2: rigids/0/shape/file: ", "the mesh is not closed", {},
                 folder_.string());
}

}  // namespace
}  // namespace pliant

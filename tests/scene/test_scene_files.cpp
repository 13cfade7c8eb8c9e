// Bodies from files: numbers and groups mean those of the file, and so do the frames that come out.

#include "pliant/files/atomic_file.h"
#include "pliant/render/frame.h"
#include "pliant/solver/solver.h"
#include "scene/scene_texts.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_scenes;

/// Two quadrilaterals that meet at x = 1, where the file has its vertices twice; vertex 0 is loose.
const char* const kSeamedObj =
    "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nv 1 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 1\n"
    "vt 0 0\nvt 1 1\ng collar\nusemtl red\nf 5/1 4/1 3/1 2/2\ng hem\nf 9/1 8/1 7/1 6/2\n";

/// A box of six quadrilaterals in the file, with a loose vertex in front and a group of its own for the lowest side.
const char* const kBoxObj =
    "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "g rest\nf 2 5 4 3\nf 6 7 8 9\nf 3 4 8 7\nf 4 5 9 8\nf 5 2 6 9\ng foot\nf 2 3 7 6\n";

class SceneFiles : public FolderTest {
  protected:
    SceneFiles() : FolderTest("pliant_scene_files_test")
    {
        write_file(folder_ / "seamed.obj", kSeamedObj);
        write_file(folder_ / "box.obj", kBoxObj);
    }

    Scene read_here(const std::string& text) const { return read(text, {}, folder_.string()); }

    void expect_error_here(const std::string& text, const std::string& start, const std::string& part) const
    {
        expect_error(text, start, part, {}, folder_.string());
    }

    static std::string cloth_of(const std::string& more)
    {
        return one_body("cloths", R"({"kind": "mesh", "file": "seamed.obj"})", more);
    }
    static std::string solid_of(const std::string& more)
    {
        return one_body("solids", R"({"kind": "mesh", "file": "box.obj", "spacing": 0.25})", more);
    }

    /// Indices of the particles of body 0 that do not move.
    static std::vector<int> pinned(const World& world)
    {
        std::vector<int> found;
        for (int i = 0; i < world.particles->size(); ++i)
            if (world.particles->inv_mass[i] == 0) found.push_back(i);
        return found;
    }

    static Layer first_layer(const World& world)
    {
        Frame frame;
        update_frame(world, 0, frame);
        return frame.layers[0];
    }
};

TEST_F(SceneFiles, AClothIsWholeAcrossTheSeamsOfItsFile)
{
    const Scene scene = read_here(cloth_of(""));
    EXPECT_EQ(scene.world.particles->size(), 6) << "without the loose vertex, and joined at the seam";
    EXPECT_TRUE(find_warnings(scene).empty());
}

TEST_F(SceneFiles, FramesHaveTheVerticesAndFacesOfTheFile)
{
    Scene scene = read_here(cloth_of(R"("position": [0, 5, 0], "scale": 2, "pins": [{"particles": [1]}])"));
    for (const int steps : {0, 5}) {
        Solver solver;
        for (int i = 0; i < steps; ++i) solver.step(scene.world);
        const Layer layer = first_layer(scene.world);
        ASSERT_EQ(layer.points.size(), 9u);
        EXPECT_EQ(layer.points[0], (Vec3{18, 23, 18})) << "loose: scaled and placed, then still";
        EXPECT_EQ(layer.points[1], (Vec3{0, 5, 0})) << "pinned";
        EXPECT_EQ(layer.points[2], layer.points[5]) << "both sides of the seam";
        EXPECT_EQ(layer.points[3], layer.points[8]);
        ASSERT_NE(layer.faces, nullptr);
        EXPECT_EQ(layer.faces->size(), 2);
        EXPECT_EQ(layer.faces->face(0).size(), 4u);
        EXPECT_EQ(layer.triangles->size(), 4u);
        for (const auto& t : *layer.triangles)
            for (const int v : t) EXPECT_TRUE(v > 0 && v < 9);
    }
    EXPECT_EQ(first_layer(read_here(one_body("cloths", "{}", "")).world).faces, nullptr) << "generated";
}

TEST_F(SceneFiles, ParticlesAreVerticesOfTheFile)
{
    EXPECT_EQ(pinned(read_here(cloth_of(R"("pins": [{"particles": [4, 6]}])")).world), (std::vector{3, 4}));
    EXPECT_EQ(pinned(read_here(cloth_of(R"("pins": [{"particles": [2, 5]}])")).world), (std::vector{1}))
        << "two vertices of a seam are one particle";
    expect_error_here(cloth_of(R"("pins": [{"particles": [0]}])"),
                      "s.json:3: cloths/0/pins/0/particles: ", "vertex 0 belongs to no face");
    expect_error_here(cloth_of(R"("pins": [{"particles": [9]}])"),
                      "s.json:3: cloths/0/pins/0/particles: ", "there is no particle 9; the cloth has 9");
}

TEST_F(SceneFiles, PinsHoldGroups)
{
    EXPECT_EQ(pinned(read_here(cloth_of(R"("pins": [{"group": "collar"}])")).world), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(pinned(read_here(cloth_of(R"("pins": [{"group": "hem"}])")).world), (std::vector{1, 2, 4, 5}));
    expect_error_here(cloth_of(R"("pins": [{"group": "colar"}])"),
                      "s.json:3: cloths/0/pins/0/group: ", "no group or object \"colar\"; did you mean \"collar\"?");
    expect_error_here(one_body("cloths", "{}", R"("pins": [{"group": "hem"}])"),
                      "s.json:3: cloths/0/pins/0/group: ", "has no groups");
    expect_error_here(cloth_of(R"("pins": [{"group": "hem", "particles": [1]}])"),
                      "s.json:3: cloths/0/pins/0: ", "or group");
}

TEST_F(SceneFiles, ASolidWhoseSkinIsParticlesCountsTheVerticesOfItsFile)
{
    const Scene scene = read_here(solid_of(R"("skin": true, "pins": [{"group": "foot"}])"));
    const std::vector<int> held = pinned(scene.world);
    EXPECT_EQ(held.size(), 4u);
    for (const int i : held) EXPECT_EQ(scene.world.particles->x[i].y, 0);
    const std::vector<int> one = pinned(read_here(solid_of(R"("skin": true, "pins": [{"particles": [7]}])")).world);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(scene.world.particles->x[one[0]], (Vec3{1, 1, 1}));
    expect_error_here(solid_of(R"("pins": [{"group": "foot"}])"),
                      "s.json:3: solids/0/pins/0/group: ", "\"skin\": true");

    for (const char* skin : {"true", "false"}) {
        const Layer layer = first_layer(read_here(solid_of(fmt::format("\"skin\": {}", skin))).world);
        ASSERT_EQ(layer.points.size(), 9u);
        EXPECT_EQ(layer.faces->size(), 6);
        EXPECT_LT((layer.points[7] - Vec3{1, 1, 1}).norm(), Real(1e-5));
        EXPECT_EQ(layer.points[0], (Vec3{9, 9, 9}));
    }
}

TEST_F(SceneFiles, CopiesOfASolidHaveLooseVerticesOfTheirOwn)
{
    const Scene scene = read_here(solid_of(R"("array": {"count": [2, 1, 1], "spacing": [3, 0, 0]})"));
    Frame frame;
    update_frame(scene.world, 0, frame);
    EXPECT_EQ(frame.layers[0].points[0], (Vec3{9, 9, 9}));
    EXPECT_EQ(frame.layers[1].points[0], (Vec3{12, 9, 9}));
}

TEST_F(SceneFiles, ARigidBodyCarriesItsLooseVertices)
{
    Scene scene = read_here(one_body("rigids", R"({"kind": "mesh", "file": "box.obj"})",
                                     R"("position": [0, 5, 0], "angular_velocity": [0, 3, 0])"));
    const auto distance = [&] {
        const Layer layer = first_layer(scene.world);
        EXPECT_EQ(layer.points.size(), 9u);
        EXPECT_EQ(layer.faces->size(), 6);
        return static_cast<double>((layer.points[0] - layer.points[7]).norm());
    };
    EXPECT_NEAR(distance(), std::sqrt(3 * 64.0), 1e-4);
    EXPECT_LT((first_layer(scene.world).points[0] - Vec3{9, 14, 9}).norm(), Real(1e-4));
    Solver solver;
    for (int i = 0; i < 20; ++i) solver.step(scene.world);
    EXPECT_NEAR(distance(), std::sqrt(3 * 64.0), 1e-4);
    EXPECT_GT((first_layer(scene.world).points[0] - Vec3{9, 14, 9}).norm(), Real(1)) << "turns with the body";
}

TEST_F(SceneFiles, AMeshThatIsShownInsteadKeepsItsFaces)
{
    const Scene scene = read_here(one_body(
        "cloths", R"({"size": [4, 4]})", R"("render": {"kind": "mesh", "file": "seamed.obj"}, "position": [0, 1, 0])"));
    const Layer layer = first_layer(scene.world);
    ASSERT_EQ(layer.points.size(), 9u);
    EXPECT_EQ(layer.faces->size(), 2);
    EXPECT_EQ(layer.points[0], (Vec3{9, 10, 9}));
    EXPECT_EQ(layer.points[2], layer.points[5]);
}

TEST_F(SceneFiles, TetrahedraCountTheVerticesOfTheirFile)
{
    write_file(folder_ / "t.vtk",
               "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n"
               "9 9 9  0 0 0\n1 0 0  0 1 0\n0 0 1\nCELLS 1 5\n4 1 2 3 4\nCELL_TYPES 1\n10\n");
    const auto tets = [&](const std::string& more) {
        return one_body("solids", R"({"kind": "tetrahedra", "file": "t.vtk"})", more);
    };
    for (const char* skin : {"true", "false"}) {
        const Scene scene = read_here(tets(fmt::format(R"("skin": {}, "pins": [{{"particles": [4]}}])", skin)));
        const std::vector<int> held = pinned(scene.world);
        ASSERT_EQ(held.size(), 1u);
        EXPECT_EQ(scene.world.particles->x[held[0]], (Vec3{0, 0, 1}));
        const Layer layer = first_layer(scene.world);
        ASSERT_EQ(layer.points.size(), 5u);
        EXPECT_LT((layer.points[2] - Vec3{1, 0, 0}).norm(), Real(1e-5));
        EXPECT_EQ(layer.points[0], (Vec3{9, 9, 9}));
        EXPECT_EQ(layer.faces->size(), 4);
    }
    expect_error_here(tets(R"("pins": [{"particles": [0]}])"),
                      "s.json:3: solids/0/pins/0/particles: ", "vertex 0 belongs");
}

TEST_F(SceneFiles, GlueTakesVerticesAndGroupsOfTheFile)
{
    const auto glue = [](const std::string& side) {
        std::string text = cloth_of("");
        return text.insert(text.rfind('}'), ", \"glue\": [\n{\"a\": {\"body\": \"a\", " + side + "}}]");
    };
    const World one = read_here(glue(R"("particles": [6])")).world;
    EXPECT_EQ(one.particles->x[4], (Vec3{2, 0, 0}));
    ASSERT_EQ(one.glues.size(), 1u);
    const World group = read_here(glue(R"("group": "hem")")).world;
    ASSERT_EQ(group.glues.size(), 1u);
    expect_error_here(glue(R"("group": "hemm")"), "s.json:3: glue/0/a/group: ", "did you mean \"hem\"?");
    expect_error_here(glue(R"("particles": [0])"), "s.json:3: glue/0/a/particles: ", "vertex 0 belongs to no face");
    expect_error_here(glue(R"("group": "hem", "particles": [1])"), "s.json:3: glue/0/a/group: ", "keep one of them");
}

TEST_F(SceneFiles, SeamsTakeGroupsOfTheFile)
{
    const auto seam = [](const std::string& side) {
        std::string text = cloth_of("");
        text.insert(text.rfind(']'), R"(, {"name": "b", "position": [0, 0.1, 0], "shape": {"size": [4, 4]}})");
        return text.insert(text.rfind('}'), ", \"seams\": [\n{\"a\": {\"body\": \"a\", " + side +
                                                "}, \"b\": {\"body\": \"b\", \"part\": \"all\"}}]");
    };
    EXPECT_EQ(read_here(seam(R"("group": "hem")")).world.glues.size(), 4u);
    EXPECT_EQ(read_here(seam(R"("particles": [1, 2, 5])")).world.glues.size(), 2u) << "2 and 5 are one particle";
    expect_error_here(seam(R"("group": "ham")"), "s.json:3: seams/0/a/group: ", "did you mean \"hem\"?");
}

}  // namespace
}  // namespace pliant

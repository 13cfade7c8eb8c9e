// Cloths in scene files: what they build, and what is said of those that cannot be built.

#include "pliant/cloth/cloth_system.h"
#include "pliant/files/atomic_file.h"
#include "pliant/render/frame.h"
#include "pliant/report/stats.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#include "scene/scene_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace pliant {
namespace {

using namespace testing_scenes;

constexpr const char* kSheet = R"({"kind": "rectangle", "size": [2, 1], "cells": [8, 4]})";

/// A scene with one cloth, to which `more` is added.
std::string cloth(const std::string& more, const std::string& shape = kSheet)
{
    return one_body("cloths", shape, more);
}

class SceneClothFiles : public FolderTest {
  protected:
    SceneClothFiles() : FolderTest("pliant_scene_cloth_test") {}

    Scene read_mesh(const std::string& obj, const std::string& more = "") const
    {
        write_file(folder_ / "m.obj", obj);
        return read_scene_text(cloth(more, R"({"kind": "mesh", "file": "m.obj"})"), "s.json", folder_.string());
    }

    std::string mesh_error(const std::string& obj) const
    {
        try {
            read_mesh(obj);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
};

TEST(SceneCloth, MakesEveryGeneratedShape)
{
    struct Case {
        const char* shape;
        int vertices, triangles;
        double area;  // [m^2]
    };
    constexpr double kPi = 3.141592653589793;
    for (const Case& c :
         {Case{kSheet, 45, 64, 2},
          Case{R"({"kind": "rectangle", "cells": [3, 3], "pattern": "alternating"})", 16, 18, 1},
          Case{R"({"kind": "irregular", "cells": [8, 4], "jitter": 0.3, "seed": 3})", 45, 64, 1},
          Case{R"({"kind": "disc", "radius": 1, "divisions": 24})", 1801, 3456, kPi},
          Case{R"({"kind": "dome", "radius": 1, "height": 0.5, "divisions": 24})", 1801, 3456,
               kPi * 1.25},  // of a cap: pi (radius^2 + height^2)
          Case{R"({"kind": "tube", "radius": 1, "height": 0.1, "divisions": 64})", 128, 128, 2 * kPi * 0.1},
          Case{R"({"kind": "sphere", "radius": 1, "divisions": 16})", 1538, 3072, 4 * kPi}}) {
        const Scene scene = read(cloth("\"areal_density\": 1", c.shape));
        ASSERT_EQ(scene.world.cloths.size(), 1u) << c.shape;
        EXPECT_EQ(scene.world.cloths[0].name, "a");
        EXPECT_EQ(scene.world.particles->size(), c.vertices) << c.shape;
        EXPECT_EQ(static_cast<int>(scene.world.cloths[0].rest.triangles.size()), c.triangles) << c.shape;
        EXPECT_NEAR(mass_of(scene.world), c.area, 0.01 * c.area) << c.shape;
        EXPECT_TRUE(find_warnings(scene).empty()) << c.shape;
    }
}

TEST(SceneCloth, DomeIsTheCapOfASphere)
{
    const Scene scene = read(cloth("", R"({"kind": "dome", "radius": 0.6, "height": 0.2, "divisions": 6})"));
    const Cloth& dome = scene.world.cloths[0];
    const double radius = (0.6 * 0.6 + 0.2 * 0.2) / (2 * 0.2);
    for (const Vec3d& p : dome.rest.vertices) EXPECT_NEAR((p - Vec3d{0, 0.2 - radius, 0}).norm(), radius, 1e-12);
    EXPECT_NEAR(dome.rest.vertices.front().y, 0.2, 1e-12) << "the top";
    EXPECT_NEAR(dome.rest.vertices.back().y, 0, 1e-12) << "the border";
    std::vector<double> areas;
    for (const auto& [a, b, c] : dome.rest.triangles) {
        const Vec3d& corner = dome.rest.vertices[a];
        areas.push_back((dome.rest.vertices[b] - corner).cross(dome.rest.vertices[c] - corner).norm());
    }
    const auto [least, most] = std::minmax_element(areas.begin(), areas.end());
    EXPECT_LT(*most / *least, 1.35) << "triangles are nearly of one size";
}

TEST(SceneCloth, PlacesTurnsAndStretches)
{
    const Scene scene = read(cloth(R"("rotation": [90, 0, 0], "stretch": [1.5, 1, 1], "scale": 2, "position": [0, 3, 0],
                                      "velocity": [1, 0, 0], "angular_velocity": [0, 0, 3], "mass": 5)"));
    const Particles& p = scene.world.particles;
    const Vec3d center = center_of_mass(p, all_particles(scene.world));
    EXPECT_LT((center - Vec3d{0, 3, 0}).norm(), 1e-5);
    EXPECT_NEAR(mass_of(scene.world), 5, 1e-4);
    EXPECT_NEAR(scene.world.cloths[0].params.areal_density, 5.0 / 8, 1e-6) << "of the rest shape";
    EXPECT_LT((p.x[0] - Vec3{-3, 4, 0}).norm(), 1e-5) << "the corner of lowest x and z is up";
    EXPECT_LT((p.v[0] - (Vec3{1, 0, 0} + Vec3{0, 0, 3}.cross(Vec3{-3, 1, 0}))).norm(), 1e-4);
    EXPECT_NEAR(measure_strain(scene.world, scene.world.cloths[0]).max, 0.5, 1e-5) << "at rest it is not stretched";
}

TEST(SceneCloth, PinsByPointBoxAndNumber)
{
    const Scene scene = read(cloth(R"("position": [0, 2, 0], "pins": [{"at": [-5, 2, -5]}, {"particles": [8]},
                                      {"low": [-2, 1, 0.49], "high": [2, 3, 0.51], "release": 1}])"));
    const std::vector<PinnedSet>& pins = scene.world.drivers->pins;
    ASSERT_EQ(pins.size(), 3u);
    EXPECT_EQ(pins[0].particles, std::vector{0});
    EXPECT_EQ(pins[1].particles, std::vector{8});
    EXPECT_EQ(pins[2].particles.size(), 9u);
    EXPECT_EQ(pins[2].release, 1);
}

TEST(SceneCloth, NoiseMovesAlongTheNormalAndSparesPins)
{
    const auto noisy = [](const std::string& more) {
        return *read(cloth(R"("rotation": [90, 0, 0], "noise": 0.01, )" + more)).world.particles;
    };
    const Particles p = noisy(R"("pins": [{"at": [-1, 0.5, 0]}])");
    Real most = 0;
    for (int i = 1; i < p.size(); ++i) {
        EXPECT_LE(std::abs(p.x[i].z), Real(0.01) + Real(1e-6));
        EXPECT_EQ(p.x[i], p.x_prev[i]);
        most = std::max(most, std::abs(p.x[i].z));
    }
    EXPECT_GT(most, Real(0.008)) << "some of 44 are near the bound";
    EXPECT_LT((p.x[0] - Vec3{-1, Real(0.5), 0}).norm(), 1e-6) << "what is pinned stays";
    EXPECT_EQ(p.x[5], noisy("\"seed\": 1").x[5]) << "a pin elsewhere changes nothing";
    EXPECT_NE(p.x[5], noisy("\"seed\": 2").x[5]);
}

TEST(SceneCloth, BadInputNamesFileLineKeyAndRemedy)
{
    expect_error(cloth("\"gian\": 1"), "s.json:3: unknown key \"gian\" in cloths/0", "did you mean \"gain\"?");
    expect_error(cloth("\"areal_density\": 0"), "s.json:3: cloths/0/areal_density: ", "greater than 0, is 0");
    expect_error(cloth("", R"({"kind": "rectangle", "size": [0, 1]})"),
                 "s.json:2: cloths/0/shape/size/0: ", "greater than 0, is 0");
    expect_error(cloth("", R"({"kind": "rectangle", "size": 1})"), "s.json:2: cloths/0/shape/size: ", "an array of 2");
    expect_error(cloth("", R"({"kind": "rectangle", "cells": [0, 1]})"),
                 "s.json:2: cloths/0/shape/cells/0: ", "between 1 and 2048, is 0");
    expect_error(cloth("", R"({"kind": "rectangle", "radius": 1})"),
                 "s.json:2: cloths/0/shape/radius: ", "means nothing for the kind \"rectangle\"; remove it");
    expect_error(cloth("", R"({"kind": "irregular", "pattern": "uniform"})"),
                 "s.json:2: cloths/0/shape/pattern: ", "means nothing");
    expect_error(cloth("", R"({"kind": "irregular", "jitter": 0.6})"),
                 "s.json:2: cloths/0/shape/jitter: ", "between 0 and 0.45, is 0.6");
    expect_error(cloth("", R"({"kind": "disk"})"), "s.json:2: cloths/0/shape/kind: ", "did you mean \"disc\"?");
    expect_error(cloth("", R"({"kind": "tube", "divisions": 2})"), "s.json:2: cloths/0/shape: ", "from 3 to 2048");
    expect_error(cloth("", R"({"kind": "mesh"})"), "s.json:2: cloths/0/shape/file: ", "is missing");
    expect_error(cloth("", R"({"kind": "mesh", "file": "no.obj"})"),
                 "s.json:2: cloths/0/shape/file: ", "no file no.obj");
    expect_error(R"({"cloths": [{}]})", "s.json:1: cloths/0/shape: ", "is missing; say what the cloth is made of");
    expect_error(cloth("\"pressure\": 5"), "s.json:2: cloths/0: ", "pressure");
    expect_error(cloth("\"warp_axis\": [0, 0, 0]"), "s.json:2: cloths/0: ", "warp_axis");
    expect_error(cloth(R"("pins": [{"low": [5, 5, 5], "high": [6, 6, 6]}])"),
                 "s.json:3: cloths/0/pins/0: ", "the cloth lies between [-1, 0, -0.5]");
    expect_error(cloth(R"("pins": [{"particles": [45]}])"),
                 "s.json:3: cloths/0/pins/0/particles: ", "no particle 45; the cloth has 45");
    expect_error(cloth(R"("pins": [{}])"), "s.json:3: cloths/0/pins/0: ", "either low and high, or particles, or at");
    expect_error(cloth("\"name\": \"a\""), "s.json:3: key \"name\" is given twice", "line 2");
    expect_error(R"({"cloths": [{"shape": {"kind": "disc"}, "name": "x"}],
                     "colliders": [{"name": "x"}]})",
                 "s.json:2: colliders/0/name: ", "cloths/0 already");
}

TEST(SceneCloth, RefusesWhatNumbersCannotHold)
{
    expect_error(cloth("\"scale\": 1e-200"), "s.json:2: cloths/0/shape: ", "");
    if (sizeof(Real) != sizeof(float)) return;
    expect_error(cloth("\"mass\": 1e-37"), "s.json:2: cloths/0: ", "too small or too large");
    expect_error(cloth("\"position\": [1e39, 0, 0]"), "s.json:2: cloths/0: ", "too large");
    expect_error(cloth("\"noise\": 1e39"), "s.json:2: cloths/0: ", "too large");
}

TEST(SceneCloth, RefusesTooManyParticlesBeforeMakingThem)
{
    expect_error(cloth("", R"({"kind": "rectangle", "cells": [100000, 100000]})"),
                 "s.json:2: cloths/0/shape/cells/0: ", "between 1 and 2048, is 100000");
    const JsonText text = parse_json(R"({"cloths": [{"shape": {}}]})", "s.json");
    const auto refusal = [&](ClothShapeKind kind) -> std::string {
        ClothEntry entry;
        entry.shape.kind = kind;
        entry.shape.cells = {2048, 2048};
        entry.shape.divisions = 2048;
        try {
            make_cloth_mesh(entry, "cloths/0", {text, "."}, 1000);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal(ClothShapeKind::rectangle),
              "s.json:1: cloths/0/shape/cells: asks for 4198401 particles, and 1000 are the most that are left of the "
              "50000000 that a scene may have; ask for fewer");
    EXPECT_NE(refusal(ClothShapeKind::irregular).find("/cells: asks for 4198401"), std::string::npos);
    EXPECT_NE(refusal(ClothShapeKind::disc).find("/divisions: asks for 12589057"), std::string::npos);
    EXPECT_NE(refusal(ClothShapeKind::dome).find("/divisions: asks for 12589057"), std::string::npos);
    EXPECT_NE(refusal(ClothShapeKind::tube).find("/divisions: asks for 1"), std::string::npos);
    EXPECT_NE(refusal(ClothShapeKind::sphere).find("/divisions: asks for 25165826"), std::string::npos);
}

TEST_F(SceneClothFiles, VerticesOfAMeshAreParticles)
{
    const Scene scene = read_mesh("v 0 0 0\nv 100 0 0\nv 0 100 0\nv 100 100 0\nf 1 2 3\nf 2 4 3\n", "\"scale\": 0.01");
    EXPECT_EQ(scene.world.particles->size(), 4);
    EXPECT_EQ(scene.world.cloths[0].rest.triangles.size(), 2u);
    EXPECT_NEAR(mass_of(scene.world), 0.2, 1e-6) << "a square metre";
    EXPECT_TRUE(find_warnings(scene).empty());
}

TEST_F(SceneClothFiles, RefusesMeshesThatAreNoSheet)
{
    const std::string twice = mesh_error("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 1\n");
    EXPECT_EQ(twice.find("s.json:2: cloths/0/shape/file: "), 0u) << twice;
    EXPECT_NE(twice.find("triangles 0 and 1 "), std::string::npos) << twice;
    EXPECT_NE(twice.find("remove one of them"), std::string::npos) << twice;
    const std::string flat = mesh_error("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    EXPECT_EQ(flat.find("s.json:2: cloths/0/shape/file: "), 0u) << flat;
    const std::string garbage = mesh_error("no mesh");
    EXPECT_EQ(garbage.find("s.json:2: cloths/0/shape/file: "), 0u) << garbage;
}

TEST_F(SceneClothFiles, NotesBecomeWarnings)
{
    const Scene scene = read_mesh("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 -1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n");
    const std::vector<std::string> warnings = find_warnings(scene);
    ASSERT_EQ(warnings.size(), scene.world.cloths[0].notes.size());
    ASSERT_FALSE(warnings.empty());
    EXPECT_EQ(warnings[0].find("a: three or more triangles meet in 1 edges"), 0u) << warnings[0];
}

TEST(SceneCloth, WarnsOfWhatIsProbablyNotMeant)
{
    const auto warning = [](const std::string& more, const Sets& sets = {}) {
        const std::vector<std::string> warnings = find_warnings(read(cloth(more), sets));
        return warnings.empty() ? "" : warnings[0];
    };
    EXPECT_EQ(warning(""), "");
    EXPECT_NE(warning("\"position\": [0, -1, 0]", {R"(colliders=[{"name": "floor"}])"})
                  .find("45 of 45 particles inside floor"),
              std::string::npos);
    EXPECT_NE(warning("", {"settings.iterations=0"}).find("iterations 0"), std::string::npos);
    EXPECT_NE(warning("\"gain\": 0, \"fibres\": \"none\"").find("gain 0"), std::string::npos);
    EXPECT_NE(warning("\"warp_stiffness\": 10, \"fibres\": \"sweep\"").find("warp_stiffness"), std::string::npos);
    EXPECT_NE(warning("\"air_drag\": 1", {"forces.air_density=0"}).find("air_density"), std::string::npos);
    EXPECT_NE(warning("", {"forces.wind=[1, 0, 0]"}).find("wind"), std::string::npos);
    EXPECT_EQ(warning("\"air_drag\": 1", {"forces.wind=[1, 0, 0]"}), "");
}

TEST(SceneCloth, IsALayerOfTriangles)
{
    World world = read(R"({"solids": [{"name": "cube", "shape": {"kind": "box", "count": 64}, "position": [0, 3, 0]}],
                           "cloths": [{"name": "sheet", "shape": {"kind": "rectangle", "cells": [2, 2]}}],
                           "colliders": [{"name": "floor", "position": [0, -2, 0]}]})")
                      .world;
    Frame frame;
    update_frame(world, 0, frame);
    ASSERT_EQ(frame.layers.size(), 3u);
    const Layer& layer = frame.layers[1];
    EXPECT_EQ(layer.name, "sheet");
    EXPECT_EQ(layer.points.size(), 9u);
    EXPECT_EQ(layer.triangles.get(), world.cloths[0].triangles.get()) << "shared, not copied";
    EXPECT_FALSE(layer.scenery);
    EXPECT_EQ(layer.points[0], world.particles->x[world.cloths[0].particles.first]);

    Solver solver;
    solver.step(world);
    update_frame(world, 1, frame);
    EXPECT_LT(frame.layers[1].points[4].y, 0) << "it falls";
}

TEST(SceneCloth, IsInTheStatistics)
{
    const Scene scene = read(cloth(R"("stretch": [1.5, 1, 1], "gain": 0.7)"));
    Stats stats(scene.world);
    stats.add(0, scene.world, {});
    const Json json = Json::parse(stats.text());
    EXPECT_EQ(json["counts"]["cloths"], 1);
    EXPECT_EQ(json["counts"]["triangles"], 64);
    EXPECT_EQ(json["counts"]["triangle_clusters"], make_system(scene.world.cloths[0]).clusters.corners.size());
    EXPECT_EQ(json["counts"]["fibres"], 5 + 9 + 11) << "along x, along z and along the diagonals";
    EXPECT_EQ(json["settings"]["cloths"]["a"]["gain"], 0.7);
    EXPECT_EQ(json["settings"]["cloths"]["a"]["fibres"], "solve");
    const Json& frame = json["frames"][0];
    EXPECT_NEAR(frame["max_strain"]["a"], 0.5, 1e-5);
    EXPECT_NEAR(frame["p99_strain"]["a"], 0.5, 1e-5);
    EXPECT_NEAR(frame["center"]["a"][0], 0, 1e-5);
    const Stats none(read(cloth("\"fibres\": \"none\"")).world);
    EXPECT_EQ(Json::parse(none.text())["counts"]["fibres"], 0);
}

TEST(SceneCloth, IsMeasuredByExpectations)
{
    const std::string expectations = R"(, "expect": [{"what": "max_strain", "of": "a", "max": 1},
        {"what": "lowest", "of": "a", "max": 1}, {"what": "height", "of": "a", "max": 1},
        {"what": "rotation", "of": "a", "max": 1}, {"what": "size_y", "of": "a", "max": 1},
        {"what": "max_strain", "max": 1}, {"what": "lowest", "of": "cube", "max": 1},
        {"what": "max_strain", "of": "cube", "max": 1}],
        "solids": [{"name": "cube", "shape": {"kind": "box", "spacing": 0.25}}])";
    std::string text = cloth(R"("rotation": [40, 0, 0], "stretch": [1.25, 1, 1], "position": [0, 2, 0])");
    text.insert(text.size() - 1, expectations);
    const Scene scene = read(text);
    ExpectCheck check(scene.expect);
    check.sample(0, scene.world, 0);
    const std::vector<ExpectResult> results = check.results();
    const double up = 0.5 * std::sin(40 * 3.141592653589793 / 180);
    EXPECT_NEAR(results[0].value, 0.25, 1e-5);
    EXPECT_NEAR(results[1].value, 2 - up, 1e-5);
    EXPECT_NEAR(results[2].value, 2, 1e-5);
    EXPECT_NEAR(results[3].value, 40, 1e-3);
    EXPECT_NEAR(results[4].value, 2 * up, 1e-5);
    EXPECT_NEAR(results[5].value, 0.25, 1e-5) << "the largest of all bodies";
    EXPECT_NEAR(results[6].value, -0.375, 1e-5);
    EXPECT_NEAR(results[7].value, 0, 1e-5) << "of the cube alone";
    expect_error(
        R"({"cloths": [{"name": "flag", "shape": {"kind": "disc"}}],
                     "expect": [{"what": "height", "of": "falg", "min": 0}]})",
        "s.json:2: expect/0: ", "no solid, cloth, rod or rigid body is named \"falg\"; did you mean \"flag\"?");
}

TEST(SceneCloth, FillsFourSides)
{
    const std::string sides = "[[[0,0,0],[1,0,0]], [[1,0,0],[1.2,1,0]], [[1.2,1,0],[0,1,0]], [[0,1,0],[0,0,0]]]";
    const Scene s = read(one_body("cloths", R"({ "kind": "patch", "cells": [4, 6], "sides": )" + sides + " }", ""));
    EXPECT_EQ(s.world.particles->size(), 5 * 7);
    expect_error(one_body("cloths", R"({ "kind": "patch" })", ""), "s.json:2: cloths/0/shape: ", "give four");
    expect_error(one_body("cloths", R"({ "kind": "patch", "radius": 1 })", ""),
                 "s.json:2: cloths/0/shape/radius: ", "means nothing");
}

}  // namespace
}  // namespace pliant

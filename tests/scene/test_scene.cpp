#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/json/json_text.h"
#include "pliant/render/frame.h"
#include "pliant/world/measure.h"
#include "scene/scene_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace pliant {
namespace {

using namespace testing_scenes;

/// A scene with one solid, to which `more` is added.
std::string solid(const std::string& more, const std::string& shape = R"({"kind": "box", "spacing": 0.25})")
{
    return fmt::format("{{\"solids\": [\n{{\"name\": \"a\", \"shape\": {}{}{}}}]}}", shape, more.empty() ? "" : ",\n",
                       more);
}

TEST(Scene, ReadsAllItsParts)
{
    const Scene scene = read(R"({
        "about": "a box", "frames": 12, "settings": {"dt": 0.01, "substeps": 3, "iterations": 7},
        "forces": {"gravity": [0, -1, 0], "wind": [1, 0, 0], "drag": 0.5},
        "solids": [{"name": "box", "shape": {"kind": "box", "size": [1, 1, 1], "spacing": 0.25}, "density": 500,
                    "gamma": 0.2, "position": [0, 2, 0], "velocity": [1, 0, 0]}],
        "colliders": [{"shape": "sphere", "radius": 0.4, "position": [0, -1, 0]}],
        "grabs": [{"at": [0.5, 2.5, 0.5], "target": [1, 3, 1], "compliance": 0.01}],
        "expect": [{"what": "height", "min": 0}]})");
    EXPECT_EQ(scene.name, "s");
    EXPECT_EQ(scene.about, "a box");
    EXPECT_EQ(scene.frames, 12);
    EXPECT_EQ(scene.world.settings->substeps, 3);
    EXPECT_EQ(scene.world.forces->drag, Real(0.5));
    ASSERT_EQ(scene.world.solids.size(), 1u);
    EXPECT_EQ(scene.world.solids[0].name, "box");
    EXPECT_EQ(scene.world.solids[0].params.gamma, Real(0.2));
    EXPECT_EQ(scene.world.particles->size(), 64);
    EXPECT_NEAR(center_of_mass(scene.world.particles, all_particles(scene.world)).y, 2, 1e-6);
    EXPECT_NEAR(linear_momentum(scene.world.particles, all_particles(scene.world)).x, 500, 1e-2);
    ASSERT_EQ(scene.world.colliders.size(), 1u);
    EXPECT_EQ(scene.world.colliders[0].name, "collider-0");
    ASSERT_EQ(scene.world.grabs.size(), 1u);
    EXPECT_EQ(scene.world.grabs[0].target, (Vec3{1, 3, 1}));
    EXPECT_EQ(scene.expect.size(), 1u);
}

TEST(Scene, MakesEveryGeneratedShape)
{
    for (const char* shape :
         {R"({"kind": "box"})", R"({"kind": "sphere", "radius": 1})",
          R"({"kind": "cylinder", "radius": 0.2, "height": 2})", R"({"kind": "capsule", "radius": 0.2, "height": 1})",
          R"({"kind": "torus", "radius": 1, "minor_radius": 0.3})", R"({"kind": "mascot", "height": 1})"}) {
        const Scene scene = read(solid("", shape));
        EXPECT_EQ(scene.world.particles->size(), 1000) << shape;
        EXPECT_TRUE(scene.world.solids[0].skin.triangles) << shape;
    }
    EXPECT_EQ(
        read(solid("", R"({"kind": "points", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]})")).world.particles->size(),
        4);
}

TEST(Scene, PlacesTurnsAndStretches)
{
    const Scene scene = read(solid(R"("rotation": [0, 0, 90], "stretch": [2, 1, 1], "scale": 2, "position": [1, 0, 0],
                                      "angular_velocity": [0, 0, 3], "mass": 80)",
                                   R"({"kind": "box", "spacing": 0.5})"));
    const Particles& p = scene.world.particles;
    Vec3 low = p.x[0], high = p.x[0];
    double mass = 0;
    for (int i = 0; i < p.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p.x[i][axis]);
            high[axis] = std::max(high[axis], p.x[i][axis]);
        }
        mass += static_cast<double>(p.mass[i]);
        const Vec3 v = Vec3{0, 0, 3}.cross(p.x[i] - Vec3{1, 0, 0});
        EXPECT_LT((p.v[i] - v).norm(), 1e-5);
    }
    EXPECT_EQ(p.size(), 64) << "two metres at half a metre";
    EXPECT_NEAR(high.x - low.x, 1.5, 1e-5);
    EXPECT_NEAR(high.y - low.y, 3, 1e-5) << "stretched along its own x, which now points up";
    EXPECT_NEAR(mass, 80, 1e-4);
}

TEST(Scene, CopiesInALattice)
{
    const std::string text = solid(R"("array": {"count": [2, 1, 3], "spacing": [2, 2, 2], "jitter": 0.1, "seed": 5})");
    const Scene scene = read(text);
    ASSERT_EQ(scene.world.solids.size(), 6u);
    EXPECT_EQ(scene.world.solids[5].name, "a-5");
    const Vec3d last = center_of_mass(scene.world.particles, scene.world.solids[5].particles);
    EXPECT_LE((last - Vec3d{2, 0, 4}).norm(), 0.1 * std::sqrt(3.0) + 1e-6);
    EXPECT_GT((last - Vec3d{2, 0, 4}).norm(), 1e-3);
    EXPECT_EQ(hash_state(scene.world.particles), hash_state(read(text).world.particles)) << "seeded";
    EXPECT_NE(hash_state(scene.world.particles), hash_state(read(text, {"solids.a.array.seed=6"}).world.particles));
}

TEST(Scene, PinsWhatABoxOrAListCatches)
{
    const Scene scene =
        read(solid(R"("position": [0, 5, 0], "pins": [{"low": [-1, 4, -1], "high": [-0.3, 6, 1], "release": 1},
                                      {"particles": [63], "motion": {"keys": [{"time": 0}, {"time": 1, "degrees": 90}]}}])"));
    ASSERT_EQ(scene.world.drivers->pins.size(), 2u);
    EXPECT_EQ(scene.world.drivers->pins[0].particles.size(), 16u);
    EXPECT_EQ(scene.world.drivers->pins[0].release, 1);
    EXPECT_EQ(scene.world.drivers->pins[1].particles, std::vector{63});
    EXPECT_EQ(scene.world.drivers->pins[1].release, -1);
    EXPECT_EQ(scene.world.particles->inv_mass[63], 0);
}

TEST(Scene, PinsTheParticleNearestToAPoint)
{
    const std::string pin = R"("pins": [{"at": [-1, 6, -1]}], "array": {"count": [2, 1, 1], "spacing": [3, 0, 0]})";
    const Scene scene = read(solid("\"position\": [0, 5, 0], " + pin));
    ASSERT_EQ(scene.world.drivers->pins.size(), 2u);
    for (int copy = 0; copy < 2; ++copy) {
        const std::vector<int>& caught = scene.world.drivers->pins[copy].particles;
        ASSERT_EQ(caught.size(), 1u);
        const Vec3d corner{3.0 * copy - 0.375, 5.375, -0.375};  // the point moves along with the copies
        EXPECT_LT((scene.world.particles->x[caught[0]].cast<double>() - corner).norm(), 1e-5);
    }
    expect_error(solid(R"("pins": [{"at": [0, 0, 0], "particles": [1]}])"),
                 "s.json:3: solids/0/pins/0: ", "needs either");
}

TEST(Scene, BadInputNamesFileLineKeyAndRemedy)
{
    expect_error(solid("\"gama\": 1"), "s.json:3: unknown key \"gama\" in solids/0", "did you mean \"gamma\"?");
    expect_error(solid("\"density\": -3"), "s.json:3: solids/0/density: ", "must be greater than 0, is -3");
    expect_error(solid("\"mass\": -1"), "s.json:3: solids/0/mass: ", "must be greater than 0, is -1");
    expect_error(solid("\"density\": \"heavy\""), "s.json:3: solids/0/density: ", "must be a number");
    expect_error(solid("\"density\": NaN"), "s.json:3: ", "must be finite");
    expect_error(solid("\"velocity\": [0, 1e999, 0]"), "s.json:3: ", "number overflow");
    expect_error(solid("", R"({"kind": "sphere", "radius": 0})"),
                 "s.json:2: solids/0/shape/radius: ", "greater than 0");
    expect_error(R"({"colliders": [{"shape": "sphere", "radius": 0}]})",
                 "s.json:1: colliders/0/radius: ", "greater than 0");
    expect_error(solid("", R"({"kind": "points", "points": []})"), "s.json:2: solids/0/shape/points: ", "empty");
    expect_error(solid("", R"({"kind": "box", "count": 0})"), "s.json:2: solids/0/shape/count: ", "at least 1");
    expect_error(solid("", R"({"kind": "mesh", "file": "no.obj"})"),
                 "s.json:2: solids/0/shape/file: ", "no file no.obj");
    expect_error(solid("", R"({"kind": "mesh"})"), "s.json:2: solids/0/shape/file: ", "is missing");
    expect_error(R"({"solids": [{}]})", "s.json:1: solids/0/shape: ", "is missing");
    expect_error(solid("", R"({"kind": "box", "radius": 1})"), "s.json:2: solids/0/shape/radius: ", "means nothing");
    expect_error(solid("", R"({"kind": "box", "spacing": 0.1, "count": 5})"),
                 "s.json:2: solids/0/shape/count: ", "keep one");
    expect_error(solid("\"name\": \"a\""), "s.json:3: key \"name\" is given twice", "line 2");
    if (sizeof(Real) == sizeof(float))
        expect_error(solid("\"velocity\": [1e39, 0, 0]"), "s.json:2: solids/0: ", "too large");
}

TEST(Scene, RefusesTooManyParticlesBeforeMakingThem)
{
    expect_error(solid("", R"({"kind": "box", "count": 1000000000})"),
                 "s.json:2: solids/0/shape/count: ", "1000000000 particles");
    expect_error(solid("", R"({"kind": "box", "count": 1e12})"), "s.json:2: solids/0/shape/count: ", "1000000000000");
    expect_error(solid("", R"({"kind": "box", "spacing": 0.001})"),
                 "s.json:2: solids/0/shape/spacing: ", "use a spacing of 0.002");
    expect_error(solid(R"("array": {"count": [1000, 1000, 1]})"), "s.json:2: solids/0/shape/spacing: ", "64 particles");
    expect_error(solid(R"("array": {"count": [2000000000, 2000000000, 2000000000]})"),
                 "s.json:3: solids/0/array/count: ", "copies");
}

TEST(Scene, RefusesClustersThatCoverNothing)
{
    expect_error(solid("\"cluster_radius\": 0.1"), "s.json:3: solids/0/cluster_radius: ", "covers no neighbour");
    const std::string points = R"({"kind": "points", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]})";
    EXPECT_EQ(error_of(solid(R"("clustering": "lists", "clusters": [[0, 1, 2], [1, 2, 3]])", points)), "");
    expect_error(solid(R"("clustering": "lists")", points), "s.json:2: solids/0/clusters: ", "are missing");
    expect_error(solid(R"("skin": true)", points), "s.json:3: solids/0/skin: ", "needs a surface");
    expect_error(solid(R"("clustering": "lists", "clusters": [[0, 1, 2, 3], []])", points),
                 "s.json:3: solids/0/clusters/1: ", "covers nothing");
    expect_error(solid(R"("clustering": "lists", "clusters": [[0, 1, 2]])", points),
                 "s.json:3: solids/0/clusters: ", "particle 3 nowhere");
    expect_error(solid(R"("clustering": "lists", "clusters": [[0, 1, 2, 3, 4]])", points),
                 "s.json:3: solids/0/clusters/0: ", "no particle 4");
    expect_error(solid(R"("clustering": "lists", "clusters": [[0, 1, 2, 3, 3]])", points),
                 "s.json:3: solids/0/clusters/0: ", "twice");
    expect_error(solid(R"("clusters": [[0, 1, 2, 3]])", points), "s.json:3: solids/0/clusters: ", "\"lists\" only");
}

TEST(Scene, RefusesPinsThatCatchNothing)
{
    expect_error(solid(R"("pins": [{"low": [5, 5, 5], "high": [6, 6, 6]}])"),
                 "s.json:3: solids/0/pins/0: ", "catches no particle");
    expect_error(solid(R"("pins": [{"low": [0, 0, 0]}])"), "s.json:3: solids/0/pins/0: ", "both low and high");
    expect_error(solid(R"("pins": [{}])"), "s.json:3: solids/0/pins/0: ", "either low and high, or particles");
    expect_error(solid(R"("pins": [{"particles": [64]}])"), "s.json:3: solids/0/pins/0/particles: ", "no particle 64");
    expect_error(solid(R"("pins": [{"particles": [0], "motion": {"keys": [{"time": 1}, {"time": 0}]}}])"),
                 "s.json:3: solids/0/pins/0/motion: ", "order of time");
}

TEST(Scene, RefusesNamesThatClashOrConfuse)
{
    const std::string box = R"({"shape": {"kind": "box", "count": 8}, "name": "%"})";
    const auto two = [&](std::string first, std::string second) {
        std::string a = box, b = box;
        a.replace(a.find('%'), 1, first);
        b.replace(b.find('%'), 1, second);
        return "{\"solids\": [" + a + ",\n" + b + "]}";
    };
    EXPECT_EQ(error_of(two("a", "b")), "");
    expect_error(two("a", "a"), "s.json:2: solids/1/name: ", "solids/0 already");
    expect_error(two("a", "12"), "s.json:2: solids/1/name: ", "is no name");
    expect_error(two("a", "../b"), "s.json:2: solids/1/name: ", "is no name");
}

TEST(Scene, RefusesExpectationsOfNothing)
{
    const auto with = [](const std::string& e) { return R"({"expect": [)" + e + "]}"; };
    expect_error(with(R"({"what": "height"})"), "s.json:1: expect/0: ", "bounds nothing");
    expect_error(with(R"({"what": "height", "of": "cube", "min": 0})"),
                 "s.json:1: expect/0: ", "no solid, cloth, rod or rigid body is named");
    expect_error(with(R"({"what": "hight", "min": 0})"), "s.json:1: expect/0/what: ", "did you mean \"height\"?");
}

TEST(Scene, ReportsTheProblemsOfSeveralBodiesAtOnce)
{
    const std::string error = error_of(
        "{\"solids\": [{\"shape\": {\"kind\": \"mesh\", \"file\": \"a.obj\"}},\n"
        "{\"shape\": {\"kind\": \"mesh\", \"file\": \"b.obj\"}}]}");
    EXPECT_NE(error.find("s.json:1: solids/0/shape/file: "), std::string::npos) << error;
    EXPECT_NE(error.find("\ns.json:2: solids/1/shape/file: "), std::string::npos) << error;
}

TEST(Scene, SurvivesRandomDamage)
{
    const std::string good = R"({"frames": 3, "settings": {"dt": 0.01, "substeps": 2}, "forces": {"drag": 1.5},
        "solids": [{"name": "a", "shape": {"kind": "points", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1],[1,1,1]]},
                    "mass": 2, "cluster_radius": 3, "rotation": [0, 30, 0], "velocity": [1, 2, 3],
                    "array": {"count": [1, 2, 1]}, "pins": [{"particles": [0, 1], "release": 0.5}]}],
        "colliders": [{"shape": "box", "size": [1, 2, 3]}], "grabs": [{"at": [1, 1, 1]}],
        "expect": [{"what": "height", "of": "a-1", "min": -5}]})";
    ASSERT_EQ(error_of(good), "");
    std::mt19937 generator(2);
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
        std::string text = good;
        for (int k = 0; k < 2; ++k) text[generator() % text.size()] = static_cast<char>(' ' + generator() % 95);
        refused += error_of(text).empty() ? 0 : 1;  // nothing but an InputError may leave it
    }
    EXPECT_GT(refused, 2500);
}

TEST(SceneSet, ChangesByIndexAndByName)
{
    EXPECT_EQ(read(solid(""), {"solids.0.gamma=0.25"}).world.solids[0].params.gamma, Real(0.25));
    EXPECT_EQ(read(solid(""), {"solids.a.gamma=0.25"}).world.solids[0].params.gamma, Real(0.25));
    EXPECT_EQ(read(solid(""), {"solids.a.limiter=cluster"}).world.solids[0].params.limiter, Limiter::cluster);
    EXPECT_EQ(read(solid(""), {"settings.substeps=9"}).world.settings->substeps, 9) << "a block that the file lacks";
    EXPECT_EQ(read(solid(""), {"forces.gravity=[0, -1.62, 0]"}).world.forces->gravity.y, Real(-1.62));
    EXPECT_EQ(read(solid(""), {"forces.gravity.1=-1.62"}).world.forces->gravity, (Vec3{0, Real(-1.62), 0}));
    EXPECT_EQ(read(solid(""), {"frames=3", "frames=4"}).frames, 4) << "the last one wins";
    EXPECT_EQ(read(solid(""), {"about=free text"}).about, "free text");
}

TEST(SceneSet, IsCheckedLikeTheFile)
{
    expect_error(solid(""), "s.json:--set: solids/0/gamma: ", "must be at least 0, is -1", {"solids.a.gamma=-1"});
    expect_error(solid(""), "s.json:--set: solids/0/gamma: ", "must be a number, is \"nan\"", {"solids.a.gamma=nan"});
    expect_error(solid(""), "s.json:--set: solids.a.gama=1: ", "did you mean \"gamma\"?", {"solids.a.gama=1"});
    expect_error(solid(""), "s.json:--set: solids.b.gamma=1: ", "none is \"b\"", {"solids.b.gamma=1"});
    expect_error(solid(""), "s.json:--set: solids.1.gamma=1: ", "has 1 elements", {"solids.1.gamma=1"});
    expect_error(solid(""), "s.json:--set: setings.dt=1: ", "did you mean \"settings\"?", {"setings.dt=1"});
    expect_error(solid(""), "s.json:--set: frames.x=1: ", "single value", {"frames.x=1"});
    expect_error(solid(""), "s.json:--set: frames: ", "must be like", {"frames"});
    expect_error(solid(""), "--set:1: ", "not valid JSON", {"forces.gravity=[1,"});
}

TEST(Scene, FindsBuiltinScenesAndFilesOfTheSameNameFirst)
{
    EXPECT_EQ(read_scene("cube_drop").name, "cube_drop");
    try {
        read_scene("bunny_dorp");
        FAIL();
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean \"bunny_drop\"?"), std::string::npos) << error.what();
    }
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "pliant_scene_test";
    write_file(folder / "s.json", solid("", R"({"kind": "points", "file": "p.xyz"})"));
    write_file(folder / "p.xyz", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n");
    EXPECT_EQ(read_scene((folder / "s.json").string()).world.particles->size(), 5) << "relative to the scene file";
    EXPECT_THROW(read_scene(folder.string()), FileError) << "a folder is no scene";
    std::filesystem::remove_all(folder);
}

TEST(Scene, WarnsOfWhatIsProbablyNotMeant)
{
    EXPECT_TRUE(find_warnings(read(solid("\"position\": [0, 5, 0]"))).empty());
    EXPECT_FALSE(find_warnings(read("{}")).empty());
    const auto warning = [](const std::string& more, const std::string& rest = "") {
        std::string text = solid(more);
        text.insert(text.size() - 1, rest);
        const std::vector<std::string> warnings = find_warnings(read(text));
        return warnings.empty() ? "" : warnings[0];
    };
    EXPECT_NE(warning("", R"(, "colliders": [{"name": "floor"}])").find("32 of 64 particles inside floor"),
              std::string::npos);
    EXPECT_NE(warning("\"youngs_modulus\": 1e12").find("substeps"), std::string::npos);
    EXPECT_NE(warning("\"gamma\": 0").find("gamma 0"), std::string::npos);
}

TEST(SceneFrame, ShowsSkinsCloudsAndScenery)
{
    World world = read(R"({"solids": [{"name": "skin", "shape": {"kind": "box", "count": 64}, "position": [0, 3, 0]},
                              {"name": "cloud", "shape": {"kind": "points", "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}],
                          "colliders": [{"name": "floor", "position": [0, -2, 0]}, {"name": "ball", "shape": "sphere", "radius": 2},
                              {"name": "block", "shape": "box", "size": [2, 4, 6]},
                              {"name": "pill", "shape": "capsule", "motion": {"keys": [{"time": 0}, {"time": 1, "translation": [0, 1, 0]}]}},
                              {"name": "dot", "shape": "capsule", "height": 0}]})")
                      .world;
    Frame frame;
    update_frame(world, 7, frame);
    EXPECT_EQ(frame.number, 7);
    ASSERT_EQ(frame.layers.size(), 7u);
    EXPECT_EQ(frame.layers[0].name, "skin");
    EXPECT_TRUE(frame.layers[0].triangles);
    for (const Vec3& x : frame.layers[0].points) EXPECT_NEAR(x.y, 3, 0.5 + 1e-4);
    EXPECT_EQ(frame.layers[1].points.size(), 4u);
    EXPECT_FALSE(frame.layers[1].triangles);
    EXPECT_GT(frame.layers[1].radius, 0);
    for (std::size_t i = 2; i < 7; ++i) EXPECT_TRUE(frame.layers[i].scenery && frame.layers[i].triangles);
    EXPECT_EQ(frame.layers[2].triangles->size(), 2u);
    EXPECT_EQ(frame.layers[2].points[0].y, -2);
    for (const Vec3& x : frame.layers[3].points) EXPECT_NEAR(x.norm(), 2, 1e-5);

    const Triangles* before = frame.layers[0].triangles.get();
    const Vec3 pill = frame.layers[5].points[0];
    writable(world.time) = 0.5;
    update_frame(world, 8, frame);
    EXPECT_EQ(frame.layers[0].triangles.get(), before) << "what does not change is kept";
    EXPECT_NEAR(frame.layers[5].points[0].y, pill.y + Real(0.5), 1e-5) << "keyed colliders move";
}

}  // namespace
}  // namespace pliant

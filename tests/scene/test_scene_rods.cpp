// Rods in scene files: what they build, and what is said of those that cannot be built.

#include "pliant/files/atomic_file.h"
#include "pliant/render/frame.h"
#include "pliant/report/stats.h"
#include "pliant/rods/frame.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#include "scene/scene_texts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <numbers>

namespace pliant {
namespace {

using namespace testing_scenes;

constexpr const char* kLine = R"({"kind": "line", "from": [0, 0, 0], "to": [2, 0, 0], "edges": 10})";

/// A scene with one rod, to which `more` is added.
std::string rod(const std::string& more, const std::string& shape = kLine) { return one_body("rods", shape, more); }

class SceneRodFiles : public FolderTest {
  protected:
    SceneRodFiles() : FolderTest("pliant_scene_rods_test") {}

    /// A scene with such a file.
    std::string with_file(const std::string& name, const std::string& text) const
    {
        write_file(folder_ / name, text);
        return rod("", fmt::format(R"({{"kind": "polyline", "file": "{}"}})", name));
    }
    Scene read_file(const std::string& name, const std::string& text) const
    {
        return read(with_file(name, text), {}, folder_.string());
    }

    void expect_file_error(const std::string& name, const std::string& text, const std::string& part) const
    {
        expect_error(with_file(name, text), "s.json:2: rods/0/shape/file: ", part, {}, folder_.string());
    }
};

TEST(SceneRods, MakesEveryGeneratedShape)
{
    struct Case {
        const char* shape;
        int strands, points, edges;
        double length;  // [m]
    };
    constexpr double kPi = std::numbers::pi;
    for (const Case& c :
         {Case{kLine, 1, 11, 10, 2},
          Case{R"({"kind": "helix", "radius": 1, "pitch": 0.1, "turns": 2, "edges": 200})", 1, 201, 200, 4 * kPi},
          Case{R"({"kind": "ring", "radius": 1, "edges": 100})", 1, 100, 100, 2 * kPi},
          Case{R"({"kind": "spiral", "inner_radius": 0.5, "radius": 1, "turns": 3, "edges": 300})", 1, 301, 300,
               4.5 * kPi},
          Case{R"({"kind": "points", "points": [[0, 0, 0], [1, 0, 0], [1, 1, 0]]})", 1, 3, 2, 2},
          Case{R"({"kind": "points", "points": [[0, 0, 0], [3, 0, 0], [3, 4, 0], [0, 0, 0]]})", 1, 3, 3, 12},
          Case{R"({"kind": "hair", "radius": 1, "count": 20, "length": 0.5, "edges": 6})", 20, 140, 120, 10},
          Case{R"({"kind": "bundle", "radius": 1, "count": 20, "length": 0.5, "edges": 6})", 20, 140, 120, 10}}) {
        const Scene scene = read(rod("\"density\": 1, \"radius\": 0.01", c.shape));
        ASSERT_EQ(scene.world.rods.size(), 1u) << c.shape;
        const Rod& made = scene.world.rods[0];
        EXPECT_EQ(made.name, "a");
        EXPECT_EQ(made.strands(), c.strands) << c.shape;
        EXPECT_EQ(static_cast<int>(made.edges.size()), c.edges) << c.shape;
        EXPECT_EQ(scene.world.particles->size(), c.points + c.edges) << c.shape << ": a ghost an edge";
        const double mass = c.length * kPi * 1e-4;
        EXPECT_NEAR(mass_of(scene.world), mass, 0.01 * mass) << c.shape;
        EXPECT_TRUE(find_warnings(scene).empty()) << c.shape;
    }
}

TEST(SceneRods, PlacesTurnsAndSpreadsMass)
{
    const Scene scene = read(rod(R"("rotation": [0, 0, 90], "scale": 2, "position": [0, 3, 0], "velocity": [1, 0, 0],
                                    "mass": 5)"));
    const Particles& p = scene.world.particles;
    EXPECT_LT((p.x[0] - Vec3{0, 3, 0}).norm(), 1e-5);
    EXPECT_LT((p.x[10] - Vec3{0, 7, 0}).norm(), 1e-5);
    EXPECT_EQ(p.v[4], (Vec3{1, 0, 0}));
    EXPECT_NEAR(mass_of(scene.world), 5, 1e-4);
    EXPECT_LT((center_of_points(p, scene.world.rods[0].particles) - Vec3d{0, 5, 0}).norm(), 1e-5) << "without ghosts";
}

TEST(SceneRods, PinsCatchPointsAndNeverGhosts)
{
    const Scene scene = read(rod(R"("pins": [{"at": [9, 0, 0]}, {"particles": [1]}, {"low": [-9, -9, -9],
                                    "high": [9, 9, 9], "release": 1}])"));
    const std::vector<PinnedSet>& pins = scene.world.drivers->pins;
    ASSERT_EQ(pins.size(), 3u);
    EXPECT_EQ(pins[0].particles, std::vector{10});
    EXPECT_EQ(pins[1].particles, std::vector{1});
    EXPECT_EQ(pins[2].particles.size(), 11u);
    const Scene hair = read(rod(R"("pins": [{"particles": [7]}])", R"({"kind": "hair", "count": 3, "edges": 6})"));
    ASSERT_EQ(hair.world.drivers->pins.size(), 2u);
    const int first_of_second = hair.world.rods[0].point(1, 0);
    EXPECT_EQ(hair.world.drivers->pins[1].particles, std::vector{first_of_second}) << "points count along the strands";
}

TEST(SceneRods, HairIsHeldAtItsRoots)
{
    World world = read(rod("", R"({"kind": "hair", "count": 5, "edges": 4, "radius": 1, "length": 1})")).world;
    const Particles start = world.particles;
    Solver solver;
    for (int i = 0; i < 10; ++i) solver.step(world);
    const Rod& made = world.rods[0];
    for (int s = 0; s < 5; ++s) {
        const Rod::Edge& root = made.edges[made.first_edge[s]];
        for (const int i : {root.p0, root.p1, root.ghost}) EXPECT_EQ(world.particles->x[i], start.x[i]);
        const int tip = made.edges[made.first_edge[s + 1] - 1].p1;
        EXPECT_LT(world.particles->x[tip].y, start.x[tip].y + Real(1e-3));
    }
}

TEST(SceneRods, ClampsTurnWithTheirMotion)
{
    World world = read(rod(R"("clamps": [{"end": "start"}, {"end": "end", "motion": {"axis": [1, 0, 0],
                              "keys": [{"time": 0}, {"time": 0.5, "degrees": 90}]}}])"),
                       {"forces.gravity=[0, 0, 0]", "settings.substeps=10", "settings.iterations=4"})
                      .world;
    ASSERT_EQ(world.rods[0].tips.size(), 2u);
    const auto side = [&](int e) {
        const Rod::Edge& edge = world.rods[0].edges[e];
        return frame_of(world.particles->x[edge.p0], world.particles->x[edge.p1], world.particles->x[edge.ghost])
            .d.c[0];
    };
    const Vec3 first = side(0), last = side(9);
    Solver solver;
    for (int i = 0; i < 60; ++i) solver.step(world);
    EXPECT_GT(side(0).dot(first), Real(0.9)) << "held";
    EXPECT_LT(std::abs(side(9).dot(last)), Real(0.3)) << "turned by 90 degrees";
    EXPECT_EQ(world.particles->x[10], (Vec3{2, 0, 0}));
}

TEST(SceneRods, BadInputNamesFileLineKeyAndRemedy)
{
    expect_error(rod("\"bnd\": 1"), "s.json:3: unknown key \"bnd\" in rods/0", "did you mean \"bend\"?");
    expect_error(rod("\"bend\": 2"), "s.json:3: rods/0/bend: ", "between 0 and 1, is 2");
    expect_error(rod("\"radius\": 0"), "s.json:3: rods/0/radius: ", "greater than 0, is 0");
    expect_error(rod("\"width\": 0.1"), "s.json:3: rods/0/width: ", "is 0.1 without thickness");
    expect_error(rod("", R"({"kind": "line", "edges": 0})"), "s.json:2: rods/0/shape/edges: ", "is 0");
    expect_error(rod("", R"({"kind": "line", "from": [1, 0, 0]})"), "s.json:2: rods/0/shape: ", "length is 0");
    expect_error(rod("", R"({"kind": "line", "from": [NaN, 0, 0]})"), "s.json:2: ", "");
    expect_error(rod("", R"({"kind": "line", "turns": 1})"),
                 "s.json:2: rods/0/shape/turns: ", "means nothing for the kind \"line\"; remove it");
    expect_error(rod("", R"({"kind": "ring", "edges": 2})"), "s.json:2: rods/0/shape: ", "3 or more");
    expect_error(rod("", R"({"kind": "spiral", "inner_radius": 2})"), "s.json:2: rods/0/shape: ", "inner_radius is 2");
    expect_error(rod("", R"({"kind": "helx"})"), "s.json:2: rods/0/shape/kind: ", "did you mean \"helix\"?");
    expect_error(rod("", R"({"kind": "points"})"), "s.json:2: rods/0/shape/points: ", "are 0; a rod needs two");
    expect_error(rod("", R"({"kind": "points", "points": [[0, 0, 0], [1, 0, 0], [1, 0, 0]]})"),
                 "s.json:2: rods/0/shape/points: ", "points 1 and 2 are in one place; remove one of them");
    expect_error(rod("", R"({"kind": "polyline"})"), "s.json:2: rods/0/shape/file: ", "is missing");
    expect_error(R"({"rods": [{}]})", "s.json:1: rods/0/shape: ", "is missing; say what the rod is made of");
    expect_error(rod(R"("clamps": [{"end": "middle"}])"), "s.json:3: rods/0/clamps/0/end: ", "start");
    expect_error(rod(R"("clamps": [{"strand": 1}])"),
                 "s.json:3: rods/0/clamps/0/strand: ", "no strand 1; the rod has 1, counted from 0");
    expect_error(rod(R"("clamps": [{}])", R"({"kind": "ring"})"),
                 "s.json:3: rods/0/clamps/0: ", "is a ring and has no start; pin points of it instead");
    expect_error(rod(R"("clamps": [{}, {}])"), "s.json:3: rods/0/clamps/1: ", "by rods/0/clamps/0 already");
    expect_error(rod(R"("clamps": [{"motion": {"keys": [{"time": 1}, {"time": 0}]}}])"),
                 "s.json:3: rods/0/clamps/0/motion: ", "order of time");
    expect_error(rod(R"("pins": [{"particles": [11]}])"),
                 "s.json:3: rods/0/pins/0/particles: ", "no particle 11; the rod has 11");
    expect_error(rod(R"("pins": [{"low": [5, 5, 5], "high": [6, 6, 6]}])"),
                 "s.json:3: rods/0/pins/0: ", "the rod lies between [0, 0, 0] and [2, 0, 0]");
    expect_error(rod("\"stretch\": [0, 1, 1]"), "s.json:2: rods/0: ", "edge 0 of strand 0");
    std::string turned = rod("");
    turned.insert(turned.size() - 1, R"(, "expect": [{"what": "rotation", "of": "a", "max": 1}])");
    expect_error(turned, "s.json:2: expect/0: ", "rotation is not known of a rod");
}

TEST(SceneRods, RefusesWhatNumbersCannotHold)
{
    if (sizeof(Real) != sizeof(float)) return;
    expect_error(rod("\"position\": [1e39, 0, 0]"), "s.json:2: rods/0: ", "too large");
    expect_error(rod("\"position\": [1e8, 0, 0]"), "s.json:2: rods/0: ", "has no direction where it starts");
    expect_error(rod("\"mass\": 1e-38"), "s.json:2: rods/0: ", "too small or too large");
}

TEST(SceneRods, RefusesTooManyParticlesBeforeMakingThem)
{
    expect_error(rod("", R"({"kind": "line", "edges": 2000000000})"),
                 "s.json:2: rods/0/shape/edges: ", "asks for 4000000001 particles");
    expect_error(rod("", R"({"kind": "hair", "count": 2000000000, "edges": 10})"),
                 "s.json:2: rods/0/shape/count: ", "asks for 42000000000 particles");
}

TEST_F(SceneRodFiles, ReadsPolylines)
{
    const Scene text = read_file("a.txt",
                                 "# two strands\n0 0 0\n1 0 0\n# still the first\n2, 0, 0\n\n\n0 1 0\n1 1 0\n"
                                 "1 2 0\n0 1 0\n");
    const Rod& made = text.world.rods[0];
    ASSERT_EQ(made.strands(), 2);
    EXPECT_EQ(made.first_edge, (std::vector{0, 2, 5}));
    EXPECT_EQ(made.closed[0], 0);
    EXPECT_NE(made.closed[1], 0) << "it ends where it starts";
    const Scene obj = read_file("a.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nl 1 2 3\nv 0 1 0\nv 1 1 0\nl -2/1 -1/2\n");
    EXPECT_EQ(obj.world.rods[0].first_edge, (std::vector{0, 2, 3}));
}

TEST_F(SceneRodFiles, BadFilesNameTheirLine)
{
    expect_file_error("a.txt", "0 0 0\n1 0\n", "a.txt:2: a point has 3 numbers, but the line has 2");
    expect_file_error("a.txt", "0 0 0\n1 nan 0\n", "a.txt:2: y of a point is 'nan'");
    expect_file_error("a.txt", "0 0 0\n1 x 0\n", "a.txt:2: y of a point should be a number");
    expect_file_error("a.txt", "0 0 0\n1 0 0\n1 0 0\n", "a.txt:3: the point 1 0 0 repeats the one before it");
    expect_file_error("a.txt", "0 0 0\n\n1 0 0\n2 0 0\n", "a.txt:2: a strand of a single point");
    expect_file_error("a.obj", "v 0 0 0\nv 1 0 0\nl 1 3\n", "a.obj:3: there is no vertex 3; 2 are above");
    expect_file_error("a.obj", "v 0 0 0\nv 1 0 0\nl 0 1\n", "a.obj:3: there is no vertex 0");
    expect_file_error("a.obj", "v 0 0 0\nv 1 0 0\nl 1 2 2\n", "a.obj:3: the point 1 0 0 repeats");
    expect_file_error("a.obj", "v 0 0 0\nv 1 0 0\n", "a.obj: there are no polylines in the file; export edges too");
    expect_file_error("a.stl", "solid", "a.stl: polylines are read from .obj, .txt");
}

TEST(SceneRods, WarnsOfWhatIsProbablyNotMeant)
{
    const auto warning = [](const std::string& more, const Sets& sets = {}) {
        const std::vector<std::string> warnings = find_warnings(read(rod(more), sets));
        return warnings.empty() ? "" : warnings[0];
    };
    EXPECT_EQ(warning(""), "");
    EXPECT_NE(warning("\"position\": [0, -1, 0]", {R"(colliders=[{"name": "floor"}])"})
                  .find("11 of 11 particles inside floor"),
              std::string::npos);
    EXPECT_NE(warning("", {"settings.iterations=0"}).find("iterations 0"), std::string::npos);
    EXPECT_NE(warning("\"shear_modulus\": 10, \"bend\": 0.5").find("shear_modulus"), std::string::npos);
    EXPECT_NE(warning("", {"forces.wind=[1, 0, 0]"}).find("wind"), std::string::npos);
    EXPECT_EQ(warning("", {"forces.wind=[1, 0, 0]", "forces.drag=1"}), "");
}

/// Of triangles whose normals lead out [m^3].
double volume_of(const Layer& layer)
{
    double sum = 0;
    for (const auto& [a, b, c] : *layer.triangles) {
        const Vec3d p = layer.points[a].cast<double>(), q = layer.points[b].cast<double>();
        sum += p.cross(q).dot(layer.points[c].cast<double>()) / 6;
    }
    return sum;
}

/// Does every directed edge have its opposite once?
bool is_closed(const Layer& layer)
{
    std::map<std::pair<int, int>, int> edges;
    for (const auto& t : *layer.triangles)
        for (int i = 0; i < 3; ++i) ++edges[{t[i], t[(i + 1) % 3]}];
    for (const auto& [edge, count] : edges)
        if (count != 1 || edges[{edge.second, edge.first}] != 1) return false;
    return true;
}

TEST(SceneRods, IsALayerOfTubes)
{
    const double hexagon = 1.5 * std::sqrt(3.0) * 0.01 * 0.01;  // area of the section
    struct Case {
        std::string more, shape;
        std::size_t points;
        double volume;
    };
    for (const Case& c :
         {Case{"\"radius\": 0.01", kLine, 66, 2 * hexagon},
          Case{"\"width\": 0.04, \"thickness\": 0.02", kLine, 44, 2 * 0.04 * 0.02},
          Case{"\"radius\": 0.01", R"({"kind": "ring", "radius": 1, "edges": 60})", 360, 6.28 * hexagon}}) {
        World world = read(rod(c.more, c.shape)).world;
        Frame frame;
        update_frame(world, 0, frame);
        ASSERT_EQ(frame.layers.size(), 1u);
        const Layer& layer = frame.layers[0];
        EXPECT_EQ(layer.name, "a");
        EXPECT_EQ(layer.points.size(), c.points) << c.shape << ": ghosts are not shown";
        EXPECT_TRUE(is_closed(layer)) << c.shape;
        EXPECT_NEAR(volume_of(layer), c.volume, 0.01 * c.volume) << c.shape;

        const auto triangles = layer.triangles;
        Solver solver;
        solver.step(world);
        update_frame(world, 1, frame);
        EXPECT_EQ(frame.layers[0].triangles, triangles) << "made once";
        EXPECT_LT(frame.layers[0].points[9].y, Real(0.01)) << "it falls";
    }
}

TEST(SceneRods, ManyHairsHaveThreeSides)
{
    const World world = read(rod("", R"({"kind": "hair", "count": 1001, "edges": 1})")).world;
    Frame frame;
    update_frame(world, 0, frame);
    EXPECT_EQ(frame.layers[0].points.size(), 1001u * 2 * 3);
    EXPECT_EQ(frame.layers[0].triangles->size(), 1001u * (6 + 2));
}

TEST(SceneRods, IsInTheStatistics)
{
    const Scene scene = read(rod(R"("stretch": [0.75, 1, 1], "bend": 0.25)"));
    Stats stats(scene.world);
    stats.add(0, scene.world, {});
    const Json json = Json::parse(stats.text());
    EXPECT_EQ(json["counts"]["rods"], 1);
    EXPECT_EQ(json["counts"]["strands"], 1);
    EXPECT_EQ(json["counts"]["rod_edges"], 10);
    EXPECT_EQ(json["settings"]["rods"]["a"]["bend"], 0.25);
    const Json& frame = json["frames"][0];
    EXPECT_NEAR(frame["max_strain"]["a"], 0.25, 1e-5) << "shorter counts too";
    EXPECT_NEAR(frame["p99_strain"]["a"], 0.25, 1e-5);
    EXPECT_NEAR(frame["center"]["a"][0], 0.75, 1e-5);
    EXPECT_NEAR(frame["center"]["a"][1], 0, 1e-5) << "ghosts beside it do not count";
    EXPECT_NEAR(frame["center"]["a"][2], 0, 1e-5);
}

TEST(SceneRods, IsMeasuredByExpectationsWithoutGhosts)
{
    std::string text = rod(R"("stretch": [1.5, 1, 1], "position": [0, 2, 0])");
    text.insert(text.size() - 1, R"(, "expect": [{"what": "max_strain", "of": "a", "max": 1},
        {"what": "lowest", "of": "a", "max": 1}, {"what": "highest", "max": 1}, {"what": "size_x", "max": 1},
        {"what": "size_y", "of": "a", "max": 1}, {"what": "size_z", "of": "a", "max": 1},
        {"what": "height", "of": "a", "max": 1}, {"what": "max_strain", "max": 1}])");
    const Scene scene = read(text);
    ExpectCheck check(scene.expect);
    check.sample(0, scene.world, 0);
    const double expected[] = {0.5, 2, 2, 3, 0, 0, 2, 0.5};
    const std::vector<ExpectResult> results = check.results();
    for (std::size_t i = 0; i < std::size(expected); ++i)
        EXPECT_NEAR(results[i].value, expected[i], 1e-5) << results[i].text;
}

}  // namespace
}  // namespace pliant

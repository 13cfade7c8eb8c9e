// Animated glTF: skins, morph targets and nodes against closed forms and against a second way of computing them; and files
// that lie.

#include "files/mesh_texts.h"
#include "pliant/files/file_table.h"
#include "pliant/files/vertex_sequence.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

namespace pliant {
namespace {

using namespace testing_meshes;
using GltfJson = nlohmann::json;
using Floats = std::vector<float>;

/// A document that grows by accessors of floats; what else is in it is put into `root`.
struct GltfMaker {
    GltfJson root = {{"asset", {{"version", "2.0"}}}, {"scenes", {{{"nodes", {0}}}}}, {"accessors", GltfJson::array()}};
    std::string bytes;

    int add(const char* type, const Floats& values)
    {
        const std::map<std::string, std::size_t> width{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
        root["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", 4 * values.size()}});
        root["accessors"].push_back({{"bufferView", root["bufferViews"].size() - 1},
                                     {"componentType", 5126},
                                     {"count", values.size() / width.at(type)},
                                     {"type", type}});
        for (const float x : values) append(bytes, x);
        return static_cast<int>(root["accessors"].size()) - 1;
    }
    int add_joints(const std::vector<std::uint16_t>& values)
    {
        const int accessor = add("VEC4", Floats(values.size() / 2));
        std::memcpy(bytes.data() + bytes.size() - 2 * values.size(), values.data(), 2 * values.size());
        root["accessors"].back().update({{"componentType", 5123}, {"count", values.size() / 4}});
        return accessor;
    }
    /// Moves a node; the first animation unless others are begun by adding to root["animations"].
    void move(int node, const char* path, const char* between, const char* type, const Floats& times,
              const Floats& values)
    {
        if (!root.contains("animations")) root["animations"].push_back({{"name", "first"}});
        GltfJson& clip = root["animations"].back();
        clip["samplers"].push_back(
            {{"input", add("SCALAR", times)}, {"output", add(type, values)}, {"interpolation", between}});
        clip["channels"].push_back(
            {{"sampler", clip["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    }
    std::string glb() const
    {
        GltfJson whole = root;
        whole["buffers"] = {{{"byteLength", bytes.size()}}};
        return glb_of(whole.dump(), bytes);
    }
};

std::vector<Vec3d> points_at(const std::string& glb, double time, const std::string& clip = {})
{
    const FileTable files{{"a.glb", glb}};
    const UseFiles scope(files);
    std::vector<Vec3d> points;
    open_vertex_sequence("a.glb", 24, clip)->read_at(time, points);
    return points;
}

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-6) { EXPECT_LT((a - b).norm(), tolerance); }

/// An arm of two bones along y that bends by 90 degrees about z within a second. The third vertex hangs on both.
GltfMaker make_arm(const char* between = "LINEAR")
{
    GltfMaker maker;
    const int position = maker.add("VEC3", {0, 0.5F, 0, 0, 2, 0, 0, 1.5F, 1});
    const int weights = maker.add("VEC4", {1, 0, 0, 0, 0, 1, 0, 0, 0.5F, 0.5F, 0, 0});
    const int joints = maker.add_joints({0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 7, 7});
    const int bind = maker.add("MAT4", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1,  //
                                        1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1});
    maker.root["scenes"] = {{{"nodes", {0, 1}}}};
    maker.root["nodes"] = {
        {{"mesh", 0}, {"skin", 0}, {"translation", {5, 5, 5}}}, {{"children", {2}}}, {{"translation", {0, 1, 0}}}};
    maker.root["meshes"] = {
        {{"primitives", {{{"attributes", {{"POSITION", position}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}}}}}}};
    maker.root["skins"] = {{{"joints", {1, 2}}, {"inverseBindMatrices", bind}}};
    const float half = std::sqrt(0.5F);
    maker.move(2, "rotation", between, "VEC4", {0, 1}, {0, 0, 0, 1, 0, 0, half, half});
    return maker;
}

TEST(GltfAnimation, JointsCarryVerticesAndTheNodeOfTheMeshDoesNot)
{
    const std::string arm = make_arm().glb();
    for (const double s : {0.0, 0.25, 0.5, 1.0}) {
        const double angle = s * std::numbers::pi / 2;
        const std::vector<Vec3d> x = points_at(arm, s);
        ASSERT_EQ(x.size(), 3U);
        const Vec3d bent{-std::sin(angle), std::cos(angle), 0};
        expect_near(x[0], {0, 0.5, 0});
        expect_near(x[1], Vec3d{0, 1, 0} + bent);
        expect_near(x[2], 0.5 * Vec3d{0, 1.5, 1} + 0.5 * (Vec3d{0, 1, 1} + 0.5 * bent));
    }
    expect_near(points_at(make_arm("STEP").glb(), 0.99)[1], {0, 2, 0});
    expect_near(points_at(make_arm("STEP").glb(), 1)[1], {-1, 1, 0});
}

/// Without an animation the mesh is where its joints hold it.
TEST(GltfAnimation, AMeshIsReadWhereItsSkinAndItsTargetsPutIt)
{
    GltfMaker maker = make_arm();
    maker.root["nodes"][2]["rotation"] = {0, 0, 1, 1};  // of any length
    expect_near(read_mesh(TempFile(".glb", maker.glb()).path).vertices[1], {-1, 1, 0});
    const int target = maker.add("VEC3", {0, 0, 0, 0, 0, 3, 0, 0, 0});
    maker.root["meshes"][0]["primitives"][0]["targets"] = {{{"POSITION", target}}};
    maker.root["meshes"][0]["weights"] = {0.5};
    expect_near(read_mesh(TempFile(".glb", maker.glb()).path).vertices[1], {-1, 1, 1.5});
    maker.root["nodes"][0]["weights"] = {2};
    expect_near(read_mesh(TempFile(".glb", maker.glb()).path).vertices[1], {-1, 1, 6});
}

TEST(GltfAnimation, MorphTargetsAndNodesFollowSplines)
{
    GltfMaker maker;
    const int position = maker.add("VEC3", {0, 0, 0, 1, 0, 0, 0, 0, 1}),
              up = maker.add("VEC3", {0, 1, 0, 0, 2, 0, 0, 0, 0});
    maker.root["meshes"] = {
        {{"primitives",
          {{{"attributes", {{"POSITION", position}}}, {"targets", {GltfJson::object(), {{"POSITION", up}}}}}}}}};
    maker.root["nodes"] = {{{"mesh", 0}, {"scale", {2, 2, 2}}}};
    // Weight: Hermite from 0, leaving at 3 a second, to 1, arriving at 1 a second, within two seconds.
    maker.move(0, "weights", "CUBICSPLINE", "SCALAR", {1, 3}, {9, 9, 0, 0, 9, 3, 9, 1, 9, 1, 9, 9});
    maker.move(0, "translation", "LINEAR", "VEC3", {2, 4}, {0, 0, 0, 0, 0, 8});
    const std::string glb = maker.glb();
    for (const double t : {0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0}) {  // from the first key of all
        const double s = std::min(t / 2, 1.0), ss = s * s, sss = ss * s;
        const double weight = 2 * 3 * (sss - 2 * ss + s) + (3 * ss - 2 * sss) + 2 * 1 * (sss - ss);
        const double z = 4 * std::clamp(t - 1, 0.0, 2.0);
        expect_near(points_at(glb, t)[0], {0, 2 * weight, z});
        expect_near(points_at(glb, t)[1], {2, 4 * weight, z});
    }
}

TEST(GltfAnimation, ClipsAreChosenByName)
{
    GltfMaker maker = make_arm();
    maker.root["animations"].push_back({{"name", "shift"}});
    maker.move(1, "translation", "LINEAR", "VEC3", {0, 2}, {0, 0, 0, 0, 0, 6});
    expect_near(points_at(maker.glb(), 1)[1], {-1, 1, 0});
    expect_near(points_at(maker.glb(), 1, "first")[1], {-1, 1, 0});
    expect_near(points_at(maker.glb(), 1, "shift")[1], {0, 2, 3});
    const std::string error = trouble_of([&] { points_at(maker.glb(), 1, "shaft"); });
    EXPECT_PRED2(says, error, "did you mean \"shift\"");
    maker.root.erase("animations");
    EXPECT_PRED2(says, trouble_of([&] { points_at(maker.glb(), 0); }), "no animation in the file");
}

using Matrix4 = std::array<std::array<double, 4>, 4>;

Matrix4 product(const Matrix4& a, const Matrix4& b)
{
    Matrix4 c{};
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            for (std::size_t k = 0; k < 4; ++k) c[i][j] += a[i][k] * b[k][j];
    return c;
}

/// Translation, rotation about an axis by an angle, scale: by Rodrigues' formula.
Matrix4 matrix_of(const Vec3d& t, const Vec3d& axis, double angle, const Vec3d& s)
{
    Matrix4 m{};
    for (int j = 0; j < 3; ++j) {
        Vec3d e;
        e[j] = s[j];
        const Vec3d c =
            std::cos(angle) * e + std::sin(angle) * axis.cross(e) + (1 - std::cos(angle)) * axis.dot(e) * axis;
        for (int i = 0; i < 3; ++i) m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = c[i];
        m[static_cast<std::size_t>(j)][3] = t[j];
    }
    m[3][3] = 1;
    return m;
}

/// Chains of bones with keys at random, each turning about an axis of its own: against matrices by Rodrigues' formula.
TEST(GltfAnimation, RandomSkeletonsAreWhatMatricesSay)
{
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> one(-1, 1);
    const auto vector = [&] { return Vec3d{one(random), one(random), one(random)}; };
    const auto push = [](Floats& to, const Vec3d& v) {
        for (int i = 0; i < 3; ++i) to.push_back(static_cast<float>(v[i]));
    };
    for (int round = 0; round < 30; ++round) {
        const int bones = 1 + round % 7, keys = 2 + round % 4;
        GltfMaker maker;
        const std::size_t vertices = 21;
        Floats points, weights, times, bind;
        std::vector<std::uint16_t> joints;
        for (std::size_t i = 0; i < 4 * vertices; ++i) {
            if (i % 4 != 3) points.push_back(static_cast<float>(one(random)));
            joints.push_back(static_cast<std::uint16_t>(random() % static_cast<unsigned>(bones)));
            weights.push_back(static_cast<float>(1 + one(random)));
        }
        for (int k = 0; k < keys; ++k) times.push_back(static_cast<float>(k * (k + 1)) / 4);
        maker.root["nodes"] = {{{"mesh", 0}, {"skin", 0}}};
        std::vector<Vec3d> axes, moves, scales;
        std::vector<std::vector<double>> angles;
        for (int b = 0; b < bones; ++b) {
            GltfJson node = GltfJson::object();
            if (b + 1 < bones) node["children"] = {b + 2};
            maker.root["nodes"].push_back(node);
            axes.push_back(vector().normalized());
            moves.push_back(vector());
            scales.push_back(Vec3d{1, 1, 1} + 0.5 * vector());
            angles.emplace_back();
            Floats turns, shifts, sizes;
            for (int k = 0; k < keys; ++k) {
                angles.back().push_back((k == 0 ? 0 : angles.back().back()) + 3 * one(random));
                push(turns, std::sin(angles.back().back() / 2) * axes.back());
                turns.push_back(static_cast<float>(std::cos(angles.back().back() / 2)));
                push(shifts, (1 + k) * moves.back());
                push(sizes, scales.back());
            }
            maker.move(b + 1, "rotation", "LINEAR", "VEC4", times, turns);
            maker.move(b + 1, "translation", "LINEAR", "VEC3", times, shifts);
            maker.move(b + 1, "scale", "STEP", "VEC3", times, sizes);
            for (int i = 0; i < 16; ++i)
                bind.push_back(i % 4 == 3 ? (i == 15 ? 1.F : 0.F) : static_cast<float>(one(random)));
        }
        maker.root["scenes"] = {{{"nodes", {0, 1}}}};
        GltfJson list = GltfJson::array();
        for (int b = 0; b < bones; ++b) list.push_back(b + 1);
        maker.root["skins"] = {{{"joints", list}, {"inverseBindMatrices", maker.add("MAT4", bind)}}};
        GltfJson attributes = {{"POSITION", maker.add("VEC3", points)}, {"WEIGHTS_0", maker.add("VEC4", weights)}};
        attributes["JOINTS_0"] = maker.add_joints(joints);
        maker.root["meshes"] = {{{"primitives", {{{"attributes", attributes}}}}}};

        const std::string glb = maker.glb();
        for (int sample = 0; sample < 5; ++sample) {
            const auto next = 1 + random() % static_cast<unsigned>(keys - 1);
            const double s = 0.5 + 0.5 * one(random);
            const double time = static_cast<double>(times[next - 1]) * (1 - s) + s * static_cast<double>(times[next]);
            std::vector<Matrix4> skin;
            Matrix4 parent = matrix_of({}, {0, 1, 0}, 0, {1, 1, 1});
            for (std::size_t b = 0; b < static_cast<std::size_t>(bones); ++b) {
                const double angle = angles[b][next - 1] * (1 - s) + s * angles[b][next];
                parent =
                    product(parent, matrix_of((static_cast<double>(next) + s) * moves[b], axes[b], angle, scales[b]));
                Matrix4 inverse{};
                for (std::size_t i = 0; i < 16; ++i) inverse[i % 4][i / 4] = static_cast<double>(bind[16 * b + i]);
                skin.push_back(product(parent, inverse));
            }
            const std::vector<Vec3d> x = points_at(glb, time);
            for (std::size_t v = 0; v < vertices; ++v) {
                Vec3d expected;
                double sum = 0;
                for (std::size_t k = 4 * v; k < 4 * v + 4; ++k) {
                    const auto weight = static_cast<double>(weights[k]);
                    sum += weight;
                    for (std::size_t i = 0; i < 3; ++i) {
                        double at = skin[joints[k]][i][3];
                        for (std::size_t j = 0; j < 3; ++j)
                            at += skin[joints[k]][i][j] * static_cast<double>(points[3 * v + j]);
                        expected[static_cast<int>(i)] += weight * at;
                    }
                }
                expected = (1 / sum) * expected;
                ASSERT_LT((x[v] - expected).norm(), 2e-6 * (10 + expected.norm())) << round << " " << v;
            }
        }
    }
}

/// An arm with a change; what is said of it.
std::string arm_error(const std::function<void(GltfMaker&)>& change)
{
    GltfMaker maker = make_arm();
    change(maker);
    return trouble_of([&] { points_at(maker.glb(), 0.5); });
}

TEST(GltfAnimation, RefusesFilesThatLie)
{
    const auto refused = [](const char* part, const std::function<void(GltfMaker&)>& change) {
        const std::string error = arm_error(change);
        EXPECT_PRED2(says, error, part);
        EXPECT_PRED2(says, error, "InputError: a.glb: ");
    };
    const auto clip = [](GltfMaker& m) -> GltfJson& { return m.root["animations"][0]; };
    const auto skin = [](GltfMaker& m) -> GltfJson& { return m.root["skins"][0]; };
    const auto part = [](GltfMaker& m) -> GltfJson& { return m.root["meshes"][0]["primitives"][0]; };
    EXPECT_EQ(arm_error([](GltfMaker&) {}), "");
    refused("no node 9", [&](GltfMaker& m) { skin(m)["joints"] = {1, 9}; });
    refused("hangs on joint 1, but its skin has 1", [&](GltfMaker& m) { skin(m)["joints"] = {1}; });
    refused("has no joints", [&](GltfMaker& m) { skin(m).erase("joints"); });
    refused("no skin 4", [](GltfMaker& m) { m.root["nodes"][0]["skin"] = 4; });
    refused("3 joints, but 2 inverse bind", [&](GltfMaker& m) { skin(m)["joints"] = {1, 2, 0}; });
    refused("joints of 2", [&](GltfMaker& m) { m.root["accessors"][2]["count"] = 2; });
    refused("has the weight", [&](GltfMaker& m) {
        part(m)["attributes"]["WEIGHTS_0"] = m.add("VEC4", {1, 0, 0, 0, NAN, 1, 0, 0, 1, 0, 0, 0});
    });
    refused("\"WEIGHTS_0\" is missing", [&](GltfMaker& m) { part(m)["attributes"].erase("WEIGHTS_0"); });
    refused("node 1 is reached twice", [](GltfMaker& m) { m.root["nodes"][2]["children"] = {1}; });
    refused("morph target 0 has 2 vertices",
            [&](GltfMaker& m) { part(m)["targets"] = {{{"POSITION", m.add("VEC3", Floats(6))}}}; });
    refused("no sampler 3", [&](GltfMaker& m) { clip(m)["channels"][0]["sampler"] = 3; });
    refused("no node 8", [&](GltfMaker& m) { clip(m)["channels"][0]["target"]["node"] = 8; });
    refused("unknown \"interpolation\" 'NEAREST'",
            [&](GltfMaker& m) { clip(m)["samplers"][0]["interpolation"] = "NEAREST"; });
    refused("8 numbers for 2 keys of node 2, not 24",
            [&](GltfMaker& m) { clip(m)["samplers"][0]["interpolation"] = "CUBICSPLINE"; });
    refused("moves no node", [&](GltfMaker& m) { clip(m)["channels"] = GltfJson::array(); });
    refused("has no \"samplers\"", [&](GltfMaker& m) { clip(m).erase("samplers"); });
    refused("not after the key before it",
            [&](GltfMaker& m) { clip(m)["samplers"][0]["input"] = m.add("SCALAR", {1, 1}); });
    refused("has no keys", [&](GltfMaker& m) { clip(m)["samplers"][0]["input"] = m.add("SCALAR", {}); });
    refused("has the number nan",
            [&](GltfMaker& m) { clip(m)["samplers"][0]["output"] = m.add("VEC4", {0, 0, 0, 1, NAN, 0, 0, 1}); });
    refused("quaternion of zeros",
            [&](GltfMaker& m) { clip(m)["samplers"][0]["output"] = m.add("VEC4", {0, 0, 0, 1, 0, 0, 0, 0}); });
    refused("which has a \"matrix\"",
            [](GltfMaker& m) { m.root["nodes"][2] = {{"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}}; });
    refused("repair the file", [&](GltfMaker& m) {
        m.root["nodes"][1]["translation"] = {1e308, 0, 0};
        m.root["nodes"][2]["translation"] = {1e308, 0, 0};
    });
}

TEST(GltfAnimation, DamagedBytesAreReadOrRefused)
{
    const std::string good = make_arm().glb();
    for (std::size_t length = 0; length < good.size(); length += 7)
        EXPECT_PRED2(says, trouble_of([&] { points_at(good.substr(0, length), 0.5); }), "InputError");
    std::mt19937_64 random(3);
    for (int i = 0; i < 3000; ++i) {
        std::string bytes = good;
        for (int k = 0; k < 1 + i % 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
        trouble_of([&] { points_at(bytes, 0.5); });  // whatever it says, it comes back
    }
}

/// A skinned hose that bends, with a strip of cloth over it: it goes where the file says, with its velocity.
TEST(GltfAnimation, MovesABodyOfAScene)
{
    GltfMaker maker = make_arm();
    const FileTable files{{"arm.glb", maker.glb()}};
    const UseFiles scope(files);
    Scene scene =
        read_scene_text(R"({"settings": {"dt": 0.02}, "forces": {"gravity": [0, 0, 0]}, "cloths": [{"name": "arm",
        "shape": {"kind": "mesh", "file": "arm.glb"}, "position": [1, 0, 0],
        "animation": {"file": "arm.glb", "clip": "first"}}]})",
                        "arm");
    Solver solver;
    for (int i = 1; i <= 40; ++i) {
        animate(scene.animations, scene.world);
        solver.step(scene.world);
        const double angle = std::numbers::pi / 2 * 0.02 * i;
        const int p = scene.world.cloths[0].particles.first + 1;
        expect_near(scene.world.particles->position(p), {1 - std::sin(angle), 1 + std::cos(angle), 0}, 1e-5);
        EXPECT_NEAR(scene.world.particles->v[p].cast<double>().norm(), std::numbers::pi / 2, 1e-2) << i;
    }
}

}  // namespace
}  // namespace pliant

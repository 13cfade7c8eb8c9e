// The formats that hold a whole animation: what is read back is what was written, to the last bit, and a run that is cut off
// and resumed gives the same files as one that was not.

#include "files/folder_test.h"
#include "pliant/base/check.h"
#include "pliant/files/mesh_files.h"
#include "pliant/files/vertex_sequence.h"
#include "pliant/files/write_glb.h"
#include "pliant/files/writer.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace pliant {
namespace {

using namespace testing_files;

/// Two triangles that share an edge and move, a quad from a file with UVs and groups, and a cloud.
Frame moving_frame(int number)
{
    const auto t = static_cast<Real>(number);
    Frame frame{number, number / 60.0, {}};
    const auto shared = [](Triangles list) { return std::make_shared<const Triangles>(std::move(list)); };
    static const auto two = shared({{0, 1, 2}, {0, 2, 3}});
    static const auto floor = shared({{0, 1, 2}});
    static const auto faces = [] {
        PolygonFaces quad;
        quad.uvs = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
        const int group = quad.groups.index_of("left side");
        const int corners[] = {0, 1, 2, 3}, uvs[] = {0, 1, 2, 3};
        quad.add(corners, uvs, -1, group, -1);
        return std::make_shared<const PolygonFaces>(std::move(quad));
    }();
    frame.layers.push_back({"sheet one", {{0, t / 7, 0}, {1, 0, 0}, {1, t / 3, 1}, {0, 0, 1}}, two});
    frame.layers.push_back({"floor", {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, floor, 0, true});
    Layer quad{"quad", {{0, 1, t}, {1, 1, t}, {1, 2, t}, {0, 2, t}}, two};
    quad.faces = faces;
    frame.layers.push_back(quad);
    frame.layers.push_back({"cloud", {{9, 9, t}, {8, t, 8}}, nullptr, 0.1});
    return frame;
}

RunInfo run_of(int frames)
{
    RunInfo run;
    run.frames = frames;
    return run;
}

void write_frames(const std::string& path, int frames, const RunInfo& run)
{
    const auto writer = make_writer(path, run);
    for (int i = 0; i < frames; ++i) writer->write(moving_frame(i));
    writer->finish();
}

template <class T>
T number_at(const std::string& bytes, std::size_t at, bool big = false)
{
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), bytes.data() + at, sizeof(T));
    if (big) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

class Formats : public FolderTest {
  protected:
    std::map<std::string, std::string> contents() const
    {
        std::map<std::string, std::string> all;
        for (const std::string& name : names())
            if (!name.ends_with(".spool")) all[name] = read_all(folder_ / name);  // kept for the next checkpoint
        return all;
    }
};

TEST_F(Formats, Pc2HasEveryPointOfEveryFrame)
{
    write_frames(path("a.pc2"), 5, run_of(5));
    EXPECT_EQ(names(), (std::vector<std::string>{"a.cloud.obj", "a.cloud.pc2", "a.quad.obj", "a.quad.pc2",
                                                 "a.sheet_one.obj", "a.sheet_one.pc2"}));
    const std::string bytes = read_all(path("a.sheet_one.pc2"));
    ASSERT_EQ(bytes.size(), 32U + 5 * 4 * 12);
    EXPECT_EQ(bytes.substr(0, 12), std::string("POINTCACHE2\0", 12));
    EXPECT_EQ(number_at<int>(bytes, 12), 1);
    EXPECT_EQ(number_at<int>(bytes, 16), 4);
    EXPECT_EQ(number_at<int>(bytes, 28), 5);
    for (int frame = 0; frame < 5; ++frame)
        for (int point = 0; point < 4; ++point)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_EQ(
                    number_at<float>(bytes, static_cast<std::size_t>(32 + 12 * (4 * frame + point) + 4 * axis)),
                    static_cast<float>(moving_frame(frame).layers[0].points[static_cast<std::size_t>(point)][axis]));
}

TEST_F(Formats, MddHasTimesAndPointsWhateverLengthWasExpected)
{
    for (const int expected : {5, 3, 9}) {
        write_frames(path("a.mdd"), 5, run_of(expected));
        const std::string bytes = read_all(path("a.sheet_one.mdd"));
        ASSERT_EQ(bytes.size(), 8U + 5 * 4 + 5 * 4 * 12) << expected;
        EXPECT_EQ(number_at<int>(bytes, 0, true), 5);
        EXPECT_EQ(number_at<int>(bytes, 4, true), 4);
        EXPECT_EQ(number_at<float>(bytes, 8 + 4 * 3, true), 3.0F / 60);
        EXPECT_EQ(number_at<float>(bytes, 8 + 20 + 12 * (4 * 4 + 2) + 4, true),
                  static_cast<float>(moving_frame(4).layers[0].points[2].y));
    }
}

TEST_F(Formats, AxesAndUnits)
{
    RunInfo options = run_of(2);
    options.format.up = UpAxis::z;
    options.format.unit = 0.01;
    write_frames(path("a.pc2"), 2, options);
    const std::string bytes = read_all(path("a.cloud.pc2"));
    const float x = number_at<float>(bytes, 32), y = number_at<float>(bytes, 36), z = number_at<float>(bytes, 40);
    EXPECT_FLOAT_EQ(x, 900);
    EXPECT_FLOAT_EQ(y, 0);
    EXPECT_FLOAT_EQ(z, 900);
    write_frames(path("b.usda"), 2, options);
    const std::string text = read_all(path("b.usda"));
    EXPECT_NE(text.find("metersPerUnit = 0.01"), std::string::npos);
    EXPECT_NE(text.find("upAxis = \"Z\""), std::string::npos);
    write_frames(path("c.obj"), 2, options);
    EXPECT_NE(read_all(path("c.0000.obj")).find("v 900 -0 900"), std::string::npos) << read_all(path("c.0000.obj"));
    EXPECT_THROW(make_writer(path("d.glb"), options), InputError);
}

TEST_F(Formats, UsdaSamplesEveryFrame)
{
    write_frames(path("a.usda"), 3, run_of(3));
    EXPECT_EQ(names(), std::vector<std::string>{"a.usda"}) << "nothing is left beside it";
    const std::string text = read_all(path("a.usda"));
    for (const char* part : {"def Mesh \"sheet_one\"", "def Points \"cloud\"", "timeCodesPerSecond = 60",
                             "endTimeCode = 2", "2: [(0, 0.2857143, 0), (1, 0, 0), (1, 0.6666667, 1), (0, 0, 1)]",
                             "primvars:st", "left_side", "faceVertexCounts = [4]", "faceVertexIndices = [0, 1, 2, 3]"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    EXPECT_EQ(text.find("floor"), std::string::npos) << "scenery is not written";
}

/// A rod of three points and a ring, glued to a box that is released in the second frame.
constexpr const char* kGlued = R"({ "frames": 3,
    "rods": [{ "name": "string", "shape": { "kind": "points", "points": [[0, 2, 0], [0, 1.5, 0], [0, 1, 0]] }, "radius": 0.01,
               "pins": [{ "at": [0, 2, 0] }] }],
    "rigids": [{ "name": "box", "shape": { "kind": "box", "size": [0.2, 0.2, 0.2] }, "position": [0, 0.9, 0] }],
    "glue": [{ "name": "knot", "a": { "body": "string", "at": [0, 1, 0] }, "b": { "body": "box", "at": [0, 1, 0] },
               "keys": [{ "frame": 2, "on": false }] }] })";

TEST_F(Formats, UsdaHasRodsAsCurvesAndGlueAsAttachments)
{
    Scene scene = read_scene_text(kGlued, "glued");
    RunInfo run = run_of(4);
    run.world = &scene.world;
    const auto writer = make_writer(path("a.usda"), run);
    Frame frame;
    Solver solver;
    for (int i = 0; i < 4; ++i) {
        if (i > 0) solver.step(scene.world);
        update_frame(scene.world, i, frame);
        writer->write(frame);
    }
    writer->finish();
    EXPECT_EQ(names(), std::vector<std::string>{"a.usda"}) << "nothing is left beside it";
    const std::string text = read_all(path("a.usda"));
    for (const char* part :
         {"def BasisCurves \"string\"", "curveVertexCounts = [3]", "widths = [0.02]",
          "0: [(0, 2, 0), (0, 1.5, 0), (0, 1, 0)]", "def Mesh \"box\"", "def Xform \"knot\"",
          "rel physics:src0 = </World/string>", "rel physics:src0 = </World/box>",
          "rel physics:src1 = </World/glue/knot>", "(0, 1, 0, 1))", "0: 1,\n                    3: 0,"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(Formats, GlbHasAMorphTargetForEveryFrameButTheFirst)
{
    write_frames(path("a.glb"), 4, run_of(4));
    const std::string bytes = read_all(path("a.glb"));
    EXPECT_EQ(number_at<std::uint32_t>(bytes, 8), bytes.size());
    const auto length = number_at<std::uint32_t>(bytes, 12);
    const auto json = nlohmann::json::parse(bytes.substr(20, length));
    const std::string data = bytes.substr(28 + length);
    const auto& primitive = json["meshes"][0]["primitives"][0];
    ASSERT_EQ(primitive["targets"].size(), 3U);
    const auto read = [&](int accessor, std::size_t element, int axis) {
        const auto& view = json["bufferViews"][json["accessors"][accessor]["bufferView"].get<std::size_t>()];
        return number_at<float>(
            data, view["byteOffset"].get<std::size_t>() + 12 * element + 4 * static_cast<std::size_t>(axis));
    };
    for (int frame = 1; frame < 4; ++frame)
        for (std::size_t point = 0; point < 4; ++point)
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_FLOAT_EQ(read(primitive["attributes"]["POSITION"], point, axis) +
                                    read(primitive["targets"][frame - 1]["POSITION"], point, axis),
                                static_cast<float>(moving_frame(frame).layers[0].points[point][axis]));
    EXPECT_TRUE(json["meshes"][1]["primitives"][0]["attributes"].contains("TEXCOORD_0"));
    EXPECT_EQ(json["animations"][0]["channels"].size(), 3U);
    EXPECT_THROW(make_writer(path("b.glb"), run_of(kMostGlbFrames + 1)), InputError);
}

TEST_F(Formats, GlbIsReadBackAsAnAnimation)
{
    const int frames = 5;
    write_frames(path("a.glb"), frames, run_of(frames));
    const auto sequence = open_vertex_sequence(path("a.glb"), 1);
    EXPECT_NEAR(sequence->length(), (frames - 1) / 60.0, 1e-7);
    EXPECT_EQ(sequence->points(), read_mesh(path("a.glb")).vertices.size());
    const auto of_file = [](int number) {
        std::vector<Vec3d> points;
        for (const Layer& layer : moving_frame(number).layers)
            if (layer.triangles && !layer.scenery)
                for (const auto& p : layer.points) points.push_back(p.cast<double>());
        return points;
    };
    std::vector<Vec3d> points;
    for (int i = 0; i < frames - 1; ++i)
        for (const double s : {0.0, 0.25}) {
            sequence->read_at((i + s) / 60.0, points);
            const std::vector<Vec3d> now = of_file(i), next = of_file(i + 1);
            ASSERT_EQ(points.size(), now.size());
            for (std::size_t k = 0; k < points.size(); ++k)
                EXPECT_LT((points[k] - now[k] - s * (next[k] - now[k])).norm(), 1e-5) << i << " " << k;
        }
}

TEST_F(Formats, VtpIsListedWithItsTimes)
{
    write_frames(path("a.pvd"), 3, run_of(3));
    EXPECT_EQ(names(), (std::vector<std::string>{"a.0000.vtp", "a.0001.vtp", "a.0002.vtp", "a.pvd"}));
    const std::string list = read_all(path("a.pvd"));
    EXPECT_NE(list.find("timestep=\"0.016666666666666666\" file=\"a.0001.vtp\""), std::string::npos) << list;
    const std::string piece = read_all(path("a.0002.vtp"));
    EXPECT_NE(piece.find("NumberOfPoints=\"10\" NumberOfVerts=\"2\""), std::string::npos);
}

/// Killed after frame 4, with a checkpoint of frame 2: what is there beyond is cut off.
TEST_F(Formats, AllGoOnFromACheckpoint)
{
    for (const char* name : {"a.pc2", "a.mdd", "a.pvd", "a.usda", "a.glb"}) write_frames(path(name), 7, run_of(7));
    const auto whole = contents();
    for (const std::string& file : names()) fs::remove(folder_ / file);
    for (const char* name : {"a.pc2", "a.mdd", "a.pvd", "a.usda", "a.glb"}) {
        std::string state;
        {
            const auto killed = make_writer(path(name), run_of(7));
            for (int i = 0; i < 5; ++i) {
                killed->write(moving_frame(i));
                if (i == 2) state = killed->state();
            }
        }
        const auto resumed = make_writer(path(name), run_of(7));
        resumed->resume(moving_frame(2), state);
        for (int i = 3; i < 7; ++i) resumed->write(moving_frame(i));
        resumed->finish();
    }
    const auto again = contents();
    ASSERT_EQ(again.size(), whole.size());
    for (const auto& [name, bytes] : whole) EXPECT_TRUE(again.at(name) == bytes) << name;
}

TEST_F(Formats, NothingAtAllIsWrittenToo)
{
    for (const char* name : {"a.pc2", "a.mdd", "a.pvd", "a.usda", "a.glb"}) {
        const auto writer = make_writer(path(name), run_of(2));
        for (int i = 0; i < 2; ++i) writer->write({i, i / 60.0, {}});
        writer->finish();
        const auto empty_body = make_writer(path(std::string("b") + name), run_of(2));
        for (int i = 0; i < 2; ++i) empty_body->write({i, i / 60.0, {Layer{}}});
        empty_body->finish();
    }
    const std::string bytes = read_all(path("a.glb"));
    const auto json = nlohmann::json::parse(bytes.substr(20, number_at<std::uint32_t>(bytes, 12)));
    EXPECT_FALSE(json.contains("nodes")) << "the format has no empty lists";
}

TEST_F(Formats, ABodyThatComesOrGoesIsRefusedInASentence)
{
    const auto writer = make_writer(path("a.pc2"), run_of(3));
    writer->write(moving_frame(0));
    Frame fewer = moving_frame(1);
    fewer.layers.pop_back();
    EXPECT_NE(file_error([&] { writer->write(fewer); }).find("a body is gone in frame 1; use a sequence"),
              std::string::npos);
}

}  // namespace
}  // namespace pliant

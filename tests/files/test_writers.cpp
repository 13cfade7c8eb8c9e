#include "files/folder_test.h"
#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/sequence.h"
#include "pliant/files/writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <sstream>

namespace pliant {

namespace {

using namespace testing_files;

/// Two bodies, a cloud, and scenery between them; numbers that need all their digits.
Frame awkward_frame()
{
    const auto shared = [](Triangles t) { return std::make_shared<const Triangles>(std::move(t)); };
    const Real third = Real(1) / 3, tiny = std::numeric_limits<float>::denorm_min();
    Frame frame{7, 0.1, {}};
    frame.layers.push_back({"tri", {{third, -third, 1}, {tiny, 1e20f, -0.0f}, {16777215, 2, 3}}, shared({{0, 1, 2}})});
    frame.layers.push_back({"floor", {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, shared({{0, 1, 2}}), 0, true});
    frame.layers.push_back(
        {"two\nlines", {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, shared({{0, 1, 2}, {0, 2, 3}})});
    frame.layers.push_back({"cloud", {{9, 9, 9}, {8, 8, 8}}, nullptr, 0.1});
    return frame;
}

struct Read {
    std::vector<std::string> names;
    std::vector<Vec3> points;
    std::vector<int> bodies;  // per point
    Triangles triangles;
};

Read read_obj(const std::string& text)
{
    Read read;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "o") {
            read.names.push_back(line.substr(2));
        } else if (kind == "v") {
            std::string x, y, z;
            words >> x >> y >> z;
            read.points.push_back(Vec3d{std::stod(x), std::stod(y), std::stod(z)}.cast<Real>());
            read.bodies.push_back(static_cast<int>(read.names.size()) - 1);
        } else if (kind == "f") {
            std::array<int, 3> f = {};
            words >> f[0] >> f[1] >> f[2];
            read.triangles.push_back({f[0] - 1, f[1] - 1, f[2] - 1});
        } else {
            EXPECT_EQ(kind, "#") << line;
        }
    }
    return read;
}

/// Takes a little-endian number off the front.
template <class T>
T take(std::string_view& bytes)
{
    std::array<char, sizeof(T)> raw = {};
    EXPECT_EQ(bytes.copy(raw.data(), raw.size()), raw.size());
    bytes.remove_prefix(std::min(bytes.size(), raw.size()));
    return std::bit_cast<T>(raw);
}

Read read_ply(const std::string& file)
{
    const std::string end = "end_header\n";
    const std::size_t body = file.find(end) + end.size();
    std::istringstream lines(file.substr(0, body));
    int vertices = 0, faces = 0;
    Read read;
    for (std::string line; std::getline(lines, line);) {
        std::sscanf(line.c_str(), "element vertex %d", &vertices);
        std::sscanf(line.c_str(), "element face %d", &faces);
        if (line.starts_with("comment body ")) read.names.push_back(line.substr(13));
    }
    std::string_view bytes(file);
    bytes.remove_prefix(body);
    for (int i = 0; i < vertices; ++i) {
        const float x = take<float>(bytes), y = take<float>(bytes), z = take<float>(bytes);
        read.points.push_back(Vector3<float>{x, y, z}.cast<Real>());
        read.bodies.push_back(take<int>(bytes));
    }
    for (int i = 0; i < faces; ++i) {
        EXPECT_EQ(take<unsigned char>(bytes), 3);
        const int a = take<int>(bytes), b = take<int>(bytes), c = take<int>(bytes);
        read.triangles.push_back({a, b, c});
    }
    EXPECT_TRUE(bytes.empty());
    return read;
}

/// What is to be read back: the simulated layers one after the other.
Read flatten(const Frame& frame)
{
    Read flat;
    for (const Layer& layer : frame.layers) {
        if (layer.scenery) continue;
        const int first = static_cast<int>(flat.points.size());
        flat.points.insert(flat.points.end(), layer.points.begin(), layer.points.end());
        if (!layer.triangles) continue;
        for (const auto& [a, b, c] : *layer.triangles) flat.triangles.push_back({first + a, first + b, first + c});
    }
    return flat;
}

std::vector<Vector3<float>> to_float(const std::vector<Vec3>& points)
{
    std::vector<Vector3<float>> rounded;
    for (const Vec3& p : points) rounded.push_back(p.cast<float>());
    return rounded;
}

class Writers : public FolderTest {};

TEST_F(Writers, ObjReadsBackExactly)
{
    const Frame frame = awkward_frame();
    make_writer(path("body.obj"), {.frames = 1})->write(frame);
    const std::string text = read_all(path("body.0007.obj"));
    const Read read = read_obj(text), expected = flatten(frame);
    EXPECT_EQ(read.points, expected.points);
    EXPECT_EQ(read.triangles, expected.triangles);
    EXPECT_EQ(read.names, (std::vector<std::string>{"tri", "two_lines", "cloud"}));
    EXPECT_EQ(read.bodies, (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 2, 2}));
    EXPECT_NE(text.find("# frame 7\n# time 0.1 s\n"), std::string::npos);
}

TEST_F(Writers, PlyReadsBackExactly)
{
    const Frame frame = awkward_frame();
    make_writer(path("body.ply"), {.frames = 1})->write(frame);
    const std::string file = read_all(path("body.0007.ply"));
    const Read read = read_ply(file), expected = flatten(frame);
    EXPECT_EQ(to_float(read.points), to_float(expected.points));
    EXPECT_EQ(read.triangles, expected.triangles);
    EXPECT_EQ(read.names, (std::vector<std::string>{"0 tri", "2 two_lines", "3 cloud"}));
    EXPECT_EQ(read.bodies, (std::vector<int>{0, 0, 0, 2, 2, 2, 2, 3, 3}));
    EXPECT_TRUE(file.starts_with("ply\nformat binary_little_endian 1.0\ncomment frame 7\ncomment time 0.1 s\n"));
}

TEST_F(Writers, EmptyFramesAreFiles)
{
    for (const std::string suffix : {"obj", "ply"}) {
        const auto writer = make_writer(path("none." + suffix), {.frames = 2});
        writer->write({0, 0, {}});
        writer->write({1, 0.1, {Layer{}}});
        writer->finish();
    }
    EXPECT_EQ(names(), (std::vector<std::string>{"none.0000.obj", "none.0000.ply", "none.0001.obj", "none.0001.ply"}));
    EXPECT_TRUE(read_ply(read_all(path("none.0001.ply"))).points.empty());
}

TEST_F(Writers, FailureLeavesEarlierFramesWhole)
{
    for (const std::string suffix : {"obj", "ply"}) {
        const auto writer = make_writer(path("body." + suffix), {.frames = 2});
        Frame frame = awkward_frame();
        writer->write(frame);
        frame.number = 8;
        {
            const SmallDisk disk(100);
            EXPECT_THROW(writer->write(frame), FileError);
        }
        writer->finish();
    }
    EXPECT_EQ(names(), (std::vector<std::string>{"body.0007.obj", "body.0007.ply"}));
}

TEST(WriterNames, NumberGoesBeforeTheSuffix)
{
    EXPECT_EQ(sequence_path("out/bunny.obj", 0), "out/bunny.0000.obj");
    EXPECT_EQ(sequence_path("out.d/a.b.PLY", 12345), "out.d/a.b.12345.PLY");
}

TEST(WriterNames, SuffixPicksTheFormatInAnyCase)
{
    for (const std::string& suffix : writer_suffixes()) EXPECT_NE(make_writer("a" + suffix, {.frames = 1}), nullptr);
    EXPECT_NE(make_writer("a.PnG", {.frames = 1}), nullptr);
}

TEST(WriterNames, UnknownSuffixIsExplained)
{
    for (const std::string path : {"out/a.mov", "out/a", "out.obj/a", ""}) {
        try {
            make_writer(path, {.frames = 1});
            ADD_FAILURE() << path;
        } catch (const InputError& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find("'" + path + "'"), std::string::npos) << message;
            for (const std::string& suffix : writer_suffixes()) EXPECT_NE(message.find(suffix), std::string::npos);
        }
    }
}

}  // namespace

}  // namespace pliant

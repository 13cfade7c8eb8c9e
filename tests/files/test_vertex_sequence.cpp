#include "pliant/files/vertex_sequence.h"

#include "pliant/base/check.h"
#include "pliant/files/byte_order.h"
#include "pliant/files/file_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace pliant {
namespace {

constexpr int kPoints = 3, kFrames = 4;

Vec3d point_of(int frame, int point) { return {0.5 * frame, point - 0.25, -1.0 * frame * point}; }

void append_frames(std::endian order, std::string& bytes)
{
    for (int f = 0; f < kFrames; ++f)
        for (int p = 0; p < kPoints; ++p)
            for (int k = 0; k < 3; ++k) append_number(static_cast<float>(point_of(f, p)[k]), order, bytes);
}

std::string pc2_bytes(int points = kPoints, int frames = kFrames, float step = 1)
{
    std::string bytes("POINTCACHE2\0", 12);
    append_little(1, bytes);
    append_little(points, bytes);
    append_little(0.0F, bytes);
    append_little(step, bytes);
    append_little(frames, bytes);
    append_frames(std::endian::little, bytes);
    return bytes;
}

std::string mdd_bytes(int points = kPoints, int frames = kFrames)
{
    std::string bytes;
    append_number(frames, std::endian::big, bytes);
    append_number(points, std::endian::big, bytes);
    for (int f = 0; f < kFrames; ++f) append_number(2 + 0.25F * static_cast<float>(f * f), std::endian::big, bytes);
    append_frames(std::endian::big, bytes);
    return bytes;
}

std::string obj_text(int frame)
{
    std::string text;
    for (int p = 0; p < kPoints; ++p) {
        const Vec3d x = point_of(frame, p);
        text += fmt::format("v {} {} {}\n", x.x, x.y, x.z);
    }
    return text + "f 1 2 3\n";
}

/// Frames in any order, and what is between the second and the third.
void expect_frames(VertexSequence& sequence, const std::vector<double>& times)
{
    ASSERT_EQ(sequence.points(), static_cast<std::size_t>(kPoints));
    EXPECT_DOUBLE_EQ(sequence.length(), times.back());
    std::vector<Vec3d> points;
    for (const int f : {2, 0, 3, 1}) {
        sequence.read_at(times[static_cast<std::size_t>(f)], points);
        for (int p = 0; p < kPoints; ++p)
            EXPECT_LT((points[static_cast<std::size_t>(p)] - point_of(f, p)).norm(), 1e-6);
    }
    sequence.read_at(0.75 * times[1] + 0.25 * times[2], points);
    for (int p = 0; p < kPoints; ++p)
        EXPECT_LT((points[static_cast<std::size_t>(p)] - 0.75 * point_of(1, p) - 0.25 * point_of(2, p)).norm(), 1e-6);
}

std::string error_of(const std::string& name, const FileTable& files)
{
    const UseFiles scope(files);
    try {
        std::vector<Vec3d> points;
        open_vertex_sequence(name, 24)->read_at(0, points);
    } catch (const InputError& error) {
        return error.what();
    } catch (const FileError& error) {
        return error.what();
    }
    return "";
}

TEST(VertexSequence, ReadsPointCachesInAnyOrder)
{
    const FileTable files{{"a.pc2", pc2_bytes(kPoints, kFrames, 2)}, {"a.mdd", mdd_bytes()}};
    const UseFiles scope(files);
    const auto pc2 = open_vertex_sequence("a.pc2", 24), mdd = open_vertex_sequence("a.mdd", 24);
    expect_frames(*pc2, {0, 2.0 / 24, 4.0 / 24, 6.0 / 24});
    expect_frames(*mdd, {0, 0.25, 1, 2.25});
}

TEST(VertexSequence, ReadsAMeshForEachFrame)
{
    for (const int first : {0, 1}) {
        FileTable files;
        for (int f = 0; f < kFrames; ++f) files[fmt::format("walk.{:03}.obj", first + f)] = obj_text(f);
        const UseFiles scope(files);
        expect_frames(*open_vertex_sequence("walk.###.obj", 10), {0, 0.1, 0.2, 3 / 10.0});
    }
}

TEST(VertexSequence, RefusesFilesThatLie)
{
    const auto refused = [](const std::string& name, const std::string& bytes, const std::string& part) {
        const std::string error = error_of(name, {{name, bytes}});
        EXPECT_NE(error.find(part), std::string::npos) << error;
    };
    refused("a.pc2", pc2_bytes(kPoints, kFrames + 1), "missing");
    refused("a.pc2", pc2_bytes(-1), "frames of");
    refused("a.pc2", pc2_bytes(1 << 28, 1 << 28), "missing");
    refused("a.pc2", pc2_bytes(kPoints, 0), "frames of");
    refused("a.pc2", pc2_bytes(kPoints, kFrames, -1), "frames");
    refused("a.pc2", "POINTCACHE1", "no .pc2");
    refused("a.mdd", mdd_bytes(kPoints, 1'000'000'000), "frames of");
    refused("a.mdd", mdd_bytes(kPoints + 1), "missing");
    refused("a.mdd", "abc", "no .mdd");
    std::string bytes = pc2_bytes();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(bytes.data() + 32, &nan, 4);
    refused("a.pc2", bytes, "frame 0: point 0");
    refused("a.obj", obj_text(0), "####");
    refused("a.abc", "", "not from");
    const FileTable files{{"a.pc2", pc2_bytes()}};
    const UseFiles scope(files);
    EXPECT_THROW(open_vertex_sequence("a.pc2", 24, "walk"), InputError);
    EXPECT_NE(error_of("b.#.obj", {}).find("there is no file"), std::string::npos);
}

}  // namespace
}  // namespace pliant

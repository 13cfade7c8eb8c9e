#include "pliant/geometry/mascot.h"

#include "pliant/base/check.h"
#include "pliant/geometry/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace pliant {
namespace {

using Key = std::array<double, 3>;

Key key(const Vec3d& p) { return {p.x + 0.0, p.y + 0.0, p.z + 0.0}; }  // -0 becomes 0
Key mirrored_key(const Vec3d& p) { return {0.0 - p.x, p.y + 0.0, p.z + 0.0}; }

const SurfaceMesh& mascot()
{
    static const SurfaceMesh mesh = make_mascot(1);  // the default one, made once
    return mesh;
}

/// Vertices whose triangles do not form one ring.
int pinched_vertices(const SurfaceMesh& mesh)
{
    std::vector<std::map<int, int>> next(mesh.vertices.size());
    for (const auto& t : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) next[static_cast<std::size_t>(t[i])][t[(i + 1) % 3]] = t[(i + 2) % 3];
    }
    int pinched = 0;
    for (const auto& ring : next) {
        std::size_t steps = 0;
        int v = ring.empty() ? -1 : ring.begin()->first;
        for (auto at = ring.find(v); at != ring.end() && steps < ring.size(); at = ring.find(at->second)) {
            ++steps;
            if (at->second == v) break;
        }
        if (ring.empty() || steps != ring.size()) ++pinched;
    }
    return pinched;
}

TEST(Mascot, IsOneClosedManifoldWithoutHandles)
{
    for (const int resolution : {24, 31, 37, 48}) {
        const SurfaceMesh mesh = make_mascot(1, resolution);
        EXPECT_EQ(open_edges(mesh), 0) << resolution;
        EXPECT_EQ(pinched_vertices(mesh), 0) << resolution;
        const int edges = 3 * static_cast<int>(mesh.triangles.size()) / 2;
        // 2 for one piece without handles; two pieces would have 4
        EXPECT_EQ(static_cast<int>(mesh.vertices.size()) - edges + static_cast<int>(mesh.triangles.size()), 2)
            << resolution;
    }
}

TEST(Mascot, HasTheHeightAskedForAndIsCentred)
{
    const SurfaceMesh mesh = make_mascot(0.3, 32);
    const Box3 box = bounding_box(mesh.vertices);
    EXPECT_NEAR(box.extent().y, 0.3, 1e-15);
    EXPECT_LT(box.center().norm(), 1e-15);
    EXPECT_GT(volume(mesh), 0.1 * 0.3 * 0.3 * 0.3);
}

TEST(Mascot, IsItsOwnMirrorImageToTheBit)
{
    const SurfaceMesh& mesh = mascot();
    std::map<Key, int> numbers;
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) numbers[key(mesh.vertices[i])] = static_cast<int>(i);
    ASSERT_EQ(numbers.size(), mesh.vertices.size());

    const auto from_least = [](std::array<int, 3> t) {
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        return t;
    };
    std::set<std::array<int, 3>> triangles;
    for (const auto& t : mesh.triangles) triangles.insert(from_least(t));
    for (const auto& t : mesh.triangles) {
        std::array<int, 3> image{};
        for (std::size_t i = 0; i < 3; ++i) {
            const auto found = numbers.find(mirrored_key(mesh.vertices[static_cast<std::size_t>(t[i])]));
            ASSERT_NE(found, numbers.end());
            image[2 - i] = found->second;
        }
        EXPECT_TRUE(triangles.contains(from_least(image)));
    }
}

TEST(Mascot, ScalesWithoutChangingShape)
{
    const SurfaceMesh one = make_mascot(1, 24), two = make_mascot(2, 24);
    ASSERT_EQ(one.triangles, two.triangles);
    for (std::size_t i = 0; i < one.vertices.size(); ++i)
        EXPECT_LT((two.vertices[i] - 2 * one.vertices[i]).norm(), 1e-14);
}

TEST(Mascot, KeepsItsVolumeAtOtherResolutions)
{
    const double fine = volume(mascot());
    EXPECT_NEAR(volume(make_mascot(1, 30)), fine, 0.02 * fine);
}

TEST(Mascot, HasNoSlivers)
{
    const SurfaceMesh& mesh = mascot();
    for (const auto& t : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d edge =
                mesh.vertices[static_cast<std::size_t>(t[i])] - mesh.vertices[static_cast<std::size_t>(t[(i + 1) % 3])];
            EXPECT_GT(edge.norm(), 0.2 / 48);
            EXPECT_LT(edge.norm(), 2.5 / 48);
        }
    }
}

TEST(Mascot, HasTwoParticlesOrMoreAcrossEachEar)
{
    double spacing = 0;
    const std::vector<Vec3d> points = fill_by_count(mascot(), 2000, &spacing);
    std::map<double, std::pair<std::set<double>, std::set<double>>> layers;  // per y of the right ear: its x and z
    for (const Vec3d& p : points) {
        if (p.x > 0 && p.y > 0.25 && p.y < 0.45) {
            layers[p.y].first.insert(p.x);
            layers[p.y].second.insert(p.z);
        }
    }
    EXPECT_GE(layers.size(), 4u);
    for (const auto& [y, columns] : layers) {
        EXPECT_GE(columns.first.size(), 2u) << y;
        EXPECT_GE(columns.second.size(), 2u) << y;
    }
}

TEST(Mascot, IsFilledWithExactlyTheCountMirrored)
{
    double spacing = 0;
    const SurfaceMesh& mesh = mascot();
    const std::vector<Vec3d> points = fill_by_count(mesh, 2020, &spacing);
    ASSERT_EQ(points.size(), 2020u);
    EXPECT_NEAR(2020 * spacing * spacing * spacing, volume(mesh), 0.03 * volume(mesh));
    std::set<Key> keys;
    for (const Vec3d& p : points) keys.insert(key(p));
    EXPECT_EQ(keys.size(), points.size());
    for (const Vec3d& p : points) EXPECT_TRUE(keys.contains(mirrored_key(p)));
}

TEST(Mascot, RefusesWhatItCannotBeMadeOf)
{
    EXPECT_THROW(make_mascot(0), InputError);
    EXPECT_THROW(make_mascot(std::nan("")), InputError);
    EXPECT_THROW(make_mascot(1, 4), InputError);
    EXPECT_THROW(make_mascot(1, 100000), InputError);
}

}  // namespace
}  // namespace pliant

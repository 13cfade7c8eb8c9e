#include "pliant/solids/clustering.h"

#include "pliant/base/check.h"
#include "pliant/geometry/hash_grid.h"
#include "pliant/geometry/mesh.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace pliant {

namespace {

/// SplitMix64: a small generator of good quality, with the same sequence on every platform.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next()
    {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }

  private:
    std::uint64_t state_;
};

std::vector<int> members_within(const HashGrid& grid, const Vec3d& center, double radius)
{
    std::vector<int> members;
    grid.for_each_within(center, radius, [&](int i) { members.push_back(i); });
    std::sort(members.begin(), members.end());
    return members;
}

/// Morton code (Z-order) of a cell: neighbours stay close together, so that a pass over the clusters finds their
/// particles in the cache.
std::uint64_t morton_code(const std::array<long, 3>& cell)
{
    std::uint64_t place = 0;
    for (int bit = 0; bit < 21; ++bit) {
        for (int a = 0; a < 3; ++a) place |= (static_cast<std::uint64_t>(cell[a]) >> bit & 1U) << (3 * bit + a);
    }
    return place;
}

/// A lattice of cells that fill the bounding box, none wider than `pitch`.
struct Lattice {
    Vec3d low, step;
    std::array<long, 3> count{};

    Lattice(std::span<const Vec3d> rest, double pitch)
    {
        const Box3 box = bounding_box({rest.begin(), rest.end()});
        low = box.low;
        for (int a = 0; a < 3; ++a) {
            const double extent = box.extent()[a];
            count[a] = std::max(1L, std::lround(std::ceil(extent / pitch - 1e-9)));
            step[a] = extent / static_cast<double>(count[a]);
        }
    }
    /// The cells along one axis that contain a coordinate: both for a point on their common face, since otherwise a
    /// mirrored body would not get mirrored cells.
    std::pair<long, long> cells_along(int axis, double p) const
    {
        if (step[axis] <= 0) return {0, 0};
        const double s = (p - low[axis]) / step[axis];
        const long last = count[axis] - 1;
        return {std::clamp(std::lround(std::floor(s - 1e-9)), 0L, last),
                std::clamp(std::lround(std::floor(s + 1e-9)), 0L, last)};
    }
    Vec3d center(const std::array<long, 3>& c) const
    {
        Vec3d p;
        for (int a = 0; a < 3; ++a) p[a] = low[a] + (static_cast<double>(c[a]) + 0.5) * step[a];
        return p;
    }
    /// Centres of all cells with a particle inside or on their boundary, in Morton order.
    std::vector<Vec3d> occupied_centers(std::span<const Vec3d> rest) const
    {
        std::vector<std::pair<std::uint64_t, std::array<long, 3>>> cells;
        cells.reserve(rest.size());
        for (const Vec3d& p : rest) {
            const auto xs = cells_along(0, p.x), ys = cells_along(1, p.y), zs = cells_along(2, p.z);
            for (long x = xs.first; x <= xs.second; ++x) {
                for (long y = ys.first; y <= ys.second; ++y) {
                    for (long z = zs.first; z <= zs.second; ++z) cells.push_back({morton_code({x, y, z}), {x, y, z}});
                }
            }
        }
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
        std::vector<Vec3d> centers;
        for (const auto& cell : cells) centers.push_back(center(cell.second));
        return centers;
    }
};

/// Shares proportional to (1 - d^2/radius^2)^2, normalised over the clusters of each particle.
void share_smoothly(std::span<const Vec3d> rest, std::span<const Vec3d> centers, double radius, Memberships& m)
{
    std::vector<double> total(rest.size(), 0.0);
    for (int c = 0; c < m.clusters(); ++c) {
        for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
            const double s = 1 - (rest[m.member[k]] - centers[c]).squared_norm() / (radius * radius);
            m.share[k] = s * s + 1e-6;  // not zero at the rim: a particle may have no other cluster
            total[m.member[k]] += m.share[k];
        }
    }
    for (int k = 0; k < m.count(); ++k) m.share[k] /= total[m.member[k]];
}

}  // namespace

Memberships cluster_randomly(std::span<const Vec3d> rest, double radius, std::uint64_t seed)
{
    const int n = static_cast<int>(rest.size());
    // Picking uncovered particles at random is the same as walking a random permutation and skipping the covered ones.
    std::vector<int> order(rest.size());
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);

    const HashGrid grid(rest, radius);
    std::vector<char> covered(rest.size(), 0);
    Memberships m;
    for (const int i : order) {
        if (covered[i]) continue;
        const std::vector<int> members = members_within(grid, rest[i], radius);
        for (const int j : members) covered[j] = 1;
        m.add(members);
    }
    share_equally(n, m);
    return m;
}

Memberships cluster_evenly(std::span<const Vec3d> rest, double radius)
{
    constexpr double kMinSize = 0.25;  // of the mean size: a smaller cluster is kept only where no other one covers
    // The corners of a cell are just within the radius of its centre (2/sqrt(3) = 1.155 would be on it), so that every
    // particle is covered, on average by about three clusters.
    constexpr double kPitch = 1.13;  // radii
    const HashGrid grid(rest, radius);
    const std::vector<Vec3d> centers = Lattice(rest, kPitch * radius).occupied_centers(rest);
    std::vector<std::vector<int>> members;
    std::size_t total = 0;
    for (const Vec3d& center : centers) total += members.emplace_back(members_within(grid, center, radius)).size();

    const double small = kMinSize * static_cast<double>(total) / static_cast<double>(centers.size());
    std::vector<char> covered(rest.size(), 0);
    for (const auto& cluster : members) {
        if (static_cast<double>(cluster.size()) < small) continue;
        for (const int i : cluster) covered[i] = 1;
    }
    Memberships m;
    std::vector<Vec3d> kept;
    for (std::size_t c = 0; c < centers.size(); ++c) {
        const bool needed = std::any_of(members[c].begin(), members[c].end(), [&](int i) { return !covered[i]; });
        if (static_cast<double>(members[c].size()) < small && !needed) continue;
        m.add(members[c]);
        kept.push_back(centers[c]);
    }
    share_smoothly(rest, kept, radius, m);
    return m;
}

Memberships cluster_by_lists(int particles, std::span<const std::vector<int>> lists)
{
    Memberships m;
    std::vector<int> last(static_cast<std::size_t>(particles), -1);
    for (std::size_t c = 0; c < lists.size(); ++c) {
        if (lists[c].empty()) throw InputError("clusters: list " + std::to_string(c) + " is empty; leave it out");
        for (const int i : lists[c]) {
            if (i < 0 || i >= particles) {
                throw InputError("clusters: list " + std::to_string(c) + " names particle " + std::to_string(i) +
                                 " of a body with particles 0 to " + std::to_string(particles - 1));
            }
            if (last[i] == static_cast<int>(c))
                throw InputError("clusters: list " + std::to_string(c) + " names particle " + std::to_string(i) +
                                 " twice");
            last[i] = static_cast<int>(c);
        }
        m.add(lists[c]);
    }
    for (int i = 0; i < particles; ++i) {
        if (last[i] < 0)
            throw InputError("clusters: particle " + std::to_string(i) +
                             " is in no list; every particle needs a cluster");
    }
    share_equally(particles, m);
    return m;
}

}  // namespace pliant

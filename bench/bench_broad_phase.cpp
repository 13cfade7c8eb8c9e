// Which edges are near each other: the tree of slabs that contact uses beside a uniform grid of boxes in a hash table, for
// a sheet of 71 x 71 vertices that has fallen into a pile. One thread.
//
//   all     every edge is new; all pairs
//   tenth   a tenth of the edges, next to each other, is new; the pairs of these
//   pairs   how many have to be measured; slabs are nearer to the truth than boxes

#include "pliant/base/parallel.h"
#include "pliant/geometry/sheets.h"
#include "pliant/geometry/slab_tree.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/edits.h"

#include <benchmark/benchmark.h>

#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

namespace pliant {
namespace {

constexpr Real kReach = Real(0.004);

using Edge = std::array<Vec3, 2>;

/// In the order of a tree.
std::vector<Edge> make_edges()
{
    World world;
    writable(world.settings).substeps = 20;
    writable(world.settings).iterations = 1;
    set_contact(world, {.on = true});
    add_collider(world, {});
    place_cloth(
        world,
        add_cloth(world, make_sheet(1, 1, 70, 70, SheetPattern::alternating), {.thickness = kReach, .damping = 1}),
        {.linear = rotation_of({86, 3, 0}), .position = {0, 0.55, 0}});
    const ContactSurface surface = make_contact_surface(world);
    std::vector<Vec3d> middles;
    for (const ContactSurface::Edge& e : surface.edges)
        middles.push_back(0.5 * (world.particles->x[e.a] + world.particles->x[e.b]).cast<double>());
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    std::vector<Edge> edges;
    for (const int i : order_along_curve(middles))
        edges.push_back({world.particles->x[surface.edges[i].a], world.particles->x[surface.edges[i].b]});
    return edges;
}

const std::vector<Edge>& edges()
{
    static const std::vector<Edge> made = make_edges();
    return made;
}

/// Each grown by half of what the cloth keeps away.
const std::vector<Box>& boxes()
{
    static const std::vector<Box> made = [] {
        std::vector<Box> all;
        const Vec3 reach{kReach / 2, kReach / 2, kReach / 2};
        for (const auto& [a, b] : edges()) {
            const Box box = join({a, a}, {b, b});
            all.push_back({box.low - reach, box.high + reach});
        }
        return all;
    }();
    return made;
}

/// The same.
Slabs slabs_of(int eight)
{
    std::array<Vector3<Lanes>, 2> corners;
    for (int l = 0; l < kLanes; ++l) {
        const std::size_t i = std::min(static_cast<std::size_t>(kLanes * eight + l), edges().size() - 1);
        for (std::size_t k = 0; k < 2; ++k) set_lane(corners[k], l, edges()[i][k]);
    }
    return slabs_around(corners, Lanes(kReach / 2));
}

bool meet(const Box& a, const Box& b)
{
    return a.low.x <= b.high.x && a.low.y <= b.high.y && a.low.z <= b.high.z && b.low.x <= a.high.x &&
           b.low.y <= a.high.y && b.low.z <= a.high.z;
}

/// Boxes in all cells that they reach, sorted by cells.
class BoxGrid {
  public:
    BoxGrid(std::size_t count, Real cell) : first_(4 * count + 1), per_cell_(1 / cell) {}

    void fill(const std::vector<Box>& all)
    {
        entries_.clear();
        std::ranges::fill(first_, 0);
        for (std::size_t i = 0; i < all.size(); ++i)
            for_each_cell(all[i], [&](const Cell& cell) {
                const std::size_t b = bucket(cell);
                entries_.push_back({cell, static_cast<int>(i), b});
                ++first_[b + 1];
            });
        for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
        sorted_.resize(entries_.size());
        next_.assign(first_.begin(), first_.end() - 1);
        for (const Entry& e : entries_) sorted_[static_cast<std::size_t>(next_[e.bucket]++)] = e;
    }

    /// Calls found(j) once for every other box that meets box i.
    template <class Found>
    void find(const std::vector<Box>& all, int i, Found&& found) const
    {
        const Box& box = all[static_cast<std::size_t>(i)];
        for_each_cell(box, [&](const Cell& cell) {
            const std::size_t b = bucket(cell);
            for (int k = first_[b]; k < first_[b + 1]; ++k) {
                const Entry& e = sorted_[static_cast<std::size_t>(k)];
                const Box& other = all[static_cast<std::size_t>(e.box)];
                if (e.box == i || e.cell != cell || !meet(box, other)) continue;
                // Two that share cells meet in the one with the lower corner of what they share.
                const Vec3 low{std::max(box.low.x, other.low.x), std::max(box.low.y, other.low.y),
                               std::max(box.low.z, other.low.z)};
                if (cell_of(low) == cell) found(e.box);
            }
        });
    }

  private:
    using Cell = std::array<int, 3>;
    struct Entry {
        Cell cell;
        int box;
        std::size_t bucket;
    };

    Cell cell_of(const Vec3& p) const
    {
        return {static_cast<int>(std::floor(p.x * per_cell_)), static_cast<int>(std::floor(p.y * per_cell_)),
                static_cast<int>(std::floor(p.z * per_cell_))};
    }
    std::size_t bucket(const Cell& c) const
    {
        const auto h = static_cast<unsigned>(c[0]) * 73856093U ^ static_cast<unsigned>(c[1]) * 19349663U ^
                       static_cast<unsigned>(c[2]) * 83492791U;
        return h % (first_.size() - 1);
    }
    template <class Visit>
    void for_each_cell(const Box& box, Visit&& visit) const
    {
        const Cell low = cell_of(box.low), high = cell_of(box.high);
        for (int x = low[0]; x <= high[0]; ++x)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int z = low[2]; z <= high[2]; ++z) visit({x, y, z});
    }

    std::vector<int> first_, next_;  // per bucket
    std::vector<Entry> entries_, sorted_;
    Real per_cell_;
};

/// Counts pairs of which one at least is below `moved`.
std::size_t count_with_tree(int moved, SlabTree& tree)
{
    const auto changed = [&](int eight) {
        const int count = std::clamp(moved - kLanes * eight, 0, kLanes);
        return (1U << count) - 1;
    };
    tree.refit(changed, slabs_of);
    std::size_t pairs = 0;
    for (int row = 0; kLanes * row < moved; ++row) {
        tree.find(tree, row, tree.changed(row), row, [&](int k, int eight, unsigned bits) {
            for (; bits != 0; bits &= bits - 1)
                pairs += kLanes * eight + std::countr_zero(bits) > kLanes * row + k ? 1 : 0;
        });
    }
    return pairs;
}

std::size_t count_with_grid(int moved, BoxGrid& grid)
{
    const std::vector<Box>& all = boxes();
    grid.fill(all);
    std::size_t pairs = 0;
    for (int i = 0; i < moved; ++i) grid.find(all, i, [&](int other) { pairs += other > i ? 1 : 0; });
    return pairs;
}

int moved_of(int parts) { return static_cast<int>(boxes().size()) / parts; }

void run_tree(benchmark::State& state, int parts)
{
    set_threads(1);
    SlabTree tree(static_cast<int>(edges().size()));
    tree.refit([](int) { return ~0U; }, slabs_of);
    std::size_t pairs = 0;
    for (auto _ : state) pairs = count_with_tree(moved_of(parts), tree);
    state.counters["pairs"] = static_cast<double>(pairs);
    set_threads(0);
}

void run_grid(benchmark::State& state, int parts)
{
    const Real cell = Real(0.001) * static_cast<Real>(state.range(0));
    BoxGrid grid(boxes().size(), cell);
    std::size_t pairs = 0;
    for (auto _ : state) pairs = count_with_grid(moved_of(parts), grid);
    state.counters["pairs"] = static_cast<double>(pairs);
}

const int kAdded = [] {
    for (const auto& [which, parts] : {std::pair<std::string, int>{"all", 1}, {"tenth", 10}}) {
        const std::string name = "contact/broad_phase/" + which;
        benchmark::RegisterBenchmark((name + "/tree").c_str(), run_tree, parts)->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark((name + "/grid").c_str(), run_grid, parts)
            ->ArgName("cell_mm")
            ->ArgsProduct({{8, 12, 16, 24}})
            ->Unit(benchmark::kMicrosecond);
    }
    return 0;
}();

}  // namespace
}  // namespace pliant

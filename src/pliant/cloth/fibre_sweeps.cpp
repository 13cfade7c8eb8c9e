// Fibres as published: two sweeps and their mean.

#include "pliant/cloth/fibres.h"

#include "pliant/base/parallel.h"

#include <algorithm>
#include <limits>

namespace pliant {

FibreSweeps make_fibre_sweeps(std::span<const std::vector<int>> chains, const SurfaceMesh& rest,
                              std::span<const double> mu, std::span<int> next)
{
    FibreSweeps out;
    out.first.push_back(0);
    for (const std::vector<int>& chain : chains) {
        for (std::size_t k = 0; k < chain.size(); ++k) {
            const Vec3d here = rest.vertices[chain[k]];
            const Vec3d ahead = rest.vertices[chain[k + 1 < chain.size() ? k + 1 : k]];
            out.vertex.push_back(chain[k]);
            out.slot.push_back(next[chain[k]]++);
            out.rest.push_back(here.cast<Real>());
            out.length.push_back(static_cast<Real>((ahead - here).norm()));
            out.weight.push_back(static_cast<Real>(mu[chain[k]]));
        }
        out.first.push_back(static_cast<int>(out.vertex.size()));
    }
    return out;
}

namespace {

/// Places node `to` next to node `from`, which is placed already, at the rest length between them.
void place_next(const Chain& chain, std::size_t from, std::size_t to, Vec3& direction, std::span<Vec3> swept)
{
    const Vec3 d = chain.x[to] - swept[from];
    const Real distance = d.norm();
    if (distance > 0) direction = d / distance;
    else if (direction.squared_norm() == 0) direction = (chain.rest[to] - chain.rest[from]).normalized();
    swept[to] = swept[from] + chain.length[std::min(from, to)] * direction;
}

}  // namespace

void sweep_forward(const Chain& chain, std::span<Vec3> swept)
{
    Vec3 direction{};
    swept[0] = chain.x[0];
    for (std::size_t k = 0; k + 1 < chain.x.size(); ++k) place_next(chain, k, k + 1, direction, swept);
}

void sweep_backward(const Chain& chain, std::span<Vec3> swept)
{
    Vec3 direction{};
    swept[chain.x.size() - 1] = chain.x.back();
    for (std::size_t k = chain.x.size() - 1; k > 0; --k) place_next(chain, k, k - 1, direction, swept);
}

void sweep_fibre(const Chain& chain, std::span<const Real> weight, std::span<Vec3> scratch, std::span<Vec3> goals)
{
    sweep_forward(chain, goals);
    sweep_backward(chain, scratch);
    Vec3 shift{};
    Real total = 0;
    for (std::size_t k = 0; k < goals.size(); ++k) {
        goals[k] = Real(0.5) * (goals[k] + scratch[k]);
        shift += weight[k] * (goals[k] - chain.x[k]);
        total += weight[k];
    }
    for (Vec3& goal : goals) goal -= shift / total;
}

void sweep_from_pins(const Chain& chain, std::span<const char> pinned, std::span<Vec3> goals)
{
    const std::size_t n = chain.x.size();
    constexpr Real kFar = std::numeric_limits<Real>::max();
    // goals[k].x holds the distance to the nearest pin behind until the goal itself is known; kFar: not placed yet.
    Real behind = kFar;
    for (std::size_t k = 0; k < n; ++k) {
        behind = pinned[k] != 0 ? 0 : (behind < kFar && k > 0 ? behind + chain.length[k - 1] : kFar);
        goals[k].x = behind;
    }
    Real ahead = kFar;
    Vec3 direction{};
    for (std::size_t k = n; k-- > 0;) {
        const bool reached = ahead < kFar;
        ahead = pinned[k] != 0 ? 0 : (reached ? ahead + chain.length[k] : kFar);
        const bool from_ahead = pinned[k] == 0 && reached && ahead < goals[k].x;
        if (pinned[k] != 0) {
            goals[k] = chain.x[k];
            direction = {};
        } else if (from_ahead) {
            place_next(chain, k + 1, k, direction, goals);
        } else {
            goals[k].x = kFar;  // to be placed from behind, below
        }
    }
    for (std::size_t k = 1; k < n; ++k) {
        if (pinned[k] != 0) direction = {};
        if (pinned[k] == 0 && goals[k].x == kFar) place_next(chain, k - 1, k, direction, goals);
    }
}

void SweepScratch::resize(const FibreSweeps& sweeps)
{
    if (x.size() == sweeps.vertex.size()) return;
    x.resize(sweeps.vertex.size());
    backward.resize(x.size());
    goals.resize(x.size());
    pinned.resize(x.size());
}

void sweep_fibres(const FibreSweeps& sweeps, std::span<const Point> points, SweepScratch& scratch,
                  std::span<Point> change)
{
    parallel_for(static_cast<int>(sweeps.first.size()) - 1, 16, [&](int begin, int end) {
        for (int f = begin; f < end; ++f) {
            const auto first = static_cast<std::size_t>(sweeps.first[f]);
            const auto count = static_cast<std::size_t>(sweeps.first[f + 1]) - first;
            bool held = false;
            for (std::size_t k = first; k < first + count; ++k) {
                const Point& point = points[sweeps.vertex[k]];
                scratch.x[k] = point.position();
                scratch.pinned[k] = point.w == 0 ? 1 : 0;
                held = held || point.w == 0;
            }
            const auto part = [&](auto& values) { return std::span(values).subspan(first, count); };
            const Chain chain{part(scratch.x), part(sweeps.rest), part(sweeps.length)};
            if (held) sweep_from_pins(chain, part(scratch.pinned), part(scratch.goals));
            else sweep_fibre(chain, part(sweeps.weight), part(scratch.backward), part(scratch.goals));
            for (std::size_t k = first; k < first + count; ++k) {
                const Vec3 d = scratch.goals[k] - scratch.x[k];
                change[sweeps.slot[k]] = {d.x, d.y, d.z, 0};
            }
        }
    });
}

}  // namespace pliant

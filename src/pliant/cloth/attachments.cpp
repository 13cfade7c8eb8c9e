#include "pliant/cloth/attachments.h"

#include "pliant/base/parallel.h"
#include "pliant/geometry/geodesics.h"

#include <algorithm>
#include <limits>

namespace pliant {

std::vector<int> find_pins(std::span<const Real> inv_mass)
{
    std::vector<int> pins;
    for (std::size_t i = 0; i < inv_mass.size(); ++i)
        if (inv_mass[i] == 0) pins.push_back(static_cast<int>(i));
    return pins;
}

Attachments make_attachments(const SurfaceMesh& rest, std::span<const int> pins)
{
    Attachments out;
    if (pins.empty()) return out;
    const std::vector<std::vector<NearSource>> near = find_near_sources(rest, pins, 2);
    std::vector<int> held;  // vertices that are connected to a pin and not pinned themselves
    for (int i = 0; i < static_cast<int>(near.size()); ++i)
        if (!near[i].empty() && near[i][0].distance > 0) held.push_back(i);

    for (std::size_t at = 0; at < held.size(); at += kLanes) {
        Attachments::Group group;
        group.vertex.fill(static_cast<int>(near.size()));  // only the last group is padded
        group.a = group.b = group.vertex;
        group.length_a = group.length_b = std::numeric_limits<Real>::max() / 4;
        for (int l = 0; l < kLanes && at + l < held.size(); ++l) {
            const std::vector<NearSource>& sources = near[held[at + l]];
            const NearSource& a = sources.front();
            const NearSource& b = sources.back();
            group.vertex[l] = held[at + l];
            group.a[l] = a.source;
            group.b[l] = b.source;
            group.length_a.set(l, static_cast<Real>(a.distance));
            group.length_b.set(l, static_cast<Real>(b.distance));
        }
        out.groups.push_back(group);
    }
    return out;
}

namespace {

/// The point nearest to x whose distance from the pin is at most `reach`.
PLIANT_INLINE Vector3<Lanes> within(const Vector3<Lanes>& pin, const Lanes& reach, const Vector3<Lanes>& x)
{
    const Vector3<Lanes> d = x - pin;
    const Lanes squared = d.squared_norm();
    return pin + select(squared > reach * reach, reach / sqrt(squared), Lanes(1)) * d;
}

void project_group(const Attachments::Group& group, Point* points)
{
    const PointLanes a = gather(points, group.a.data()), b = gather(points, group.b.data());
    PointLanes p = gather(points, group.vertex.data());
    // A pin that has been released since holds nothing.
    const Lanes far = std::numeric_limits<Real>::max() / 4;
    const Lanes length_a = select(a.w > Lanes(0), far, group.length_a);
    const Lanes length_b = select(b.w > Lanes(0), far, group.length_b);
    const Vector3<Lanes> between = a.x - b.x;
    const Lanes apart = sqrt(between.squared_norm());
    const Lanes stretch = max(Lanes(1), apart / (length_a + length_b));
    const Lanes reach_a = stretch * length_a, reach_b = stretch * length_b;
    const Vector3<Lanes> da = p.x - a.x, db = p.x - b.x;
    const auto beyond = (da.squared_norm() > reach_a * reach_a) | (db.squared_norm() > reach_b * reach_b);
    const auto moves = beyond & (p.w > Lanes(0));
    if (!any(moves)) return;
    const Vector3<Lanes> ab = within(a.x, reach_a, within(b.x, reach_b, p.x));
    const Vector3<Lanes> ba = within(b.x, reach_b, within(a.x, reach_a, p.x));
    p.x = select(moves, Lanes(Real(0.5)) * (ab + ba), p.x);
    scatter(p, group.vertex.data(), points);
}

}  // namespace

void project_attachments(const Attachments& attachments, std::span<Point> points)
{
    parallel_for(static_cast<int>(attachments.groups.size()), 64, [&](int begin, int end) {
        for (int g = begin; g < end; ++g) project_group(attachments.groups[g], points.data());
    });
}

}  // namespace pliant

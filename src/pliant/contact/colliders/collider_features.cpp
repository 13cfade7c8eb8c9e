#include "pliant/contact/colliders/collider_features.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/colliders/chunk_check.h"
#include "pliant/geometry/support.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

constexpr int kUsualHolds = 8;  // of a chunk and a collider
constexpr int kNearGrain = 4;   // chunks a thread takes at least

class FeatureMaker {
  public:
    FeatureMaker(const ContactSurface& surface, const RigidBodies& rigids)
        : surface_(surface), rigids_(rigids), place_(static_cast<std::size_t>(surface.points()), -1)
    {}

    ColliderFeatures make()
    {
        std::vector<std::vector<std::array<int, 3>>> features(static_cast<std::size_t>(surface_.bodies));
        for (const ContactSurface::Triangle& t : surface_.triangles) features[t.body].push_back(t.point);
        std::vector<char> meshed(features.size());
        for (std::size_t b = 0; b < features.size(); ++b) meshed[b] = features[b].empty() ? 0 : 1;
        for (const ContactSurface::Edge& e : surface_.edges)
            if (meshed[e.body] == 0) features[e.body].push_back({e.a, e.b, e.b});
        for (std::size_t b = 0; b < features.size(); ++b)
            if (!features[b].empty() && !is_convex_rigid(features[b][0][0])) add(static_cast<int>(b), features[b]);
        return std::move(out_);
    }

  private:
    bool is_convex_rigid(int point) const
    {
        return surface_.is_carried(point) && has_support(rigids_.shape[surface_.carrier(point).body]);
    }

    void add(int body, const std::vector<std::array<int, 3>>& features)
    {
        ColliderFeatures::Body made{body, features[0][0], features[0][0], static_cast<int>(out_.chunks.size()), 0};
        for (const auto& feature : features) {
            made.first = std::min(made.first, std::ranges::min(feature));
            made.last = std::max(made.last, std::ranges::max(feature));
        }
        for (std::size_t k = 0; k < features.size(); k += kFeaturesPerChunk)
            add_chunk(std::span(features).subspan(k, std::min<std::size_t>(kFeaturesPerChunk, features.size() - k)));
        made.chunks = static_cast<int>(out_.chunks.size()) - made.first_chunk;
        out_.bodies.push_back(made);
    }

    /// Empty lanes repeat the last feature.
    void add_chunk(std::span<const std::array<int, 3>> features)
    {
        FeatureChunk chunk{static_cast<int>(out_.rows.size()), 0, static_cast<int>(out_.points.size()), 0};
        for (std::size_t k = 0; k < features.size(); k += kLanes) {
            auto& row = out_.rows.emplace_back();
            for (int l = 0; l < kLanes; ++l)
                for (int c = 0; c < 3; ++c)
                    row[c][l] = place_of(features[std::min(k + l, features.size() - 1)][c], chunk.first_point);
        }
        chunk.rows = static_cast<int>(out_.rows.size()) - chunk.first_row;
        chunk.points = static_cast<int>(out_.points.size()) - chunk.first_point;
        for (int k = 0; k < chunk.points; ++k) place_[out_.points[chunk.first_point + k]] = -1;
        out_.chunks.push_back(chunk);
    }
    int place_of(int point, int first)
    {
        if (place_[point] < 0) {
            place_[point] = static_cast<int>(out_.points.size()) - first;
            out_.points.push_back(point);
        }
        return place_[point];
    }

    const ContactSurface& surface_;
    const RigidBodies& rigids_;
    std::vector<int> place_;  // per point: in the current chunk
    ColliderFeatures out_;
};

/// A ball around everything that a chunk or a body sweeps.
struct Swept {
    Vec3 low, high;
    void add(const Vec3& x)
    {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], x[k]);
            high[k] = std::max(high[k], x[k]);
        }
    }
};

/// Whether a ball may meet a collider during the substep.
bool may_meet(const PlacedCollider& collider, const Vec3& center, Real radius)
{
    const ColliderPose& pose = collider.pose;
    Real reach = radius * Real(1.0001) + Real(1e-5) * center.norm();
    if (!is_still(pose)) {  // relative to the collider, which has moved by no more than this around here
        Real most = surface_motion(pose, center).norm();
        for (int k = 0; k < 3; ++k) {
            Vec3 beside = center;
            beside[k] += radius;
            most = std::max(most, surface_motion(pose, beside).norm());
        }
        reach += 3 * most;
    }
    return !(least_distance(collider.shape, pose.to_shape(center)) > reach);
}

class NearFinder {
  public:
    NearFinder(const ColliderFeatures& features, const Particles& particles, const RigidBodies& rigids,
               const ContactSurface& surface)
        : features_(features), particles_(particles), rigids_(rigids), surface_(surface)
    {}

    void find(std::span<const PlacedCollider> colliders, std::vector<std::pair<int, int>>& near) const
    {
        near.clear();
        near.reserve(features_.chunks.size() * std::min<std::size_t>(colliders.size(), 4));
        for (const ColliderFeatures::Body& body : features_.bodies) {
            const Swept around = around_body(body);
            bool any = false;
            for (const PlacedCollider& collider : colliders) any = any || meets(collider, around);
            for (int c = body.first_chunk; any && c < body.first_chunk + body.chunks; ++c) {
                const Swept swept = around_chunk(features_.chunks[c]);
                for (std::size_t k = 0; k < colliders.size(); ++k)
                    if (meets(colliders[k], swept)) near.emplace_back(c, static_cast<int>(k));
            }
        }
    }

  private:
    static bool meets(const PlacedCollider& collider, const Swept& swept)
    {
        return may_meet(collider, Real(0.5) * (swept.low + swept.high), Real(0.5) * (swept.high - swept.low).norm());
    }
    Swept around_body(const ColliderFeatures::Body& body) const
    {
        if (surface_.is_carried(body.first)) {
            Swept swept = nowhere();
            for (int p = body.first; p <= body.last; ++p) add(p, swept);
            return swept;
        }
        Real most = 0;
        Vector3<Lanes> low = spread(particles_.x[body.first]), high = low;
        int p = body.first;
        for (; p + kLanes <= body.last + 1; p += kLanes) {
            for (const auto* places : {&particles_.x, &particles_.x_prev}) {
                const Vector3<Lanes> x = load_vectors(&(*places)[p]);
                low = {min(low.x, x.x), min(low.y, x.y), min(low.z, x.z)};
                high = {max(high.x, x.x), max(high.y, x.y), max(high.z, x.z)};
            }
        }
        Swept swept{{-largest(-low.x), -largest(-low.y), -largest(-low.z)},
                    {largest(high.x), largest(high.y), largest(high.z)}};
        for (; p <= body.last; ++p) add(p, swept);
        for (int i = body.first; i <= body.last; ++i) most = std::max(most, particles_.radius[i]);
        return grown(swept, most);
    }
    Swept around_chunk(const FeatureChunk& chunk) const
    {
        Swept swept = nowhere();
        Real most = 0;
        for (const int p : std::span(features_.points).subspan(chunk.first_point, chunk.points)) {
            add(p, swept);
            if (!surface_.is_carried(p)) most = std::max(most, particles_.radius[p]);
        }
        return grown(swept, most);
    }
    void add(int p, Swept& swept) const
    {
        if (surface_.is_carried(p)) {
            const auto& [body, place] = surface_.carrier(p);
            swept.add(to_world(rigids_.pose_prev[body], place));
            swept.add(to_world(rigids_.pose[body], place));
        } else {
            swept.add(particles_.x_prev[p]);
            swept.add(particles_.x[p]);
        }
    }
    static Swept nowhere()
    {
        constexpr Real kFar = std::numeric_limits<Real>::max();
        return {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    }
    static Swept grown(Swept swept, Real by)
    {
        const Vec3 all{by, by, by};
        return {swept.low - all, swept.high + all};
    }

    const ColliderFeatures& features_;
    const Particles& particles_;
    const RigidBodies& rigids_;
    const ContactSurface& surface_;
};

}  // namespace

ColliderFeatures make_collider_features(const ContactSurface& surface, const RigidBodies& rigids)
{
    return FeatureMaker(surface, rigids).make();
}

void find_near_colliders(const ColliderFeatures& features, std::span<const PlacedCollider> colliders,
                         const Particles& particles, const RigidBodies& rigids, const ContactSurface& surface,
                         NearColliders& near)
{
    NearFinder(features, particles, rigids, surface).find(colliders, near.near);
    while (near.parts.size() < near.near.capacity()) near.parts.emplace_back().reserve(kUsualHolds);
}

void find_holds(const ColliderFeatures& features, std::span<const PlacedCollider> colliders,
                const FeaturePlaces& places, Real share, NearColliders& near)
{
    for (std::size_t k = near.near.size(); k < near.parts.size(); ++k) near.parts[k].clear();
    parallel_for(static_cast<int>(near.near.size()), kNearGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            near.parts[k].clear();
            const auto [chunk, collider] = near.near[k];
            const ChunkCheck check(features, features.chunks[chunk], colliders[collider], collider, places, share);
            check.find(near.parts[k]);
        }
    });
}

}  // namespace pliant

#include "pliant/contact/colliders/collider_features.h"

#include "pliant/base/parallel.h"
#include "pliant/geometry/separation.h"
#include "pliant/geometry/support.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

constexpr int kFeaturesPerChunk = 64;
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
    if (!has_support(collider.shape)) return false;
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
    return !(nearest_surface(collider.shape, pose, center).distance > reach);
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

/// One chunk and one collider. Places are in the frame of the collider, at the start and at the end of the substep.
class ChunkCheck {
  public:
    ChunkCheck(const ColliderFeatures& features, const FeatureChunk& chunk, const PlacedCollider& collider, int which,
               const FeaturePlaces& places, Real share)
        : features_(features), chunk_(chunk), collider_(collider), which_(which), places_(places), share_(share)
    {
        const ColliderPose& pose = collider.pose;
        const ShapePose before{pose.rotation_prev, pose.position_prev - places.start_origin},
            after{pose.rotation, pose.position - places.origin};
        for (int k = 0; k < chunk.points; ++k) {
            const int p = features.points[chunk.first_point + k];
            const Vec3 a = before.to_shape(places.start[p].position()), b = after.to_shape(places.now[p].position());
            start_[k] = {a.x, a.y, a.z, places.radius[p]};
            now_[k] = {b.x, b.y, b.z, 0};
        }
    }

    void find(std::vector<ColliderHold>& holds) const
    {
        for (int r = chunk_.first_row; r < chunk_.first_row + chunk_.rows; ++r) {
            for (unsigned lanes = uncertain(features_.rows[r]); lanes != 0; lanes &= lanes - 1)
                look(features_.rows[r], std::countr_zero(lanes), holds);
        }
    }

  private:
    /// A bit for each feature that the normal near its middle does not certify.
    PLIANT_INLINE unsigned uncertain(const std::array<IndexLanes, 3>& row) const
    {
        Vector3<Lanes> a[3], b[3];
        Lanes radius(0);
        for (int k = 0; k < 3; ++k) {
            const PointLanes at = gather(start_.data(), row[k].data());
            a[k] = at.x;
            radius = max(radius, at.w);
            b[k] = gather(now_.data(), row[k].data()).x;
        }
        const Vector3<Lanes> n = normal_near(collider_.shape, Lanes(Real(1) / 3) * (a[0] + a[1] + a[2]));
        const Lanes h = support_of(collider_.shape, n);
        const Lanes from = min(n.dot(a[0]), min(n.dot(a[1]), n.dot(a[2]))) - h,
                    to = min(n.dot(b[0]), min(n.dot(b[1]), n.dot(b[2]))) - h;
        return ~bits_of((from > Lanes(0)) & (to >= Lanes(share_) * radius)) & ((1U << kLanes) - 1);
    }

    /// Whether a plane keeps all of a feature away at the end.
    Real left_of(const Vec3d& n, const Vec3d b[3]) const
    {
        const double least = std::min(n.dot(b[0]), std::min(n.dot(b[1]), n.dot(b[2])));
        return static_cast<Real>(least - support_of(collider_.shape, n));
    }

    void look(const std::array<IndexLanes, 3>& row, int l, std::vector<ColliderHold>& holds) const
    {
        std::array<Vec3d, 6> x;
        ColliderHold hold{};
        hold.collider = which_;
        for (int k = 0; k < 3; ++k) {
            const int place = row[k][l];
            if (l > 0 && row[0][l] == row[0][l - 1] && row[1][l] == row[1][l - 1] && row[2][l] == row[2][l - 1])
                return;  // an empty lane
            x[k] = start_[place].position().cast<double>();
            x[k + 3] = now_[place].position().cast<double>();
            hold.point[k] = features_.points[chunk_.first_point + place];
            hold.radius = std::max(hold.radius, start_[place].w);
        }
        const SeparatingPlane at_start = separate(std::span(x).first(3), collider_.shape);
        if (!at_start) return;
        hold.clearance = static_cast<Real>(at_start.clearance);
        hold.left = left_of(at_start.n, &x[3]);
        if (hold.left >= share_ * hold.radius) return;
        if (const SeparatingPlane sweep = separate(x, collider_.shape);
            sweep && static_cast<Real>(sweep.clearance) >= share_ * hold.radius)
            return;
        const Vec3 n = at_start.n.cast<Real>();
        hold.n = collider_.pose.rotation * n;
        hold.offset = hold.n.dot(collider_.pose.position - places_.origin) + support_of(collider_.shape, n);
        for (int k = 0; k < 3; ++k) hold.w[k] = static_cast<Real>(at_start.w[k]);
        holds.push_back(hold);
    }

    const ColliderFeatures& features_;
    const FeatureChunk& chunk_;
    const PlacedCollider& collider_;
    int which_;
    const FeaturePlaces& places_;
    Real share_;
    std::array<Point, 3 * kFeaturesPerChunk> start_, now_;  // per point of the chunk; w is the radius
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
            ChunkCheck(features, features.chunks[chunk], colliders[collider], collider, places, share)
                .find(near.parts[k]);
        }
    });
}

}  // namespace pliant

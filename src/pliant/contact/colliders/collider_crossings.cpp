#include "pliant/contact/colliders/collider_crossings.h"

#include "pliant/contact/colliders/rigid_holds.h"
#include "pliant/geometry/separation.h"
#include "pliant/geometry/support.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

/// A shape that is smaller on all sides [m].
Shape shrunk(Shape shape, Real by)
{
    shape.half -= Vec3{by, by, by};
    shape.radius -= by;
    if (shape.kind == Shape::Kind::cylinder) shape.half_height -= by;
    return shape;
}

class CrossingSearch {
  public:
    CrossingSearch(const ColliderFeatures& features, const ContactSurface& surface, const Particles& particles,
                   const RigidBodies& rigids)
        : features_(features), surface_(surface), particles_(particles), rigids_(rigids)
    {}

    void find_features(const PlacedCollider& collider, int which)
    {
        for (const ColliderFeatures::Body& body : features_.bodies) {
            for (int c = body.first_chunk; c < body.first_chunk + body.chunks; ++c) {
                const FeatureChunk& chunk = features_.chunks[c];
                for (int r = chunk.first_row; r < chunk.first_row + chunk.rows; ++r)
                    for (int l = 0; l < kLanes; ++l) look(collider, which, body.body, chunk, features_.rows[r], l);
            }
        }
    }

    void find_rigids(const PlacedCollider& collider, int which)
    {
        for (int b = 0; b < rigids_.size(); ++b) {
            const Shape& shape = rigids_.shape[b];
            if (rigids_.inv_mass[b] == 0 || !has_support(shape)) continue;
            const Mat3d back = collider.pose.rotation.cast<double>().transposed();
            const SeenPose at{back * exact_rotation(rigids_.pose[b]),
                              back * (exact_position(rigids_.pose[b]) - collider.pose.position.cast<double>())};
            const Real depth = 2 * allowed_depth(shape);
            const SeparatingPlane s = separate(shape, std::span(&at, 1), shrunk(collider.shape, depth));
            const double allowed = collider.shape.kind == Shape::Kind::plane ? -static_cast<double>(depth) : 0;
            if (s.clearance <= allowed) found.push_back({which, b, {-1, -1, -1}});
        }
    }

    std::vector<ColliderCrossing> found;

  private:
    Vec3 place(int p) const
    {
        if (!surface_.is_carried(p)) return particles_.x[p];
        return to_world(rigids_.pose[surface_.carrier(p).body], surface_.carrier(p).place);
    }
    bool is_pinned(int p) const
    {
        return surface_.is_carried(p) ? rigids_.inv_mass[surface_.carrier(p).body] == 0 : particles_.inv_mass[p] == 0;
    }

    void look(const PlacedCollider& collider, int which, int body, const FeatureChunk& chunk,
              const std::array<IndexLanes, 3>& row, int l)
    {
        ColliderCrossing crossing{which, body, {}};
        Vec3d x[3];
        Real largest = collider.pose.position.norm();
        for (int k = 0; k < 3; ++k) {
            const int p = crossing.point[k] = features_.points[chunk.first_point + row[k][l]];
            if (is_pinned(p) ||
                (l > 0 && row[0][l] == row[0][l - 1] && row[1][l] == row[1][l - 1] && row[2][l] == row[2][l - 1]))
                return;  // also an empty lane, which repeats the one before
            largest = std::max(largest, place(p).norm());
            x[k] = collider.pose.to_shape(place(p)).cast<double>();
        }
        const Vec3d middle = (x[0] + x[1] + x[2]) / 3.0;
        double radius = 0;
        for (const Vec3d& corner : x) radius = std::max(radius, (corner - middle).norm());
        const Real rounding = 32 * std::numeric_limits<Real>::epsilon() * largest;
        if (static_cast<double>(nearest_on_shape(collider.shape, middle.cast<Real>()).distance) > 1.01 * radius) return;
        const SeparatingPlane s = separate(x, shrunk(collider.shape, rounding));
        const double allowed = collider.shape.kind == Shape::Kind::plane ? -static_cast<double>(rounding) : 0;
        if (s.clearance <= allowed) found.push_back(crossing);
    }

    const ColliderFeatures& features_;
    const ContactSurface& surface_;
    const Particles& particles_;
    const RigidBodies& rigids_;
};

}  // namespace

std::vector<ColliderCrossing> find_collider_crossings(const ColliderFeatures& features,
                                                      std::span<const PlacedCollider> colliders,
                                                      const ContactSurface& surface, const Particles& particles,
                                                      const RigidBodies& rigids)
{
    CrossingSearch search(features, surface, particles, rigids);
    for (std::size_t c = 0; c < colliders.size(); ++c) {
        if (!has_support(colliders[c].shape)) continue;
        search.find_features(colliders[c], static_cast<int>(c));
        search.find_rigids(colliders[c], static_cast<int>(c));
    }
    return std::move(search.found);
}

}  // namespace pliant

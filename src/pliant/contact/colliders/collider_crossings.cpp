#include "pliant/contact/colliders/collider_crossings.h"

#include "pliant/contact/colliders/rigid_holds.h"
#include "pliant/geometry/crossing.h"
#include "pliant/geometry/separation.h"
#include "pliant/geometry/support.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

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
            if (!has_support(collider.shape)) {
                if (is_in_mesh(shrunk(shape, depth), at, collider.shape.mesh->triangles))
                    found.push_back({which, b, {-1, -1, -1}});
                continue;
            }
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

    /// Whether a body overlaps a triangle, or is inside the mesh.
    static bool is_in_mesh(const Shape& shape, const SeenPose& at, const TriangleTree& triangles)
    {
        const Vec3 center = at.position.cast<Real>(), all{shape.extent, shape.extent, shape.extent};
        bool meets = false;
        triangles.find({center - all, center + all}, [&](int number) {
            std::array<Vec3d, 3> corners;
            for (std::size_t k = 0; k < 3; ++k) corners[k] = triangles.corners(number)[k].cast<double>();
            meets = meets || !separate(shape, std::span(&at, 1), std::span<const Vec3d>(corners));
        });
        return meets || triangles.is_inside(center);
    }
    /// Whether a feature passes through a triangle, or is inside the mesh.
    static bool is_in_mesh(const Vec3d place[3], const TriangleTree& triangles)
    {
        const Vec3 x[3] = {place[0].cast<Real>(), place[1].cast<Real>(), place[2].cast<Real>()};
        bool meets = false;
        triangles.find(join(join({x[0], x[0]}, {x[1], x[1]}), {x[2], x[2]}), [&](int number) {
            const auto [a, b, c] = triangles.corners(number);
            for (int k = 0; k < 3; ++k) meets = meets || crosses(x[k], x[(k + 1) % 3], a, b, c);
            meets = meets || crosses(a, b, x[0], x[1], x[2]) || crosses(b, c, x[0], x[1], x[2]) ||
                    crosses(c, a, x[0], x[1], x[2]);
        });
        return meets || triangles.is_inside(x[0]);
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
        if (!has_support(collider.shape)) {
            if (is_in_mesh(x, collider.shape.mesh->triangles)) found.push_back(crossing);
            return;
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
        search.find_features(colliders[c], static_cast<int>(c));
        search.find_rigids(colliders[c], static_cast<int>(c));
    }
    return std::move(search.found);
}

}  // namespace pliant

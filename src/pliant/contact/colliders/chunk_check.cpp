#include "pliant/contact/colliders/chunk_check.h"

#include "pliant/geometry/closest.h"
#include "pliant/geometry/support.h"

#include <algorithm>

namespace pliant {

namespace {

Lanes lowest(const Vector3<Lanes>& n, const Vector3<Lanes> x[3])
{
    return min(n.dot(x[0]), min(n.dot(x[1]), n.dot(x[2])));
}

Lanes highest(const Vector3<Lanes>& n, const std::array<Vec3, 3>& x)
{
    return max(n.dot(spread(x[0])), max(n.dot(spread(x[1])), n.dot(spread(x[2]))));
}

}  // namespace

Real least_distance(const Shape& shape, const Vec3& p)
{
    const Real distance = nearest_on_shape(shape, p).distance;
    if (has_support(shape)) return distance;
    constexpr Real kOff = Real(1.75);  // what lies between points of the grid is off by no more than its diagonal
    const DistanceField& field = shape.mesh->field;
    Vec3 beyond;
    for (int k = 0; k < 3; ++k) {
        const Real high = field.low[k] + field.voxel * static_cast<Real>(field.size[k] - 1);
        beyond[k] = std::max(std::max(field.low[k] - p[k], p[k] - high), Real(0));
    }
    return std::max(std::abs(distance) - kOff * field.voxel - Real(0.1) * beyond.norm(), beyond.norm());
}

ChunkCheck::ChunkCheck(const ColliderFeatures& features, const FeatureChunk& chunk, const PlacedCollider& collider,
                       int which, const FeaturePlaces& places, Real share)
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

void ChunkCheck::find(std::vector<ColliderHold>& holds) const
{
    const Shape& shape = collider_.shape;
    for (int r = chunk_.first_row; r < chunk_.first_row + chunk_.rows; ++r) {
        const Row& row = features_.rows[r];
        if (!has_support(shape)) {
            find_in_mesh(row, holds);
            continue;
        }
        for (unsigned lanes = uncertain(places_of(row)); lanes != 0; lanes &= lanes - 1)
            look(
                row, std::countr_zero(lanes), [&](std::span<const Vec3d> x) { return separate(x, shape); },
                [&](const auto& n) { return support_of(shape, n); }, -1, holds);
    }
}

PLIANT_INLINE ChunkCheck::RowPlaces ChunkCheck::places_of(const Row& row) const
{
    RowPlaces at{};
    at.radius = Lanes(0);
    for (int k = 0; k < 3; ++k) {
        const PointLanes start = gather(start_.data(), row[k].data());
        at.start[k] = start.x;
        at.radius = max(at.radius, start.w);
        at.now[k] = gather(now_.data(), row[k].data()).x;
    }
    return at;
}

/// It repeats the one before.
bool ChunkCheck::is_empty(const Row& row, int l)
{
    return l > 0 && row[0][l] == row[0][l - 1] && row[1][l] == row[1][l - 1] && row[2][l] == row[2][l - 1];
}

/// A bit for each feature that the normal near its middle does not certify.
PLIANT_INLINE unsigned ChunkCheck::uncertain(const RowPlaces& at) const
{
    const Vector3<Lanes> n =
        normal_near(collider_.shape, Lanes(Real(1) / 3) * (at.start[0] + at.start[1] + at.start[2]));
    const Lanes h = support_of(collider_.shape, n);
    const Lanes from = lowest(n, at.start) - h, to = lowest(n, at.now) - h;
    return ~bits_of((from > Lanes(0)) & (to >= Lanes(share_) * at.radius)) & ((1U << kLanes) - 1);
}

/// The same with a triangle of the collider: the normal from it to the middle of the feature, then its own.
PLIANT_INLINE unsigned ChunkCheck::uncertain(const RowPlaces& at, const std::array<Vec3, 3>& triangle) const
{
    const Vector3<Lanes> middle = Lanes(Real(1) / 3) * (at.start[0] + at.start[1] + at.start[2]);
    const Vector3<Lanes> x[4] = {middle, spread(triangle[0]), spread(triangle[1]), spread(triangle[2])};
    const auto certified = [&](const Vector3<Lanes>& n) {
        const Lanes h = highest(n, triangle);
        return (lowest(n, at.start) - h > Lanes(0)) & (lowest(n, at.now) - h >= Lanes(share_) * at.radius);
    };
    const Closest<Lanes> closest = closest_vertex_triangle(x);
    const Vec3 across = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    const Real length = across.norm();
    const Vector3<Lanes> face = spread(length > 0 ? across / length : Vec3{});
    const Lanes side = face.dot(middle - x[1]);
    return ~bits_of(certified(closest.n) | certified(select(side < Lanes(0), -face, face))) & ((1U << kLanes) - 1);
}

/// Against all triangles near a row. Features that overlap one at the start, or are inside, are left to the particle contacts.
void ChunkCheck::find_in_mesh(const Row& row, std::vector<ColliderHold>& holds) const
{
    const RowPlaces at = places_of(row);
    const Lanes grown = Lanes(share_) * at.radius;
    const auto low = [&](int axis) {
        Lanes least = at.start[0][axis];
        for (int k = 0; k < 3; ++k) least = min(least, min(at.start[k][axis], at.now[k][axis]));
        return least - grown;
    };
    const auto high = [&](int axis) {
        Lanes most = at.start[0][axis];
        for (int k = 0; k < 3; ++k) most = max(most, max(at.start[k][axis], at.now[k][axis]));
        return most + grown;
    };
    const Vector3<Lanes> lows{low(0), low(1), low(2)}, highs{high(0), high(1), high(2)};
    const Box around{{-largest(-lows.x), -largest(-lows.y), -largest(-lows.z)},
                     {largest(highs.x), largest(highs.y), largest(highs.z)}};
    const std::size_t first = holds.size();
    unsigned exempt = 0;
    collider_.shape.mesh->triangles.find(around, [&](int number) {
        const std::array<Vec3, 3> triangle = collider_.shape.mesh->triangles.corners(number);
        const Box box = join(join({triangle[0], triangle[0]}, {triangle[1], triangle[1]}), {triangle[2], triangle[2]});
        const unsigned near =
            bits_of((lows.x <= Lanes(box.high.x)) & (lows.y <= Lanes(box.high.y)) & (lows.z <= Lanes(box.high.z)) &
                    (highs.x >= Lanes(box.low.x)) & (highs.y >= Lanes(box.low.y)) & (highs.z >= Lanes(box.low.z))) &
            ~exempt;
        if (near == 0) return;
        const Vec3d corners[3] = {triangle[0].cast<double>(), triangle[1].cast<double>(), triangle[2].cast<double>()};
        for (unsigned lanes = near & uncertain(at, triangle); lanes != 0; lanes &= lanes - 1) {
            const int l = std::countr_zero(lanes);
            const bool apart = look(
                row, l, [&](std::span<const Vec3d> x) { return separate(x, std::span<const Vec3d>(corners)); },
                [&](const auto& normal) {
                    const Vec3d n = normal.template cast<double>();
                    return std::max({n.dot(corners[0]), n.dot(corners[1]), n.dot(corners[2])});
                },
                number, holds);
            if (!apart) exempt |= 1U << l;
        }
    });
    if (holds.size() == first) return;
    for (int l = 0; l < kLanes; ++l) {
        const auto is_of = [&](const ColliderHold& hold) {
            return hold.point[0] == features_.points[chunk_.first_point + row[0][l]] &&
                   hold.point[1] == features_.points[chunk_.first_point + row[1][l]] &&
                   hold.point[2] == features_.points[chunk_.first_point + row[2][l]];
        };
        const auto from = holds.begin() + static_cast<std::ptrdiff_t>(first);
        if (std::none_of(from, holds.end(), is_of)) continue;
        if ((exempt >> l & 1) != 0 || is_inside(row, l))
            holds.erase(std::remove_if(from, holds.end(), is_of), holds.end());
    }
}

bool ChunkCheck::is_inside(const Row& row, int l) const
{
    return collider_.shape.mesh->triangles.is_inside(start_[row[0][l]].position());
}

template <class Separate, class Support>
bool ChunkCheck::look(const Row& row, int l, const Separate& separate, const Support& support, int triangle,
                      std::vector<ColliderHold>& holds) const
{
    if (is_empty(row, l)) return true;
    std::array<Vec3d, 6> x;
    ColliderHold hold{};
    hold.collider = which_;
    hold.triangle = triangle;
    for (int k = 0; k < 3; ++k) {
        const int place = row[k][l];
        x[k] = start_[place].position().cast<double>();
        x[k + 3] = now_[place].position().cast<double>();
        hold.point[k] = features_.points[chunk_.first_point + place];
        hold.radius = std::max(hold.radius, start_[place].w);
    }
    const SeparatingPlane at_start = separate(std::span(x).first(3));
    if (!at_start) return false;
    hold.clearance = static_cast<Real>(at_start.clearance);
    const Vec3d& n = at_start.n;
    hold.left = static_cast<Real>(std::min(n.dot(x[3]), std::min(n.dot(x[4]), n.dot(x[5]))) - support(n));
    if (hold.left >= share_ * hold.radius) return true;
    if (const SeparatingPlane sweep = separate(x); sweep && static_cast<Real>(sweep.clearance) >= share_ * hold.radius)
        return true;
    const Vec3 normal = n.cast<Real>();
    hold.n = collider_.pose.rotation * normal;
    hold.offset = hold.n.dot(collider_.pose.position - places_.origin) + static_cast<Real>(support(normal));
    for (int k = 0; k < 3; ++k) hold.w[k] = static_cast<Real>(at_start.w[k]);
    holds.push_back(hold);
    return true;
}

}  // namespace pliant

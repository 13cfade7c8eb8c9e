#include "pliant/glue/anchor.h"

#include "pliant/base/check.h"
#include "pliant/glue/binding.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace pliant {

namespace {

/// The second direction is well defined if the points spread along it by this part of their spread along the first.
constexpr double kMinSpread = 0.2;
constexpr std::ptrdiff_t kSortedFirst = 64;  // of the candidates; seldom more are looked at

/// Smooth, one at the point itself and a quarter at the farthest parent.
std::vector<double> fall_off(const Vec3d& at, std::span<const Vec3d> points)
{
    double farthest = 0;
    for (const Vec3d& p : points) farthest = std::max(farthest, (p - at).squared_norm());
    std::vector<double> weights;
    double sum = 0;
    for (const Vec3d& p : points) {
        const double s = farthest > 0 ? 1 - (p - at).squared_norm() / (2 * farthest) : 1;
        sum += weights.emplace_back(s * s);
    }
    for (double& w : weights) w /= sum;
    return weights;
}

Vec3d centre_of(std::span<const Vec3d> points, std::span<const double> weights)
{
    Vec3d offset;
    for (std::size_t i = 0; i < points.size(); ++i) offset += weights[i] * (points[i] - points[0]);
    return points[0] + offset;
}

bool span_two_directions(std::span<const Vec3d> points, std::span<const double> weights)
{
    const Vec3d center = centre_of(points, weights);
    Mat3d spread;
    for (std::size_t i = 0; i < points.size(); ++i)
        spread += Mat3d::outer(weights[i] * (points[i] - center), points[i] - center);
    const Vec3d s = signed_svd(spread).s;
    return s.x > 0 && s.y >= kMinSpread * kMinSpread * s.x;
}

std::string names_of(std::span<const int> particles)
{
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(particles.size(), 12); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(particles[i]);
    return particles.size() > 12 ? text + ", ..." : text;
}

void check_parents(const Particles& particles, std::span<const int> parents)
{
    if (parents.empty()) throw InputError("glue: an anchor needs at least one particle");
    for (const int i : parents)
        if (i < 0 || i >= particles.size())
            throw InputError("glue: there is no particle " + std::to_string(i) + "; the world has " +
                             std::to_string(particles.size()));
}

}  // namespace

std::vector<double> weigh_parents(const Vec3d& at, std::span<const Vec3d> particles)
{
    std::vector<double> weights = fall_off(at, particles);
    if (particles.size() != 1 && !span_two_directions(particles, weights)) weights.clear();
    return weights;
}

Parents choose_parents(const Vec3d& at, std::span<const Vec3d> candidates, int fewest, int most)
{
    std::vector<int> order(candidates.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<double> distance;
    for (const Vec3d& p : candidates) distance.push_back((p - at).squared_norm());
    const auto nearer = [&](int a, int b) { return distance[a] != distance[b] ? distance[a] < distance[b] : a < b; };
    const auto sorted = order.begin() + std::min<std::ptrdiff_t>(kSortedFirst, std::ssize(order));
    std::partial_sort(order.begin(), sorted, order.end(), nearer);

    Parents chosen;
    std::vector<Vec3d> points;
    for (auto next = order.begin(); next != order.end(); ++next) {
        if (next == sorted) std::sort(sorted, order.end(), nearer);  // rarely needed
        const int candidate = *next;
        if (static_cast<int>(points.size()) >= std::max(3, most)) {  // the last was of no use
            points.pop_back();
            chosen.particles.pop_back();
        }
        points.push_back(candidates[candidate]);
        chosen.particles.push_back(candidate);
        if (points.size() < std::min(static_cast<std::size_t>(fewest), candidates.size())) continue;
        chosen.weights = weigh_parents(at, points);
        if (points.size() >= 3 && !chosen.weights.empty()) return chosen;
    }
    return {};
}

Anchor anchor_on_particles(const Particles& particles, std::span<const int> parents, const Vec3d& at)
{
    check_parents(particles, parents);
    std::vector<Vec3d> points;
    for (const int i : parents) points.push_back(particles.x[i].cast<double>());
    const std::vector<double> weights = weigh_parents(at, points);
    if (weights.empty())
        throw InputError(
            "glue: the particles " + names_of(parents) +
            " lie on a line or in one place, and have no orientation; add one beside them, or give only one");
    const Vec3d center = centre_of(points, weights);
    Anchor anchor;
    anchor.kind = AnchorKind::cloud;
    anchor.parents.assign(parents.begin(), parents.end());
    for (std::size_t i = 0; i < points.size(); ++i) {
        anchor.weights.push_back(static_cast<Real>(weights[i]));
        anchor.rest.push_back((points[i] - center).cast<Real>());
    }
    anchor.oriented = points.size() > 1;
    if (anchor.oriented) anchor.point = at - center;
    return anchor;
}

Anchor anchor_on_mean(const Particles& particles, std::span<const int> parents, std::span<const double> weights)
{
    check_parents(particles, parents);
    if (weights.size() != parents.size())
        throw InputError("glue: there are " + std::to_string(weights.size()) + " weights for " +
                         std::to_string(parents.size()) + " particles; give one each");
    double sum = 0;
    for (const double w : weights) sum += w;
    if (!(std::abs(sum - 1) < 1e-6))
        throw InputError("glue: the weights have a sum of " + std::to_string(sum) + "; it must be 1");
    Anchor anchor;
    anchor.kind = AnchorKind::cloud;
    anchor.oriented = false;
    anchor.parents.assign(parents.begin(), parents.end());
    for (const double w : weights) anchor.weights.push_back(static_cast<Real>(w));
    anchor.rest.resize(parents.size());
    return anchor;
}

Anchor anchor_on_rigid(const RigidBodies& bodies, int body, const Vec3d& at)
{
    Anchor anchor;
    anchor.kind = AnchorKind::rigid;
    anchor.body = body;
    const Pose& pose = bodies.pose[body];
    anchor.axes = (pose.q.cast<double>() + pose.q_low.cast<double>()).matrix().transposed();
    anchor.point = anchor.axes * (at - pose.x.cast<double>() - pose.x_low.cast<double>());
    return anchor;
}

Anchor anchor_on_motion(const Vec3d& at, const Motion& motion)
{
    check_motion(motion, "glue");
    Anchor anchor;
    anchor.motion = motion;
    anchor.point = at;
    return anchor;
}

namespace {

RigidMap map_of(const Anchor& anchor, double time, const Particles& particles, const RigidBodies& bodies)
{
    if (anchor.kind == AnchorKind::motion) return motion_at(anchor.motion, time);
    if (anchor.kind == AnchorKind::rigid) {
        const Pose& pose = bodies.pose[anchor.body];
        return {exact_rotation(pose), exact_position(pose)};
    }
    std::vector<Vec3d> rest, x;
    std::vector<double> weights;
    for (std::size_t i = 0; i < anchor.parents.size(); ++i) {
        rest.push_back(anchor.rest[i].cast<double>());
        x.push_back(particles.position(anchor.parents[i]));
        weights.push_back(double(anchor.weights[i]));
    }
    const RigidFit<double> fit = fit_rigid<double>(rest, x, weights, anchor.rotation.cast<double>());
    return {fit.fit.rotation, fit.center};
}

}  // namespace

Vec3d place_of(const Anchor& anchor, double time, const Particles& particles, const RigidBodies& bodies)
{
    return map_of(anchor, time, particles, bodies)(anchor.point);
}

Mat3d rotation_of(const Anchor& anchor, double time, const Particles& particles, const RigidBodies& bodies)
{
    return map_of(anchor, time, particles, bodies).rotation * anchor.axes;
}

}  // namespace pliant

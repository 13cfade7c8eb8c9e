#include "pliant/rods/pass.h"

#include "pliant/base/parallel.h"
#include "pliant/math/stiffness.h"
#include "pliant/rods/degenerate.h"
#include "pliant/rods/tip.h"
#include "pliant/shape/balance.h"
#include "pliant/shape/colours.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

/// Rods run in parallel; a single one runs its own loops in parallel.
template <class Body>
void for_each_rod(std::size_t count, const Body& body)
{
    parallel_for(static_cast<int>(count), 1, [&](int begin, int end) {
        for (int r = begin; r < end; ++r) body(r);
    });
}

void lift_strands(Real h, const Vec3& gravity, int begin, int end, Rod& rod, Particles& p, std::span<Real> falls)
{
    const int first = rod.particles.first, first_edge = rod.first_edge[begin], last_edge = rod.first_edge[end];
    for (int k = first_edge; k < last_edge; ++k) {
        const Rod::Edge& e = rod.edges[k];
        const Vec3 vm = Real(0.5) * (p.v[first + e.p0] + p.v[first + e.p1]);
        const Vec3 before = rod.started ? rod.middle_velocity[k] : vm - h * gravity;
        falls[k] = (vm - before).dot(gravity) / (h * gravity.squared_norm());
        rod.middle_velocity[k] = vm;
    }
    for (int k = first_edge; k < last_edge; ++k) {
        const Rod::Edge& e = rod.edges[k];
        if (p.inv_mass[first + e.ghost] == 0) continue;
        const bool none = rod.params.ghost_gravity == GhostGravity::none;
        const Vec3 c = (none ? 1 : 1 - falls[k]) * h * gravity;
        p.v[first + e.ghost] -= c;
        if (none) continue;
        const Real half = p.mass[first + e.ghost] / 2;
        p.v[first + e.p0] += half * p.inv_mass[first + e.p0] * c;
        p.v[first + e.p1] += half * p.inv_mass[first + e.p1] * c;
    }
}

}  // namespace

void lift_ghosts(Real h, const Vec3& gravity, std::span<Rod> rods, Particles& particles, std::span<RodSystem> systems)
{
    if (gravity.squared_norm() == 0) return;
    for_each_rod(rods.size(), [&](int r) {
        Rod& rod = rods[r];
        if (rod.params.ghost_gravity == GhostGravity::full) return;
        parallel_for(rod.strands(), rod.grain(64), [&](int begin, int end) {
            lift_strands(h, gravity, begin, end, rod, particles, systems[r].scratch.falls);
        });
        rod.started = true;
    });
}

void keep_velocities(std::span<const Rod> rods, const Particles& particles, std::span<RodSystem> systems)
{
    for_each_rod(rods.size(), [&](int r) {
        if (!systems[r].direct) return;
        const Rod& rod = rods[r];
        const std::span<const Vec3> v = rod.particles.of(particles.v);
        std::vector<Point>& kept = systems[r].scratch.velocity;
        parallel_for(rod.strands(), rod.grain(64), [&](int begin, int end) {
            for (int strand = begin; strand < end; ++strand) {
                const Range points = rod.points_of(strand);
                const Real share = rod.touched[strand] != 0 ? 0 : 1;
                for (int k = points.first; k < points.end(); ++k)
                    kept[k] = {share * v[k].x, share * v[k].y, share * v[k].z, 0};
            }
        });
    });
}

void damp_rods(Real h, double time, std::span<const Rod> rods, Particles& particles, std::span<RodSystem> systems)
{
    for_each_rod(rods.size(), [&](int r) {
        damp_deformation(h, rods[r].params.damping, rods[r].particles, particles, systems[r].scratch.motion);
        damp_bend_and_twist(h, time, rods[r], particles, systems[r].scratch.damping);
    });
}

namespace {

template <class T>
void clear(std::vector<T>& values)
{
    parallel_for(static_cast<int>(values.size()), 1024,
                 [&](int begin, int end) { std::fill(values.begin() + begin, values.begin() + end, T{}); });
}

}  // namespace

void begin_rods(std::span<RodSystem> systems)
{
    for (RodSystem& system : systems) {
        clear(system.scratch.edges);
        clear(system.scratch.elements);
        clear(system.scratch.tip_multipliers);
    }
}

namespace {

template <int kCount>
PLIANT_INLINE PointSet<Lanes, kCount> gather_points(const IndexLanes (&index)[kCount], const Point* points)
{
    PointSet<Lanes, kCount> set;
    for (int i = 0; i < kCount; ++i) {
        const PointLanes p = gather(points, index[i].data());
        set.x[i] = p.x;
        set.w[i] = p.w;
    }
    return set;
}

/// Whether some edge of a group has no frame. The edges of padding lanes have rest length zero and never count.
PLIANT_INLINE bool any_degenerate(const RodSystem::EdgeGroup& group, const EdgePoints<Lanes>& e)
{
    const Vector3<Lanes> edge = e.x[1] - e.x[0];
    const Lanes squared = edge.squared_norm();
    const Lanes lowest = Lanes(Real(kMinGhostHeight)) * group.ghost_distance,
                shortest = Lanes(Real(kMinEdgeLength)) * group.length;
    const auto thin = edge.cross(e.x[2] - e.x[0]).squared_norm() < lowest * lowest * squared;
    return any(thin | (squared < shortest * shortest));
}

void project_edges(const Rod& rod, const RodSystem& system, Real h, std::span<const Vec3> before,
                   std::span<Lanes> multiplier, std::span<Point> points)
{
    const Lanes per_h2 = 1 / (h * h);
    for_each_group(system.first_edge_group, 64, [&](int g) {
        const RodSystem::EdgeGroup& group = system.edge_groups[g];
        EdgePoints<Lanes> e = gather_points(group.point, points.data());
        if (any_degenerate(group, e)) {
            for (int l = 0; l < kLanes; ++l)
                if (group.edge[l] >= 0 && !has_frame(rod.edges[group.edge[l]], points))
                    repair_edge(rod.edges[group.edge[l]], before, points);
            e = gather_points(group.point, points.data());
        }
        project_length(group.length, per_h2 * group.compliance, multiplier[g], e);
        project_bisector(e);
        project_ghost(group.ghost_distance, e);
        for (int i = 0; i < 3; ++i) scatter({e.x[i], e.w[i]}, group.point[i].data(), points.data());
    });
}

/// Calls project(group, points, multiplier) for eight elements at a time.
template <class Project>
void for_each_element_group(const RodSystem& system, std::span<Vector3<Lanes>> multiplier, std::span<Point> points,
                            const Project& project)
{
    for_each_group(system.first_element_group, 32, [&](int g) {
        const RodSystem::ElementGroup& group = system.element_groups[g];
        ElementPoints<Lanes> e = gather_points(group.point, points.data());
        const ElementPoints<Lanes> before = e;
        project(group, e, multiplier[g]);
        for (int i = 0; i < 5; ++i) {
            const auto moves = e.w[i] > Lanes(0);  // elements of padding lanes have no frame and give NaN
            scatter({select(moves, e.x[i], before.x[i]), e.w[i]}, group.point[i].data(), points.data());
        }
    });
}

void project_elements(const RodParams& params, const RodSystem& system, Real h, int iterations,
                      std::span<Vector3<Lanes>> multiplier, std::span<Point> points)
{
    const RodStiffness& stiffness = system.stiffness;
    if (!stiffness.is_published()) {
        const Real scale = 1 / (h * h);
        const Vector3<Lanes> per_h2{scale / stiffness.moments.x, scale / stiffness.moments.y,
                                    scale / stiffness.moments.z};
        return for_each_element_group(
            system, multiplier, points,
            [&](const RodSystem::ElementGroup& group, ElementPoints<Lanes>& e, Vector3<Lanes>& lambda) {
                const Vector3<Lanes> alpha{per_h2.x / group.bulk.x, per_h2.y / group.bulk.y, per_h2.z / group.bulk.z};
                project_stiff_element(group.rest, group.lbar, alpha, lambda, e);
            });
    }
    constexpr Real kReferenceStep = Real(1) / 60, kDefaultShare = Real(0.5);
    const Lanes bend = stiffness_per_iteration(params.bend.value_or(kDefaultShare), iterations, h, kReferenceStep);
    const Lanes twist = stiffness_per_iteration(params.twist.value_or(kDefaultShare), iterations, h, kReferenceStep);
    for_each_element_group(system, multiplier, points,
                           [&](const RodSystem::ElementGroup& group, ElementPoints<Lanes>& e, Vector3<Lanes>&) {
                               project_element(group.lbar * group.rest, {bend, bend, twist}, kMinQ0, e);
                           });
}

void project_tips(const Rod& rod, const RodStiffness& stiffness, Real h, std::span<const TipFrames> frames,
                  std::span<Vec3> multiplier, std::span<Point> points)
{
    for (std::size_t t = 0; t < rod.tips.size(); ++t) {
        const RodTip& tip = rod.tips[t];
        const Rod::Edge& edge = rod.edges[tip.edge];
        const int index[3] = {edge.p0, edge.p1, edge.ghost};
        EdgePoints<Real> e;
        for (int i = 0; i < 3; ++i) {
            e.x[i] = points[index[i]].position();
            e.w[i] = points[index[i]].w;
        }
        const Mat3 frame = frames[t].now.cast<Real>();
        if (!stiffness.is_published()) {
            const Real scale = edge.length / (2 * h * h * edge.stiffness());
            const Vec3 alpha{scale / stiffness.moments.x, scale / stiffness.moments.y, scale / stiffness.moments.z};
            project_stiff_tip(frame, tip.end, Vec3{}, alpha, multiplier[t], e);
        } else {
            project_tip(frame, tip.end, Vec3{}, kMinQ0, e);
        }
        for (int i = 0; i < 3; ++i) points[index[i]] = {e.x[i].x, e.x[i].y, e.x[i].z, e.w[i]};
    }
}

/// Loads the positions at the start of the substep, relative to the same origin, and repairs edges without a frame.
void load_before(const Rod& rod, const Vec3& origin, const Particles& particles, RodScratch& s)
{
    const std::span<const Vec3> old = rod.particles.of(particles.x_prev);
    load_points_before(rod.particles, origin, particles, s.before);
    parallel_for(rod.strands(), rod.grain(64), [&](int begin, int end) {
        for (int k = rod.first_edge[begin]; k < rod.first_edge[end]; ++k) {
            const Rod::Edge& edge = rod.edges[k];
            if (has_frame(edge, s.before)) continue;
            const Vec3 was = s.before[edge.ghost].position();
            repair_edge(edge, old, s.before);
            const Vec3 shift = s.before[edge.ghost].position() - was;
            if (shift.squared_norm() == 0) continue;
            Point& ghost = s.points[edge.ghost];  // shift the prediction alike
            ghost = {ghost.x + shift.x, ghost.y + shift.y, ghost.z + shift.z, ghost.w};
        }
    });
}

/// Some points of a rod, which have moved by this in the substep, on average and about it (root of the mean square) [m].
struct PointsMotion {
    Vec3d mean;
    double about = 0;
};
template <class PlaceOf>
PointsMotion motion_of(const Rod& rod, Range part, const Particles& particles, const PlaceOf& place)
{
    PointsMotion motion;
    double mass = 0;
    const auto moved = [&](int i) {
        return (place(i) - particles.x_prev[rod.particles.first + i]).template cast<double>();
    };
    for (int i = part.first; i < part.first + part.count; ++i) {
        mass += rod.mass[i];
        motion.mean += rod.mass[i] * moved(i);
    }
    motion.mean = motion.mean / mass;
    for (int i = part.first; i < part.first + part.count; ++i)
        motion.about += rod.mass[i] * (moved(i) - motion.mean).squared_norm();
    motion.about = std::sqrt(motion.about / mass);
    return motion;
}

/// A strand that has been hit and is many times as long as at rest is beyond what its equations are linearised for: they would
/// throw its points ever further. They may not move against each other by more than its length beyond what they do anyway.
void bound_corrections(const Rod& rod, Range part, const Vec3& origin, const Particles& particles, RodScratch& s)
{
    const auto before = [&](int i) { return particles.x[rod.particles.first + i]; };
    const auto after = [&](int i) { return s.points[i].position() + origin; };
    const PointsMotion from = motion_of(rod, part, particles, before), to = motion_of(rod, part, particles, after);
    const double more = to.about - from.about;
    if (more <= rod.longest) return;  // not if it is not a number
    const auto share = static_cast<Real>(std::isfinite(more) ? rod.longest / more : 0);
    for (int i = part.first; i < part.first + part.count; ++i) {
        const Vec3 was = before(i) - origin, x = share > 0 ? was + share * (s.points[i].position() - was) : was;
        s.points[i] = {x.x, x.y, x.z, s.points[i].w};
    }
}
void bound_corrections(const Rod& rod, const Vec3& origin, const Particles& particles, RodScratch& s)
{
    if (rod.branches) return bound_corrections(rod, {0, rod.particles.count}, origin, particles, s);
    parallel_for(rod.strands(), 64, [&](int begin, int end) {
        for (int strand = begin; strand < end; ++strand) {
            bound_corrections(rod, rod.points_of(strand), origin, particles, s);
        }
    });
}

/// Restores the momenta of every free strand, and of a tree, unless its stiffness is the published one.
void store_rod(const Rod& rod, const RodStiffness& stiffness, const Vec3& origin, Particles& particles, RodScratch& s)
{
    if (!rod.tips.empty() || stiffness.is_published()) return store_points(rod.particles, origin, s.points, particles);
    const bool tree = rod.branches && std::ranges::count(rod.parent_edge, -1) == 1;
    if (rod.strands() == 1 || tree) return store_internal(rod.particles, origin, s.points, particles, s.motion);
    if (rod.branches) return store_points(rod.particles, origin, s.points, particles);
    parallel_for(rod.strands(), 64, [&](int begin, int end) {
        for (int strand = begin; strand < end; ++strand) {
            const Range of = rod.points_of(strand), part{rod.particles.first + of.first, of.count};
            const std::span<const Point> points = std::span(s.points).subspan(static_cast<std::size_t>(of.first));
            if (of.count <= kBalanceChunk) store_internal(part, origin, points, particles, {});
            else store_points(part, origin, points, particles);
        }
    });
}

void project_rod(Real h, int pass, int iterations, double time, const Rod& rod, Particles& particles, RodSystem& system)
{
    if (system.direct && pass > 0) return;
    RodScratch& s = system.scratch;
    const Vec3 origin = particles.x[rod.particles.first];
    const Range range = rod.particles;
    load_points(range, origin, particles, s.points);
    for (std::size_t t = 0; t < rod.tips.size(); ++t)
        s.tips[t] = {motion_at(rod.tips[t].motion, time).rotation * rod.tips[t].frame,
                     motion_at(rod.tips[t].motion, time - static_cast<double>(h)).rotation * rod.tips[t].frame};
    if (system.direct) {
        load_before(rod, origin, particles, s);
        solve_nets(rod, system.nets, system.stiffness, h, s.before, s.velocity, s.tips, s.direct, s.points);
    } else {
        project_edges(rod, system, h, range.of(std::as_const(particles.x_prev)), s.edges, s.points);
        project_elements(rod.params, system, h, iterations, s.elements, s.points);
        project_tips(rod, system.stiffness, h, s.tips, s.tip_multipliers, s.points);
    }
    bound_corrections(rod, origin, particles, s);
    store_rod(rod, system.stiffness, origin, particles, s);
}

}  // namespace

void project_rods(Real h, int pass, int iterations, double time, std::span<const Rod> rods, Particles& particles,
                  std::span<RodSystem> systems)
{
    for_each_rod(rods.size(), [&](int r) { project_rod(h, pass, iterations, time, rods[r], particles, systems[r]); });
}

}  // namespace pliant

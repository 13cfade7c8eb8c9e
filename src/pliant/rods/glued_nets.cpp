#include "pliant/rods/glued_nets.h"

#include "pliant/rods/degenerate.h"
#include "pliant/rods/make_nets.h"
#include "pliant/rods/tip.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

std::array<int, 3> points_of_edge(const Rod::Edge& e) { return {e.p0, e.p1, e.ghost}; }
std::array<int, 5> points_of_element(const Rod& rod, const Rod::Element& e)
{
    const Rod::Edge &a = rod.edges[e.a], &b = rod.edges[e.b];
    return {a.p0, a.p1, b.p1, a.ghost, b.ghost};
}

/// Fills in one block of the system.
class NetBlock {
  public:
    NetBlock(ConstraintSystem& system, int number, Instant instant)
        : system_(system), block_(system.blocks[number]), first_(system.first_touch[number]), instant_(instant)
    {}

    Vec3d at(int p) const
    {
        const JointPoint& point = system_.points[system_.touches[first_ + p].node];
        return instant_ == Instant::start ? point.start : point.x;
    }
    void set_gradient(int p, const Vec3d& row0, const Vec3d& row1, const Vec3d& row2)
    {
        system_.touches[first_ + p].move = Mat3d{{row0, row1, row2}}.transposed();
    }
    /// Removes most of the lag of implicit Euler (kKeptSwing); `velocity` is that of point p at the start of the
    /// substep.
    void keep_swing(int p, double h, const Point& velocity)
    {
        swing_ += (kKeptSwing * h) * (system_.touches[first_ + p].move * velocity.position().cast<double>());
    }
    /// Sets C to `value` less the swing, and `start` so that extrapolating from the start of the substep gives the
    /// same.
    void set_value(const Vec3d& value, const Vec3d& compliance, int points)
    {
        const Vec3d c = value - swing_;
        block_.start = c;
        if (instant_ == Instant::start) block_.lambda = {};
        if (instant_ == Instant::now)
            for (int p = 0; p < points; ++p) {
                const JointPoint& point = system_.points[system_.touches[first_ + p].node];
                block_.start -= system_.touches[first_ + p].move * (point.x - point.start);
            }
        block_.value = c;
        for (int i = 0; i < 3; ++i) block_.response[i] = RowResponse::elastic(compliance[i]);
    }
    /// For a degenerate edge, which has no frame.
    void leave_out(int points)
    {
        for (int p = 0; p < points; ++p) system_.touches[first_ + p].move = {};
        block_.set_all({});
    }

  private:
    ConstraintSystem& system_;
    ConstraintBlock& block_;
    int first_;
    Instant instant_;
    Vec3d swing_;
};

void linearise_edge_block(const Rod::Edge& edge, double compliance, NetBlock& block)
{
    const Vec3d p0 = block.at(0), p1 = block.at(1), ghost = block.at(2);
    if (!has_frame(edge, p0, p1, ghost)) return block.leave_out(3);
    const double length = double(edge.length), inverse = 1 / length;
    const Vec3d along = p1 - p0, side = ghost - 0.5 * (p0 + p1);
    const double now = along.norm(), high = side.norm();
    const Vec3d u = (1 / now) * along, s = (1 / high) * side, half = -0.5 * s;
    block.set_gradient(0, -u, inverse * (p0 - ghost), half);
    block.set_gradient(1, u, inverse * (ghost - p1), half);
    block.set_gradient(2, {}, inverse * along, s);
    block.set_value({now - length, inverse * side.dot(along), high - double(edge.ghost_distance)},
                    {compliance * length / double(edge.area()), 0, 0}, 3);
}

/// Columns of (T / lbar)^T, T = 1 + [b]x + b b^T.
Mat3d tangent_columns(const Vec3d& b, double per_length)
{
    return (per_length * (Mat3d::outer(b, b) + Mat3d::skew(b) + Mat3d::identity())).transposed();
}

void linearise_element_block(const Rod& rod, const Rod::Element& element, const Vec3d& compliance, double h,
                             std::span<const Point> velocity, NetBlock& block)
{
    const Vec3d a = block.at(0), b = block.at(1), c = block.at(2), d = block.at(3), e = block.at(4);
    if (!has_frame(rod.edges[element.a], a, b, d) || !has_frame(rod.edges[element.b], b, c, e))
        return block.leave_out(5);
    const EdgeFrame<double> fa = frame_of(a, b, d), fb = frame_of(b, c, e);
    const ElementGradient<double> g{gradient_of(fa), gradient_of(fb), relative_rotation(fa.d, fb.d)};
    const Vec3d tangent = half_tangent(g.r);
    const double per_length = 1 / double(element.lbar);
    const Mat3d y = tangent_columns(tangent, per_length);
    for (int p = 0; p < 5; ++p)
        block.set_gradient(p, g.transposed(p, y.c[0], g.r * y.c[0]), g.transposed(p, y.c[1], g.r * y.c[1]),
                           g.transposed(p, y.c[2], g.r * y.c[2]));
    const std::array<int, 5> points = points_of_element(rod, element);
    for (int p = 0; p < 5; ++p) block.keep_swing(p, h, velocity[points[p]]);
    const Vec3d bulk = element.bulk.cast<double>();
    block.set_value((2 * per_length) * tangent - element.rest.cast<double>(),
                    {compliance.x / bulk.x, compliance.y / bulk.y, compliance.z / bulk.z}, 5);
}

void linearise_tip_block(const Rod& rod, const RodTip& tip, const TipFrames& frames, const Vec3d& compliance, double h,
                         std::span<const Point> velocity, NetBlock& block)
{
    const Rod::Edge& edge = rod.edges[tip.edge];
    EdgePoints<double> points;
    for (int p = 0; p < 3; ++p) points.x[p] = block.at(p);
    if (!has_frame(edge, points.x[0], points.x[1], points.x[2])) return block.leave_out(3);
    const TipGradient<double> g = tip_gradient(frames.now, tip.end, points);
    const Vec3d tangent = half_tangent(g.r), before = half_tangent(tip_gradient(frames.before, tip.end, points).r);
    const double half = double(edge.length) / 2;
    const Mat3d y = tangent_columns(tangent, 1 / half);
    for (int p = 0; p < 3; ++p)
        block.set_gradient(p, g.transposed(p, y.c[0]), g.transposed(p, y.c[1]), g.transposed(p, y.c[2]));
    const std::array<int, 3> particles = points_of_edge(edge);
    for (int p = 0; p < 3; ++p) block.keep_swing(p, h, velocity[particles[p]]);
    block.set_value((2 / half) * (tangent - kKeptSwing * (tangent - before)),
                    (1 / (half * double(edge.stiffness()))) * compliance, 3);
}

}  // namespace

std::vector<GluedNet> find_glued_nets(std::span<const Rod> rods, std::span<const char> glued)
{
    std::vector<GluedNet> out;
    for (int r = 0; r < static_cast<int>(rods.size()); ++r) {
        const Rod& rod = rods[r];
        if (!is_solved_directly(rod)) continue;
        const auto is_glued = [&](int particle) { return glued[rod.particles.first + particle] != 0; };
        for (const Net& net : find_nets(rod)) {
            const auto held = [&](int e) { return std::ranges::any_of(points_of_edge(rod.edges[e]), is_glued); };
            if (std::ranges::none_of(net.edges, held)) continue;
            GluedNet& added = out.emplace_back();
            added.rod = r;
            added.edges = net.edges;
            added.elements = net.joints;
            for (int t = 0; t < static_cast<int>(rod.tips.size()); ++t)
                if (std::ranges::find(net.edges, rod.tips[t].edge) != net.edges.end()) added.tips.push_back(t);
        }
    }
    return out;
}

std::vector<BlockNodes> block_nodes(const Rod& rod, const GluedNet& net)
{
    std::vector<BlockNodes> out;
    const auto add = [&](const auto& points) {
        BlockNodes& nodes = out.emplace_back();
        for (const int p : points) nodes.particles.push_back(rod.particles.first + p);
    };
    for (const int e : net.edges) add(points_of_edge(rod.edges[e]));
    for (const int e : net.elements) add(points_of_element(rod, rod.elements[e]));
    for (const int t : net.tips) add(points_of_edge(rod.edges[rod.tips[t].edge]));
    return out;
}

void linearise_net(const Rod& rod, const RodSystem& of, Real h, Instant instant, const GluedNet& net,
                   ConstraintSystem& system)
{
    const RodStiffness& stiffness = of.stiffness;
    const std::span<const Point> velocity = of.scratch.velocity;
    const double per_h2 = 1 / (double(h) * double(h));
    const Vec3d moments = stiffness.moments.cast<double>();
    const Vec3d compliance{per_h2 / moments.x, per_h2 / moments.y, per_h2 / moments.z};
    int number = net.first_block;
    for (const int e : net.edges) {
        NetBlock block(system, number++, instant);
        linearise_edge_block(rod.edges[e], per_h2 * stiffness.axial_compliance, block);
    }
    for (const int e : net.elements) {
        NetBlock block(system, number++, instant);
        linearise_element_block(rod, rod.elements[e], compliance, double(h), velocity, block);
    }
    for (const int t : net.tips) {
        NetBlock block(system, number++, instant);
        linearise_tip_block(rod, rod.tips[t], of.scratch.tips[t], compliance, double(h), velocity, block);
    }
}

void add_mass(const Rod& rod, Real h, const GluedNet& net, ConstraintSystem& system)
{
    const auto for_each_end = [&](std::size_t k, const auto& work) {
        const int first = system.first_touch[net.first_block + static_cast<int>(k)];
        for (int p = 0; p < 2; ++p) work(system.points[system.touches[first + p].node]);
    };
    for (std::size_t k = 0; k < net.edges.size(); ++k) for_each_end(k, [](JointPoint& p) { p.pull = 0; });
    for (std::size_t k = 0; k < net.edges.size(); ++k) {
        const int e = net.edges[k];
        const double pull = double(h) * double(h) * double(rod.tension[e]) / double(rod.edges[e].length);
        for_each_end(k, [&](JointPoint& p) { p.pull += pull; });
    }
    for (std::size_t k = 0; k < net.edges.size(); ++k)
        for_each_end(k, [](JointPoint& p) {
            if (!(p.inv_mass > 0)) return;
            const double mass = 1 / p.inv_mass;
            p.give = 1 / (mass + std::max(0.0, p.pull - mass / 2));
        });
}

void save_tension(Real h, const GluedNet& net, const ConstraintSystem& system, Rod& rod)
{
    const double per_h2 = 1 / (double(h) * double(h));
    for (std::size_t k = 0; k < net.edges.size(); ++k) {
        const double lambda = system.blocks[static_cast<std::size_t>(net.first_block) + k].lambda.x;
        rod.tension[net.edges[k]] = static_cast<Real>(std::max(0.0, -per_h2 * lambda));
    }
}

double length_error(const Rod& rod, const GluedNet& net, const ConstraintSystem& system)
{
    double worst = 0;
    for (std::size_t k = 0; k < net.edges.size(); ++k) {
        const int first = system.first_touch[net.first_block + static_cast<int>(k)];
        const auto at = [&](int p) { return system.points[system.touches[first + p].node].x; };
        const Rod::Edge& edge = rod.edges[net.edges[k]];
        const double length = double(edge.length), high = double(edge.ghost_distance);
        worst = std::max({worst, std::abs((at(1) - at(0)).norm() - length) / length,
                          std::abs((at(2) - 0.5 * (at(0) + at(1))).norm() - high) / high});
    }
    return worst / kMaxLengthError;
}

}  // namespace pliant

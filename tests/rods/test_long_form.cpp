// Our kernels against the long published form of the rod, which lies with the benchmarks.

#include "bench/baselines/long_form_rod.h"
#include "pliant/math/stiffness.h"
#include "pliant/rods/pass.h"
#include "pliant/world/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

namespace pliant {
namespace {

class Random {
  public:
    double share() { return static_cast<double>(generator_() >> 11) / 9007199254740992.0; }
    double between(double low, double high) { return low + (high - low) * share(); }
    Vec3d vector() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }

  private:
    std::mt19937_64 generator_{7};
};

struct Element {
    std::array<Vec3d, 5> x;
    double lbar;
    ElementGradient<double> gradient;
    Vec3d half;  // tan(theta/2) n
};

Element element_of(const std::array<Vec3d, 5>& x, double lbar)
{
    const EdgeFrame<double> a = frame_of(x[0], x[1], x[3]), b = frame_of(x[1], x[2], x[4]);
    const Mat3d r = relative_rotation(a.d, b.d);
    return {x, lbar, {gradient_of(a), gradient_of(b), r}, half_tangent(r)};
}

/// Five points anywhere, so that bend and twist are of any size up to 160 degrees.
Element random_element(Random& random)
{
    while (true) {
        std::array<Vec3d, 5> x;
        for (Vec3d& p : x) p = random.vector();
        const EdgeFrame<double> a = frame_of(x[0], x[1], x[3]), b = frame_of(x[1], x[2], x[4]);
        if (std::min({a.length, a.height, b.length, b.height}) < 0.2) continue;
        if (relative_rotation(a.d, b.d).trace() < 1 + 2 * std::cos(160 * std::numbers::pi / 180)) continue;
        return element_of(x, random.between(0.3, 2.5));
    }
}

/// The compact gradient: (T / lbar) (theta_B - R^T theta_A), T = 1 + [b]x + b b^T.
Mat3d compact_gradient(const Element& e, int point)
{
    const Mat3d t = Mat3d::identity() + Mat3d::skew(e.half) + Mat3d::outer(e.half, e.half);
    Mat3d rows;  // as columns
    for (int i = 0; i < 3; ++i) {
        const Vec3d y = t.transposed().c[i] / e.lbar;
        rows.c[i] = e.gradient.transposed(point, y, e.gradient.r * y);
    }
    return rows.transposed();
}

double largest(const Mat3d& m)
{
    double most = 0;
    for (const Vec3d& c : m.c) most = std::max({most, std::abs(c.x), std::abs(c.y), std::abs(c.z)});
    return most;
}

TEST(LongFormRod, ItsGradientIsTheCompactOne)
{
    Random random;
    double strongest_bend = 0, strongest_twist = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const Element e = random_element(random);
        const LongFormDarboux published = long_form_darboux(e.x, e.lbar);
        double scale = 0;
        for (const Mat3d& g : published.gradient) scale = std::max(scale, largest(g));
        EXPECT_LT((published.omega - (2 / e.lbar) * e.half).norm(), 1e-12 * (1 + published.omega.norm()));
        for (int p = 0; p < 5; ++p)
            EXPECT_LT(largest(published.gradient[p] - compact_gradient(e, p)), 1e-12 * scale) << trial << ", " << p;
        strongest_bend = std::max(strongest_bend, std::hypot(e.half.x, e.half.y));
        strongest_twist = std::max(strongest_twist, std::abs(e.half.z));
    }
    EXPECT_GT(strongest_bend, 2);  // beyond 120 degrees
    EXPECT_GT(strongest_twist, 2);
}

TEST(LongFormRod, ItsGradientIsThatOfFiniteDifferences)
{
    Random random;
    for (int trial = 0; trial < 50; ++trial) {
        const Element e = random_element(random);
        const LongFormDarboux published = long_form_darboux(e.x, e.lbar);
        const double h = 1e-5;
        for (int p = 0; p < 5; ++p) {
            Mat3d difference;
            for (int i = 0; i < 3; ++i) {
                std::array<Vec3d, 5> more = e.x, less = e.x;
                more[p][i] += h;
                less[p][i] -= h;
                difference.c[i] =
                    (long_form_darboux(more, e.lbar).omega - long_form_darboux(less, e.lbar).omega) / (2 * h);
            }
            EXPECT_LT(largest(published.gradient[p] - difference), 1e-6 * (1 + std::pow(largest(difference), 3)));
        }
    }
}

/// A rod along a wave, shaken.
World shaken_rod(int edges, Random& random)
{
    Strand strand;
    for (int i = 0; i <= edges; ++i) strand.points.push_back({0.3 * i, 0.1 * (i % 3), 0.05 * i * i});
    World world;
    add_rod(world, {strand}, {.density = 4000, .bend = Real(0.3), .twist = Real(0.8)});
    for (Vec3& x : writable(world.particles).x) x += (0.05 * random.vector()).cast<Real>();
    return world;
}

/// Our kernels over edges and elements in their order.
void sweep_in_order(const Vec3d& k, LongFormRod& rod)
{
    for (const LongFormRod::Edge& edge : rod.edges) {
        const int index[3] = {edge.p0, edge.p1, edge.ghost};
        EdgePoints<double> e;
        for (int i = 0; i < 3; ++i) {
            e.x[i] = rod.x[index[i]];
            e.w[i] = rod.w[index[i]];
        }
        double lambda = 0;
        project_length(edge.length, 0.0, lambda, e);
        project_bisector(e);
        project_ghost(edge.ghost_distance, e);
        for (int i = 0; i < 3; ++i) rod.x[index[i]] = e.x[i];
    }
    for (const LongFormRod::Element& element : rod.elements) {
        const LongFormRod::Edge &a = rod.edges[element.a], &b = rod.edges[element.b];
        const int index[5] = {a.p0, a.p1, b.p1, a.ghost, b.ghost};
        ElementPoints<double> e;
        for (int i = 0; i < 5; ++i) {
            e.x[i] = rod.x[index[i]];
            e.w[i] = rod.w[index[i]];
        }
        project_element(element.lbar * element.rest, k, kMinQ0, e);
        for (int i = 0; i < 5; ++i) rod.x[index[i]] = e.x[i];
    }
}

TEST(LongFormRod, ASweepIsTheSameAsOurKernelsInThatOrder)
{
    Random random;
    for (int trial = 0; trial < 20; ++trial) {
        LongFormRod published = make_long_form_rod(shaken_rod(2 + trial, random));
        const LongFormRod start = published;
        LongFormRod ours = published;
        const Vec3d k{0.3, 0.6, 0.9};
        sweep_long_form_rod(k, published);
        sweep_in_order(k, ours);
        double moved = 0;
        for (std::size_t i = 0; i < ours.x.size(); ++i) {
            EXPECT_LT((published.x[i] - ours.x[i]).norm(), 1e-10) << trial << ", " << i;
            moved = std::max(moved, (ours.x[i] - start.x[i]).norm());
        }
        EXPECT_GT(moved, 0.01);
    }
}

TEST(LongFormRod, ASweepOfOneElementIsTheSameAsAPassOfTheEngine)
{
    Random random;
    const double tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-10;
    for (int trial = 0; trial < 20; ++trial) {
        World world = shaken_rod(2, random);
        LongFormRod published = make_long_form_rod(world);
        const Real h = Real(1) / 100;
        std::vector<RodSystem> systems{make_system(world.rods[0])};
        Particles& particles = writable(world.particles);
        particles.x_prev = particles.x;
        begin_rods(systems);
        project_rods(h, 0, 1, 0, world.rods, particles, systems);
        const RodParams& params = world.rods[0].params;
        const auto bend =
            static_cast<double>(stiffness_per_iteration(params.bend.value_or(Real(0.5)), 1, h, Real(1) / 60));
        const auto twist =
            static_cast<double>(stiffness_per_iteration(params.twist.value_or(Real(0.5)), 1, h, Real(1) / 60));
        sweep_long_form_rod({bend, bend, twist}, published);
        for (int i = 0; i < world.particles->size(); ++i)
            EXPECT_LT((published.x[i] - world.particles->x[i].cast<double>()).norm(), tolerance) << trial << ", " << i;
    }
}

}  // namespace
}  // namespace pliant

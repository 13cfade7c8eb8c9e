// Calm substeps, in which no pairs are looked for: nothing can touch in them, and free flight consists of them.

#include "contact/sheets.h"
#include "contact/throws.h"
#include "pliant/contact/pairs/calm.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/pair_kernels.h"

#include <gtest/gtest.h>

#include <functional>

namespace pliant {
namespace {

constexpr Real kCalmStep = Real(1) / 600;

/// A surface whose places are set by hand.
class Shaped {
  public:
    explicit Shaped(World world) : world_(std::move(world)), surface_(make_contact_surface(world_))
    {
        Real edge = 0;
        for (const auto& e : surface_.edges) edge += (surface_.rest[e.a] - surface_.rest[e.b]).norm();
        reach_.assign(static_cast<std::size_t>(surface_.points()), 0);
        for (const auto& v : surface_.vertices)
            reach_[v.point] = kReach * std::max(world_.particles->radius[v.point], Real(0.02) * edge / count());
    }
    Real count() const { return static_cast<Real>(surface_.edges.size()); }
    const ContactSurface& surface() const { return surface_; }

    using Map = std::function<Vec3(const Vec3&)>;
    bool is_calm(const Map& before, const Map& now) { return find_awake(before, now) == Awake::none; }
    Awake find_awake(const Map& before, const Map& now)
    {
        Particles& p = writable(world_.particles);
        for (int i = 0; i < p.size(); ++i) {
            p.x_prev[i] = before(surface_.rest[i]);
            p.x[i] = now(surface_.rest[i]);
        }
        Calm calm;
        begin_calm_frame(kCalmStep, calm);
        const Awake awake = pliant::find_awake(kCalmStep, {surface_, p, world_.rigid_bodies, reach_}, calm);
        part_ = surface_;
        if (awake == Awake::some) take_awake(surface_, calm, part_);
        return awake;
    }
    bool is_in_part(const ContactSurface::Vertex& v) const
    {
        return std::ranges::any_of(part_.vertices, [&](const auto& other) { return other.point == v.point; });
    }
    bool is_in_part(const ContactSurface::Edge& e) const
    {
        return std::ranges::any_of(part_.edges, [&](const auto& other) { return other.a == e.a && other.b == e.b; });
    }
    bool is_in_part(const ContactSurface::Triangle& t) const
    {
        return std::ranges::any_of(part_.triangles, [&](const auto& other) { return other.point == t.point; });
    }
    template <class Features>
    std::vector<char> all_in_part(const Features& features) const
    {
        std::vector<char> in;
        for (const auto& feature : features) in.push_back(is_in_part(feature) ? 1 : 0);
        return in;
    }

    /// The least of gap / (what a calm pair keeps) of any pair at the start, in the middle and at the end.
    /// With `asleep` of those pairs only of which one is not awake.
    Real least_share(bool asleep = false) const
    {
        Real least = 10;
        const std::vector<char> vertex = all_in_part(surface_.vertices), edge = all_in_part(surface_.edges),
                                triangle = all_in_part(surface_.triangles);
        for (const Real s : {Real(0), Real(0.5), Real(1)}) {
            const auto at = [&](int p) {
                return world_.particles->x_prev[p] + s * (world_.particles->x[p] - world_.particles->x_prev[p]);
            };
            for (std::size_t i = 0; i < surface_.vertices.size(); ++i) {
                for (std::size_t j = 0; j < surface_.triangles.size(); ++j) {
                    if (asleep && vertex[i] != 0 && triangle[j] != 0) continue;
                    const auto& v = surface_.vertices[i];
                    const auto& t = surface_.triangles[j];
                    least = std::min(least, share<PairKind::vertex_triangle>(
                                                {v.point, t.point[0], t.point[1], t.point[2]}, v.body == t.body, at));
                }
            }
            for (std::size_t i = 0; i < surface_.edges.size(); ++i) {
                for (std::size_t j = i + 1; j < surface_.edges.size(); ++j) {
                    if (asleep && edge[i] != 0 && edge[j] != 0) continue;
                    const auto &a = surface_.edges[i], &b = surface_.edges[j];
                    least = std::min(least, share<PairKind::edge_edge>({a.a, a.b, b.a, b.b}, a.body == b.body, at));
                }
            }
        }
        return least;
    }

  private:
    template <PairKind kind, class At>
    Real share(const std::array<int, 4>& p, bool same_body, const At& at) const
    {
        constexpr int kFirst = kind == PairKind::vertex_triangle ? 1 : 2;
        for (int i = 0; i < kFirst; ++i)
            for (int j = kFirst; j < 4; ++j)
                if (p[i] == p[j]) return 10;
        Vec3 x[4], rest[4];
        Real distance[2] = {0, 0};
        for (int k = 0; k < 4; ++k) {
            x[k] = at(p[k]);
            rest[k] = surface_.rest[p[k]];
            distance[k < kFirst ? 0 : 1] = std::max(distance[k < kFirst ? 0 : 1], reach_[p[k]]);
        }
        const Real keeps = distance[0] + distance[1];
        const Real kept = same_body ? std::min(keeps, Real(0.499) * closest<kind>(rest).gap) : keeps;
        return closest<kind>(x).gap / kept;
    }

    World world_;
    ContactSurface surface_, part_;
    std::vector<Real> reach_;
};

/// Rolls the plane of x and z up about an axis in it; with waves and noise.
class Bending {
  public:
    explicit Bending(std::mt19937& random) : random_(random)
    {
        curvature_ = number(0, 1) * number(0, 1) * 9;
        turn_ = number(0, 3);
        wave_ = number(0, 1) * number(0, 1) * Real(0.3);
        length_ = number(Real(0.2), 2);
        noise_ = number(0, 1) < Real(0.5) ? 0 : number(0, 1) * number(0, 1) * Real(0.03);
        squeeze_ = number(Real(0.6), Real(1.1));
        shear_ = number(0, 1) < Real(0.5) ? 0 : number(0, Real(0.1));
    }
    Vec3 operator()(const Vec3& x)
    {
        const Real u = std::cos(turn_) * x.x + std::sin(turn_) * x.z, w = std::cos(turn_) * x.z - std::sin(turn_) * x.x;
        const Real y = x.y + wave_ * std::sin(6 * w / length_);
        Vec3 out{squeeze_ * u + shear_ * std::sin(9 * w), y, w};
        if (curvature_ > Real(1e-3))
            out = {std::sin(curvature_ * u) * (1 / curvature_ - y),
                   1 / curvature_ - std::cos(curvature_ * u) * (1 / curvature_ - y), w};
        return out + Vec3{number(-noise_, noise_), number(-noise_, noise_), number(-noise_, noise_)};
    }

  private:
    Real number(Real low, Real high)
    {
        const auto from = static_cast<float>(low), to = static_cast<float>(high);  // the same shapes in double
        return from < to ? Real(std::uniform_real_distribution<float>(from, to)(random_)) : low;
    }

    std::mt19937& random_;
    Real curvature_, turn_, wave_, length_, noise_, squeeze_, shear_;
};

struct BentBody {
    const char* name;
    std::function<void(World&)> add;
    int least_calm;
};

class CalmProof : public testing::TestWithParam<BentBody> {};

TEST_P(CalmProof, HoldsForEveryPair)
{
    std::mt19937 random(11);
    int calm = 0, others = 0;
    World world = contact_world();
    GetParam().add(world);
    Shaped body(world);
    for (int k = 0; k < 80; ++k) {
        Bending before(random), other(random);
        const Real part = Real(std::uniform_real_distribution<float>(0, 0.03F)(random));
        if (!body.is_calm([&](const Vec3& x) { return before(x); },
                          [&](const Vec3& x) { return (1 - part) * before(x) + part * other(x); })) {
            ++others;
            continue;
        }
        ++calm;
        if (calm <= 8) { EXPECT_GT(body.least_share(), 1) << "deformation " << k; }
    }
    EXPECT_GT(calm, GetParam().least_calm);
    EXPECT_GT(others, 10);
}

INSTANTIATE_TEST_SUITE_P(
    All, CalmProof,
    testing::Values(BentBody{"thin", [](World& w) { add_sheet(w, 1, 9, {}, {.thickness = Real(0.004)}); }, 10},
                    BentBody{"thick", [](World& w) { add_sheet(w, 1, 9, {}, {.thickness = Real(0.08)}); }, 8},
                    BentBody{"rod",
                             [](World& w) {
                                 Strand strand;
                                 for (int i = 0; i <= 40; ++i) strand.points.emplace_back(i / 40. - 0.5, 0, 0);
                                 add_rod(w, {strand}, {.radius = Real(0.005)}, "rod");
                             },
                             10},
                    BentBody{"solid",
                             [](World& w) {
                                 SolidShape shape = fill_with_count(make_box({1, 0.3, 0.3}, 3), 120);
                                 add_skin(shape, 500);
                                 add_solid(w, shape, {}, "solid");
                             },
                             2}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Rolls one side of a sheet up; the rest of it is sheared.
Vec3 rolled(const Vec3& x, Real from, Real curvature, Real shear)
{
    const Real over = std::max(x.x - from, Real(0)), y = x.z + shear * std::sin(7 * std::min(x.x, from));
    return {std::min(x.x, from) + std::sin(curvature * over) / curvature, (1 - std::cos(curvature * over)) / curvature,
            y};
}

TEST(Calm, WhatIsNotAwakeIsApart)
{
    std::mt19937 random(5);
    World world = contact_world();
    add_sheet(world, 1, 32, {}, {.thickness = Real(0.004)});
    Shaped sheet(world);
    int some = 0;
    for (int k = 0; k < 12 && some < 3; ++k) {
        const auto number = [&](double low, double high) {
            return static_cast<Real>(std::uniform_real_distribution<double>(low, high)(random));
        };
        const Real from = number(0.25, 0.4), curvature = number(5, 60), shear = number(0, 0.05), part = number(0, 0.02);
        const auto before = [&](const Vec3& x) { return rolled(x, from, curvature, shear); };
        const auto now = [&](const Vec3& x) { return rolled(x, from + part, (1 + part) * curvature, shear); };
        if (sheet.find_awake(before, now) != Awake::some) continue;
        ++some;
        EXPECT_GT(sheet.least_share(true), 1) << "roll " << k;
    }
    EXPECT_EQ(some, 3);
}

TEST(Calm, ShearedAndWrinkledSheetsAreCalm)
{
    World world = contact_world();
    add_sheet(world, 1, 16, {}, {.thickness = Real(0.004)});
    Shaped sheet(world);
    const auto wrinkled = [](const Vec3& x) {
        return Vec3{x.x + Real(0.04) * std::sin(8 * x.z), Real(0.02) * std::sin(12 * x.x),
                    x.z + Real(0.018) * std::sin(15 * x.x)};
    };
    EXPECT_TRUE(sheet.is_calm(wrinkled, wrinkled));
    EXPECT_GT(sheet.least_share(), 1);
}

/// Frames of 60 in which pairs were looked for.
int frames_with_searches(World& world)
{
    Solver solver;
    int count = 0;
    for (int f = 0; f < 60; ++f) count += solver.step(world).feature_contacts.searches > 0 ? 1 : 0;
    return count;
}

TEST(Calm, FreeFlightNeedsNoSearch)
{
    World falling = contact_world();
    add_sheet(falling, 1, 30, {.linear = turned({1, 2, 0}, 30), .velocity = {3, 5, 1}}, {});
    EXPECT_EQ(frames_with_searches(falling), 0);

    World hanging = contact_world();
    add_sheet(hanging, 1, 30, {.linear = turned({1, 0, 0}, 80)}, {});
    std::vector<int> side;
    for (int p = 0; p < hanging.particles->size(); ++p)
        if (hanging.particles->x[p].y > Real(0.49)) side.push_back(p);
    pin_particles(hanging, side);
    EXPECT_GT(side.size(), 20U);
    EXPECT_LT(frames_with_searches(hanging), 6);

    World apart = contact_world();
    for (int k = 0; k < 6; ++k) add_each_kind(apart, 0.2, {.position = {0, 2. * k, 0}, .velocity = {1, 0, 2}});
    EXPECT_EQ(frames_with_searches(apart), 0);
}

TEST(Calm, EndsBeforeSomethingTouches)
{
    World world = contact_world();
    add_sheet(world, 0.5, 10, {}, {}, "a");
    add_sheet(world, 0.5, 10, {.position = {0, 0.6, 0}, .velocity = {0, -20, 0}}, {}, "b");
    Solver solver;
    int calm = 0;
    for (int f = 0; f < 20; ++f) {
        calm += solver.step(world).feature_contacts.searches == 0 ? 1 : 0;
        EXPECT_TRUE(find_crossings(world).empty()) << "frame " << f;
    }
    EXPECT_GT(calm, 0);
    EXPECT_LT(calm, 20);
}

}  // namespace
}  // namespace pliant

// The golden cases of rods, through the kernels that the engine uses.

#include "golden/golden.h"
#include "pliant/rods/darboux.h"
#include "pliant/rods/edge.h"
#include "pliant/rods/tip.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using golden::Case;
using golden::Check;

Real inverse_mass(const golden::Json& mass)
{
    const Real m = mass.get<Real>();
    return m > 0 ? 1 / m : 0;
}

/// A vector of each particle that a constraint moves, against a list of expected ones.
template <class Points>
void check_moves(const Case& c, const char* name, const Points& before, const Points& after, int count)
{
    const Check<Real> check(c);
    for (int p = 0; p < count; ++p) check(name, after.x[p] - before.x[p], c.expected(name).at(p));
}

void check_frame(const Case& c)
{
    const Check<Real> check(c);
    const auto f = frame_of(golden::vector<Real>(c.input("p0")), golden::vector<Real>(c.input("p1")),
                            golden::vector<Real>(c.input("ghost")));
    const FrameGradient<Real> g = gradient_of(f);
    check("D_columns", f.d, c.expected("D_columns"));
    check("length", double(f.length), c.expected("length"));
    check("ghost_height", double(f.height), c.expected("ghost_height"));
    check("ghost_foot", double(f.foot), c.expected("ghost_foot"));
    for (int p = 0; p < 3; ++p) {
        check("G", g.matrix(p), c.expected("G").at(p));
        for (int k = 0; k < 3; ++k) {
            const Vec3 y{k == 0 ? Real(1) : 0, k == 1 ? Real(1) : 0, k == 2 ? Real(1) : 0};
            for (int i = 0; i < 3; ++i) check("G", double(g.transposed(p, y)[i]), c.expected("G").at(p).at(k).at(i));
        }
        // dd_i = theta x d_i in the frame's own components
        const Mat3 m = g.matrix(p);
        const auto row = [&](int k) { return Vec3{m(k, 0), m(k, 1), m(k, 2)}; };
        check("dd1_dp", Mat3::outer(f.d.c[1], row(2)) - Mat3::outer(f.d.c[2], row(1)), c.expected("dd1_dp").at(p));
        check("dd2_dp", Mat3::outer(f.d.c[2], row(0)) - Mat3::outer(f.d.c[0], row(2)), c.expected("dd2_dp").at(p));
        check("dd3_dp", Mat3::outer(f.d.c[0], row(1)) - Mat3::outer(f.d.c[1], row(0)), c.expected("dd3_dp").at(p));
    }
}

EdgePoints<Real> edge_points(const Case& c)
{
    EdgePoints<Real> e;
    for (int p = 0; p < 3; ++p) {
        e.x[p] = golden::vector<Real>(c.input("p").at(p));
        e.w[p] = inverse_mass(c.input("masses").at(p));
    }
    return e;
}

void check_edge(const Case& c)
{
    const Check<Real> check(c);
    const EdgePoints<Real> start = edge_points(c);
    const Real rest = c.input("rest_length").get<Real>(), ghost = c.input("rest_ghost_distance").get<Real>();
    EdgePoints<Real> e = start;
    Real lambda = 0;
    project_length(rest, Real(0), lambda, e);
    for (int p = 0; p < 2; ++p) check("delta_L", e.x[p] - start.x[p], c.expected("delta_L").at(p));
    e = start;
    project_bisector(e);
    check_moves(c, "delta_P", start, e, 3);
    e = start;
    project_ghost(ghost, e);
    check_moves(c, "delta_D", start, e, 3);
    e = start;
    lambda = 0;
    project_length(rest, Real(0), lambda, e);
    project_bisector(e);
    project_ghost(ghost, e);
    for (int p = 0; p < 3; ++p) check("after_L_P_D", e.x[p], c.expected("after_L_P_D").at(p));
}

void check_element(const Case& c)
{
    const Check<Real> check(c);
    ElementPoints<Real> start;
    for (int p = 0; p < 5; ++p) {
        start.x[p] = golden::vector<Real>(c.input("p").at(p));
        start.w[p] = inverse_mass(c.input("masses").at(p));
    }
    const Real lbar = c.input("lbar").get<Real>(), h = c.input("dt").get<Real>();
    const Vec3 rest = golden::vector<Real>(c.input("rest_darboux"));
    const EdgeFrame<Real> fa = frame_of(start.x[0], start.x[1], start.x[3]);
    const EdgeFrame<Real> fb = frame_of(start.x[1], start.x[2], start.x[4]);
    const ElementGradient<Real> g{gradient_of(fa), gradient_of(fb), relative_rotation(fa.d, fb.d)};
    check("D_A", fa.d, c.expected("D_A"));
    check("D_B", fb.d, c.expected("D_B"));
    check("R", g.r, c.expected("R"));
    const Vec3 b = half_tangent(g.r);
    check("two_tan_half_theta", Real(2) * b, c.expected("two_tan_half_theta"));
    check("darboux", (2 / lbar) * b, c.expected("darboux"));
    const Mat3 t = (1 / lbar) * (Mat3::outer(b, b) + Mat3::skew(b) + Mat3::identity());
    for (int p = 0; p < 5; ++p) {
        Mat3 j;  // rows
        for (int k = 0; k < 3; ++k) {
            const Vec3 y = t.transposed().c[k];
            const Vec3 row = g.transposed(p, y, g.r * y);
            for (int i = 0; i < 3; ++i) j(k, i) = row[i];
        }
        check("grad", j, c.expected("grad").at(p));
    }
    ElementPoints<Real> e = start;
    project_element(lbar * rest, golden::vector<Real>(c.input("stiffness")), 0, e);
    check_moves(c, "pbd_delta", start, e, 5);

    const Vec3 moduli = golden::vector<Real>(c.input("bending_twist_moduli"));
    Vec3 alpha, lambda = golden::vector<Real>(c.input("lambda0"));
    for (int i = 0; i < 3; ++i) alpha[i] = 1 / (moduli[i] * lbar * h * h);
    check("xpbd_alpha_tilde", alpha, c.expected("xpbd_alpha_tilde"));
    const Vec3 before = lambda;
    e = start;
    project_stiff_element(rest, lbar, alpha, lambda, e);
    check("xpbd_delta_lambda", lambda - before, c.expected("xpbd_delta_lambda"));
    check_moves(c, "xpbd_delta", start, e, 5);
}

void check_tip(const Case& c)
{
    const Check<Real> check(c);
    EdgePoints<Real> start;
    const char* names[] = {"p0", "p1", "ghost"};
    for (int p = 0; p < 3; ++p) {
        start.x[p] = golden::vector<Real>(c.input(names[p]));
        start.w[p] = inverse_mass(c.input("masses").at(p));
    }
    const Mat3 frame = golden::matrix<Real>(c.input("frame_columns"));
    const RodEnd end = c.input("end") == "start" ? RodEnd::start : RodEnd::end;
    const Vec3 rest = golden::vector<Real>(c.input("rest_two_tan_half_theta"));
    const TipGradient<Real> g = tip_gradient(frame, end, start);
    const Vec3 b = half_tangent(g.r);
    check("two_tan_half_theta", Real(2) * b, c.expected("two_tan_half_theta"));
    const Mat3 t = Mat3::outer(b, b) + Mat3::skew(b) + Mat3::identity();
    for (int p = 0; p < 3; ++p) {
        Mat3 j;
        for (int k = 0; k < 3; ++k) {
            const Vec3 row = g.transposed(p, t.transposed().c[k]);
            for (int i = 0; i < 3; ++i) j(k, i) = row[i];
        }
        check("grad", j, c.expected("grad").at(p));
    }
    EdgePoints<Real> e = start;
    project_tip(frame, end, rest, 0, e);
    check_moves(c, "pbd_delta", start, e, 3);
    const Vec3 moduli = golden::vector<Real>(c.input("bending_twist_moduli"));
    const Real lbar = c.input("lbar").get<Real>(), h = c.input("dt").get<Real>();
    Vec3 alpha, lambda{};
    for (int i = 0; i < 3; ++i) alpha[i] = lbar / (moduli[i] * h * h);
    check("xpbd_alpha_tilde", alpha, c.expected("xpbd_alpha_tilde"));
    e = start;
    project_stiff_tip(frame, end, rest, alpha, lambda, e);
    check_moves(c, "xpbd_delta", start, e, 3);
}

TEST(RodGolden, AllCases)
{
    for (const Case& c : golden::cases("rod")) {
        SCOPED_TRACE(c.json.at("id").get<std::string>());
        if (c.kind() == "frame") check_frame(c);
        else if (c.kind() == "edge_projection") check_edge(c);
        else if (c.kind().starts_with("element_")) check_element(c);
        else if (c.kind() == "tip_orientation") check_tip(c);
        else if (c.kind() == "gravity_modification") continue;
        else ADD_FAILURE() << "unknown kind " << c.kind();
    }
}

}  // namespace
}  // namespace pliant

// The golden cases of cloth.

#include "cloth/sheets.h"
#include "golden/golden.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

using namespace testing_cloth;
using golden::Case;
using golden::Check;

SurfaceMesh mesh_of(const Case& c)
{
    SurfaceMesh mesh;
    mesh.vertices = golden::vectors<double>(c.input("vertices"));
    for (const golden::Json& t : c.input("triangles"))
        mesh.triangles.push_back({t.at(0).get<int>(), t.at(1).get<int>(), t.at(2).get<int>()});
    return mesh;
}

FlatTriangle<Real> flat_rest(const Layout<Real>& at, const std::vector<Real>& weight)
{
    const Real total = weight[0] + weight[1] + weight[2];
    FlatTriangle<Real> q{.x = {0, at.length, at.foot}, .y = {0, 0, at.height}, .weight = {}};
    Real cx = 0, cy = 0;
    for (int i = 0; i < 3; ++i) {
        q.weight[i] = weight[i] / total;
        cx += q.weight[i] * q.x[i];
        cy += q.weight[i] * q.y[i];
    }
    for (int i = 0; i < 3; ++i) {
        q.x[i] -= cx;
        q.y[i] -= cy;
    }
    return q;
}

void check_layout(const Check<Real>& check, const char* name, const Layout<Real>& at, const golden::Json& expected)
{
    const Real x[3] = {0, at.length, at.foot}, y[3] = {0, 0, at.height};
    for (int i = 0; i < 3; ++i) {
        check(name, double(x[i]), expected.at(i).at(0));
        check(name, double(y[i]), expected.at(i).at(1));
    }
}

void check_triangle(const Case& c)
{
    const Check<Real> check(c);
    const auto rest = golden::vectors<Real>(c.input("rest")), x = golden::vectors<Real>(c.input("x"));
    const auto weight = c.input("masses").get<std::vector<Real>>();
    const Layout<Real> flat = lay_flat(rest[1] - rest[0], rest[2] - rest[0]);
    Layout<Real> now = lay_flat(x[1] - x[0], x[2] - x[0]);
    if (c.json.at("input").contains("normal_hint")) {
        EXPECT_TRUE(degenerate(now)) << c.json.at("id");
        now = lay_line(x[1] - x[0], x[2] - x[0], golden::vector<Real>(c.input("normal_hint")), {});
    } else {
        EXPECT_FALSE(degenerate(now)) << c.json.at("id");
        check_layout(check, "layout", now, c.expected("layout"));
    }
    check_layout(check, "layout_rest", flat, c.expected("layout_rest"));
    const TriangleMatch<Real> match = match_triangle(flat_rest(flat, weight), now);
    check("rotation_cos_sin", double(match.cosine), c.expected("rotation_cos_sin").at(0));
    check("rotation_cos_sin", double(match.sine), c.expected("rotation_cos_sin").at(1));
    for (int i = 0; i < 3; ++i) {
        check("displacements", match.change[i], c.expected("displacements").at(i));
        check("goals", x[i] + match.change[i], c.expected("goals").at(i));
    }
}

void check_fibre(const Case& c)
{
    const Check<Real> check(c);
    const auto rest = golden::vectors<Real>(c.input("rest")), x = golden::vectors<Real>(c.input("x"));
    const auto weight = c.input("masses").get<std::vector<Real>>();
    std::vector<Real> length;
    for (std::size_t k = 0; k < rest.size(); ++k)
        length.push_back((rest[std::min(k + 1, rest.size() - 1)] - rest[k]).norm());
    const Chain chain{x, rest, length};
    std::vector<Vec3> swept(x.size()), goals(x.size());
    sweep_forward(chain, swept);
    for (std::size_t k = 0; k < x.size(); ++k) check("sweep_forward", swept[k], c.expected("sweep_forward").at(k));
    sweep_backward(chain, swept);
    for (std::size_t k = 0; k < x.size(); ++k) check("sweep_backward", swept[k], c.expected("sweep_backward").at(k));
    sweep_fibre(chain, weight, swept, goals);
    for (std::size_t k = 0; k < x.size(); ++k) check("goals", goals[k], c.expected("goals").at(k));
}

void check_mesh(const Case& c)
{
    const SurfaceMesh mesh = mesh_of(c);
    const MeshEdges edges = find_edges(mesh);
    EXPECT_EQ(find_triangle_clusters(mesh, edges), (c.expected("clusters").get<std::vector<std::array<int, 3>>>()))
        << c.json.at("id");
    std::vector<Fibre> expected;
    for (const golden::Json& f : c.expected("fibres"))
        expected.push_back({f.at("vertices").get<std::vector<int>>(), f.at("closed").get<bool>()});
    EXPECT_EQ(find_fibres(mesh, edges), expected) << c.json.at("id");
}

/// Masses are those of the case, not of triangles: put into the cloth before a system is made of it.
void check_step(const Case& c)
{
    const Check<Real> check(c);
    ClothParams params;
    params.fibres = FibreMode::sweep;
    params.gain = c.input("alpha").get<Real>();
    World world = make_world(mesh_of(c), params);
    writable(world.forces).gravity = golden::vector<Real>(c.input("gravity"));
    Cloth& cloth = writable(world.cloths)[0];
    Particles& p = writable(world.particles);
    p.x = golden::vectors<Real>(c.input("x"));
    p.v = golden::vectors<Real>(c.input("v"));
    cloth.mass = c.input("masses").get<std::vector<double>>();
    for (int i = 0; i < p.size(); ++i) {
        const auto m = static_cast<Real>(cloth.mass[i]);
        p.mass[i] = m > 0 ? m : 1;
        p.inv_mass[i] = m > 0 ? 1 / m : 0;
        if (m == 0) cloth.mass[i] = 1;
    }
    const ClothSystem system = system_of(world);

    for (int i = 0; i < p.size(); ++i)
        EXPECT_EQ(system.slots.count(i), c.expected("membership_count").at(i).get<int>()) << c.json.at("id");
    const Real h = c.input("dt").get<Real>();
    World predicted = world;
    for (int i = 0; i < p.size(); ++i) {
        if (p.inv_mass[i] == 0) continue;
        writable(predicted.particles).x[i] += h * (p.v[i] + h * world.forces->gravity);
        check("predicted", predicted.particles->x[i], c.expected("predicted").at(i));
    }
    const std::vector<Vec3d> mean = mean_displacements(predicted);
    Solver solver;
    solver.step(world, h);
    for (int i = 0; i < p.size(); ++i) {
        if (p.inv_mass[i] > 0) check("mean_displacement", mean[i].cast<Real>(), c.expected("mean_displacement").at(i));
        check("x_new", p.x[i], c.expected("x_new").at(i));
        check("v_new", p.v[i], c.expected("v_new").at(i));
    }
}

TEST(ClothGolden, AllCases)
{
    for (const Case& c : golden::cases("cloth")) {
        SCOPED_TRACE(c.json.at("id").get<std::string>());
        if (c.kind().starts_with("triangle_")) check_triangle(c);
        else if (c.kind() == "fibre") check_fibre(c);
        else if (c.kind() == "mesh_clusters") check_mesh(c);
        else if (c.kind() == "full_step") check_step(c);
        else ADD_FAILURE() << "unknown kind " << c.kind();
    }
}

}  // namespace
}  // namespace pliant

// Cloth as a whole: what it does in the hands of the solver.

#include "cloth/sheets.h"
#include "pliant/base/check.h"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using namespace testing_cloth;

void run(World& world, int frames)
{
    Solver solver;
    for (int f = 0; f < frames; ++f) {
        const StepReport report = solver.step(world, world.settings->dt);
        ASSERT_EQ(report.trouble.text, "");
    }
}

/// A square of n x n vertices, hung by two corners, with out-of-plane noise of 0.3 edge.
World hanging(int n, int substeps)
{
    World world = make_world(make_sheet(1, 1, n - 1, n - 1, SheetPattern::uniform), {});
    writable(world.settings).substeps = substeps;
    writable(world.forces).drag = 1;
    std::mt19937_64 generator(5);
    for (Vec3& x : writable(world.particles).x) x.y += static_cast<Real>(0.3 / (n - 1) * random_share(generator));
    pin_particles(world, std::vector{0, n - 1});
    return world;
}

TEST(Cloth, HangsWithoutStretchAndComesToRest)
{
    for (const auto& [n, substeps] : {std::pair{18, 8}, {18, 40}, {36, 8}}) {
        SCOPED_TRACE(std::to_string(n) + " vertices, " + std::to_string(substeps) + " substeps");
        World world = hanging(n, substeps);
        run(world, 300);
        const Strain strain = measure_strain(world, world.cloths[0]);
        EXPECT_LT(strain.max, 0.02);
        EXPECT_LT(strain.p99, 0.005);
        EXPECT_LT(measure_energy(world).kinetic, 1e-2);
        double lowest = 0;
        for (const Vec3& x : world.particles->x) lowest = std::min(lowest, double(x.y));
        EXPECT_NEAR(lowest, -1, 0.02);
    }
}

TEST(Cloth, AnIrregularMeshHangsLikeARegularOne)
{
    const auto lowest = [](const SurfaceMesh& mesh) {
        World world = make_world(mesh, {});
        writable(world.settings).substeps = 10;
        writable(world.forces).drag = 1;
        pin_particles(world, std::vector{0, 20});
        run(world, 300);
        double low = 0;
        for (const Vec3& x : world.particles->x) low = std::min(low, double(x.y));
        return low;
    };
    const double regular = lowest(make_sheet(1, 1, 20, 20, SheetPattern::uniform));
    EXPECT_NEAR(lowest(make_irregular_sheet(1, 1, 20, 20, 0.25, 3)), regular, 0.02 * std::abs(regular));
    EXPECT_NEAR(lowest(make_sheet(1, 1, 20, 20, SheetPattern::alternating)), regular, 0.02 * std::abs(regular));
}

TEST(Cloth, ThrownFreeItKeepsLinearMomentum)
{
    World world = make_world(make_irregular_sheet(1, 1, 40, 40, 0.25, 3), {});
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 5;
    shake(0.003, writable(world.particles));
    place_cloth(world, world.cloths.id_at(0),
                {.position = {-1.5, -0.5, -1}, .velocity = {3, 1, 2}, .angular_velocity = {2, 3, 1}});
    const Vec3d before = linear_momentum(world.particles, all_particles(world));
    run(world, 60);
    const Vec3d after = linear_momentum(world.particles, all_particles(world));
    EXPECT_LT((after - before).norm(), 1e-5 * before.norm());
}

TEST(Cloth, SwingsLikeAPendulum)
{
    // Held along one side, a sheet of length 1 turns about it as a rod does; released level it passes the lowest
    // point after a quarter of 1.18 times the small period 2 pi sqrt(2 L / 3 g).
    World world = make_world(make_sheet(1, 1, 10, 10, SheetPattern::uniform), {.bending_stiffness = Real(0.02)});
    writable(world.settings).substeps = 40;
    writable(world.settings).dt = Real(0.01);
    std::vector<int> side;
    for (int i = 0; i <= 10; ++i) side.push_back(i);
    pin_particles(world, side);
    const double quarter = 1.18 * 2 * std::numbers::pi * std::sqrt(2 / (3 * 9.81)) / 4;
    Solver solver;
    double passed = 0;
    for (int f = 1; f < 100 && passed == 0; ++f) {
        solver.step(world, world.settings->dt);
        if (center_of_mass(world.particles, all_particles(world)).z < -0.5) passed = world.time;
    }
    EXPECT_NEAR(passed, quarter, 0.05 * quarter);
}

/// Sag of a strip clamped at one end, over that of a beam.
double strip_sag(const SurfaceMesh& mesh, double length, double edge, double stiffness)
{
    ClothParams params;
    params.bending_stiffness = static_cast<Real>(stiffness);
    params.damping = 3;
    World world = make_world(mesh, params);
    writable(world.forces).drag = 8;
    std::vector<int> clamped;
    double lowest = 1e9, highest = -1e9;
    for (const Vec3d& v : mesh.vertices) {
        lowest = std::min(lowest, v.x);
        highest = std::max(highest, v.x);
    }
    for (int i = 0; i < world.particles->size(); ++i)
        if (mesh.vertices[i].x < lowest + 1.3 * edge) clamped.push_back(i);
    pin_particles(world, clamped);
    run(world, 120);
    double sag = 0, count = 0;
    for (int i = 0; i < world.particles->size(); ++i) {
        if (mesh.vertices[i].x < highest - 1e-9) continue;
        sag -= double(world.particles->x[i].y);
        ++count;
    }
    const double beam = double(params.areal_density) * 9.81 * std::pow(length, 4) / (8 * stiffness);
    return sag / count / beam;
}

TEST(ClothBending, AStripSagsLikeABeamOnEveryMesh)
{
    const double length = 0.1;
    const auto check = [&](const char* name, double edge, const SurfaceMesh& mesh) {
        EXPECT_NEAR(strip_sag(mesh, length, edge, 0.004), 1.05, 0.18) << name << ", " << edge << " m";
    };
    check("uniform", 0.01, make_sheet(0.11, 0.05, 11, 5, SheetPattern::uniform));
    check("alternating", 0.01, make_sheet(0.11, 0.05, 11, 5, SheetPattern::alternating));
    check("irregular", 0.01, make_irregular_sheet(0.11, 0.05, 11, 5, 0.25, 3));
    check("coarse", 0.02, make_sheet(0.12, 0.06, 6, 3, SheetPattern::uniform));
}

TEST(ClothBending, DoesNotActOnRigidMotionNorOnTheRestShape)
{
    for (const SurfaceMesh& mesh :
         {make_irregular_sheet(1, 1, 9, 9, 0.3, 7), make_tube(0.5, 1, 12), make_sphere(1, 5)}) {
        World world = make_world(mesh, {.bending_stiffness = Real(0.1)});
        place_cloth(world, world.cloths.id_at(0), {.linear = rotation_of({20, 50, 70}), .position = {100, 200, 300}});
        ClothSystem system = make_system(world.cloths[0]);
        std::vector<Point> points = points_of(world);
        const Vec3 origin = world.particles->x[0];
        for (Point& p : points) p = {p.x - origin.x, p.y - origin.y, p.z - origin.z, p.w};
        const std::vector<Point> before = points;
        project_bending(system.hinges, Real(0.001), system.scratch.bending, points);
        for (int i = 0; i < world.particles->size(); ++i)
            EXPECT_LT(double((points[i].position() - before[i].position()).norm()), 1e4 * kEps) << i;
    }
}

TEST(ClothShell, SpringsBackToItsCurvature)
{
    // A half tube flattened sheet by sheet would need no force if it were cloth; a shell resists to first order.
    const auto energy = [](double amount) {
        const SurfaceMesh tube = make_tube(0.5, 1, 16);
        World world = make_world(tube, {.fibres = FibreMode::none});
        for (Vec3& x : writable(world.particles).x) x.x *= static_cast<Real>(1 - amount);
        double sum = 0;
        const std::vector<Vec3d> moved = mean_displacements(world);
        for (int i = 0; i < world.particles->size(); ++i)
            sum += double(world.particles->mass[i]) * moved[i].squared_norm();
        return sum;
    };
    EXPECT_NEAR(std::log10(energy(0.1) / energy(0.01)), 2, 0.2);  // quadratic: a linear force
    // a ball that is squeezed and let go comes back
    World world = make_world(make_sphere(0.5, 6), {.damping = 2});
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 10;
    for (Vec3& x : writable(world.particles).x) x.y *= Real(0.7);
    run(world, 240);
    double height = 0;
    for (const Vec3& x : world.particles->x) height = std::max(height, double(x.y));
    EXPECT_NEAR(height, 0.5, 0.03);
}

TEST(ClothStretch, AStripOfGivenStiffnessStretchesByItsWeight)
{
    // Hung by one side, the end goes down by rho g L^2 / (2 k).
    ClothParams params;
    params.warp_stiffness = params.weft_stiffness = params.shear_stiffness = 50;
    params.damping = 2;
    World world = make_world(make_sheet(1, 0.3, 20, 6, SheetPattern::uniform), params);
    place_cloth(world, world.cloths.id_at(0), {.linear = rotation_of({0, 0, -90})});
    writable(world.settings).substeps = 20;
    writable(world.forces).drag = 2;
    std::vector<int> top;
    for (int i = 0; i < world.particles->size(); ++i)
        if (world.particles->x[i].y > 0.499) top.push_back(i);
    ASSERT_EQ(top.size(), 7u);
    pin_particles(world, top);
    run(world, 300);
    double lowest = 0;
    for (const Vec3& x : world.particles->x) lowest = std::min(lowest, double(x.y));
    const double expected = 0.2 * 9.81 / (2 * 50.0);
    EXPECT_NEAR(-0.5 - lowest, expected, 0.35 * expected);  // diagonals carry a part
}

TEST(ClothAir, ASheetFallsAtItsTerminalSpeed)
{
    ClothParams params;
    params.air_drag = 1;
    World world = make_world(make_sheet(1, 1, 6, 6, SheetPattern::uniform), params);
    writable(world.settings).substeps = 10;
    run(world, 300);
    const double speed = -linear_momentum(world.particles, all_particles(world)).y / 0.2;
    EXPECT_NEAR(speed, std::sqrt(2 * 0.2 * 9.81 / (1.2 * 1)), 0.02 * speed);
}

TEST(ClothAir, DragActsAlongTheWindAndLiftAcrossIt)
{
    // A sheet at rest at 45 degrees to a wind of 2 m/s along x; F = rho/2 A (n.u) (drag u + lift (|u| n - (n.u) u/|u|)).
    const auto push = [](Real drag, Real lift) {
        ClothParams params;
        params.air_drag = drag;
        params.air_lift = lift;
        params.areal_density = 1000;  // so heavy that nothing is implicit
        World world = make_world(make_sheet(1, 1, 3, 3, SheetPattern::uniform), params);
        place_cloth(world, world.cloths.id_at(0), {.linear = rotation_of({0, 0, 45})});
        ClothSystem system = make_system(world.cloths[0]);
        const AirParams air{drag, lift, 0, Real(1.2), {.wind = {2, 0, 0}}};
        apply_air(system.air, air, Real(0.01), world.cloths[0].particles, system.scratch.air,
                  writable(world.particles));
        return 100.0 * linear_momentum(world.particles, all_particles(world));
    };
    const double across = 2 / std::numbers::sqrt2;  // n . u
    EXPECT_NEAR(push(1, 0).x, 0.6 * across * 2, 1e-3);
    EXPECT_NEAR(push(1, 0).y, 0, 1e-4);
    EXPECT_NEAR(push(0, 1).x, 0, 1e-3);
    EXPECT_NEAR(std::abs(push(0, 1).y), 0.6 * across * across, 1e-3);
}

TEST(ClothAir, WindOfAnyStrengthDoesNotTurnTheMotionRound)
{
    ClothParams params;
    params.air_drag = params.air_lift = 1;
    World world = make_world(make_sheet(1, 1, 6, 6, SheetPattern::uniform), params);
    writable(world.forces).gravity = {};
    writable(world.forces).wind = {0, 1000, 0};
    run(world, 20);
    const double speed = linear_momentum(world.particles, all_particles(world)).y / 0.2;
    EXPECT_GT(speed, 500);
    EXPECT_LT(speed, 1001);
}

TEST(ClothAir, PressureHoldsAShellOpenAndDoesNotMoveIt)
{
    ClothParams params;
    params.pressure = 20;
    params.damping = 2;
    World world = make_world(make_sphere(0.5, 6), params);
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 10;
    for (Vec3& x : writable(world.particles).x) x.y *= Real(0.8);
    run(world, 120);
    EXPECT_LT(center_of_mass(world.particles, all_particles(world)).norm(), 1e-3);
    double height = 0;
    for (const Vec3& x : world.particles->x) height = std::max(height, double(x.y));
    EXPECT_NEAR(height, 0.5, 0.02);
    EXPECT_THROW(make_world(make_disc(1, 3), params), InputError);
}

TEST(ClothAir, PressureDoesNotCareWhichWayTheTrianglesFace)
{
    SurfaceMesh ball = make_sphere(0.5, 4);
    for (auto& t : ball.triangles) std::swap(t[1], t[2]);
    ClothParams params;
    params.pressure = 100;
    params.damping = 2;
    params.warp_stiffness = params.weft_stiffness = params.shear_stiffness = 100;
    World world = make_world(ball, params);
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 10;
    run(world, 120);
    double radius = 0;
    for (const Vec3& x : world.particles->x) radius = std::max(radius, double(x.norm()));
    EXPECT_GT(radius, 0.52);
    EXPECT_LT(radius, 1);
}

TEST(Cloth, DampingLeavesRigidMotionAlone)
{
    ClothParams params;
    params.damping = 50;
    params.fibres = FibreMode::none;
    World world = make_world(make_disc(0.5, 5), params);
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 20;
    place_cloth(world, world.cloths.id_at(0),
                {.linear = Mat3d::identity(), .velocity = {1, 2, 3}, .angular_velocity = {0, 1, 0}});
    const double before = measure_energy(world).kinetic;
    run(world, 60);
    EXPECT_NEAR(measure_energy(world).kinetic, before, 5e-3 * before);
}

TEST(Cloth, GainMeansTheSameAtAnotherStep)
{
    // Stretched clusters alone: with gain_step the sheet comes back in about the same time whatever the substep.
    const auto left = [](int substeps) {
        ClothParams params;
        params.fibres = FibreMode::none;
        params.gain = Real(0.02);
        params.gain_step = Real(1) / 600;
        World world = make_world(make_disc(0.5, 5), params);
        writable(world.forces).gravity = {};
        writable(world.settings).substeps = substeps;
        for (Vec3& x : writable(world.particles).x) x *= Real(1.1);
        run(world, 2);
        double widest = 0;
        for (const Vec3& x : world.particles->x) widest = std::max(widest, double(x.norm()));
        return widest / 0.5 - 1;
    };
    EXPECT_NEAR(left(40), left(20), 0.01);
    EXPECT_LT(left(20), 0.09);
}

TEST(Cloth, ReleasedPinsHoldNothing)
{
    World world = make_world(make_sheet(1, 1, 8, 8, SheetPattern::uniform), {});
    writable(world.settings).substeps = 5;
    pin_particles(world, std::vector{0, 8}, {}, 0.2);
    run(world, 5);
    ClothSystem system = system_of(world);
    EXPECT_FALSE(system.attachments.groups.empty());
    run(world, 55);
    update_pins(world.cloths[0], world.particles->inv_mass, system);
    EXPECT_TRUE(system.attachments.groups.empty());
    EXPECT_LT(center_of_mass(world.particles, all_particles(world)).y, -2);
}

TEST(Cloth, OneOfSeveralCanBeRemoved)
{
    World world = make_world(make_disc(0.5, 3), {});
    const ClothId second = add_cloth(world, make_tube(0.5, 1, 8), {}, "tube");
    const int first = world.cloths[0].particles.count;
    remove_cloth(world, world.cloths.id_at(0));
    ASSERT_EQ(world.cloths.size(), 1u);
    EXPECT_EQ(world.cloths.index(second), 0);
    EXPECT_EQ(world.cloths[0].particles.first, 0);
    EXPECT_GT(first, 0);
    run(world, 5);
}

TEST(Cloth, ANonManifoldMeshIsJoinedAtItsSeamAndSaysSo)
{
    // three squares that meet in one edge
    SurfaceMesh mesh;
    mesh.vertices = {{0, 0, 0}, {0, 1, 0}};
    for (const Vec3d& d : {Vec3d{1, 0, 0}, Vec3d{-1, 0, 0.5}, Vec3d{0, 0, 1}}) {
        const int at = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(d);
        mesh.vertices.push_back(d + Vec3d{0, 1, 0});
        mesh.triangles.push_back({0, at, at + 1});
        mesh.triangles.push_back({0, at + 1, 1});
    }
    World world = make_world(mesh, {});
    ASSERT_FALSE(world.cloths[0].notes.empty());
    EXPECT_NE(world.cloths[0].notes[0].find("3"), std::string::npos);
    writable(world.settings).substeps = 10;
    pin_particles(world, std::vector{3});
    run(world, 60);
    EXPECT_LT(measure_strain(world, world.cloths[0]).max, 0.05);
}

}  // namespace
}  // namespace pliant

// Pushing things from a program: impulses, forces, and a paddle that is moved by hand and hits with its own speed.
#include <pliant/pliant.h>

#include <cstdio>

using namespace pliant;

int main()
{
    World world;
    set_forces(world, {.gravity = {0, 0, 0}});
    const RigidId puck = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1}, {.mass = Real(1)}, "puck");
    const SolidId jelly = add_solid(world, fill_with_spacing(make_box({0.4, 0.4, 0.4}, 1), 0.1), {}, "jelly");
    place_solid(world, jelly, {.position = {0, 3, 0}});
    const ColliderId paddle = add_collider(
        world, {.name = "paddle", .shape = ColliderShape::box, .position = {-1, 0, 0}, .size = {Real(0.2), 1, 1}});
    Solver solver;
    const Real dt = world.settings->dt;

    add_impulse(world, puck, {0, 0, 2}, pose(world, puck).x);  // 2 kg m/s on 1 kg
    const Real thrown = velocity(world, puck).z;
    set_velocity(world, puck, {}, {});

    const Real mass = static_cast<Real>(1000 * 0.4 * 0.4 * 0.4);
    for (int frame = 0; frame < 60; ++frame) {  // a second of a force that would give 1 m/s
        add_force(world, jelly, mass * Vec3{1, 0, 0});
        solver.step(world, dt);
    }
    const Real pulled = static_cast<Real>(linear_momentum(world).x) / mass;

    for (int frame = 0; frame < 60; ++frame) {  // at 2 m/s to the right
        const double x = -1 + 2 * (frame + 1) * static_cast<double>(dt);
        move_collider(world, paddle, {x, 0, 0}, Mat3d::identity(), static_cast<double>(dt));
        solver.step(world, dt);
    }
    std::printf("thrown at %.2f m/s, pulled to %.2f m/s, hit to %.2f m/s\n", static_cast<double>(thrown),
                static_cast<double>(pulled), static_cast<double>(velocity(world, puck).x));
    return thrown == 2 && pulled > Real(0.99) && pulled < Real(1.01) && velocity(world, puck).x > Real(1.9) ? 0 : 1;
}

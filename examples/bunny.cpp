#include <pliant/pliant.h>

#include <cstdio>

int main()
{
    pliant::World world;
    const auto id =
        pliant::add_solid(world, pliant::fill_with_count(pliant::make_mascot(1.0), 2020), {.gamma = 0.2F}, "bunny");
    pliant::place_solid(world, id, {.position = {0, 2, 0}});
    pliant::add_collider(world, {.name = "ground", .restitution = 0.5F});
    pliant::Solver solver;
    for (int frame = 0; frame < 120; ++frame) solver.step(world);
    std::printf("it came to rest at a height of %.2f m\n",
                pliant::center_of_mass(world.particles, world.solids[0].particles).y);
}

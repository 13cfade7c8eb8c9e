#include <pliant/pliant.h>

#include <cstdio>

int main()
{
    pliant::World world;
    const auto shape = pliant::fill_with_count(pliant::make_mascot(1.0), 2020);
    const auto bunny = pliant::add_solid(world, shape, {.youngs_modulus = 2e5F, .damping = 2}, "bunny");
    pliant::place_solid(world, bunny, {.position = {0, 1, 0}});
    pliant::add_collider(world, {.name = "ground"});
    pliant::Solver solver;
    for (int frame = 0; frame < 120; ++frame) solver.step(world);
    std::printf("it sits with its middle %.2f m above the ground\n", pliant::center_of_mass(world).y);
}

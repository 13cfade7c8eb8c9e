// Parameters are set between steps and take effect in the next one; what is not allowed is refused with a sentence.
#include <pliant/pliant.h>

#include <cstdio>

using namespace pliant;

int main()
{
    World world;
    const ClothId flag = add_cloth(world, make_grid(1.5, 1, 15, 10), {.air_drag = 1});
    pin_particles(world, find_particles(world, cloth(world, flag).particles, {-0.76, -1, -1}, {-0.74, 1, 1}));
    Solver solver;
    const auto fly = [&](double seconds) {
        for (int frame = 0; frame < 60 * seconds; ++frame) solver.step(world);
        Vec3d sum;
        for (const Vec3& x : positions(world, flag)) sum += x.cast<double>();
        return sum.y / static_cast<double>(positions(world, flag).size());
    };
    const double hanging = fly(2);

    Forces forces = world.forces;
    forces.wind = {12, 0, 0};
    set_forces(world, forces);
    const double flying = fly(2);

    ClothParams wet = cloth(world, flag).params;
    wet.areal_density *= 5;
    set_cloth(world, flag, wet);
    const double heavy = fly(2);
    std::printf("mean height: %.2f m without wind, %.2f m in the wind, %.2f m when wet\n", hanging, flying, heavy);

    try {
        wet.areal_density = -1;
        set_cloth(world, flag, wet);
        return 1;
    } catch (const InputError& error) {
        std::printf("refused: %s\n", error.what());
    }
    return flying > hanging && heavy < flying ? 0 : 1;
}

// A program outside the project: sees the installed headers, links the installed library, and is compiled with the flags
// that its author happens to use. What it shares with the library must look the same to both.

#include <pliant/pliant.h>

#include <cstdio>
#include <exception>
#include <type_traits>

// What the library uses inside must not reach its users through the public headers.
#if defined(NLOHMANN_JSON_VERSION_MAJOR) || defined(FMT_VERSION)
#error "pliant/pliant.h includes a header of a private dependency"
#endif

// Whoever links the library must see the precision that it was built with.
static_assert(std::is_same_v<pliant::Real, EXPECTED_REAL>);

int main()
{
    try {
        pliant::World world;
        const auto bunny = pliant::add_solid(world, pliant::fill_with_count(pliant::make_mascot(1.0), 500), {});
        pliant::place_solid(world, bunny, {.position = {0, 0.1, 0}});
        const auto cloth = pliant::add_cloth(world, pliant::make_grid(1, 1, 10, 10), {});
        pliant::place_cloth(world, cloth, {.position = {0, 1.2, 0}});
        pliant::add_rod(world, {{.points = {{2, 1, 0}, {3, 1, 0}, {4, 1, 0}}}}, {});
        const auto box = pliant::add_rigid(world, {}, {});
        pliant::place_rigid(world, box, {.position = {-2, 1, 0}});
        pliant::add_collider(world, {.name = "ground"});
        pliant::Solver solver, other;
        solver.step(world);
        pliant::World copy = world;
        for (int frame = 0; frame < 10; ++frame) {
            solver.step(world);
            other.step(copy);
        }
        const bool same = pliant::hash_state(world) == pliant::hash_state(copy);
        std::printf("a world and its copy after ten frames: %s\n", same ? "the same" : "different");
        return same ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}

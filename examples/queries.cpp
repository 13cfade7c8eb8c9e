// What is where: rays, overlaps, normals and lines for debugging, over all bodies and colliders.
#include <pliant/pliant.h>

#include <cstdio>

using namespace pliant;

int main()
{
    World world;
    const ColliderId ground = add_collider(world, {.name = "ground"});
    const RigidId crate = add_rigid(world, {.kind = RigidKind::box, .size = {1, 1, 1}}, {}, "crate");
    place_rigid(world, crate, {.position = {0, 0.5, 0}});
    const ClothId sheet = add_cloth(world, make_grid(2, 2, 10, 10), {}, "sheet");
    place_cloth(world, sheet, {.position = {0, 1.5, 0}});

    // straight down: first the sheet, then, beside it, the ground
    const auto above = raycast(world, {0.1F, 5, 0.1F}, {0, -1, 0});
    const auto beside = raycast(world, {3, 5, 0}, {0, -1, 0});
    if (!above || !beside) return 1;
    std::printf("%s after %.2f m, at its particle %d\n", name_of(world, above->body).c_str(),
                static_cast<double>(above->distance), above->particle);
    std::printf("%s after %.2f m\n", name_of(world, beside->body).c_str(), static_cast<double>(beside->distance));

    // everything that touches a ball around the foot of the crate
    for (const BodyRef& body : overlap(world, {0.6F, 0, 0}, Real(0.3)))
        std::printf("near the foot of the crate: %s\n", name_of(world, body).c_str());

    std::printf("the sheet's first normal points %s\n", normals(world, sheet)[0].y > 0 ? "up" : "down");
    std::printf("%zu lines to draw\n", debug_lines(world).size());
    return above->body == BodyRef(sheet) && beside->body == BodyRef(ground) ? 0 : 1;
}

// A game loop: the mouse picks and drags, things come and go, the program listens to what hits what. A script is the mouse.
#include <pliant/pliant.h>

#include <algorithm>
#include <cstdio>
#include <optional>

using namespace pliant;

struct Hand {
    std::optional<GrabId> grab;
    Real depth = 0;  // of what is in it, from the eye [m]

    void press(World& world, const Vec3& eye, const Vec3& towards)
    {
        const auto hit = raycast(world, eye, towards);
        if (!hit || hit->particle < 0) return;  // colliders and rigid bodies stay where they are
        std::printf("picked %s\n", name_of(world, hit->body).c_str());
        depth = hit->distance;
        grab = add_grab(world, hit->point, 0);
    }
    void release(World& world)
    {
        if (grab) remove_grab(world, *grab);
        grab.reset();
    }
};

int main()
{
    World world;
    set_contact(world, {.on = true});
    set_settings(world, {.substeps = 4, .iterations = 1});
    add_collider(world, {.name = "floor"});
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 12, 12), {.areal_density = 1}, "sheet");
    place_cloth(world, sheet, {.position = {0, 0.2, 0}});
    Solver solver;
    solver.report_contacts = true;
    Hand hand;
    const Vec3 eye{0, 3, 0};
    Real highest = 0, hardest = 0;
    RigidId crate;
    for (int frame = 0; frame < 240; ++frame) {
        if (frame == 60) hand.press(world, eye, {0, -1, 0});
        if (frame > 60 && frame < 120) hand.depth -= Real(0.02);  // the wheel pulls it up
        if (hand.grab) move_grab(world, *hand.grab, eye - Vec3{0, hand.depth, 0});
        if (frame == 120) hand.release(world);
        if (frame == 20) crate = add_rigid(world, {.size = {0.3, 0.3, 0.3}}, {.mass = Real(3)}, "crate");
        if (frame == 20) place_rigid(world, crate, {.position = {1.5, 1, 0}});
        if (frame == 150) remove_rigid(world, crate);
        for (const ContactEvent& touch : solver.step(world).touches) {
            if (touch.impulse > 2 * hardest)  // the loudest so far
                std::printf("frame %d: %s hits %s with %.2f kg m/s\n", frame, name_of(world, touch.a).c_str(),
                            name_of(world, touch.b).c_str(), static_cast<double>(touch.impulse));
            hardest = std::max(hardest, touch.impulse);
        }
        for (const Vec3& x : positions(world, sheet)) highest = std::max(highest, x.y);
    }
    return hardest > 3 && highest > 1 && world.rigids.empty() ? 0 : 1;
}

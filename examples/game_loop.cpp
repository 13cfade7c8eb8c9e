// A game loop: a player picks things with the mouse and drags them, things come and go, and the program listens to what
// hits what. The mouse is played by a script here.
#include <pliant/pliant.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

using namespace pliant;

struct Game {
    World world;
    Solver solver;
    std::optional<GrabId> hand;
    Real depth = 0;  // of what is in the hand, from the eye [m]
    std::vector<RigidId> crates;

    Game()
    {
        add_collider(world, {.name = "floor", .friction = Real(0.6)});
        const SolidId jelly = add_solid(world, fill_with_spacing(make_sphere(0.4, 6), 0.12),
                                        {.density = 200, .youngs_modulus = 4e4F, .damping = 5}, "jelly");
        place_solid(world, jelly, {.position = {0, 0.5, 0}});
        set_contact(world, {.on = true});
        set_settings(world, {.substeps = 4, .iterations = 1});
        solver.report_contacts = true;
    }
    void press(const Vec3& eye, const Vec3& towards)
    {
        const auto hit = raycast(world, eye, towards);
        if (!hit || hit->particle < 0) return;  // colliders and rigid bodies stay where they are
        std::printf("picked %s\n", name_of(world, hit->body).c_str());
        depth = hit->distance;
        hand = add_grab(world, hit->point, Real(1e-5));
    }
    void drag(const Vec3& eye, const Vec3& towards)
    {
        if (hand) move_grab(world, *hand, eye + depth * towards.normalized());
    }
    void release()
    {
        if (hand) remove_grab(world, *hand);
        hand.reset();
    }
    void drop_crate()
    {
        const Vec3d size{0.3, 0.3, 0.3};
        crates.push_back(add_rigid(world, {.size = size}, {.mass = Real(3)}, "crate" + std::to_string(crates.size())));
        place_rigid(world, crates.back(), {.position = {1.5, 0.8, 0}});
    }
};

int main()
{
    Game game;
    const Vec3 eye{0, 0.5F, 5};
    int thuds = 0;
    Real highest = 0;
    for (int frame = 0; frame < 180; ++frame) {
        if (frame == 10) game.press(eye, {0, 0, -1});
        if (frame > 10 && frame < 80) game.drag(eye, {0, Real(0.002) * static_cast<Real>(frame - 10), -1});
        if (frame == 80) game.release();
        if (frame == 20) game.drop_crate();
        if (frame == 120) remove_rigid(game.world, game.crates[0]);
        const StepReport report = game.solver.step(game.world);
        for (const ContactEvent& touch : report.touches) {
            if (touch.impulse < 4) continue;
            ++thuds;
            std::printf("frame %d: %s hits %s with %.1f kg m/s\n", frame, name_of(game.world, touch.a).c_str(),
                        name_of(game.world, touch.b).c_str(), static_cast<double>(touch.impulse));
        }
        if (frame == 79) highest = static_cast<Real>(center_of_mass(*game.world.particles, {0, game.world.particles->size()}).y);
    }
    return thuds > 0 && highest > Real(0.8) && game.world.rigids.empty() ? 0 : 1;
}

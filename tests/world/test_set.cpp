// Parameters that are set: they take effect in the next step, within the same limits as when a body is added.

#include "messages.h"
#include "pliant/geometry/sheets.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

void run_frames(Solver& solver, World& world, int frames)
{
    for (int frame = 0; frame < frames; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
}

/// What was made with `before` and set to `after` is what was made with `after`; set on the way, it moves on as a copy
/// does that no Solver has seen.
template <class Params, class Make, class Set>
void expect_to_take_effect(const char* what, const Params& before, const Params& after, const Make& make,
                           const Set& set)
{
    SCOPED_TRACE(what);
    constexpr int kFrames = 4;
    World kept = make(before), changed = make(before), added = make(after);
    set(changed, after);
    for (World* world : {&kept, &changed, &added}) {
        Solver solver;
        run_frames(solver, *world, kFrames);
    }
    EXPECT_EQ(hash_state(changed), hash_state(added)) << "as if it had been added so";
    EXPECT_NE(hash_state(changed), hash_state(kept)) << "it matters";

    Solver solver;
    World late = make(before);
    run_frames(solver, late, kFrames);
    EXPECT_EQ(hash_state(late), hash_state(kept));
    World same = late;
    set(late, after);
    World copy = late;
    run_frames(solver, late, kFrames);
    Solver other, fresh;
    run_frames(other, same, kFrames);
    run_frames(fresh, copy, kFrames);
    EXPECT_NE(hash_state(late), hash_state(same)) << "a change on the way";
    EXPECT_EQ(hash_state(late), hash_state(copy)) << "all that was compiled from it is compiled again";
}

/// One parameter of a table.
template <class Params, class Member, class Value>
Params with(Params params, Member Params::* member, const Value& value)
{
    params.*member = value;
    return params;
}

// A stretched cube on the ground.
World make_cube(const SolidParams& params)
{
    World world;
    place_solid(world, add_solid(world, cube(5), params, "cube"), {.linear = Mat3d::diagonal({1.3, 1, 1})});
    add_collider(world, {.position = {0, -0.5, 0}});
    return world;
}
void set_cube(World& world, const SolidParams& params) { set_solid(world, world.solids.id_at(0), params); }

TEST(Set, ParametersOfASolid)
{
    using P = SolidParams;
    const P soft{.youngs_modulus = Real(1e5), .thickness = Real(0.1)};
    const auto check = [&](const char* what, const P& before, auto P::* member, auto value) {
        expect_to_take_effect(what, before, with(before, member, value), make_cube, set_cube);
    };
    check("youngs_modulus", soft, &P::youngs_modulus, Real(2e5));
    check("youngs_modulus of none", {}, &P::youngs_modulus, Real(1e5));
    check("alpha", {}, &P::alpha, Real(0.1));
    check("gamma", {}, &P::gamma, Real(0.01));
    check("omega", {}, &P::omega, Real(0.5));
    check("limiter", {}, &P::limiter, Limiter::particle);
    check("density", soft, &P::density, Real(2000));
    check("damping", {}, &P::damping, Real(10));
    check("thickness", soft, &P::thickness, Real(0.2));
}

TEST(Set, TheDensityOfASolidIsItsMass)
{
    World world = make_cube({.density = 1000});
    pin_particles(world, std::vector{3});
    set_cube(world, {.density = 500});
    double mass = 0;
    for (const Real m : world.particles->mass) mass += double(m);
    EXPECT_NEAR(mass, 500, 1e-2);
    EXPECT_NEAR(double(world.particles->inv_mass[0] * world.particles->mass[0]), 1, 1e-6);
    EXPECT_EQ(world.particles->inv_mass[3], 0) << "a pin stays";
}

// A sheet that hangs by two corners, in the wind.
World make_flag(const ClothParams& params)
{
    World world;
    set_settings(world, {.substeps = 4, .iterations = 1});
    set_forces(world, {.wind = {0, 0, 5}});
    add_cloth(world, make_sheet(1, 1, 6, 6, SheetPattern::uniform), params, "flag");
    pin_particles(world, std::vector{0, 6});
    return world;
}
void set_flag(World& world, const ClothParams& params) { set_cloth(world, world.cloths.id_at(0), params); }

TEST(Set, ParametersOfACloth)
{
    using P = ClothParams;
    const P elastic{.warp_stiffness = 50, .weft_stiffness = 50, .shear_stiffness = 50};
    const auto check = [&](const char* what, const P& before, auto P::* member, auto value) {
        expect_to_take_effect(what, before, with(before, member, value), make_flag, set_flag);
    };
    check("warp_stiffness", elastic, &P::warp_stiffness, Real(100));
    check("warp_stiffness of none", {}, &P::warp_stiffness, Real(100));
    check("areal_density", elastic, &P::areal_density, Real(0.4));
    check("gain", {}, &P::gain, Real(0.1));
    check("fibres", {}, &P::fibres, FibreMode::sweep);
    check("bending_stiffness", {}, &P::bending_stiffness, Real(0.01));
    check("air_drag", {}, &P::air_drag, Real(1));
}

// A rod that sticks out from a wall.
World make_arm(const RodParams& params)
{
    Strand strand;
    for (int i = 0; i <= 8; ++i) strand.points.push_back({0.1 * i, 0, 0});
    World world;
    set_settings(world, {.substeps = 4, .iterations = 2});
    clamp_rod(world, add_rod(world, {strand}, params, "arm"), 0, RodEnd::start);
    add_collider(world, {.position = {0, -0.015, 0}});
    return world;
}
void set_arm(World& world, const RodParams& params) { set_rod(world, world.rods.id_at(0), params); }

TEST(Set, ParametersOfARod)
{
    using P = RodParams;
    const P stiff{.radius = Real(0.01), .youngs_modulus = Real(1e6)};
    const auto check = [&](const char* what, const P& before, auto P::* member, auto value) {
        expect_to_take_effect(what, before, with(before, member, value), make_arm, set_arm);
    };
    check("youngs_modulus", stiff, &P::youngs_modulus, Real(4e6));
    check("youngs_modulus of none", {}, &P::youngs_modulus, Real(1e6));
    check("bend_damping", stiff, &P::bend_damping, Real(20));
    check("radius", stiff, &P::radius, Real(0.02));
    check("density", stiff, &P::density, Real(2000));
    check("solver", stiff, &P::solver, RodSolver::sweep);
    check("bend", {}, &P::bend, Real(0.9));
}

// A box that slides on the ground, on a spring.
World make_slider(const RigidParams& params, const Collider& ground = {})
{
    World world;
    set_settings(world, {.substeps = 4, .iterations = 1});
    add_collider(world, ground);
    const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.2, 0.2}}, params, "slider");
    place_rigid(world, id, {.position = {0, 0.1, 0}, .velocity = {2, 0, 0}});
    add_glue(world, anchor_on_motion({0, 0.1, 0}), anchor_on(world, id, {0, 0.1, 0}), {.stiffness = 100}, "spring");
    return world;
}
World make_plain_slider(const RigidParams& params) { return make_slider(params); }
void set_slider(World& world, const RigidParams& params) { set_rigid(world, world.rigids.id_at(0), params); }

TEST(Set, ParametersOfARigidBody)
{
    using P = RigidParams;
    const P light{.mass = Real(1)};
    expect_to_take_effect("mass", light, P{.mass = Real(2)}, make_plain_slider, set_slider);
    expect_to_take_effect("mass instead of density", P{}, light, make_plain_slider, set_slider);
    expect_to_take_effect("friction", light, P{.mass = Real(1), .friction = Real(0.1)}, make_plain_slider, set_slider);
    expect_to_take_effect("friction of its own", P{.mass = Real(1), .friction = Real(0.1)}, light, make_plain_slider,
                          set_slider);
}

TEST(Set, AnInertiaLeavesTheFormAndItsSpinWhereTheyAre)
{
    World world;
    const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.2, 0.4}});
    place_rigid(world, id, {.linear = rotation_of({20, 30, 40}), .position = {1, 2, 3}, .angular_velocity = {1, 2, 3}});
    const auto corner = [&] {
        const Pose& pose = world.rigid_bodies->pose[0];
        Vec3d low{1e9, 1e9, 1e9};
        for (const Vec3& p : world.rigids[0].points) {
            const Vec3d at = pose.q.cast<double>().matrix() * p.cast<double>() + pose.x.cast<double>();
            low = {std::min(low.x, at.x), std::min(low.y, at.y), std::min(low.z, at.z)};
        }
        return low;
    };
    const Vec3d before = corner();
    set_rigid(world, id, {.mass = Real(3), .inertia = Vec3{3, 1, 2}});
    EXPECT_LT((corner() - before).norm(), 1e-5);
    EXPECT_LT(double((world.rigid_bodies->w[0] - Vec3{1, 2, 3}).norm()), 1e-5);
}

TEST(Set, Colliders)
{
    const Collider smooth{.friction = Real(0.1)};
    const auto make = [](const Collider& collider) { return make_slider({.mass = Real(1)}, collider); };
    const auto set = [](World& world, const Collider& collider) {
        set_collider(world, world.colliders.id_at(0), collider);
    };
    expect_to_take_effect("friction", smooth, with(smooth, &Collider::friction, Real(1)), make, set);
    expect_to_take_effect("position", smooth, with(smooth, &Collider::position, Vec3d{0, 0.01, 0}), make, set);
    expect_to_take_effect("rotation", smooth, with(smooth, &Collider::rotation, Vec3d{0, 0, 5}), make, set);
}

TEST(Set, Contact)
{
    const ContactParams smooth{.on = true, .friction = 0};
    const auto make = [](const ContactParams& params) {
        World world;
        set_settings(world, {.substeps = 4, .iterations = 1});
        set_contact(world, params);
        const RigidId table = add_rigid(world, {.kind = RigidKind::box, .size = {1, 0.1, 1}}, {}, "table");
        hold_rigid(world, table);
        const RigidId box = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.2, 0.2}}, {}, "box");
        place_rigid(world, box, {.position = {0, 0.151, 0}, .velocity = {1, 0, 0}});
        return world;
    };
    expect_to_take_effect("friction", smooth, with(smooth, &ContactParams::friction, Real(0.5)), make, set_contact);
    expect_to_take_effect("on", smooth, with(smooth, &ContactParams::on, false), make, set_contact);
    const std::vector<ContactRule> rules{{.between = {"table", "box"}, .friction = Real(0.5)}};
    expect_to_take_effect("rules", smooth, with(smooth, &ContactParams::rules, rules), make, set_contact);
}

TEST(Set, ForcesAndSettings)
{
    const auto make_with_forces = [](const Forces& forces) {
        World world = make_flag({.air_drag = 1});
        set_forces(world, forces);
        return world;
    };
    expect_to_take_effect("gravity", Forces{}, Forces{.gravity = {1, -5, 0}}, make_with_forces, set_forces);
    expect_to_take_effect("wind", Forces{}, Forces{.wind = {0, 0, 10}}, make_with_forces, set_forces);
    expect_to_take_effect("drag", Forces{}, Forces{.drag = 3}, make_with_forces, set_forces);
    const auto make_with_settings = [](const Settings& settings) {
        World world = make_flag({});
        set_settings(world, settings);
        return world;
    };
    expect_to_take_effect("dt", Settings{}, Settings{.dt = Real(0.01)}, make_with_settings, set_settings);
    expect_to_take_effect("substeps", Settings{}, Settings{.substeps = 7}, make_with_settings, set_settings);
    expect_to_take_effect("iterations", Settings{}, Settings{.iterations = 2}, make_with_settings, set_settings);
    expect_to_take_effect("quality", Settings{}, Settings{.quality = Quality::fine}, make_with_settings, set_settings);
}

/// An edit throws InputError that says so, and the world moves on as if nothing had been asked of it.
template <class Edit>
void expect_refusal(const World& start, const Edit& edit, const std::string& part)
{
    World world = start, untouched = start;
    EXPECT_PRED2(says, message_of([&] { edit(world); }), part);
    EXPECT_EQ(world.solids.size(), start.solids.size());
    EXPECT_EQ(world.cloths.size(), start.cloths.size());
    EXPECT_EQ(world.rods.size(), start.rods.size());
    EXPECT_EQ(world.rigids.size(), start.rigids.size());
    EXPECT_EQ(world.glues.size(), start.glues.size());
    EXPECT_EQ(world.colliders.size(), start.colliders.size());
    EXPECT_EQ(world.particles->mass, start.particles->mass);
    EXPECT_EQ(world.particles->radius, start.particles->radius);
    Solver one, two;
    run_frames(one, world, 2);
    run_frames(two, untouched, 2);
    EXPECT_EQ(hash_state(world), hash_state(untouched)) << part;
}

TEST(Set, RefusesWhatABodyWasMadeFrom)
{
    using S = SolidParams;
    const World cube_world = make_cube({});
    const auto solid = [&](auto S::* member, auto value) {
        expect_refusal(
            cube_world, [&](World& w) { set_cube(w, with(with(S{}, &S::density, Real(7)), member, value)); },
            "cannot be changed");
    };
    solid(&S::clustering, Clustering::random);
    solid(&S::cluster_radius, Real(0.5));
    solid(&S::seed, 2);
    expect_refusal(
        make_arm({}), [](World& w) { set_arm(w, {.density = 7, .rest = RestShape::straight}); },
        "rest: the rest shape is made when a rod is added and cannot be changed");
    expect_refusal(
        make_arm({}), [](World& w) { set_arm(w, {.density = 7, .width = 1}); }, "needs both width and thickness");
    expect_refusal(make_flag({}), [](World& w) { set_flag(w, {.areal_density = 7, .pressure = 1}); }, "pressure");
}

TEST(Set, RefusesABodyThatIsGone)
{
    World world = make_cube({});
    const SolidId solid = world.solids.id_at(0);
    const ColliderId collider = world.colliders.id_at(0);
    remove_solid(world, solid);
    remove_collider(world, collider);
    EXPECT_PRED2(says, message_of([&] { set_solid(world, solid, {}); }), "set_solid: this solid has been removed");
    EXPECT_PRED2(says, message_of([&] { set_collider(world, collider, {}); }), "this collider has been removed");
    EXPECT_PRED2(says, message_of([&] { get(world, solid); }), "has been removed");
}

constexpr Real kNoNumber = std::numeric_limits<Real>::quiet_NaN();

/// The same for a body that is added and one that is there.
template <class Params, class Add, class Set>
void expect_limit(const World& start, const Params& params, const std::string& part, const Add& add, const Set& set)
{
    expect_refusal(start, [&](World& world) { add(world, params); }, part);
    expect_refusal(start, [&](World& world) { set(world, params); }, part);
}

TEST(SetLimits, OfSolids)
{
    const auto check = [world = make_cube({})](const SolidParams& params, const std::string& part) {
        const auto add = [](World& w, const SolidParams& p) { add_solid(w, cube(3), p, "cube"); };
        expect_limit(world, params, "solid \"cube\": " + part, add, set_cube);
    };
    check({.gamma = -5}, "gamma: must be at least 0, is -5");
    check({.density = -1}, "density: must be greater than 0, is -1");
    check({.density = 0}, "density: must be greater than 0, is 0");
    check({.alpha = 2}, "alpha: must be between 0 and 1, is 2");
    check({.omega = 3}, "omega: must be between 0 and 2, is 3");
    check({.youngs_modulus = kNoNumber}, "youngs_modulus: must be a finite number, is nan");
    check({.damping = std::numeric_limits<Real>::infinity()}, "damping: must be a finite number, is inf");
}

TEST(SetLimits, OfClothsRodsAndRigidBodies)
{
    const auto cloth = [world = make_flag({})](const ClothParams& params, const std::string& part) {
        const auto add = [](World& w, const ClothParams& p) {
            add_cloth(w, make_sheet(1, 1, 2, 2, SheetPattern::uniform), p, "flag");
        };
        expect_limit(world, params, "cloth \"flag\": " + part, add, set_flag);
    };
    cloth({.areal_density = 0}, "areal_density: must be greater than 0, is 0");
    cloth({.gain = 2}, "gain: must be between 0 and 1, is 2");
    cloth({.warp_axis = {0, kNoNumber, 0}}, "warp_axis[1]: must be a finite number, is nan");
    const auto rod = [world = make_arm({})](const RodParams& params, const std::string& part) {
        const auto add = [](World& w, const RodParams& p) {
            add_rod(w, {{.points = {{0, 0, 0}, {1, 0, 0}}}}, p, "arm");
        };
        expect_limit(world, params, "rod \"arm\": " + part, add, set_arm);
    };
    rod({.radius = 0}, "radius: must be greater than 0, is 0");
    rod({.youngs_modulus = -1}, "youngs_modulus: must be at least 0, is -1");
    rod({.bend = kNoNumber}, "bend: must be a finite number, is nan");
    const auto rigid = [world = make_slider({})](const RigidParams& params, const std::string& part) {
        const auto add = [](World& w, const RigidParams& p) { add_rigid(w, {}, p, "slider"); };
        expect_limit(world, params, "rigid body \"slider\": " + part, add, set_slider);
    };
    rigid({.density = -1}, "density: must be greater than 0, is -1");
    rigid({.mass = Real(0)}, "mass: must be greater than 0, is 0");
    rigid({.inertia = Vec3{1, -1, 1}}, "inertia[1]: must be greater than 0, is -1");
    rigid({.friction = Real(-3)}, "friction: must be at least 0, is -3");
}

TEST(SetLimits, OfColliders)
{
    const auto check = [world = make_cube({})](const Collider& collider, const std::string& part) {
        const auto set = [](World& w, const Collider& c) { set_collider(w, w.colliders.id_at(0), c); };
        expect_limit(world, collider, "collider \"wall\": " + part, add_collider, set);
    };
    check({.name = "wall", .friction = -3}, "friction: must be at least 0, is -3");
    check({.name = "wall", .restitution = 2}, "restitution: must be between 0 and 1, is 2");
    check({.name = "wall", .radius = 0}, "radius: must be greater than 0, is 0");
    check({.name = "wall", .position = {0, double(kNoNumber), 0}}, "position[1]: must be a finite number, is nan");
    check({.name = "wall", .size = {1, 1, 0}}, "size[2]: must be greater than 0, is 0");
    check({.name = "wall", .motion = {.keys = {{.time = 1}, {.time = 2, .degrees = double(kNoNumber)}}}},
          "motion.keys[1].degrees: must be a finite number, is nan");
}

TEST(SetLimits, OfGlue)
{
    const auto check = [world = make_slider({})](const GlueParams& params, const std::string& part) {
        const auto add = [](World& w, const GlueParams& p) {
            add_glue(w, anchor_on_motion({}), anchor_on(w, w.rigids.id_at(0), {}), p, "spring");
        };
        const auto set = [](World& w, const GlueParams& p) { set_glue(w, w.glues.id_at(0), p); };
        expect_limit(world, params, "glue \"spring\": " + part, add, set);
    };
    check({.stiffness = -1}, "stiffness: must be at least 0, is -1");
    check({.break_force = 0}, "break_force: must be greater than 0, is 0");
    check({.keys = {{.time = 1, .stiffness = -2}}}, "keys[0].stiffness: must be at least 0, is -2");
    check({.closing = double(kNoNumber)}, "closing: must be a finite number, is nan");
}

TEST(SetLimits, OfTheWorld)
{
    const World world = make_cube({});
    const auto settings = [&](const Settings& value, const std::string& part) {
        expect_refusal(world, [&](World& w) { set_settings(w, value); }, "settings: " + part);
    };
    settings({.dt = 0}, "dt: must be greater than 0, is 0");
    settings({.dt = kNoNumber}, "dt: must be a finite number, is nan");
    settings({.substeps = 0}, "substeps: must be between 1 and ");
    settings({.iterations = -1}, "iterations: must be between 0 and ");
    const auto forces = [&](const Forces& value, const std::string& part) {
        expect_refusal(world, [&](World& w) { set_forces(w, value); }, "forces: " + part);
    };
    forces({.gravity = {0, kNoNumber, 0}}, "gravity[1]: must be a finite number, is nan");
    forces({.drag = -1}, "drag: must be at least 0, is -1");
    const auto contact = [&](const ContactParams& value, const std::string& part) {
        expect_refusal(world, [&](World& w) { set_contact(w, value); }, "contact: " + part);
    };
    contact({.friction = -1}, "friction: must be at least 0, is -1");
    contact({.sliding_friction = kNoNumber}, "sliding_friction: must be a finite number, is nan");
    contact({.sweeps = 0}, "sweeps: must be between 1 and 1000, is 0");
    contact({.rules = {{}, {.friction = -1}}}, "rules[1].friction: must be at least 0, is -1");
    World copy = world;
    set_contact(copy, {.sliding_friction = -1});
    EXPECT_EQ(copy.contact->sliding_friction, -1) << "the same as the one while they stick";
}

}  // namespace
}  // namespace pliant

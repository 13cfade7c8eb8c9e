// Particles that are bound hard follow exactly: alone, in chains, in contact; circles and conflicts.

#include "glue/pairs.h"
#include "messages.h"
#include "pliant/glue/bound.h"
#include "pliant/glue/project_glue.h"
#include "pliant/glue/schedule.h"
#include "pliant/state/integrate.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pliant {
namespace {

using namespace testing_glue;

RodId add_line(World& world, const Vec3d& from, const Vec3d& to)
{
    Strand strand;
    for (int i = 0; i <= 4; ++i) strand.points.push_back(from + (i / 4.0) * (to - from));
    return add_rod(world, {strand}, {}, "rod");
}

int root_of(const World& world, std::size_t rod) { return world.rods[rod].particles.first; }

/// The particle's own anchor.
Anchor particle(const World& world, int i)
{
    return anchor_on_particles(world.particles, std::vector{i}, world.particles->x[i].cast<double>());
}

/// sum J_i v_i of an anchor on particles.
Vec3d velocity_through(const Anchor& anchor, const Particles& p)
{
    std::vector<Vec3d> rest, x, v;
    std::vector<double> weights;
    for (std::size_t i = 0; i < anchor.parents.size(); ++i) {
        rest.push_back(anchor.rest[i].cast<double>());
        x.push_back(p.x[anchor.parents[i]].cast<double>());
        v.push_back(p.v[anchor.parents[i]].cast<double>());
        weights.push_back(double(anchor.weights[i]));
    }
    const RigidFit<double> fit = fit_rigid<double>(rest, x, weights, anchor.rotation.cast<double>());
    const BoundFrame<double> frame = bound_frame(fit.center, fit.fit, anchor.point);
    Vec3d sum;
    for (std::size_t i = 0; i < v.size(); ++i) sum += jacobian(frame, weights[i], rest[i]) * v[i];
    return sum;
}

void expect_to_follow(const World& world, const std::string& where)
{
    for (const Glue& glue : world.glues) {
        const int bound = bound_particle(glue);
        const Anchor& master = bound_to(glue);
        const Vec3d place = place_of(master, world.time, world.particles, world.rigid_bodies);
        EXPECT_LT((world.particles->x[bound].cast<double>() - place).norm(), 1e-6) << glue.name << where;
        const Vec3d velocity = velocity_through(master, world.particles);
        EXPECT_LT((world.particles->v[bound].cast<double>() - velocity).norm(), 2e-3 * (1 + velocity.norm()))
            << glue.name << where;
    }
}

/// A block with a rod under it, whose root is bound off the block and meets the ground first.
World block_with_rods(int rods)
{
    World world;
    writable(world.settings).substeps = 8;
    writable(world.settings).iterations = 4;
    const SolidId block =
        add_solid(world, fill_with_spacing(make_box({kSize, kSize / 2, kSize / 2}, 4), kSize / 4), {}, "block");
    place_solid(world, block, {.position = {0, 0.5, 0}, .velocity = {0.5, 0, 0}});
    for (int r = 0; r < rods; ++r) {
        const double y = 0.35 - 0.05 * r;
        add_line(world, {0.1 * r, y, 0}, {0.1 * r, y, 0.4});
    }
    add_collider(world, {.name = "ground"});
    add_glue(world, particle(world, root_of(world, 0)),
             anchor_on(world, block, world.particles->x[root_of(world, 0)].cast<double>()), {}, "first");
    for (int r = 1; r < rods; ++r) {
        const Rod::Edge& edge = world.rods[r - 1].edges[0];
        const int first = world.rods[r - 1].particles.first;
        const std::vector<int> parents{first + edge.p0, first + edge.p1, first + edge.ghost};
        const Vec3d at = world.particles->x[root_of(world, r)].cast<double>();
        // The other way round, so that both sides are tried.
        add_glue(world, anchor_on_particles(world.particles, parents, at), particle(world, root_of(world, r)), {},
                 "link " + std::to_string(r));
    }
    return world;
}

TEST(BoundParticle, FollowsItsParentsThroughContact)
{
    World world = block_with_rods(1);
    Solver solver;
    for (int frame = 0; frame < 120; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        expect_to_follow(world, " in frame " + std::to_string(frame));
    }
    EXPECT_LT(center_of_mass(world.particles, world.solids[0].particles).y, 0.3) << "it has come down";
}

TEST(BoundParticle, FollowsThroughAChain)
{
    World world = block_with_rods(3);
    Solver solver;
    for (int frame = 0; frame < 120; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        expect_to_follow(world, " in frame " + std::to_string(frame));
    }
    EXPECT_EQ(make_joints(world.glues, world.particles->size(), world.rigid_bodies->size()).ranks, 3);
}

/// More than are solved as one: what sweeps over them leave is small, and placing takes it away.
TEST(BoundParticle, FollowsInACrowd)
{
    World world = block_with_rods(1);
    constexpr int kCrowd = 40;
    for (int r = 1; r <= kCrowd; ++r) {
        const double angle = r * 0.7, y = 0.5 + 0.005 * r;
        const Vec3d out{std::cos(angle), 0, std::sin(angle)}, from = Vec3d{0, y, 0} + 0.1 * out;
        add_line(world, from, from + 0.3 * out);
        add_glue(world, particle(world, root_of(world, r)), anchor_on(world, world.solids.id_at(0), from), {},
                 "hair " + std::to_string(r));
    }
    Solver solver;
    for (int frame = 0; frame < 40; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        expect_to_follow(world, " in frame " + std::to_string(frame));
    }
}

/// Loose particles: a cloud of five, one bound to it, and one bound to a cloud that the first is part of.
struct Loose {
    Particles p;
    std::vector<Glue> glues{2};

    Loose()
    {
        p.append(9);
        for (int i = 0; i < 9; ++i) {
            const double t = i;
            p.x[i] = Vec3d{0.3 * std::sin(7 * t), 0.3 * std::cos(5 * t), 0.2 * std::sin(3 * t + 1)}.cast<Real>();
            p.v[i] = Vec3d{std::cos(3 * t), std::sin(4 * t), std::cos(t)}.cast<Real>();
            p.inv_mass[i] = 1 / (p.mass[i] = i == 5 || i == 8 ? 30 : Real(0.3));
        }
        bind(0, 5, {0, 1, 2, 3, 4});
        bind(1, 8, {5, 6, 7});
    }
    void bind(int glue, int particle, const std::vector<int>& parents)
    {
        glues[glue].on = true;
        glues[glue].a = anchor_on_particles(p, std::vector{particle}, p.x[particle].cast<double>());
        glues[glue].b = anchor_on_particles(p, parents, p.x[particle].cast<double>());
    }
    Vec3d momentum() const
    {
        Vec3d sum;
        for (int i = 0; i < p.size(); ++i) sum += double(p.mass[i]) * p.v[i].cast<double>();
        return sum;
    }
};

TEST(BoundParticle, HandsItsMomentumOnToRounding)
{
    Loose world;
    RigidBodies none;
    Joints joints = make_joints(world.glues, world.p.size(), 0);
    std::vector<GlueEvent> events;
    Predicted predicted;
    const Vec3d before = world.momentum();
    const Real h = Real(0.01);
    begin_glue(0, h, world.p, none, world.glues, joints, events);
    predict(h, world.p, predicted);
    project_glue(0, joints, world.p, none);
    for (int i = 0; i < 9; ++i) world.p.x[i].y += Real(0.01) * static_cast<Real>(i % 3);  // what others do
    for (int i = 0; i < 9; ++i) predicted.x[i].y += Real(0.01) * static_cast<Real>(i % 3);
    place_bound(joints, world.p, none, predicted);
    update_velocities(h, predicted, world.p);
    match_bound_velocities(h, joints, world.p, none);
    EXPECT_LT((world.momentum() - before).norm(), 1e-5 * before.norm());
    for (const Glue& glue : world.glues) {
        const int bound = bound_particle(glue);
        EXPECT_LT((world.p.x[bound].cast<double>() - place_of(glue.b, 0, world.p, none)).norm(), 1e-6);
        EXPECT_LT((world.p.v[bound].cast<double>() - velocity_through(glue.b, world.p)).norm(), 1e-4);
    }
}

/// Heavy ones on light parents.
TEST(BoundParticle, IsPlacedInACrowdOnLightParents)
{
    constexpr int kParents = 8, kCrowd = 30;
    Particles p;
    p.append(kParents + kCrowd);
    for (int i = 0; i < p.size(); ++i) {
        const double t = i;
        p.x[i] = Vec3d{0.3 * std::sin(7 * t), 0.3 * std::cos(5 * t), 0.2 * std::sin(3 * t + 1)}.cast<Real>();
        p.v[i] = Vec3d{std::cos(3 * t), std::sin(4 * t), std::cos(t)}.cast<Real>();
        p.inv_mass[i] = 1 / (p.mass[i] = i < kParents ? Real(0.1) : 10);
    }
    std::vector<int> parents(kParents);
    std::iota(parents.begin(), parents.end(), 0);
    std::vector<Glue> glues(kCrowd);
    for (int g = 0; g < kCrowd; ++g) {
        const Vec3d at = p.x[kParents + g].cast<double>();
        glues[g].on = true;
        glues[g].a = anchor_on_particles(p, std::vector{kParents + g}, at);
        glues[g].b = anchor_on_particles(p, parents, at);
    }
    RigidBodies none;
    Joints joints = make_joints(glues, p.size(), 0);
    std::vector<GlueEvent> events;
    Predicted predicted;
    begin_glue(0, Real(0.01), p, none, glues, joints, events);
    predict(Real(0.01), p, predicted);
    place_bound(joints, p, none, predicted);
    Vec3d moved;
    for (int i = 0; i < p.size(); ++i) moved += double(p.mass[i]) * (p.x[i] - predicted.x[i]).cast<double>();
    EXPECT_LT(moved.norm(), 1e-5) << "the centre stays, but for what is no motion";
    for (const Glue& glue : glues)
        EXPECT_LT((p.x[bound_particle(glue)].cast<double>() - place_of(glue.b, 0, p, none)).norm(), 1e-6);
}

TEST(BoundParticle, CannotFollowInACircle)
{
    World world;
    add_line(world, {0, 0, 0}, {0.4, 0, 0});
    add_line(world, {0, 0.1, 0}, {0.4, 0.1, 0});
    const auto edge = [&](std::size_t rod) {
        const int first = root_of(world, rod);
        const Rod::Edge& e = world.rods[rod].edges[0];
        return anchor_on_particles(world.particles, std::vector{first + e.p0, first + e.p1, first + e.ghost}, {});
    };
    add_glue(world, particle(world, root_of(world, 0)), edge(1), {}, "there");
    const auto back = [&](const GlueParams& params) {
        return add_glue(world, edge(0), particle(world, root_of(world, 1)), params, "back");
    };
    EXPECT_PRED2(says, message_of([&] { back({}); }), "\"back\": binds particles in a circle with \"there\"");
    EXPECT_PRED2(says, message_of([&] { back({}); }), "give one a stiffness");
    ASSERT_EQ(world.glues.size(), 1u);
    const GlueId soft = back({.stiffness = 100});
    EXPECT_PRED2(says, message_of([&] { set_glue(world, soft, {}); }), "in a circle");
    remove_glue(world, world.glues.id_at(0));
    EXPECT_EQ(message_of([&] { set_glue(world, soft, {}); }), "") << "alone it may be hard";
}

TEST(BoundParticle, RestsBetweenSeveralBindings)
{
    World world;
    writable(world.settings).substeps = 4;
    add_line(world, {0, 0, 0}, {0.4, 0, 0});
    const Vec3d posts[] = {{-0.3, 0, 0}, {0, 0.3, 0}, {0, 0, 0.3}};
    for (const Vec3d& post : posts)
        add_glue(world, particle(world, root_of(world, 0)), anchor_on_motion(post), {}, "post");
    Solver solver;
    const auto root = [&] { return world.particles->x[root_of(world, 0)].cast<double>(); };
    for (int frame = 0; frame < 120; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        if (frame <= 20) continue;  // closing
        EXPECT_LT((root() - Vec3d{-0.1, 0.1, 0.1}).norm(), 1e-3) << frame;
    }
    remove_glue(world, world.glues.id_at(0));
    remove_glue(world, world.glues.id_at(0));
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_LT((root() - posts[2]).norm(), 1e-6) << "the last one has it alone";
}

TEST(BoundParticle, MovesOverToAnotherByKeys)
{
    World world;
    add_line(world, {0, 0, 0}, {0.4, 0, 0});
    GlueParams until, from;
    until.keys = {{.time = 1, .on = false}};
    from.on = false;
    from.keys = {{.time = 1, .on = true}};
    add_glue(world, particle(world, root_of(world, 0)), anchor_on_motion({}), until, "until");
    add_glue(world, particle(world, root_of(world, 0)), anchor_on_motion({0, 0.1, 0}), from, "from");
    Solver solver;
    for (int frame = 0; frame < 120; ++frame) {
        solver.step(world);
        const Vec3d wanted{0, frame < 60 ? 0 : 0.1, 0};
        if (frame >= 58 && frame <= 70) continue;  // on its way
        EXPECT_LT((world.particles->x[root_of(world, 0)].cast<double>() - wanted).norm(), 1e-6) << frame;
    }
}

}  // namespace
}  // namespace pliant

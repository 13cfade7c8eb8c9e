// What touches what where a scene does not say.

#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pliant {
namespace {

Scene read(const std::string& text) { return read_scene_text("{" + text + "}", "test", ".", {}); }

/// Whether two bodies touch, by their names.
bool touch(const World& world, const std::string& a, const std::string& b)
{
    const ContactSurface surface = make_contact_surface(world);
    const auto number = [&](const std::string& name) {
        return static_cast<int>(std::ranges::find(surface.names, name) - surface.names.begin());
    };
    return may_touch(world) && surface.touching && surface.pairing(number(a), number(b)).on;
}

const std::string kFree = R"(
    "solids": [{"name": "soft", "shape": {"kind": "box"}, "position": [0, 9, 0]}],
    "cloths": [{"name": "sheet", "shape": {"cells": [4, 4]}, "position": [0, 6, 0]}],
    "rods": [{"name": "rope", "shape": {"kind": "line", "from": [0, 3, 0], "to": [1, 3, 0], "edges": 4}},
             {"name": "cord", "shape": {"kind": "line", "from": [0, 4, 0], "to": [1, 4, 0], "edges": 4}}],
    "rigids": [{"name": "ball", "shape": {"kind": "sphere"}}])";

TEST(UsualContact, FreeBodiesTouchAndOnlyClothTouchesItself)
{
    const World world = read(kFree).world;
    const std::vector<std::string> all{"soft", "sheet", "rope", "cord", "ball"};
    for (const auto& a : all)
        for (const auto& b : all) EXPECT_EQ(touch(world, a, b), a != b || a == "sheet") << a << " " << b;
}

TEST(UsualContact, NothingTouchesWhereItIsSwitchedOff)
{
    EXPECT_FALSE(may_touch(read(R"("contact": {"on": false}, )" + kFree).world));
}

/// Two arms, each of an upper and a lower part, hang on a bar.
std::string arms(const std::string& bar)
{
    std::string text =
        R"("rigids": [{"name": "bar", "shape": {"kind": "box", "size": [4, 0.1, 0.1]}, "position": [0, 3, 0])" + bar +
        "}";
    std::string glue;
    for (const auto& [name, x] : {std::pair{"left", "-1"}, std::pair{"right", "1"}})
        for (const auto& [part, y, top, to] : {std::tuple{"upper", "2.5", "2.9", std::string("bar")},
                                               std::tuple{"lower", "1.5", "2", std::string(name) + "-upper"}}) {
            const std::string own = std::string(name) + "-" + part;
            text += R"(, {"name": ")" + own + R"(", "shape": {"kind": "box", "size": [0.1, 0.8, 0.1]}, "position": [)" +
                    x + ", " + y + ", 0]}";
            glue += (glue.empty() ? "" : ", ") +
                    (R"({"name": ")" + own + R"(-joint", "a": {"body": ")" + own + R"("}, "b": {"body": ")" + to +
                     R"("}, "at": [)" + x + ", " + top + ", 0]}");
        }
    return text + R"(], "glue": [)" + glue + "]";
}

TEST(UsualContact, WhatHangsTogetherDoesNotTouch)
{
    const World world = read(arms("")).world;
    EXPECT_FALSE(touch(world, "bar", "left-lower"));
    EXPECT_FALSE(touch(world, "left-upper", "left-lower"));
    EXPECT_FALSE(touch(world, "left-lower", "right-lower"));
    EXPECT_FALSE(make_contact_surface(world).touching);
}

TEST(UsualContact, WhatHangsOnAHeldBodyTouchesWhatElseDoes)
{
    const World world = read(arms(R"(, "hold": {})")).world;
    EXPECT_FALSE(touch(world, "bar", "left-upper"));
    EXPECT_FALSE(touch(world, "bar", "left-lower"));
    EXPECT_FALSE(touch(world, "left-upper", "left-lower"));
    EXPECT_TRUE(touch(world, "left-lower", "right-lower"));
}

TEST(UsualContact, StrandsOfOneHeadDoNotTouchEachOther)
{
    const std::string rods = R"(
        "rigids": [{"name": "head", "shape": {"kind": "sphere", "radius": 0.5}, "hold": {}}],
        "rods": [{"name": "a", "shape": {"kind": "line", "from": [0.5, 0, 0], "to": [1, 0, 0], "edges": 4}},
                 {"name": "b", "shape": {"kind": "line", "from": [0, 0.5, 0], "to": [0, 1, 0], "edges": 4}}],
        "glue": [{"name": "root-a", "a": {"body": "a"}, "b": {"body": "head"}, "at": [0.5, 0, 0]},
                 {"name": "root-b", "a": {"body": "b"}, "b": {"body": "head"}, "at": [0, 0.5, 0]}])";
    EXPECT_FALSE(touch(read(rods).world, "a", "b"));
}

TEST(UsualContact, RulesAreAboveIt)
{
    const std::string contact =
        R"("contact": {"rules": [{"between": ["left-lower", "right-lower"]}, {"between": ["left-upper", "left-upper"], "on": false}]}, )";
    const World world = read(contact + arms("")).world;
    EXPECT_TRUE(touch(world, "left-lower", "right-lower"));
    EXPECT_FALSE(touch(world, "left-upper", "right-upper"));
}

/// A box that glue holds to another one until it lets go, above it.
std::string dropped_box(const std::string& contact)
{
    return contact +
           R"("rigids": [{"name": "top", "shape": {"kind": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 1, 0]},
                                   {"name": "base", "shape": {"kind": "box", "size": [1, 0.2, 1]}, "position": [0, 0.1, 0]}],
        "glue": [{"name": "hook", "a": {"body": "top"}, "b": {"body": "base"}, "at": [0, 0.5, 0], "keys": [{"time": 0.2, "on": false}]}],
        "colliders": [{"name": "ground"}])";
}

TEST(UsualContact, BodiesTouchOnceGlueLetsGo)
{
    World world = read(dropped_box("")).world;
    EXPECT_FALSE(touch(world, "top", "base"));
    Solver solver;
    for (int i = 0; i < 90; ++i) solver.step(world);
    EXPECT_TRUE(touch(world, "top", "base"));
    EXPECT_NEAR(static_cast<double>(world.rigid_bodies->pose[0].x.y), 0.3, 2e-3);
}

TEST(UsualContact, AFreshSolverGivesTheSameBits)
{
    World kept = read(dropped_box("")).world, fresh = kept;
    Solver solver;
    for (int i = 0; i < 40; ++i) {
        solver.step(kept);
        Solver().step(fresh);
        ASSERT_EQ(hash_state(kept), hash_state(fresh)) << i;
    }
}

/// What touches nothing else costs and changes nothing.
TEST(UsualContact, LonelyBodiesGoTheWayTheyGoWithoutContact)
{
    const std::string bodies = R"(
        "settings": {"substeps": 5},
        "rods": [{"name": "rope", "shape": {"kind": "line", "from": [0, 3, 0], "to": [1, 3, 0], "edges": 20}, "pins": [{"particles": [0]}]}],
        "rigids": [{"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "position": [1, 3, 0]}],
        "glue": [{"name": "knot", "a": {"body": "rope"}, "b": {"body": "ball"}, "at": [1, 3, 0]}])";
    World usual = read(bodies).world, off = read(R"("contact": {"on": false}, )" + bodies).world;
    Solver a, b;
    for (int i = 0; i < 30; ++i) {
        a.step(usual);
        b.step(off);
        ASSERT_EQ(hash_state(usual), hash_state(off)) << i;
    }
}

TEST(UsualContact, WhatOverlapsAtGlueIsNotCountedBeforeTheFirstStep)
{
    const Scene scene = read(R"(
        "cloths": [{"name": "tag", "shape": {"size": [0.3, 0.3], "cells": [6, 6]}}],
        "rigids": [{"name": "bead", "shape": {"kind": "sphere", "radius": 0.1}}],
        "glue": [{"name": "knot", "a": {"body": "tag"}, "b": {"body": "bead"}, "at": [0, 0, 0]}])");
    Solver solver;
    EXPECT_EQ(solver.count_intersections(scene.world), 0u);
    EXPECT_TRUE(
        std::ranges::none_of(find_warnings(scene), [](const std::string& w) { return w.find("pass") != w.npos; }));
}

}  // namespace
}  // namespace pliant

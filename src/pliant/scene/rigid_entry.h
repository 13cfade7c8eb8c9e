#pragma once
// A rigid body in a scene file.

#include "pliant/rigid/rigid.h"
#include "pliant/scene/array_entry.h"
#include "pliant/scene/shape_entry.h"
#include "pliant/state/motion.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct HoldEntry {
    Motion motion;
    std::optional<double> release;

    static constexpr auto fields()
    {
        using E = HoldEntry;
        return std::tuple{
            Field{"motion", &E::motion, "", "carries the body; without it, it is held in place"},
            Field{"release", &E::release, "s", "when it is let go; without it never", kNonNegative},
        };
    }
};

struct RigidEntry : RigidParams {
    std::string name;
    ShapeEntry shape;
    Vec3d position;
    Vec3d rotation;
    double scale = 1;
    Vec3d velocity;
    Vec3d angular_velocity;
    std::optional<HoldEntry> hold;
    std::optional<ArrayEntry> array;

    static constexpr auto fields()
    {
        using E = RigidEntry;
        const std::tuple own{
            Field{"name", &E::name, "", "for messages, statistics, files and --set"},
            Field{"shape", &E::shape, "",
                  "its surface, box to convex; it is solid inside. Box, sphere, cylinder and capsule touch exactly, "
                  "the others "
                  "with their vertices"},
            Field{"position", &E::position, "m", "where the origin of the shape starts"},
            Field{"rotation", &E::rotation, "deg", "axis times angle, at the start"},
            Field{"scale", &E::scale, "1", "of the shape, for files in other units", kPositive},
            Field{"velocity", &E::velocity, "m/s", "at the start, of the centre of mass"},
            Field{"angular_velocity", &E::angular_velocity, "rad/s", "at the start"},
            Field{"hold", &E::hold, "", "held in place or carried, and not moved by anything else"},
            Field{"array", &E::array, "", "copies in a lattice, named name-0, name-1, ..."},
        };
        return std::tuple_cat(own, RigidParams::fields());
    }
};

}  // namespace pliant

#pragma once
// What a scene file says of a rigid body.

#include "pliant/rigid/rigid.h"
#include "pliant/scene/array_entry.h"
#include "pliant/state/motion.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

enum class RigidShapeKind { box, sphere, cylinder, capsule, torus, mascot, mesh, convex };
constexpr auto enum_names(RigidShapeKind)
{
    return std::array{"box", "sphere", "cylinder", "capsule", "torus", "mascot", "mesh", "convex"};
}

struct RigidShapeEntry {
    RigidShapeKind kind = RigidShapeKind::box;
    Vec3d size{1, 1, 1};
    double radius = 0.5;
    double minor_radius = 0.2;
    double height = 1;
    std::string file;
    std::vector<Vec3d> points;
    std::optional<int> divisions;

    static constexpr auto fields()
    {
        using E = RigidShapeEntry;
        return std::tuple{
            Field{"kind", &E::kind, "",
                  "box, sphere, cylinder and capsule touch exactly; torus, mascot, mesh (a closed surface read from a "
                  "file) and convex (the convex hull of points or of a file) with their vertices"},
            Field{"size", &E::size, "m", "edge lengths of a box", kPositive},
            Field{"radius", &E::radius, "m", "of a sphere, cylinder, capsule or the ring of a torus", kPositive},
            Field{"minor_radius", &E::minor_radius, "m", "of the tube of a torus", kPositive},
            Field{"height", &E::height, "m", "of a cylinder, the straight part of a capsule, or the mascot", kPositive},
            Field{"file", &E::file, "", "mesh to read, relative to the scene file; for convex also points"},
            Field{"points", &E::points, "m", "of a convex body, instead of a file"},
            Field{"divisions", &E::divisions, "1", "how fine a torus or the mascot is", Limits{.low = 1, .high = 512}},
        };
    }
};

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
    RigidShapeEntry shape;
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
            Field{"shape", &E::shape, "", "its surface; it is solid inside"},
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

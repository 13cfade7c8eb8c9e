#pragma once
// The keys of a scene file. The format, its schema and `--set` are made from these tables; the World
// is built from them in scene_build.cpp.

#include "pliant/base/fields.h"
#include "pliant/cloth/cloth.h"
#include "pliant/contact/colliders/colliders.h"
#include "pliant/contact/pairs/surface.h"
#include "pliant/external/forces.h"
#include "pliant/render/look.h"
#include "pliant/report/expect.h"
#include "pliant/rods/rod.h"
#include "pliant/scene/array_entry.h"
#include "pliant/scene/cloth_shape_entry.h"
#include "pliant/scene/glue_entry.h"
#include "pliant/scene/rigid_entry.h"
#include "pliant/scene/rod_shape_entry.h"
#include "pliant/scene/seam_entry.h"
#include "pliant/scene/shape_entry.h"
#include "pliant/scene/track_entry.h"
#include "pliant/solids/solid.h"
#include "pliant/state/motion.h"
#include "pliant/world/settings.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// No scene may have more: it would not fit into the memory of most machines, and is probably a mistake.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // a fuzzer looks for mistakes, not for scenes that are large
inline constexpr int kMostParticles = 2'000, kMostCopies = 100;
#else
inline constexpr int kMostParticles = 50'000'000, kMostCopies = 1'000'000;
#endif

struct PinEntry {
    std::optional<Vec3d> low, high;
    std::optional<Vec3d> at;
    std::vector<int> particles;
    std::string group;
    Motion motion;
    std::optional<double> release;

    static constexpr auto fields()
    {
        using E = PinEntry;
        return std::tuple{
            Field{"low", &E::low, "m", "a corner of the box in the world that catches particles at the start"},
            Field{"high", &E::high, "m", "the opposite corner; both move along with the copies of an array"},
            Field{"at", &E::at, "m", "a point of the world, instead of a box: catches the particle nearest to it"},
            Field{
                "particles", &E::particles, "1",
                "particles of the body, instead of a box: vertices of its file, counted from 0, or points of its shape",
                kNonNegative},
            Field{"group", &E::group, "",
                  "of a body from a file: the vertices of that group or object, instead of a box"},
            Field{"motion", &E::motion, "", "carries the pinned particles; without it they are held in place"},
            Field{"release", &E::release, "s", "when they are let go; without it never", kNonNegative},
        };
    }
};

/// The keys that all bodies share.
struct BodyEntry {
    std::string name;
    Vec3d position;
    Vec3d rotation;
    Vec3d stretch{1, 1, 1};
    double scale = 1;
    Vec3d velocity;
    Vec3d angular_velocity;
    std::vector<PinEntry> pins;
    std::optional<ArrayEntry> array;

    static constexpr auto fields()
    {
        using E = BodyEntry;
        return std::tuple{
            Field{"name", &E::name, "", "for messages, statistics, files and --set"},
            Field{"position", &E::position, "m", "where the origin of the shape starts"},
            Field{"rotation", &E::rotation, "deg", "axis times angle, at the start"},
            Field{"stretch", &E::stretch, "1", "deformation at the start along the shape's own axes"},
            Field{"scale", &E::scale, "1", "of the shape at rest, for files in other units", kPositive},
            Field{"velocity", &E::velocity, "m/s", "at the start"},
            Field{"angular_velocity", &E::angular_velocity, "rad/s", "at the start, about the centre of mass"},
            Field{"pins", &E::pins, "", "particles that are held or carried"},
            Field{"array", &E::array, "", "copies in a lattice, named name-0, name-1, ..."},
        };
    }
};

struct SolidEntry : BodyEntry, SolidParams {
    ShapeEntry shape;
    std::optional<double> mass;
    std::vector<std::vector<int>> clusters;
    std::optional<bool> skin;
    std::optional<ShapeEntry> render;

    static constexpr auto fields()
    {
        using E = SolidEntry;
        const std::tuple own{
            Field{"shape", &E::shape, "", "what it is made of, at rest"},
            Field{"mass", &E::mass, "kg", "of the whole body, instead of density", kPositive},
            Field{"clusters", &E::clusters, "1", "particles of each cluster, with clustering lists", kNonNegative},
            Field{"skin", &E::skin, "",
                  "whether the vertices of the surface of box to convex are particles too, so that bodies touch the "
                  "surface and not balls inside; unless said, where contact.on is true"},
            Field{"render", &E::render, "",
                  "a surface, box to convex, that is carried along and shown instead; inside the shape or outside it"},
        };
        return std::tuple_cat(own, BodyEntry::fields(), SolidParams::fields());
    }
};

/// Files that move a cloth, which nothing else then does.
struct AnimationEntry {
    std::string file;
    std::string clip;
    std::optional<double> rate;
    double start = 0;
    double speed = 1;
    bool loop = false;

    static constexpr auto fields()
    {
        using E = AnimationEntry;
        return std::tuple{
            Field{"file", &E::file, "",
                  ".pc2 or .mdd, .gltf or .glb (joints, morph targets and nodes), or an .obj or .ply for each frame, "
                  "with #### for its number; its points are the vertices of the file of the shape, in order"},
            Field{"clip", &E::clip, "",
                  "which of the animations in a .gltf or .glb, by its name; without it the first"},
            Field{"rate", &E::rate, "1/s",
                  "frames a second of files that do not have times; without it those of the scene", kPositive},
            Field{"start", &E::start, "s", "when the first frame is reached"},
            Field{"speed", &E::speed, "1", "seconds of the file in a second", kPositive},
            Field{"loop", &E::loop, "", "whether the first frame follows upon the last; they are the same place then"},
        };
    }
};

struct ClothEntry : BodyEntry, ClothParams {
    ClothShapeEntry shape;
    std::optional<AnimationEntry> animation;
    std::optional<double> mass;
    double noise = 0;
    int seed = 1;
    std::optional<ShapeEntry> render;

    static constexpr auto fields()
    {
        using E = ClothEntry;
        const std::tuple own{
            Field{"shape", &E::shape, "", "its surface, at rest"},
            Field{"animation", &E::animation, "",
                  "files that move it, as of a character: it gives way to nothing and carries along what touches it; "
                  "needs a shape of the kind mesh"},
            Field{"mass", &E::mass, "kg", "of the whole cloth, instead of areal_density", kPositive},
            Field{"noise", &E::noise, "m",
                  "each vertex that is not pinned starts moved at random by up to this along its normal", kNonNegative},
            Field{"seed", &E::seed, "1", "of the noise", kNonNegative},
            Field{"render", &E::render, "", "a surface, box to convex, that is carried along and shown instead"},
        };
        return std::tuple_cat(own, BodyEntry::fields(), ClothParams::fields());
    }
};

struct ClampEntry {
    RodEnd end = RodEnd::start;
    int strand = 0;
    std::string body;
    Motion motion;
    std::optional<double> release;

    static constexpr auto fields()
    {
        using E = ClampEntry;
        return std::tuple{
            Field{"end", &E::end, "", "which end of the strand: its first or its last point"},
            Field{"strand", &E::strand, "1", "counted from 0 in the order of the shape", kNonNegative},
            Field{"body", &E::body, "", "that the end is welded to; without it the world"},
            Field{"motion", &E::motion, "",
                  "carries and turns the end, in the world; without it, it is held as it starts"},
            Field{"release", &E::release, "s", "when the end is let go; without it never", kNonNegative},
        };
    }
};

/// A clamp that a body carries or that lets go is a weld; it is made when all bodies are there (weld_ends).
inline bool is_weld(const ClampEntry& clamp) { return !clamp.body.empty() || clamp.release; }

struct RodEntry : BodyEntry, RodParams {
    RodShapeEntry shape;
    std::optional<double> mass;
    std::string roots;
    std::vector<ClampEntry> clamps;

    static constexpr auto fields()
    {
        using E = RodEntry;
        const std::tuple own{
            Field{"shape", &E::shape, "", "the course of its strands, at rest unless rest says otherwise"},
            Field{"mass", &E::mass, "kg", "of all strands together, instead of density", kPositive},
            Field{"roots", &E::roots, "",
                  "name of the body that the first edges of all strands are welded to, as of hair on a moving head; "
                  "without it, roots of hair are held in place"},
            Field{"clamps", &E::clamps, "",
                  "ends held with their direction and roll; pins hold points only, and number them strand by strand "
                  "without the ghosts"},
        };
        return std::tuple_cat(own, BodyEntry::fields(), RodParams::fields());
    }
};

struct ColliderEntry : Collider {
    std::optional<ShapeEntry> surface;
    std::optional<double> voxel;
    double scale = 1;
    std::optional<ArrayEntry> array;

    static constexpr auto fields()
    {
        using E = ColliderEntry;
        const std::tuple own{
            Field{"mesh", &E::surface, "", "closed surface of a collider of the shape mesh, box to convex"},
            Field{"voxel", &E::voxel, "m",
                  "how fine the distance to the mesh is known; edges are rounded by about as much; without it 1/64 of "
                  "the longest side",
                  kPositive},
            Field{"scale", &E::scale, "1", "of the mesh, for files in other units", kPositive},
            Field{"array", &E::array, "", "copies in a lattice, named name-0, name-1, ..."},
        };
        return std::tuple_cat(Collider::fields(), own);
    }
};

struct GrabEntry {
    Vec3d at;
    std::optional<Vec3d> target;
    double compliance = 0;

    static constexpr auto fields()
    {
        using E = GrabEntry;
        return std::tuple{
            Field{"at", &E::at, "m", "the nearest particle is taken"},
            Field{"target", &E::target, "m", "where it is pulled; without it, where it was taken"},
            Field{"compliance", &E::compliance, "m/N", "0 holds fast", kNonNegative},
        };
    }
};

struct SceneFile {
    std::string schema;
    std::string about;
    int frames = 240;
    Settings settings;
    Forces forces;
    std::vector<MotionEntry> motions;
    std::vector<Track> tracks;
    std::vector<SolidEntry> solids;
    std::vector<ClothEntry> cloths;
    std::vector<RodEntry> rods;
    std::vector<RigidEntry> rigids;
    std::vector<GlueEntry> glue;
    std::vector<SeamEntry> seams;
    std::vector<ColliderEntry> colliders;
    ContactParams contact;
    std::vector<GrabEntry> grabs;
    std::vector<Expectation> expect;
    std::vector<Look> looks;
    std::vector<CameraKey> camera;

    static constexpr auto fields()
    {
        using F = SceneFile;
        return std::tuple{
            Field{"$schema", &F::schema, "", "where the schema of this format is, for editors"},
            Field{"about", &F::about, "", "one line: what is to be seen"},
            Field{"frames", &F::frames, "1", "length of the run", Limits{.low = 0, .high = 10'000'000}},
            Field{"settings", &F::settings, "", "of the solver"},
            Field{"forces", &F::forces, "", "on every particle and rigid body"},
            Field{"motions", &F::motions, "", "motions with a name, to be used by it as often as wanted"},
            Field{"tracks", &F::tracks, "", "parameters that follow keys: wind, gravity, stiffness, friction, ..."},
            Field{"solids", &F::solids, "", "soft bodies"},
            Field{"cloths", &F::cloths, "", "sheets and shells"},
            Field{"rods", &F::rods, "", "wires, ropes and hair; one entry may hold many strands"},
            Field{"rigids", &F::rigids, "", "bodies that do not bend"},
            Field{"glue", &F::glue, "", "what holds two bodies together, or a body to the world"},
            Field{"seams", &F::seams, "", "rows of glue that sew two borders of cloth together"},
            Field{"colliders", &F::colliders, "", "things that bodies run into and that do not give way"},
            Field{"contact", &F::contact, "", "of the bodies with each other and with themselves"},
            Field{"grabs", &F::grabs, "", "hands that hold or pull a particle"},
            Field{"expect", &F::expect, "", "what the result must be like; checked by --expect and by the tests"},
            Field{"looks", &F::looks, "", "colours and materials in pictures and on pages; no part of the simulation"},
            Field{
                "camera", &F::camera, "",
                "where pictures, videos and pages are seen from, by keys in order of time; without it all is in view"},
        };
    }
};

/// Calls visit(entries, key of the list, default name of a body) for the bodies of all kinds. The builder
/// (scene_build.cpp) has an `add` for each, or the kind brings an `add_entry(entry, path, name, source, world)` of its own.
template <class Visit>
void for_each_body_list(const SceneFile& file, const Visit& visit)
{
    visit(file.solids, "solids", "solid");
    visit(file.cloths, "cloths", "cloth");
    visit(file.rods, "rods", "rod");
    visit(file.rigids, "rigids", "rigid");
}

}  // namespace pliant

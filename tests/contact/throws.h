#pragma once
// Random bodies that fly at each other, or at colliders.

#include "contact/sheets.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace pliant {

/// Which random throws a test makes, and how many: in thousands and with other seeds where the environment says so, as
/// `make torture` does.
struct ThrowPlan {
    unsigned seed;
    int count;

    ThrowPlan(unsigned usual_seed, int usual_count) : seed(usual_seed), count(usual_count)
    {
        if (const char* text = std::getenv("PLIANT_THROWS")) count = std::atoi(text);
        if (const char* text = std::getenv("PLIANT_THROW_SEED")) seed += 1000 * static_cast<unsigned>(std::atoi(text));
    }
};

/// Random bodies that fly at each other.
class Throws {
  public:
    explicit Throws(unsigned seed) : random_(seed) {}

    std::string about;  // the last one

    World make()
    {
        World world;
        writable(world.settings).substeps = static_cast<int>(between(1, 41));
        writable(world.settings).iterations = 1;
        change_contact(world, [&](ContactParams& params) { params.on = true; });
        change_contact(world, [&](ContactParams& params) { params.friction = static_cast<Real>(between(0, 0.8)); });
        writable(world.forces).gravity = {};
        const double size = by_ratio(0.002, 10), speed = by_ratio(1, 300);
        const double apart = 1.2 * size + between(0.2, 2) * speed / 60;
        describe(size, speed, world);
        const Vec3d along = direction();
        add(world, size, {.linear = turned(direction(), between(0, 180)), .velocity = speed * along}, "a");
        const Vec3d beside = between(0, 0.3) * size * direction();
        add(world, size * by_ratio(0.5, 1),
            {.linear = turned(direction(), between(0, 180)),
             .position = apart * along + beside,
             .velocity = (random_() % 2 == 0 ? 0 : -speed) * along},
            "b");
        return world;
    }

    /// Something that flies at a few colliders of some kinds.
    World make_with_colliders(const std::vector<ColliderShape>& kinds)
    {
        World world;
        if (random_() % 3 > 0) writable(world.settings).substeps = static_cast<int>(by_ratio(1, 41));
        set_contact(world, {.on = random_() % 2 == 0, .friction = static_cast<Real>(between(0, 0.8))});
        writable(world.forces).gravity = {};
        const double size = by_ratio(0.001, 10), speed = by_ratio(1, 300);
        const Vec3d along = direction();
        const double apart = 1.3 * size + between(0, 2) * speed / 60;
        describe(size, speed, world);
        add(world, size, {.linear = turned(direction(), between(0, 180)), .velocity = speed * along}, "thrown");
        for (int k = 0; k < 1 + static_cast<int>(random_() % 3); ++k) {
            const double large = size * by_ratio(0.3, 20);
            Collider collider{.name = "collider" + std::to_string(k)};
            collider.shape = kinds[random_() % kinds.size()];
            collider.rotation = between(0, 180) * direction();
            collider.radius = static_cast<Real>(large * by_ratio(0.02, 1));
            collider.height = static_cast<Real>(large);
            for (int axis = 0; axis < 3; ++axis) collider.size[axis] = static_cast<Real>(large * by_ratio(0.02, 1));
            collider.friction = static_cast<Real>(between(0, 1));
            collider.restitution = random_() % 4 == 0 ? Real(0.5) : Real(0);
            collider.position = (apart + (k + 1) * large * 1.8) * along + between(0, 0.5) * size * direction();
            if (collider.shape == ColliderShape::plane) collider.rotation = rotation_vector_to(-along);
            if (collider.shape == ColliderShape::mesh) collider.mesh = make_collider_mesh(random_mesh(large));
            about += std::string(", ") + enum_names(ColliderShape{})[static_cast<std::size_t>(collider.shape)];
            if (random_() % 3 == 0)
                collider.motion.keys = {{}, {.time = 1, .translation = between(0, 20) * size * direction()}};
            add_collider(world, collider);
        }
        return world;
    }

  private:
    void describe(double size, double speed, const World& world)
    {
        about = std::to_string(size) + " m, " + std::to_string(speed) + " m/s, " +
                std::to_string(world.settings->substeps.value_or(0)) + " substeps";
    }
    /// That turns +y to a direction, in degrees.
    static Vec3d rotation_vector_to(const Vec3d& to)
    {
        const Vec3d up{0, 1, 0}, axis = up.cross(to);
        const double degrees = std::acos(std::clamp(up.dot(to), -1., 1.)) * 180 / std::numbers::pi;
        return axis.norm() > 1e-6 ? degrees * axis.normalized() : Vec3d{degrees, 0, 0};
    }
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    double by_ratio(double low, double high) { return low * std::pow(high / low, between(0, 1)); }
    Vec3d direction()
    {
        const Vec3d d{between(-1, 1), between(-1, 1), between(-1, 1)};
        return d.norm() > 0.1 ? d.normalized() : direction();
    }

    /// A ring, an animal, a block or a thin plate.
    SurfaceMesh random_mesh(double size)
    {
        switch (random_() % 4) {
            case 0: return make_torus(0.4 * size, size * by_ratio(0.02, 0.2), 6 + static_cast<int>(random_() % 20));
            case 1: return make_mascot(size, 24);
            case 2: return make_box(size * Vec3d{1, 0.5, 0.7}, 1 + static_cast<int>(random_() % 4));
            default: return make_box(size * Vec3d{1, by_ratio(0.002, 0.05), 1}, 1 + static_cast<int>(random_() % 4));
        }
    }

    /// Of about a size [m] in diameter.
    void add(World& world, double size, const Placement& placement, const char* name)
    {
        const auto kind = random_() % 6;
        about += ", " + std::to_string(kind);
        switch (kind) {
            case 0:
            case 1: {
                const ClothParams params{.thickness = static_cast<Real>(by_ratio(0.001, 0.02) * size)};
                add_sheet(world, 0.7 * size, 3 + static_cast<int>(random_() % 5), placement, params, name);
                break;
            }
            case 2: {
                Strand strand;
                for (int i = 0; i <= 8; ++i) strand.points.emplace_back(size * (i / 8. - 0.5), 0, 0);
                const RodId id = add_rod(
                    world, {strand},
                    {.radius = static_cast<Real>(by_ratio(0.002, 0.02) * size), .youngs_modulus = Real(1e6)}, name);
                place_rod(world, id, placement);
                break;
            }
            case 3: {
                SolidShape shape = fill_with_count(make_box(0.5 * size * Vec3d{1, 1, 1}, 2), 40);
                add_skin(shape, 500);
                place_solid(world, add_solid(world, shape, {.density = 500}, name), placement);
                break;
            }
            case 4:
                place_rigid(world, add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.4 * size}, {}, name),
                            placement);
                break;
            default:
                place_rigid(world,
                            add_rigid(world, {.kind = RigidKind::box, .size = size * Vec3d{0.6, 0.3, 0.5}}, {}, name),
                            placement);
        }
    }

    std::mt19937 random_;
};

/// A sheet, a rod, a solid with a skin and one without, a rigid ball and a rigid box, of about a size [m], beside each other.
inline void add_each_kind(World& world, double size, const Placement& placement)
{
    const auto beside = [&](int k) {
        Placement other = placement;
        other.position += Vec3d{2 * size * (k - 2.5), 0, 0};
        return other;
    };
    add_sheet(world, size, 5, beside(0), {}, "sheet");
    Strand strand;
    for (int i = 0; i <= 8; ++i) strand.points.emplace_back(size * (i / 8. - 0.5), 0, 0);
    place_rod(world, add_rod(world, {strand}, {.radius = static_cast<Real>(0.02 * size)}, "rod"), beside(1));
    SolidShape skinned = fill_with_count(make_box(size * Vec3d{1, 1, 1}, 2), 30);
    place_solid(world, add_solid(world, skinned, {}, "balls"), beside(3));
    add_skin(skinned, 500);
    place_solid(world, add_solid(world, skinned, {}, "skinned"), beside(2));
    place_rigid(world, add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.2 * size}, {}, "ball"), beside(4));
    place_rigid(world, add_rigid(world, {.kind = RigidKind::box, .size = size * Vec3d{0.6, 0.3, 0.5}}, {}, "box"),
                beside(5));
}

}  // namespace pliant

#pragma once
// Rigid bodies: boxes, balls, capsules, cylinders and any closed mesh, of even density or with a given inertia.
//
// The position-based method of [MMCJ20]: predict, let constraints move the pose, take velocities from what they moved.
// What moves and how is in state/rigid_bodies.h and state/mobility.h, contact with colliders in contact/rigid; here is what
// a body is made of.
//
// Different from the paper: free rotation keeps energy and angular momentum exactly [SW91] instead of to first order,
// corrections rather than poses make velocities, and all contacts of a body are solved together in a substep.

#include "pliant/base/fields.h"
#include "pliant/geometry/polygon_mesh.h"
#include "pliant/geometry/rest_surface.h"
#include "pliant/rigid/mass_properties.h"
#include "pliant/state/rigid_bodies.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

using RigidKind = Shape::Kind;  // all but a plane

/// The shape of a body, centred at the origin of its own frame; a mesh is where it is.
struct RigidForm {
    RigidKind kind = RigidKind::box;
    Vec3d size{1, 1, 1};  // box: edge lengths [m]
    double radius = 0.5;  // sphere, capsule, cylinder [m]
    double height = 1;    // capsule: of its straight part; cylinder; both along y [m]
    SurfaceMesh mesh{};
};

struct RigidParams {
    Real density = 1000;
    std::optional<Real> mass{};
    std::optional<Vec3> inertia{};
    std::optional<Real> friction{};
    std::optional<Real> restitution{};
    Real margin = 0;

    static constexpr auto fields()
    {
        using P = RigidParams;
        return std::tuple{
            Field{"density", &P::density, "kg/m^3", "of the material", kPositive},
            Field{"mass", &P::mass, "kg", "of the whole body, instead of density", kPositive},
            Field{"inertia", &P::inertia, "kg m^2",
                  "moments about the axes of the shape through the centre of mass, instead of those of its volume",
                  kPositive},
            Field{"friction", &P::friction, "1", "Coulomb coefficient against colliders, instead of theirs",
                  kNonNegative},
            Field{"restitution", &P::restitution, "1", "against colliders, instead of theirs: 0 no bounce, 1 full",
                  kUnitInterval},
            Field{"margin", &P::margin, "m", "a mesh keeps its vertices this far from colliders", kNonNegative},
        };
    }
};

struct Rigid {
    static constexpr const char* kKind = "rigid body";

    std::string name;
    RigidForm form;
    RigidParams params;
    MassProperties properties;  // in the frame of the form
    /// Its surface for display, in the frame of the body [m].
    std::vector<Vec3> points;
    std::shared_ptr<const std::vector<std::array<int, 3>>> triangles;
    std::shared_ptr<const SurfaceSource> source;  // the mesh in a file that it came from; null for none

    /// The pose of the body when the frame of its form stands as given.
    Pose pose_of(const Mat3d& rotation, const Vec3d& origin) const;
};

/// All of a body but its name. Throws InputError that says what is wrong with the form.
Rigid make_rigid(const RigidForm& form, const RigidParams& params);
/// What it touches colliders with, in the frame of the body.
Shape make_rigid_shape(const RigidForm& form, const Rigid& rigid);

/// Mass, inertia, shape and coefficients of body number `body`; where it is and whether it is held stay.
void set_numbers(const Rigid& rigid, int body, RigidBodies& bodies);

RestSurface rest_surface(const Rigid& rigid);

}  // namespace pliant

#pragma once
// Mass, centre and inertia of bodies of even density, in double and without sampling.

#include "pliant/geometry/mesh.h"

namespace pliant {

struct MassProperties {
    double mass = 0;                 // [kg]
    Vec3d center;                    // of mass, in the frame of the shape [m]
    Vec3d moments;                   // principal moments of inertia about the centre [kg m^2]
    Mat3d axes = Mat3d::identity();  // a proper rotation: its columns are the principal axes, in the shape's frame

    /// The inertia tensor about the centre, in the frame of the shape.
    Mat3d inertia() const { return axes * Mat3d::diagonal(moments) * axes.transposed(); }
};

/// Centred at the origin; axes along y. The axes stay those of the shape, also where they could be any.
MassProperties sphere_mass(double radius, double density);
MassProperties box_mass(const Vec3d& size, double density);
MassProperties cylinder_mass(double radius, double height, double density);
/// `height` is that of the cylinder between the two half spheres.
MassProperties capsule_mass(double radius, double height, double density);

/// Of a closed surface, exactly: the integrals of 1, x and x x^T over the tetrahedra between its triangles and a point.
/// Throws InputError for a mesh that is open, turned inside out or without volume.
MassProperties mesh_mass(const SurfaceMesh& mesh, double density);

/// From a symmetric tensor of inertia about the centre. Throws InputError unless some body could have it: all moments
/// positive, none larger than the sum of the other two.
MassProperties given_mass(double mass, const Vec3d& center, const Mat3d& inertia);

/// The same body of another mass.
MassProperties with_mass(const MassProperties& properties, double mass);

}  // namespace pliant

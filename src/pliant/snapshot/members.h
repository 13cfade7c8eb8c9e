#pragma once
// The members of everything that a snapshot keeps, one line a struct.
//
// A structured binding must name every member, so a struct that gets a new one does not compile here until the name has been
// added to its line: nothing that decides the next frame can be forgotten. Structs with a parameter table
// (base/fields.h) need no line. The names are also what two builds compare to know whether they mean the same by a
// snapshot (layout_of in snapshot/bytes.h).

#include "pliant/geometry/shape_distance.h"
#include "pliant/world/world.h"

#include <tuple>

#define PLIANT_MEMBERS(Type, ...)              \
    inline auto members_of(const Type& object) \
    {                                          \
        const auto& [__VA_ARGS__] = object;    \
        return std::tie(__VA_ARGS__);          \
    }                                          \
    inline auto members_of(Type& object)       \
    {                                          \
        auto& [__VA_ARGS__] = object;          \
        return std::tie(__VA_ARGS__);          \
    }                                          \
    constexpr const char* names_of_members(const Type*) { return #Type "(" #__VA_ARGS__ ")"; }

namespace pliant {

// geometry
PLIANT_MEMBERS(SurfaceMesh, vertices, triangles)
PLIANT_MEMBERS(MeshEdge, a, b, triangle, triangles)
PLIANT_MEMBERS(MeshEdges, edges, of_triangle)
PLIANT_MEMBERS(PolygonFaces, first, corners, uvs, corner_uvs, objects, groups, materials, material_files)
PLIANT_MEMBERS(SurfaceSource, faces, triangles, vertex, loose)
PLIANT_MEMBERS(DistanceField, low, voxel, size, distance)
PLIANT_MEMBERS(HullFaces, normal, first, corner)
PLIANT_MEMBERS(Shape, kind, half, radius, half_height, extent, narrow, mesh)

/// Its tree is made from its surface.
inline auto members_of(const ShapeMesh& m) { return std::tie(m.surface, m.field, m.points, m.normals, m.faces); }
inline auto members_of(ShapeMesh& m) { return std::tie(m.surface, m.field, m.points, m.normals, m.faces); }
constexpr const char* names_of_members(const ShapeMesh*) { return "ShapeMesh(surface, field, points, normals, faces)"; }
/// False if the surface makes no sense.
inline bool complete(ShapeMesh& m)
{
    const auto corners = static_cast<int>(m.surface.vertices.size());
    for (const auto& triangle : m.surface.triangles)
        for (const int p : triangle)
            if (p < 0 || p >= corners) return false;
    if (!m.field.distance.empty()) m.triangles = TriangleTree(m.surface, {});
    return true;
}

/// Its index of names serves only while labels are added.
inline auto members_of(const FaceLabels& labels) { return std::tie(labels.names, labels.of_face); }
inline auto members_of(FaceLabels& labels) { return std::tie(labels.names, labels.of_face); }
constexpr const char* names_of_members(const FaceLabels*) { return "FaceLabels(names, of_face)"; }

// state
PLIANT_MEMBERS(Range, first, count)
PLIANT_MEMBERS(Particles, x, x_low, x_prev, x_prev_low, v, mass, inv_mass, radius)
PLIANT_MEMBERS(Pose, x, q, x_low, q_low)
PLIANT_MEMBERS(RigidBodies, pose, pose_prev, v, w, spin, mass, inv_mass, inertia, inv_inertia, shape, friction,
               restitution, rest_pose, rest_time, asleep)

// shape
PLIANT_MEMBERS(Memberships, first, member, share)
PLIANT_MEMBERS(ClusterRest, center, mass, radius, spread, moment)
PLIANT_MEMBERS(Embedding::Parent, point, blend, weight, arm)
PLIANT_MEMBERS(Embedding, first, parents, offset, triangles, source)

// bodies
PLIANT_MEMBERS(Skin, rest, first, cluster, share, triangles, particle)
PLIANT_MEMBERS(Solid, name, particles, params, revision, rest, mass, memberships, clusters, particle_of_point, spacing,
               extent, skin, tetrahedra, render, source, rotation)
PLIANT_MEMBERS(Cloth, name, particles, params, revision, notes, rest, mesh_edges, mean_edge, triangles, mass, render,
               source)
PLIANT_MEMBERS(RodTip, edge, end, frame, motion)
PLIANT_MEMBERS(Rod::Edge, p0, p1, ghost, length, ghost_distance, thickness)
PLIANT_MEMBERS(Rod::Element, a, b, rest, lbar, bulk)
PLIANT_MEMBERS(Rod, name, particles, params, revision, rest, first_edge, closed, parent_edge, edges, elements, mass,
               longest, branches, tips, middle_velocity, started, rubs, touched, tension)
PLIANT_MEMBERS(RigidForm, kind, size, radius, height, mesh)
PLIANT_MEMBERS(MassProperties, mass, center, moments, axes)
PLIANT_MEMBERS(Rigid, name, form, params, properties, points, triangles, source)

// glue
PLIANT_MEMBERS(Anchor, kind, parents, weights, rest, rotation, oriented, body, motion, point, axes)
PLIANT_MEMBERS(Glue::LastSubstep, acted, h, at, rotation, lambda, turn_lambda)
PLIANT_MEMBERS(Glue, name, params, a, b, arm, length, on, broken, bonded, attached, gap, turn_gap, force, torque, angle,
               work, last)
PLIANT_MEMBERS(GlueEvent, time, kind, glue)

// contact, drivers, forces
PLIANT_MEMBERS(Collider, name, shape, position, rotation, radius, height, size, friction, restitution, motion, mesh)
PLIANT_MEMBERS(ContactFilter, a, b, touch)
PLIANT_MEMBERS(Bond, a, b, points)
PLIANT_MEMBERS(RigidPush, a, b, place, push, hold)
PLIANT_MEMBERS(PinnedSet, particles, rest, motion, release, released, goal, departure, arrival)
PLIANT_MEMBERS(HeldRigid, body, x, rotation, motion, release, released)
PLIANT_MEMBERS(Grab, particle, target, compliance, rigid, arm)
PLIANT_MEMBERS(Drivers, pins, held)
PLIANT_MEMBERS(AppliedForce, particles, acceleration, rigid, force, point)

PLIANT_MEMBERS(KeyedValue, number, is_vector)
PLIANT_MEMBERS(World::Revisions, bodies, glues, contact)
PLIANT_MEMBERS(World, settings, forces, contact, solids, cloths, rods, rigids, glues, colliders, drivers, tracks, grabs,
               contact_filters, applied_forces, time, air_travel, particles, rigid_bodies, rigid_pushes, glue_events,
               bonds, substeps, substep, tangled, revisions)

template <class T>
concept HasMembers = requires(const T& object) { members_of(object); };

}  // namespace pliant

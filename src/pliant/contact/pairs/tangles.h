#pragma once
// Surfaces that pass through each other at the start of a frame are parted over some frames, slowly.
//
//   - Edges that pass through triangles are cut. Where that cuts a part off a body, the smaller part is on the wrong side (global
//     intersection analysis [BWK03]): the ends there are moved back through their triangles.
//   - Where it cuts nothing off, the curve along which the two surfaces meet is made shorter (intersection contour
//     minimisation [VM06]): an edge moves against its triangle by the gradient of the length of that curve,
//
//         g = sum R - 2 (e . R / e . n) n,    R along the curve into each triangle at the edge, e along the edge, n the normal
//
// Pairs of features at such a curve, and those of the rim of a cut-off part, are exempt from contact and guard meanwhile; all others are kept apart as usual.

#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/stars.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

// values of Tangles::near
inline constexpr char kAtCrossing = 1;
inline constexpr char kCutOff = 2;

struct TanglePush {
    std::array<int, 2> edge;  // points; the first is on the wrong side, if one is
    std::array<int, 3> triangle;
    bool cut_off;  // the first end is
    Vec3 way;      // otherwise: of the edge against the triangle, no longer than 1
    Real most;     // in a frame [m]
};

struct Tangles {
    std::vector<char> bodies;  // per body and body: they pass through each other; empty for none
    std::vector<char> near;    // per point: kAtCrossing, or kCutOff for the rim of a part on the wrong side; else 0
    std::vector<TanglePush> pushes;

    bool any() const { return !bodies.empty(); }
};

/// At the start of a frame; `x` are the places of all points [m].
Tangles find_tangles(const ContactSurface& surface, const Particles& particles, std::span<const Crossing> crossings,
                     std::span<const Vec3> x, Stars& stars);

/// Parts them, in a substep of length h of a frame of length dt [s]: as contacts that aim for a speed.
void part_tangles(Real h, Real dt, const ContactSurface& surface, const RigidBodies& rigids, const Tangles& tangles,
                  Particles& particles);

}  // namespace pliant

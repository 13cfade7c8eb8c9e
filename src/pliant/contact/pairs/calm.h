#pragma once
// Calm: a proof that no two features can touch for the rest of a frame, at a small part of the cost of looking for pairs.
//
// All points are taken to go on as they move now, x + t v, up to an allowance, which is checked in every substep. For that
// motion
//
//   - tiles of different bodies, and tiles of one body far from each other, are apart by their boxes;
//   - two tiles next to each other keep an affine map of their rest shape up to residuals e,  x_i = b + A u_i + e_i.  Seen in the
//     space that A spans, two of their features are at least  s |u - u'| - |e| - |e'|  apart, s the smallest singular value
//     of A. If that is positive for the two that are nearest at rest without a common corner, none have met, however
//     much the sheet bends out of its plane (tile_fit.h).
//
// Tiles for which that fails are awake, and so are those around them: among their features pairs are found as usual
// (pairs.h). All others are apart from everything as long as their points keep to the course. Where more than half of all is
// awake, nothing is proven to the end of the frame.

#include "pliant/contact/pairs/tile_gradients.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/state/rigid_bodies.h"

#include <optional>

namespace pliant {

/// What one body is taken to do, and how far it may leave that.
struct BodyCourse {
    Real own = 0;        // of its points, other than all of them together [m]
    Real allowance = 0;  // in all [m]
    Real turn = 0;       // of a rigid body: of its points, for turning [m]
    Pose pose;           // of a rigid body, when it began
    Vec3 v;              // the same [m/s]
    Box box{};           // around all that it may do
    TileMotion whole;
    bool as_one = false;    // its one tile is proof enough that it does not touch itself
    bool in_tiles = false;  // something else may be near: its tiles are looked at
    bool loose = false;     // some of its tiles may touch something
    bool uneven = false;    // some of its tiles are far from an affine map
};

/// How far particles of one body have left their course, by axis.
struct Deviation {
    int body = 0;
    Range range;
    Box all{}, kept{};  // of all points, and of those that are not loose [m]
};

/// Which features something may touch.
enum class Awake { none, some, all };

// values of Calm::state
inline constexpr char kCalmTile = 0;
inline constexpr char kBesideTouching = 1;  // awake, but keeps the course
inline constexpr char kTouchingTile = 2;

struct Calm {
    std::optional<Tiles> tiles;  // of the surface; none: they are made when needed
    Real left = 0;               // of the frame [s]
    int most_proofs = 12;        // in a frame: each costs a part of a substep; 0: pairs are always found
    int proofs = 0;              // tried in this frame
    bool proven = false;
    Awake awake = Awake::all;
    std::vector<char> state;       // per tile
    std::vector<Vec3> loose;       // per particle: 0, or infinite in tiles that may touch something
    Real passed = 0, horizon = 0;  // since the course began, and for how long the proof is [s]
    std::vector<Vec3> x, v;        // per particle: its course [m], [m/s]
    std::vector<BodyCourse> courses;
    // scratch
    std::vector<Deviation> deviations;
    std::vector<TileMotion> motions;  // per tile
    std::vector<RingBound> rings;     // the same
    std::vector<Box> boxes;           // per tile: around all that it may do
    std::vector<Real> slack;          // per tile [m]
    std::vector<char> corner;         // per point: of a feature that is awake
    BoxTree body_tree, tile_tree;
};

struct CalmScene {
    const ContactSurface& surface;
    const Particles& particles;
    const RigidBodies& rigids;
    std::span<const Real> reach;  // per point [m]
};

void begin_calm_frame(Real dt, Calm& calm);
/// Which features may touch something in this substep of length h [s], from the positions before to those now. They stay the
/// same until the next proof; once they are all, to the end of the frame.
Awake find_awake(Real h, const CalmScene& scene, Calm& calm);
/// Whether what has been proven holds for the positions now.
bool keeps_calm(Real h, const CalmScene& scene, Calm& calm);
/// The features of tiles that are awake, and their corners. The rest of `part` is a copy of the surface.
void take_awake(const ContactSurface& surface, Calm& calm, ContactSurface& part);
void end_calm_substep(Real h, Calm& calm);

}  // namespace pliant

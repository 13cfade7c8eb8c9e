#pragma once
// Pairs of a vertex and a triangle, or of two edges, that are near each other (the broad phase); eight of them at a time, a
// pair in each SIMD lane.
//
// Every point has a reference, where it was when its pairs were last found, and a budget: how far it may be from there.
// Two features that were further apart than both reaches and both budgets, each at its own reference, are not within
// reach of each other as long as no point exceeds its budget. Points that would, and they alone, get a new reference, and
// the pairs of their features are found again.
//
// A pair counts once one of its points has used up a certain share of its budget, its key. Pairs are in order of their keys,
// so that a substep in which all points have used up a tenth of their budgets looks at the first few of them only.

#include "pliant/contact/pairs/stars.h"
#include "pliant/contact/pairs/surface.h"
#include "pliant/contact/pairs/tangles.h"
#include "pliant/geometry/slab_tree.h"
#include "pliant/shape/points.h"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace pliant {

enum class PairKind { vertex_triangle, edge_edge };

struct PairBlock {
    IndexLanes point[4];
    Lanes key;
    Lanes distance;           // that the two keep, below 0 in a padding lane [m]
    Lanes friction, sliding;  // Coulomb coefficients
    Lanes inside;             // 1: counts as a contact only where both edges are nearest between their ends
    // in this substep, at the start positions (closest.h)
    Vector3<Lanes> n;
    Lanes w[4];
    Lanes gap;        // of the nearest points [m]
    Lanes clearance;  // along n, between all points of one side and all of the other [m]
};

struct FoundPair {
    int point[4];
    Real key;
    Real distance;
    Real friction, sliding;
    Real inside;
};

inline constexpr int kSixteenths = 16;

// values of PairList::counts
inline constexpr char kCounts = 1;
inline constexpr char kCountsAndTouches = 2;  // until its normals are set
inline constexpr char kCountsTurned = 3;      // its normals have been turned with keyed bodies

struct PairList {
    std::vector<FoundPair> pairs;   // in order of the sixteenth of the budget that their keys are in
    std::vector<PairBlock> blocks;  // size() of them, and some that have been needed before
    std::vector<int> within;        // number of blocks with keys up to k sixteenths, k from 0 to 16
    std::vector<char> counts;       // per block: one of its pairs counts in this substep
    std::vector<int> counting;      // those blocks

    int size() const { return within.empty() ? 0 : within.back(); }
};

/// Where all points are. Positions are relative to an origin near them.
struct PairPoints {
    Vec3 origin;
    Vec3 start_origin;             // of the start positions: all points may have a common motion
    std::vector<Point> start;      // per point, and one behind for padding lanes
    std::vector<Point> now;        // the same
    std::vector<Point> reference;  // the same; w is the budget [m]
    std::vector<Real> used;        // share of the budget
    std::vector<Real> reach;       // 1.1 times the radius [m]
    std::vector<Real> radius;      // for colliders [m]
    std::vector<Real> edge;        // the longest at the point, at rest [m]
    std::vector<char> renewed;     // its reference is new
    std::vector<char> changed;     // its reference has been renewed since all pairs were put in order
    std::vector<char> meshed;      // it is a corner of triangles
    bool prepared = false;         // what does not change while the surface stays the same

    Real budget(int p) const { return reference[p].w; }  // [m]
    /// Its features are looked at: others have no bound to their budgets.
    bool is_awake(int p) const { return budget(p) < std::numeric_limits<Real>::infinity(); }
    /// Resizes for a number of points and one more for padding lanes, and clears all marks.
    void resize(int points);
    /// No point is awake, and none is renewed.
    void forget_references();
};

/// A few hundred features to look up, and the pairs found.
struct PairSearch {
    std::vector<std::array<int, 2>> candidates;
    std::vector<FoundPair> found;
};

/// Pairs that are put in order together.
struct PairPart {
    std::span<const FoundPair> pairs;
    std::span<const char> gone;                 // by point: its pairs are no more; empty for none
    std::array<int, kSixteenths + 1> places{};  // of the next pair of each sixteenth
};

struct Pairs {
    static constexpr int kLists = 4;
    PairList lists[kLists];  // by kind_of: those that were found together, and what was found again since
    PairPoints points;
    // of vertices, edges and triangles:
    SlabTree trees[3];                                  // within their reach and budget
    std::vector<std::array<IndexLanes, 3>> corners[3];  // of rows of eight
    Tangles tangles;                                    // of this frame: pairs near them are exempt
    Stars stars;                                        // made when needed: for features that touch (touching.h)
    // scratch:
    std::vector<PairSearch> searches;
    std::vector<PairPart> parts;
    std::vector<FoundPair> sorted;
};

/// A pair that is within reach.
struct ActivePair {
    PairKind kind;
    int point[4];
    Real w[4];
    Vec3 n;
    Vec3 from;      // sum w_i x_i at the start [m]
    Real distance;  // that the two keep [m]
    Real target;    // that n . sum w_i x_i is to have [m]
    Real inverse;   // 1 / sum w_i^2 / m_i [kg]
    Real friction, sliding;
    int colour = 0;
};

constexpr PairKind kind_of(int list) { return static_cast<PairKind>(list % 2); }

/// The points of a pair in an order of their own.
std::array<int, 4> name_of_pair(PairKind kind, const int p[4]);

/// How near two features may come before contact acts, as a multiple of the distance that they keep.
inline constexpr Real kReach = Real(1.1);

/// Finds the pairs of renewed points, in place of those that they had. For another surface all have to be renewed.
void find_pairs(const ContactSurface& surface, Pairs& pairs);

}  // namespace pliant

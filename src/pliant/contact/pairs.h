#pragma once
// Pairs of a vertex and a triangle, or of two edges, that are near each other; eight of them at a time.
//
// Pairs are found at the start of a frame, and again within it only when something has moved so far that a pair that is
// not in the list could have come near. Every point has a budget b_i for that: while |x_i - x_i(found)| <= b_i, two
// features that were further apart than reach_a + reach_b + b_a + b_b have not come within reach of each other.
//
// The pairs are in order of the share of the budget after which they count, so that a substep that has used up a tenth of
// it looks at the first few of them only.

#include "pliant/contact/surface.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

enum class PairKind { vertex_triangle, edge_edge };

struct PairBlock {
    IndexLanes point[4];
    Lanes distance;           // that the two keep, below 0 for nobody [m]
    Lanes friction, sliding;  // Coulomb coefficients
    // in this substep, at the start positions (closest.h)
    Vector3<Lanes> n;
    Lanes w[4];
    Lanes gap;        // of the nearest points [m]
    Lanes clearance;  // along n, between all points of one side and all of the other [m]
};

struct PairList {
    std::vector<PairBlock> blocks;
    std::vector<int> within;  // blocks that count when so many sixteenths of the budget are used up, 0 to 16
};

/// Where all points are. Positions are relative to an origin near them.
struct PairPoints {
    Vec3 origin;
    std::vector<Point> start;   // per particle, and one behind for nobody
    std::vector<Point> now;
    std::vector<Vec3> found_at;
    std::vector<Real> budget;   // [m]
    std::vector<Real> reach;    // 1.1 times the radius [m]
};

/// A few hundred things to look up, and what was found.
struct PairSearch {
    struct Found {
        int point[4];
        Real key;  // share of the budget after which the pair counts
        Real distance;
        Real friction, sliding;
        bool same_body;
    };
    std::vector<std::array<int, 2>> candidates;
    std::vector<Found> found;
};

struct Pairs {
    PairList lists[2];  // by PairKind
    PairPoints points;
    BoxTree edges, triangles;
    std::vector<PairSearch> searches;
    std::vector<PairSearch::Found> sorted;
};

/// How near two things may come before contact acts, as a multiple of the distance that they keep.
inline constexpr Real kReach = Real(1.1);

/// Finds all pairs at points.start.
void find_pairs(const ContactSurface& surface, Pairs& pairs);

}  // namespace pliant

#pragma once
// The contact surface: the points of all bodies that take part in contact, the edges between them and the triangles. Cloth and
// rigid bodies have all three, a rod points and edges, and the particles of a solid are edges without length: balls.
//
// Points are particles of the world or, numbered behind them, points carried by a rigid body. Edges and triangles are in an
// order in which neighbours are near each other, so that trees over them need no more than refitting.

#include "pliant/contact/contact_params.h"
#include "pliant/state/particles.h"
#include "pliant/state/range.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

struct ContactSurface {
    struct Edge {
        int a, b;  // points; equal for a ball
        int body;
    };
    struct Triangle {
        std::array<int, 3> point;
        int body;
    };
    struct Vertex {
        int point;
        int body;
    };
    struct Pairing {
        bool on = true;
        Real friction = 0, sliding = 0;
    };

    struct Carried {
        int body;    // rigid body of the world
        Vec3 place;  // in its frame [m]
    };

    std::vector<std::string> names;  // per body
    std::vector<Range> ranges;       // the same: the particles that it moves by; none for a rigid body
    int bodies = 0;
    int particles = 0;              // of the world
    std::vector<Carried> carried;   // points from number `particles` on
    std::vector<Pairing> pairings;  // per body and body
    bool all_touch = false;         // none of these is off
    bool touching = false;          // one of them is on, and contact is
    std::vector<char>
        in_islands;             // per body: two of these touch as rigid bodies (contact/rigid), not by their features
    bool only_islands = false;  // all are
    std::vector<Vertex> vertices;  // all points that take part
    std::vector<Edge> edges;
    std::vector<Triangle> triangles;
    std::vector<Vec3> rest;                 // per point: in the rest shape of its body [m]
    std::vector<char> glued;                // per point: takes part in `glue`
    std::vector<std::pair<int, int>> glue;  // names that do not touch each other, sorted, lower first
    /// Bodies that glue may hold together and does not, lower first: what overlaps there comes apart by itself.
    std::vector<std::array<int, 2>> let_go;
    double edge_length = 0;  // mean of the edges, or of the balls' radii [m]

    int points() const { return particles + static_cast<int>(carried.size()); }
    bool is_carried(int point) const { return point >= particles; }
    const Carried& carrier(int point) const { return carried[point - particles]; }
    /// For glue: a particle's number, or one below zero that all points of a rigid body share.
    int glue_name(int point) const { return is_carried(point) ? name_of_rigid(carrier(point).body) : point; }
    static int name_of_rigid(int body) { return -1 - body; }
    bool are_glued(int a, int b) const
    {
        return glued[a] != 0 && glued[b] != 0 &&
               std::ranges::binary_search(glue, std::pair(std::minmax({glue_name(a), glue_name(b)})));
    }

    bool are_glued_rigids(int a, int b) const
    {
        return std::ranges::binary_search(glue, std::pair(std::minmax({name_of_rigid(a), name_of_rigid(b)})));
    }

    bool are_in_islands(int a, int b) const { return !in_islands.empty() && in_islands[a] != 0 && in_islands[b] != 0; }
    const Pairing& pairing(int a, int b) const { return pairings[static_cast<std::size_t>(a) * bodies + b]; }
};

}  // namespace pliant

#pragma once
// Sleeping: rigid bodies that have come to rest are left out of the step. It is decided between frames, from the World alone,
// so that any number of threads, a fresh Solver and a resumed run decide alike.
//
// - A body rests while it stays within a small part of its size of one pose. Where gravity would have moved a free body by
//   much more in the same time, something must be holding it.
// - Bodies that may meet in the next frame, by the boxes around them grown by their motion, form an island. It sleeps once all
//   of it have rested for a while, and nothing else that moves may meet it. It wakes as a whole.
// - Before a frame, everything wakes that something awake or driven may meet in it. What runs into a body that sleeps all the
//   same, since something has sped it up within the frame, finds it in place like a held one, and wakes it with the next.
//
// Bodies that glue holds, that are grabbed, or that lie on something soft do not sleep. Edits wake what they change.

#include "pliant/geometry/mesh.h"
#include "pliant/world/world.h"

#include <utility>
#include <vector>

namespace pliant {

/// Scratch of a Solver.
struct Sleeping {
    struct Node {
        Box3 box;               // [m]
        double margin = 0;      // that it may move in the frame, and a little more [m]
        int body = -1;          // rigid; -1: something else that moves
        bool may_rest = false;  // else all that it may meet is awake
    };
    struct Span {
        double low, high;
        int node;
    };
    std::vector<Node> nodes;
    std::vector<Span> order;
    std::vector<std::pair<int, int>> near;
    std::vector<int> root;          // per node: the lowest of its island
    std::vector<double> fastest;    // per root: the largest margin of its nodes
    std::vector<char> stays_awake;  // per root
    std::vector<char> tied;         // per rigid body: glue or a hand is on it
};

/// Nothing in the world moves, and nothing will by itself: a frame changes the time only.
bool is_at_rest(const World& world, Real dt);

/// Before a frame of dt.
void wake_bodies(Real dt, World& world, Sleeping& scratch);
/// After a frame of dt.
void put_to_sleep(Real dt, World& world, Sleeping& scratch);

int count_asleep(const RigidBodies& bodies);

}  // namespace pliant

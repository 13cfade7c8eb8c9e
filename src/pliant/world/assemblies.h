#pragma once
// Which bodies hang together by glue.

#include "pliant/base/disjoint_sets.h"
#include "pliant/world/world.h"

#include <vector>

namespace pliant {

/// The bodies in the order of for_each_body, which is that of contact surfaces.
struct BodyTable {
    explicit BodyTable(const World& world);

    int size() const { return static_cast<int>(refs.size()); }
    /// The body that an anchor is on; -1 for a motion.
    int of(const Anchor& anchor) const;

    std::vector<BodyRef> refs;
    std::vector<int> first, end;  // per body: its particles
    int rigids = 0;               // the first rigid body
};

/// The bodies that hang together by glue that is on.
DisjointSets connect(const World& world, const BodyTable& bodies);

/// Per pair of bodies of a world that does not say what touches, `size()` rows of as many: whether they do.
///
/// Bodies that hang together do not: they are one thing, whose parts are made to overlap at joints. A body that is held for good is like
/// the world: what is glued to it does not touch it, but does not hang together by it with what else is. Cloth touches itself all
/// the same, and cloth that it is sewn to. Rods touch no other rods of one assembly, over held bodies too: they are strands of one head of hair.
std::vector<char> usual_touching(const World& world, const BodyTable& bodies);

}  // namespace pliant

#pragma once
// Scratch of the direct solve of a group of nets.

#include "pliant/math/lane_parts.h"
#include "pliant/rods/frame.h"
#include "pliant/rods/net.h"
#include "pliant/rods/section.h"

#include <vector>

namespace pliant {

/// Multipliers and the moves that they cause. A holds all lanes of a solve, or four of them; each entry then consists
/// of several A, one after the other.
template <class A>
struct NetSums {
    std::vector<Vector3<A>> lambda;  // per unknown, so far in this substep
    std::vector<Vector3<A>> change;  // of lambda, by this solve
    std::vector<Vector3<A>> moves;   // per node, divided by the square root of its inverse mass
    std::vector<A> rolls;            // per edge: of its ghost along d2, divided likewise

    void resize(const NetPattern& largest, int parts);
};

template <class S>
struct NetScratch {
    struct Node {
        Vector3<S> before, moved;  // position at the start of the substep, and from there to the prediction [m]
        Vector3<S> last;           // kKeptSwing h v, v at the start of the substep
        S w, root;                 // inverse mass and its square root
    };
    std::vector<Node> nodes;
    std::vector<EdgeFrame<S>> frames;    // per edge
    std::vector<S> moved_roll;           // per edge: how far its ghost has moved along d2, less `last`
    std::vector<Matrix3<S>> gradients;   // transposed, and scaled by the square roots of inverse masses
    std::vector<Vector3<S>> rolls;       // the same
    std::vector<Vector3<S>> right;       // per unknown: right-hand side
    std::vector<Vector3<S>> compliance;  // per unknown: alpha/h^2
    std::vector<Matrix3<S>> blocks;      // the Cholesky factor
    std::vector<Vector3<S>> pivots;      // per unknown: inverse square roots of the pivots
    std::vector<Vector3<S>> solution;
    NetSums<S> coarse;
    NetSums<Quad> fine;  // for refinement

    void resize(const NetPattern& largest);
};

/// All eight lanes of a group, or four from `first` on, as S.
template <class S>
struct NetLanes {
    const Rod& rod;
    const DirectNets& nets;
    const RodStiffness& stiffness;
    const DirectNets::Group& group;
    int first;
    NetScratch<S>& at;

    static constexpr int kWidth = sizeof(S) / sizeof(Lane<S>);

    const NetPattern& pattern() const { return nets.patterns[group.pattern]; }
    const NetShape& shape() const { return pattern().shape; }
    int edges() const { return static_cast<int>(shape().edges.size()); }
    int joints() const { return static_cast<int>(shape().joints.size()); }
    const DirectNets::Edge& edge(int e) const { return nets.edges[group.first_edge + e]; }
    const DirectNets::Joint& joint(int j) const { return nets.joints[group.first_joint + j]; }
    const int* particles(int node) const { return nets.nodes[group.first_node + node].data() + first; }
    /// These lanes of eight.
    PLIANT_INLINE auto own(const Lanes& a) const { return part<S>(a, first); }
    PLIANT_INLINE auto own(const Vector3<Lanes>& a) const { return part<S>(a, first); }
};

}  // namespace pliant

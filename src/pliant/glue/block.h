#pragma once
// Joints that hang together, solved as one: a light body between heavy ones, or one particle bound to several things.
// Solved one after the other, each would undo most of what the one before it did.
//
//   (A + diag(c / (s + b))) dlambda = -(s C + b (C - C_start) + c lambda) / (s + b)     A_jk = sum im_p J_jp J_kp^T
//
// A is singular where joints say the same twice (the corners of a weld) or contradict each other. The solution of least
// norm shares out the former and meets in the middle of the latter: that is what becomes of several hard bindings of one
// particle. A is not quite symmetric, since rigid bodies are pushed at the arm of the start of the substep
// (state/mobility.h). The difference counts: a light body between heavy ones makes a hundred of one per cent.

#include "pliant/glue/joint.h"
#include "pliant/shape/colours.h"

#include <algorithm>

namespace pliant {

inline constexpr int kMostBlockJoints = 21;

/// Glues that share so much that they are solved as one: lists of them, in order, each of at least two. Sharing a rigid
/// body counts, or more than a hundredth of the weights. Too many in one list are left out.
std::vector<std::vector<int>> find_blocks(std::span<const Glue> glues);

/// Calls body(block) for all blocks, colour after colour.
template <class Body>
void for_each_block(const Joints& joints, const Body& body)
{
    for_each_group(joints.first_block, 1, [&](int b) { body(joints.blocks[b]); });
}

inline bool is_active(const Joints& joints, const JointBlock& block)
{
    const std::span groups = std::span(joints.groups).subspan(block.first_group, block.groups());
    return std::ranges::any_of(groups, &JointGroup::active);
}

/// Closes all gaps of a block at once.
void project_block(const Joints& joints, const JointBlock& block, Point* points, RigidBodies& bodies,
                   std::span<JointGroup> groups);

/// Takes away the velocity of the particles that follow relative to what they are bound to, with impulses.
void match_velocities(Real h, const Joints& joints, const JointBlock& block, const Point* points, Point* velocities,
                      RigidBodies& bodies, std::span<JointGroup> groups);

}  // namespace pliant

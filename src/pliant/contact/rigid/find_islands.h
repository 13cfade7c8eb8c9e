#pragma once
// Which rigid bodies hang together by contacts and joints, and how each island is solved: directly, or by sweeps.

#include "pliant/contact/rigid/islands.h"

namespace pliant {

/// From the manifolds and joints of a substep. What is slower than `slow` [m/s] is nearly at rest. Factors are kept while the same
/// bodies touch.
void find_islands(const RigidBodies& bodies, Real slow, Islands& islands);

}  // namespace pliant

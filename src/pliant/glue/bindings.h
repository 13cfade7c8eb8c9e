#pragma once
// Which particles are bound hard by glue (bound.h), and by which glues.

#include "pliant/glue/glue.h"

#include <span>
#include <unordered_map>
#include <vector>

namespace pliant {

/// The particle that a glue binds, or -1. Of two single particles the first follows the second.
int bound_particle(const Glue& glue);
/// What it follows.
const Anchor& bound_to(const Glue& glue);

/// Which glues bind which particles.
class Bindings {
  public:
    explicit Bindings(std::span<const Glue> glues);

    /// The glues that bind a particle, in order.
    std::span<const int> of(int particle) const;

    /// Per glue: 0 if it binds nothing, 1 if its parents are free, 2 if some are bound by glues of rank 1, ...
    std::vector<int> ranks(std::span<const Glue> glues) const;

  private:
    std::unordered_map<int, std::vector<int>> glues_of_;
};

/// Numbers of glues that would make a circle with one more: each binds a particle that the one before it follows, and the
/// last follows the new one's. Empty if there is none. `without` is left out.
std::vector<int> find_circle(std::span<const Glue> glues, const Glue& fresh, int without = -1);

}  // namespace pliant

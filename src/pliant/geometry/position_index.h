#pragma once
// Numbers positions, so that equal ones are found.

#include "pliant/math/types.h"

#include <cstddef>
#include <functional>
#include <unordered_map>

namespace pliant {

class PositionIndex {
  public:
    /// The number that this position was given before, or `number`, which it has from now on. -0 and 0 are equal.
    int find_or_add(const Vec3d& position, int number)
    {
        return numbers_.try_emplace(position + Vec3d{}, number).first->second;
    }

  private:
    struct Hash {
        std::size_t operator()(const Vec3d& p) const
        {
            std::size_t h = std::hash<double>()(p.x);
            h = h * 0x9e3779b97f4a7c15u + std::hash<double>()(p.y);
            return h * 0x9e3779b97f4a7c15u + std::hash<double>()(p.z);
        }
    };
    std::unordered_map<Vec3d, int, Hash> numbers_;  // never iterated: the caller's order decides
};

}  // namespace pliant

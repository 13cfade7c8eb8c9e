#pragma once
// Why a body may have become non-finite: from what there is around it, since what led there is lost.

#include "pliant/world/world.h"

#include <string>

namespace pliant {

/// One sentence with the likely cause and one with the remedy.
std::string likely_cause(const World& world, const Cloth& cloth);
std::string likely_cause(const World& world, const Solid& solid);
std::string likely_cause(const World& world, const Rod& rod);
std::string likely_cause_of_rigid(const World& world, int rigid);

}  // namespace pliant

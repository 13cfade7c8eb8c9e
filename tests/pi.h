#pragma once

#include <numbers>

namespace pliant {

inline constexpr double kPi = std::numbers::pi;

}  // namespace pliant

#pragma once

#include "pliant/rods/net.h"
#include "pliant/rods/rod.h"

#include <span>
#include <vector>

namespace pliant {

/// A connected part of a rod.
struct Net {
    std::vector<int> edges, joints;  // edges and elements of the rod
};
std::vector<Net> find_nets(const Rod& rod);

/// Whether all constraints of a strand are solved as one system.
bool is_solved_directly(const Rod& rod);

/// The nets of a rod in groups of eight: strands of about the same length, rings and trees of the same shape. To be
/// rebuilt when ends are clamped or released. Nets with an edge that is marked in `elsewhere` are left out.
DirectNets make_direct_nets(const Rod& rod, std::span<const char> elsewhere = {});

}  // namespace pliant

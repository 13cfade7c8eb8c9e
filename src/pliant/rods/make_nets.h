#pragma once

#include "pliant/rods/net.h"
#include "pliant/rods/rod.h"

namespace pliant {

/// The nets of a rod by eight: strands of about the same length, rings and trees of the same shape. To be made again when
/// ends are clamped or freed.
DirectNets make_direct_nets(const Rod& rod);

}  // namespace pliant

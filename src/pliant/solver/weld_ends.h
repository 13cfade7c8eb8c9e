#pragma once
// Welds at the ends of rods. A weld holds the frame of the last edge, which is that of its middle, half an edge away from the
// place that is welded. That half bends and twists too, as that of a clamped end does (rods/tip.h): held fast, the edge would be
// a stake that can only be crushed where the hair of a head meets the ground.

#include "pliant/glue/joint.h"
#include "pliant/world/world.h"

namespace pliant {

/// Sets how far each weld gives (Joint::turn_give).
void find_weld_ends(const World& world, Joints& joints);

}  // namespace pliant

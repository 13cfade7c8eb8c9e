#pragma once
// For writers that keep frames in memory, and have to keep them through a checkpoint.

#include "pliant/render/frame.h"
#include "pliant/snapshot/members.h"

namespace pliant {

PLIANT_MEMBERS(Paint, pattern, accent, repeat, place)
PLIANT_MEMBERS(Layer, name, points, triangles, radius, scenery, faces, color, shown, paint)
PLIANT_MEMBERS(Frame, number, time, layers, contacts, substeps)

}  // namespace pliant

#pragma once
// Display of rods: tubes around their strands, rotated with the frames of the edges, so that twist is visible.

#include "pliant/render/frame.h"
#include "pliant/rods/rod.h"
#include "pliant/state/particles.h"

namespace pliant {

/// Corners of the section of a tube: four of a rectangle; six of a circle, or three when there are very many strands.
int tube_sides(const Rod& rod);

/// One ring of vertices per point, strand by strand, as update_tubes makes them; ends are capped.
Triangles make_tube_triangles(const Rod& rod);

void update_tubes(const Rod& rod, const Particles& particles, std::vector<Vec3>& vertices);

}  // namespace pliant

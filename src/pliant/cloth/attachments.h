#pragma once
// Long-range attachments: no vertex is further from a pin than the way along the rest surface. What hangs from
// pins takes its length from them at once, where edges and fibres would need as many passes as there are edges.

#include "pliant/geometry/mesh.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

struct Attachments {
    struct Group {  // eight vertices with the two nearest pins of each
        IndexLanes vertex;
        IndexLanes a, b;
        Lanes length_a, length_b;  // along the rest surface [m]
    };
    std::vector<Group> groups;
};

/// The vertices without inverse mass.
std::vector<int> find_pins(std::span<const Real> inv_mass);

Attachments make_attachments(const SurfaceMesh& rest, std::span<const int> pins);

/// Brings each vertex back within reach of both its pins, x = (P_a P_b x + P_b P_a x) / 2: either order alone strains
/// the line in the middle. Pins that are further apart than the cloth reaches lengthen it evenly.
void project_attachments(const Attachments& attachments, std::span<Point> points);

}  // namespace pliant

#pragma once
// Long-range attachments: no vertex is further from a pin than their geodesic distance on the rest surface. Cloth that
// hangs from pins gets its length in one pass; edges and fibres would need as many passes as there are edges.

#include "pliant/geometry/mesh.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

struct Attachments {
    struct Group {  // eight vertices with the two nearest pins of each
        IndexLanes vertex;
        IndexLanes a, b;
        Lanes length_a, length_b;  // geodesic distance at rest [m]
    };
    std::vector<Group> groups;
};

/// The vertices whose inverse mass is zero.
std::vector<int> find_pins(std::span<const Real> inv_mass);

Attachments make_attachments(const SurfaceMesh& rest, std::span<const int> pins);

/// Brings each vertex back within reach of both its pins, x = (P_a P_b x + P_b P_a x) / 2. Both orders are averaged
/// because either one alone strains the middle between two pins. Where the pins are further apart than the cloth
/// reaches, both reaches are scaled up alike, so that it stretches evenly.
void project_attachments(const Attachments& attachments, std::span<Point> points);

}  // namespace pliant

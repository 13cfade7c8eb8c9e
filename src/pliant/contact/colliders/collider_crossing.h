#pragma once

namespace pliant {

/// A feature that overlaps a collider, or a rigid body that does.
struct ColliderCrossing {
    int collider;
    int body;      // of the surface, or of the rigid bodies if it is one of those as a whole
    int point[3];  // of the surface; all -1 for a rigid body
};

}  // namespace pliant

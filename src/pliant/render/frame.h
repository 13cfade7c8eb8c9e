#pragma once
// The output of a frame: named layers of points, with triangles where there is a surface.

#include "pliant/geometry/polygon_mesh.h"
#include "pliant/world/world.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace pliant {

using Triangles = std::vector<std::array<int, 3>>;

struct Layer {
    std::string name;                            // of the body
    std::vector<Vec3> points;                    // [m]
    std::shared_ptr<const Triangles> triangles;  // indices into points; null or empty for a bare point cloud
    double radius = 0;                           // of a point of a bare cloud, for display [m]
    bool scenery = false;                        // a collider's surface rather than a simulated body
    /// Of a body from a file: its polygons with UVs, groups and materials; its vertices are the points. Null otherwise.
    std::shared_ptr<const PolygonFaces> faces{};
};

struct Frame {
    int number = 0;   // 0 is the initial state
    double time = 0;  // [s]
    std::vector<Layer> layers;
};

/// Fills the layers of a frame: a body with an embedded mesh gives that; a solid with a skin gives its surface, another
/// its particles; a cloth gives its triangles; rods are tubes; rigid bodies are surfaces; colliders are scenery.
/// A body whose surface is from a file has the vertices of
/// the file as points; those that no face uses stay where the body started, on a rigid body they move along.
/// Pass the same Frame every time: data that does not change is kept.
void update_frame(const World& world, int number, Frame& frame);

}  // namespace pliant

#pragma once
// The output of a frame: named layers of points, with triangles where there is a surface.

#include "pliant/geometry/polygon_mesh.h"
#include "pliant/render/paint.h"
#include "pliant/world/world.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
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
    std::optional<std::uint32_t> color{};  // 0xRRGGBB; without it one of a palette
    bool shown = true;                     // in pictures
    std::shared_ptr<const Paint> paint{};  // a pattern; null for none
};

struct Frame {
    int number = 0;   // 0 is the initial state
    double time = 0;  // [s]
    std::vector<Layer> layers;
    int contacts = 0, substeps = 0;  // of the step before, for graphs
};

/// Fills the layers of a frame. A body with an embedded mesh is shown by that mesh; a solid by its skin, or by its
/// particles if it has none; a cloth by its triangles; rods as tubes; rigid bodies by their surfaces; colliders are
/// scenery. A body whose surface is from a file has the vertices of the file as points; those that no face uses stay
/// where the body started, or move with it if it is rigid. Pass the same Frame every time: data that does not change is
/// reused.
void update_frame(const World& world, int number, Frame& frame);

}  // namespace pliant

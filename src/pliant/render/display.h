#pragma once
// What a page needs of a body beside the positions of its layer: rods as lines, normals, texture coordinates, numbers for
// colours. The live page and the recorded one are drawn from the same.

#include "pliant/render/frame.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace pliant {

enum class RodDisplay { tubes, lines };

/// Of a body, or of a collider: what does not change while it moves.
struct DisplayLayer {
    std::string name;
    const char* kind = "";  // solid, cloth, rod, rigid or collider
    bool scenery = false;
    bool ground = false;                    // a plane, which has no end
    const char* primitive = "triangles";    // or lines, or points
    double radius = 0;                      // of points or lines [m]
    bool sharp = false;                     // faces meet at edges that should be seen
    std::vector<std::uint32_t> indices;     // three a triangle, two a line
    std::vector<std::array<float, 2>> uvs;  // per vertex: along warp and weft [m]; around [turns] and along [m] a rod
    std::vector<std::uint32_t> strands;     // per vertex of a rod
    std::size_t vertices = 0;
};

/// One for each layer of a frame of this world, which update_frame has filled.
std::vector<DisplayLayer> make_display(const World& world, const Frame& frame, RodDisplay rods);

/// The positions of a layer now. A rod as lines has those of its points, strand by strand.
const std::vector<Vec3>& display_points(const World& world, const Frame& frame, int layer, RodDisplay rods,
                                        std::vector<Vec3>& scratch);

/// Where a rigid body or a collider stands. Its surface does not bend: these six numbers move all of it.
struct DisplayPose {
    Mat3d rotation = Mat3d::identity();
    Vec3d position;  // of the origin of its frame [m]
};
/// None for what bends.
std::optional<DisplayPose> display_pose(const World& world, int layer);
/// Whether a layer can move at all: not a collider without keys.
bool can_move(const World& world, int layer);

/// Unit normals of vertices, weighted by area.
std::vector<Vec3> vertex_normals(const std::vector<Vec3>& points, const std::vector<std::uint32_t>& triangles);

enum class VertexField { strain, speed };
constexpr auto enum_names(VertexField) { return std::array{"strain", "speed"}; }

/// Per vertex the particle of the world that is nearest now; empty for rigid bodies and colliders.
std::vector<int> nearest_particles(const World& world, int layer, const std::vector<Vec3>& points);

/// A number for every particle of the world.
std::vector<float> particle_field(const World& world, VertexField field);

}  // namespace pliant

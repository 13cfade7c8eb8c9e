#pragma once
// A frame as drawable primitives: triangles and balls with a material each, ready for any projection. Surfaces are
// numbered faces first, then balls; that number is the id in a DepthBuffer.

#include "pliant/math/types.h"
#include "pliant/render/frame.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pliant {

using Color = Vector3<float>;  // linear light, 1 is white

/// From the usual 0xRRGGBB.
Color from_srgb(std::uint32_t hex);

struct Material {
    enum class Kind { kBody, kScenery, kGround } kind;
    Color albedo;  // not used for the ground
    Pattern pattern = Pattern::none;
    Color accent{};     // of the pattern
    double repeat = 1;  // [m]
};

struct Drawing {
    struct Face {
        std::array<int, 3> corners;  // indices into points
        Vec3d normal;                // unit length
        int material;
    };
    struct Ball {
        Vec3d center;
        double radius;
        int material;
    };

    std::vector<Vec3d> points;                 // [m]
    std::vector<Vec3d> normals;                // per point, unit length or zero, smooth over its faces
    std::vector<std::array<float, 2>> places;  // per point: on a material with a pattern [m]
    std::vector<Face> faces;
    std::vector<Ball> balls;
    std::vector<Material> materials;  // per layer of the frame

    int face_count() const { return static_cast<int>(faces.size()); }
    int surface_count() const { return static_cast<int>(faces.size() + balls.size()); }
    int material(int id) const { return id < face_count() ? faces[id].material : balls[id - face_count()].material; }
};

/// Omits points that are not finite or farther than `reach` from `center`, triangles with such a point and triangles of
/// zero area. `point_radius` is for point clouds without a radius of their own.
Drawing make_drawing(const Frame& frame, const Vec3d& center, double reach, double point_radius);

}  // namespace pliant

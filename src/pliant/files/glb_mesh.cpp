#include "pliant/files/glb_mesh.h"

#include "pliant/geometry/mesh.h"

#include <algorithm>
#include <map>
#include <utility>

namespace pliant {

GlbMesh::GlbMesh(const SpooledBody& body) : body_(&body)
{
    const Layer& layer = body.layer;
    if (layer.triangles && layer.faces && !layer.faces->uvs.empty()) split_at_uvs(*layer.faces, *layer.triangles);
    if (!point_.empty()) return;
    for (std::size_t i = 0; i < body.points; ++i) point_.push_back(static_cast<int>(i));
    if (layer.triangles)
        for (const auto& triangle : *layer.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
}

/// The triangles of a polygon of n corners are n - 2, one after the other in the order of the polygons.
void GlbMesh::split_at_uvs(const PolygonFaces& faces, const Triangles& triangles)
{
    if (faces.corners.size() != triangles.size() + 2 * static_cast<std::size_t>(faces.size())) return;
    std::map<std::pair<int, int>, int> vertices;  // of point and uv
    std::size_t next = 0;
    for (int i = 0; i < faces.size(); ++i) {
        const std::span<const int> points = faces.face(i), of_corners = faces.face_uvs(i);
        for (const std::size_t end = next + points.size() - 2; next < end; ++next) {
            for (const int point : triangles[next]) {
                const auto corner = std::ranges::find(points, point);
                const int uv =
                    corner == points.end() ? -1 : of_corners[static_cast<std::size_t>(corner - points.begin())];
                const auto [vertex, is_new] = vertices.emplace(std::pair(point, uv), static_cast<int>(point_.size()));
                corners.push_back(vertex->second);
                if (!is_new) continue;
                point_.push_back(point);
                const std::array<double, 2> at =
                    uv < 0 ? std::array<double, 2>{} : faces.uvs[static_cast<std::size_t>(uv)];
                uvs.push_back({static_cast<float>(at[0]), static_cast<float>(1 - at[1])});
            }
        }
    }
}

std::vector<Float3> GlbMesh::points(int frame) const
{
    const std::vector<Float3> all = body_->frame(frame);
    std::vector<Float3> list;
    list.reserve(point_.size());
    for (const int point : point_) list.push_back(all[static_cast<std::size_t>(point)]);
    return list;
}

std::vector<Float3> GlbMesh::normals(const std::vector<Float3>& points) const
{
    if (corners.empty()) return {};
    // Summed up per point of the body, so that there is no seam where a point is there twice.
    std::vector<Vec3d> places(body_->points);
    for (std::size_t i = 0; i < points.size(); ++i)
        places[static_cast<std::size_t>(point_[i])] = points[i].cast<double>();
    const std::vector<Vec3d> all = vertex_normals(places, *body_->layer.triangles);
    std::vector<Float3> list;
    list.reserve(points.size());
    for (const int point : point_) {
        const Vec3d& n = all[static_cast<std::size_t>(point)];
        list.push_back(n.squared_norm() == 0 ? Float3{0, 1, 0} : n.cast<float>());
    }
    return list;
}

}  // namespace pliant

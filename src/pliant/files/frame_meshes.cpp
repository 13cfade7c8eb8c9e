#include "pliant/files/frame_meshes.h"

#include "pliant/base/check.h"
#include "pliant/geometry/mesh.h"

#include <fmt/format.h>

#include <set>

namespace pliant {

namespace {

std::string safe_name(const std::string& name, std::set<std::string>& taken)
{
    std::string safe;
    for (const char c : name) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        safe += fine ? c : '_';
    }
    if (safe.empty()) safe = "body";
    std::string unique = safe;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", safe, i);
    return unique;
}

std::vector<Float3> normals_of(const Layer& layer, const WriterOptions& options)
{
    if (!layer.triangles || layer.triangles->empty()) return {};
    std::vector<Vec3d> points;
    points.reserve(layer.points.size());
    for (const Vec3& p : layer.points) points.push_back(p.cast<double>());
    std::vector<Float3> normals;
    normals.reserve(points.size());
    for (const Vec3d& n : vertex_normals(points, *layer.triangles)) {
        const bool loose = n.squared_norm() == 0;  // no face uses it
        normals.push_back(options.turn(loose ? Float3{0, 1, 0} : n.cast<float>()));
    }
    return normals;
}

}  // namespace

void FrameMeshes::fit_to(const Frame& frame)
{
    std::size_t count = 0;
    std::set<std::string> taken;
    for (const Layer& layer : frame.layers) {
        if (layer.scenery) continue;
        if (!started_) {
            meshes_.emplace_back().name = safe_name(layer.name, taken);
            meshes_.back().points.resize(layer.points.size());
        }
        if (count >= meshes_.size() || meshes_[count].points.size() != layer.points.size())
            throw FileError(
                fmt::format("cannot write '{}': body \"{}\" is new in frame {}, or has another number of points; "
                            "use a sequence of .ply or .obj files for that",
                            path_, layer.name, frame.number));
        meshes_[count++].layer = &layer;
    }
    if (count != meshes_.size())
        throw FileError(
            fmt::format("cannot write '{}': a body is gone in frame {}; use a sequence of .ply or .obj files "
                        "for that",
                        path_, frame.number));
}

std::span<const BodyMesh> FrameMeshes::update(const Frame& frame)
{
    fit_to(frame);
    const auto rate = static_cast<float>(options_.rate());
    for (BodyMesh& mesh : meshes_) {
        mesh.velocities.resize(mesh.points.size());
        for (std::size_t i = 0; i < mesh.points.size(); ++i) {
            const Float3 now = options_.convert(mesh.layer->points[i]);
            mesh.velocities[i] = started_ ? rate * (now - mesh.points[i]) : Float3{};
            mesh.points[i] = now;
        }
        mesh.normals = normals_of(*mesh.layer, options_);
    }
    started_ = true;
    return meshes_;
}

FaceList faces_of(const Layer& layer)
{
    FaceList list;
    if (layer.faces) {
        for (int i = 0; i < layer.faces->size(); ++i) {
            const std::span<const int> corners = layer.faces->face(i);
            list.counts.push_back(static_cast<int>(corners.size()));
            list.corners.insert(list.corners.end(), corners.begin(), corners.end());
        }
    } else if (layer.triangles) {
        for (const auto& triangle : *layer.triangles) {
            list.counts.push_back(3);
            list.corners.insert(list.corners.end(), triangle.begin(), triangle.end());
        }
    }
    return list;
}

}  // namespace pliant

#pragma once
// A mesh as its file has it, and the triangles that are simulated of it.
//
// A mesh in a file has polygons, UVs, groups and materials, and may have several vertices at one position (glTF splits them at
// UV seams) or vertices that no face uses. A simulation wants triangles whose neighbours share vertices. join_vertices makes
// the second from the first, and SurfaceSource remembers which vertex became which, so that what is written has the
// vertices and the faces of the file.

#include "pliant/geometry/mesh.h"

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// Names of faces.
struct FaceLabels {
    std::vector<std::string> names;
    std::vector<int> of_face;  // per face: index into names, -1 for none

    /// The index of a name, which is added if it is new.
    int index_of(std::string_view name);

  private:
    std::map<std::string, int, std::less<>> index_;
};

/// The faces of a mesh with UVs, objects, groups and materials.
struct PolygonFaces {
    std::vector<int> first{0};               // per face: its first corner; and one past the end
    std::vector<int> corners;                // vertices, counter-clockwise seen from outside
    std::vector<std::array<double, 2>> uvs;  // texture coordinates, v upwards
    std::vector<int> corner_uvs;             // per corner: index into uvs, -1 for none
    FaceLabels objects, groups, materials;   // a group may be several names, separated by blanks, as in an .obj
    std::vector<std::string> material_files;

    int size() const { return static_cast<int>(first.size()) - 1; }
    std::span<const int> face(int i) const { return of_face(corners, i); }
    std::span<const int> face_uvs(int i) const { return of_face(corner_uvs, i); }

    /// Adds a face without UVs, or with as many as corners; labels are indices into the names, -1 for none.
    void add(std::span<const int> face_corners, std::span<const int> uvs_of_corners, int object, int group,
             int material);

  private:
    std::span<const int> of_face(const std::vector<int>& values, int i) const
    {
        const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(i)]);
        return std::span(values).subspan(begin,
                                         static_cast<std::size_t>(first[static_cast<std::size_t>(i) + 1]) - begin);
    }
};

struct PolygonMesh {
    std::vector<Vec3d> vertices;  // [m], in the order of the file
    PolygonFaces faces;
};

/// Where a simulated surface came from.
struct SurfaceSource {
    std::shared_ptr<const PolygonFaces> faces;
    std::shared_ptr<const std::vector<std::array<int, 3>>> triangles;  // of vertices of the file, for display
    std::vector<int> vertex;  // per vertex of the file: that of the simulated surface, -1 if loose: no triangle uses it
    std::vector<Vec3d> loose;  // places of the loose ones in order [m]
};

struct JoinedSurface {
    SurfaceMesh mesh;
    std::shared_ptr<const SurfaceSource> source;
};

/// The triangles of a mesh. Vertices at exactly the same position become one, in the order of the file; triangles with a
/// repeated corner are dropped. Those that are merely thin stay: without them the surface would have a slit.
JoinedSurface join_vertices(PolygonMesh mesh);

/// A surface from a file with its loose vertices moved by p -> linear * p + position; null stays null.
std::shared_ptr<const SurfaceSource> move_loose(std::shared_ptr<const SurfaceSource> source, const Mat3d& linear,
                                                const Vec3d& position);

/// The names of all groups and objects.
std::vector<std::string> group_names(const PolygonFaces& faces);

/// Vertices of the file at the faces of a group or object, in increasing order; none if there is no such group.
std::vector<int> group_vertices(const PolygonFaces& faces, std::string_view name);

}  // namespace pliant

#include "pliant/files/mesh_files.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/patch.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/scene/shape_in_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace pliant {

namespace {

using ClothShapeRef = const ClothShapeEntry&;

double count_rectangle(ClothShapeRef e, int) { return (e.cells[0] + 1.0) * (e.cells[1] + 1.0); }
double count_disc(ClothShapeRef, int n) { return 1 + 3.0 * n * (n + 1.0); }
double count_sphere(ClothShapeRef, int n) { return 6.0 * n * n + 2; }
double count_tube(ClothShapeRef e, int n)
{
    const double bands = e.height * n / (std::numbers::sqrt3 * std::numbers::pi * e.radius);
    return n * (std::clamp(bands + 0.5, 1.0, 1.0 * kMostCells) + 1);
}

/// What each kind of surface reads of its entry.
struct ClothRule {
    ClothShapeKind kind;
    std::array<const char*, 4> keys;  // beside kind
    int divisions;                    // unless told otherwise
    double (*count)(ClothShapeRef, int divisions);
    SurfaceMesh (*make)(ClothShapeRef, int divisions);

    bool reads(const std::string& key) const
    {
        return std::any_of(keys.begin(), keys.end(), [&](const char* k) { return key == k; });
    }
    /// The key that decides how many vertices there are.
    const char* count_key() const { return make == nullptr ? "file" : reads("cells") ? "cells" : "divisions"; }
};

constexpr ClothRule kClothKinds[] = {
    {ClothShapeKind::rectangle,
     {"size", "cells", "pattern", ""},
     0,
     count_rectangle,
     [](ClothShapeRef e, int) { return make_sheet(e.size[0], e.size[1], e.cells[0], e.cells[1], e.pattern); }},
    {ClothShapeKind::irregular,
     {"size", "cells", "jitter", "seed"},
     0,
     count_rectangle,
     [](ClothShapeRef e, int) {
         return make_irregular_sheet(e.size[0], e.size[1], e.cells[0], e.cells[1], e.jitter,
                                     static_cast<std::uint64_t>(e.seed));
     }},
    {ClothShapeKind::disc,
     {"radius", "divisions", "", ""},
     12,
     count_disc,
     [](ClothShapeRef e, int n) { return make_disc(e.radius, n); }},
    {ClothShapeKind::dome,
     {"radius", "height", "divisions", ""},
     12,
     count_disc,
     [](ClothShapeRef e, int n) { return make_dome(e.radius, e.height, n); }},
    {ClothShapeKind::tube,
     {"radius", "height", "divisions", ""},
     32,
     count_tube,
     [](ClothShapeRef e, int n) { return make_tube(e.radius, e.height, n); }},
    {ClothShapeKind::sphere,
     {"radius", "divisions", "", ""},
     12,
     count_sphere,
     [](ClothShapeRef e, int n) { return make_sphere(e.radius, n); }},
    {ClothShapeKind::patch,
     {"sides", "cells", "", ""},
     0,
     count_rectangle,
     [](ClothShapeRef e, int) { return make_patch(e.sides, e.cells[0], e.cells[1]); }},
    {ClothShapeKind::mesh, {"file", "", "", ""}, 0, nullptr, nullptr},
};

JoinedSurface make_surface(ClothShapeRef shape, const ClothRule& rule, const ShapeInFile& file)
{
    if (rule.make != nullptr) {
        const int divisions = shape.divisions.value_or(rule.divisions);
        file.check_count(rule.count_key(), rule.count(shape, divisions), "; ask for fewer");
        return {file.located("", [&] { return rule.make(shape, divisions); }), nullptr};
    }
    JoinedSurface surface = file.read(shape.file, name_of(shape.kind), read_joined_surface);
    file.check_count("file", static_cast<double>(surface.mesh.vertices.size()), "");
    return surface;
}

}  // namespace

JoinedSurface make_cloth_mesh(const ClothEntry& entry, const std::string& path, const SceneSource& source, double most)
{
    const ShapeInFile file(path, source, most);
    const ClothRule& rule = *std::ranges::find(kClothKinds, entry.shape.kind, &ClothRule::kind);
    file.check_keys("cloth", name_of(entry.shape.kind), [&](const std::string& key) { return rule.reads(key); });

    JoinedSurface surface = make_surface(entry.shape, rule, file);
    SurfaceMesh& mesh = surface.mesh;
    const char* key = rule.make == nullptr ? "file" : "";
    file.check_points(key, mesh.vertices);
    for (Vec3d& vertex : mesh.vertices) vertex *= entry.scale;
    std::vector<std::string> ignored;  // add_cloth notes them again; here, what is wrong is said of the right key
    file.located(key, [&] { return clean_sheet(mesh, ignored); });
    return surface;
}

}  // namespace pliant

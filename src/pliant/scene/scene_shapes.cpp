#include "pliant/files/mesh_files.h"
#include "pliant/files/paths.h"
#include "pliant/geometry/convex_hull.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/math/portable.h"
#include "pliant/scene/shape_in_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// What each kind of shape reads of its entry.
struct ShapeRule {
    ShapeKind kind;
    std::array<const char*, 2> keys;  // beside kind, spacing, count and divisions
    int divisions;                    // of a generated surface unless told otherwise; 0 = not generated
    SurfaceMesh (*make)(const ShapeEntry&, int divisions);

    bool filled() const { return divisions > 0 || kind == ShapeKind::mesh || kind == ShapeKind::convex; }
};

using ShapeRef = const ShapeEntry&;
constexpr ShapeRule kShapeKinds[] = {
    {ShapeKind::box, {"size", ""}, 8, [](ShapeRef e, int n) { return make_box(e.size, n); }},
    {ShapeKind::sphere, {"radius", ""}, 12, [](ShapeRef e, int n) { return make_sphere(e.radius, n); }},
    {ShapeKind::cylinder,
     {"radius", "height"},
     32,
     [](ShapeRef e, int n) { return make_cylinder(e.radius, e.height, n); }},
    {ShapeKind::capsule,
     {"radius", "height"},
     32,
     [](ShapeRef e, int n) { return make_capsule(e.radius, e.height, n); }},
    {ShapeKind::torus,
     {"radius", "minor_radius"},
     48,
     [](ShapeRef e, int n) { return make_torus(e.radius, e.minor_radius, n); }},
    {ShapeKind::mascot, {"height", ""}, 48, [](ShapeRef e, int n) { return make_mascot(e.height, n); }},
    {ShapeKind::mesh, {"file", ""}, 0, nullptr},
    {ShapeKind::convex, {"file", "points"}, 0, nullptr},
    {ShapeKind::points, {"file", "points"}, 0, nullptr},
    {ShapeKind::tetrahedra, {"file", ""}, 0, nullptr},
};

constexpr int kUsualCount = 1000;

/// The shape of one body.
class ShapeMaker {
  public:
    ShapeMaker(const ShapeEntry& shape, double scale, ShapeInFile file)
        : shape_(shape),
          scale_(scale),
          file_(std::move(file)),
          rule_(std::ranges::find(kShapeKinds, shape.kind, &ShapeRule::kind))
    {}

    MadeShape make(double density) const;
    JoinedSurface make_surface() const;
    void check_exact() const;

  private:
    bool reads(const std::string& key) const
    {
        return (key == "divisions" && rule_->divisions > 0) || key == rule_->keys[0] || key == rule_->keys[1];
    }

    template <class Reader>
    auto read(Reader&& reader) const
    {
        return file_.read(shape_.file, name_of(shape_.kind), reader);
    }

    JoinedSurface read_or_make() const
    {
        JoinedSurface surface;
        if (shape_.kind == ShapeKind::convex) surface.mesh = make_hull();
        else if (rule_->make == nullptr) surface = read(read_joined_surface);
        else
            surface.mesh =
                file_.located("", [&] { return rule_->make(shape_, shape_.divisions.value_or(rule_->divisions)); });
        surface.mesh = scaled(std::move(surface.mesh));
        return surface;
    }

    template <class Mesh>
    Mesh scaled(Mesh mesh) const
    {
        check_points(mesh.vertices);
        for (Vec3d& vertex : mesh.vertices) vertex *= scale_;
        return mesh;
    }

    SurfaceMesh make_hull() const
    {
        const std::vector<Vec3d> points = given_points(read_hull_points);
        const char* key = shape_.file.empty() ? "points" : "file";
        file_.check_points(key, points);
        return file_.located(key, [&] { return convex_hull(points); });
    }

    /// Of the points themselves, or of the vertices of a mesh.
    static std::vector<Vec3d> read_hull_points(const std::string& file)
    {
        const std::string suffix = lower_extension(file);
        const bool surface = suffix == ".stl" || suffix == ".gltf" || suffix == ".glb";
        return surface ? read_surface(file).vertices : read_points(file);
    }

    template <class Reader>
    std::vector<Vec3d> given_points(Reader&& reader) const
    {
        if (!shape_.file.empty() && !shape_.points.empty())
            file_.fail("points", "are given beside a file; keep one of them");
        return shape_.points.empty() ? file_.read(shape_.file, "points", reader) : shape_.points;
    }

    std::vector<Vec3d> scaled_points() const
    {
        std::vector<Vec3d> points = shape_.file.empty() ? shape_.points : given_points(read_points);
        check_points(points);
        file_.check_count(shape_.file.empty() ? "points" : "file", static_cast<double>(points.size()), "");
        for (Vec3d& point : points) point *= scale_;
        return points;
    }

    void check_points(const std::vector<Vec3d>& points) const
    {
        file_.check_points(shape_.file.empty() ? (rule_->filled() ? "" : "points") : "file", points);
    }

    SolidShape fill(const SurfaceMesh& surface) const
    {
        const double inside = std::abs(volume(surface));
        if (const int open = shape_.kind == ShapeKind::mesh ? open_edges(surface) : 0; open > 0)
            file_.warn("file",
                       fmt::format("is not closed: {} edges do not lie between two triangles that turn the same "
                                   "way, so that what is inside is a guess; close its holes",
                                   open));
        if (shape_.spacing && shape_.count) file_.fail("count", "is given beside spacing; keep one of them");
        const int count = shape_.count.value_or(kUsualCount);
        if (shape_.spacing) {
            const double coarsest = portable::cbrt(inside / std::max(1.0, file_.most()));
            file_.check_count("spacing", inside / (*shape_.spacing * *shape_.spacing * *shape_.spacing),
                              fmt::format("; use a spacing of {:.3g} m or more", 1.01 * coarsest));
        } else {
            file_.check_count("count", count, "; ask for fewer");
        }
        SolidShape shape = file_.located("", [&] {
            return shape_.spacing ? fill_with_spacing(surface, *shape_.spacing) : fill_with_count(surface, count);
        });
        if (shape.points.empty())
            file_.fail(shape_.spacing ? "spacing" : "count",
                       fmt::format("no particle fits inside: the body is empty; use a spacing below {:.3g} m",
                                   0.5 * portable::cbrt(inside)));
        return shape;
    }

    const ShapeEntry& shape_;
    double scale_;
    ShapeInFile file_;
    const ShapeRule* rule_;
};

MadeShape ShapeMaker::make(double density) const
{
    file_.check_keys("solid", name_of(shape_.kind), [&](const std::string& key) {
        return reads(key) || (rule_->filled() && (key == "spacing" || key == "count"));
    });
    if (rule_->filled()) {
        const JoinedSurface surface = read_or_make();
        return {fill(surface.mesh), surface.source};
    }
    if (shape_.kind == ShapeKind::tetrahedra) {
        const TetsFromFile tets = read(read_tetrahedra_and_source);
        const TetMesh mesh = scaled(tets.mesh);
        file_.check_count("file", static_cast<double>(mesh.vertices.size()), "");
        return {file_.located("", [&] { return shape_of_tetrahedra(mesh, density); }), tets.source};
    }
    std::vector<Vec3d> points = scaled_points();
    return {file_.located("", [&] { return shape_of_points(std::move(points)); })};
}

JoinedSurface ShapeMaker::make_surface() const
{
    if (!rule_->filled())
        file_.fail("kind", fmt::format("\"{}\" is no surface; use box to convex", name_of(shape_.kind)));
    file_.check_keys("surface", name_of(shape_.kind), [&](const std::string& key) { return reads(key); });
    return read_or_make();
}

/// A rigid body touches with the shape itself, however finely it is drawn.
void ShapeMaker::check_exact() const
{
    file_.check_keys("rigid body", name_of(shape_.kind),
                     [&](const std::string& key) { return key == rule_->keys[0] || key == rule_->keys[1]; });
}

}  // namespace

MadeShape make_shape(const SolidEntry& entry, const std::string& path, const SceneSource& source, double most)
{
    return ShapeMaker(entry.shape, entry.scale, {path, source, most}).make(static_cast<double>(entry.density));
}

JoinedSurface make_surface(const ShapeEntry& shape, double scale, const std::string& path, const char* key,
                           const SceneSource& source)
{
    return ShapeMaker(shape, scale, {path, source, kMostParticles, key}).make_surface();
}

void check_exact_shape(const ShapeEntry& shape, const std::string& path, const SceneSource& source)
{
    ShapeMaker(shape, 1, {path, source, kMostParticles}).check_exact();
}

}  // namespace pliant

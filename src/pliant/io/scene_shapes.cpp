#include "pliant/base/check.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/io/mesh_files.h"
#include "pliant/io/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// What each kind of shape reads of its entry.
struct KindRule {
    ShapeKind kind;
    std::array<const char*, 2> keys;  // beside kind, spacing, count and divisions
    int divisions;                    // of a generated surface unless told otherwise; 0 = not generated
    SurfaceMesh (*make)(const ShapeEntry&, int divisions);

    bool filled() const { return divisions > 0 || kind == ShapeKind::mesh; }
};

using E = const ShapeEntry&;
constexpr KindRule kKinds[] = {
    {ShapeKind::box, {"size", ""}, 8, [](E e, int n) { return make_box(e.size, n); }},
    {ShapeKind::sphere, {"radius", ""}, 12, [](E e, int n) { return make_sphere(e.radius, n); }},
    {ShapeKind::cylinder, {"radius", "height"}, 32, [](E e, int n) { return make_cylinder(e.radius, e.height, n); }},
    {ShapeKind::capsule, {"radius", "height"}, 32, [](E e, int n) { return make_capsule(e.radius, e.height, n); }},
    {ShapeKind::torus,
     {"radius", "minor_radius"},
     48,
     [](E e, int n) { return make_torus(e.radius, e.minor_radius, n); }},
    {ShapeKind::mascot, {"height", ""}, 48, [](E e, int n) { return make_mascot(e.height, n); }},
    {ShapeKind::mesh, {"file", ""}, 0, nullptr},
    {ShapeKind::points, {"file", "points"}, 0, nullptr},
    {ShapeKind::tetrahedra, {"file", ""}, 0, nullptr},
};

constexpr int kUsualCount = 1000;

/// The shape of one solid, with all that messages need.
class ShapeMaker {
  public:
    ShapeMaker(const SolidEntry& solid, const std::string& path, const SceneSource& source, double most)
        : solid_(solid), shape_(solid.shape), path_(path + "/shape"), source_(source), most_(most)
    {
        rule_ = std::find_if(std::begin(kKinds), std::end(kKinds),
                             [&](const KindRule& r) { return r.kind == shape_.kind; });
    }

    SolidShape make() const;

  private:
    [[noreturn]] void fail(const char* key, const std::string& message) const
    {
        source_.fail(*key == '\0' ? path_ : fmt::format("{}/{}", path_, key), message);
    }

    /// What the library itself finds wrong, with the place in the file.
    template <class Make>
    auto located(Make&& make) const
    {
        try {
            return make();
        } catch (const InputError& error) {
            fail("", error.what());
        }
    }

    /// A key that means nothing for this kind is a mistake: the user believes that it does something.
    void check_keys() const
    {
        Problems none;
        const JsonCursor at = JsonCursor(source_.text, none).descend(path_);
        if (at.path() != path_) source_.fail(path_, "is missing; say what the solid is made of");
        for (std::size_t i = 0; i < at.size(); ++i) {
            const std::string& key = at.key(i);
            const bool filling = key == "spacing" || key == "count";
            const bool used = key == "kind" || (filling && rule_->filled()) ||
                              (key == "divisions" && rule_->divisions > 0) || key == rule_->keys[0] ||
                              key == rule_->keys[1];
            if (!used)
                fail(key.c_str(), fmt::format("means nothing for the kind \"{}\"; remove it", name_of(shape_.kind)));
        }
    }

    /// Reads the file that the shape names. That it cannot be read is a mistake of the scene.
    template <class Reader>
    auto read(Reader&& reader) const
    {
        if (shape_.file.empty()) fail("file", fmt::format("is missing; name the file of the {}", name_of(shape_.kind)));
        const std::string file = (source_.folder / shape_.file).lexically_normal().string();
        std::error_code ignored;
        if (!std::filesystem::exists(file, ignored))
            fail("file", fmt::format("there is no file {}; paths are relative to the scene file", file));
        try {
            return reader(file);
        } catch (const std::runtime_error& error) {
            fail("file", error.what());
        }
    }

    SurfaceMesh make_surface() const
    {
        if (rule_->make == nullptr) return read([](const std::string& file) { return read_surface(file); });
        return located([&] { return rule_->make(shape_, shape_.divisions.value_or(rule_->divisions)); });
    }

    template <class Mesh>
    Mesh scaled(Mesh mesh) const
    {
        check_points(mesh.vertices);
        for (Vec3d& vertex : mesh.vertices) vertex *= solid_.scale;
        return mesh;
    }

    std::vector<Vec3d> scaled_points() const
    {
        if (!shape_.file.empty() && !shape_.points.empty()) fail("points", "are given beside a file; keep one of them");
        std::vector<Vec3d> points = shape_.points;
        if (!shape_.file.empty()) points = read([](const std::string& file) { return read_points(file); });
        check_points(points);
        check_count(shape_.file.empty() ? "points" : "file", static_cast<double>(points.size()), "");
        for (Vec3d& point : points) point *= solid_.scale;
        return points;
    }

    void check_points(const std::vector<Vec3d>& points) const
    {
        const char* key = shape_.file.empty() ? (rule_->filled() ? "" : "points") : "file";
        if (points.empty()) fail(key, "there are no points: the body is empty");
        for (const Vec3d& p : points)
            if (!std::isfinite(p.x + p.y + p.z)) fail(key, "a point is not finite");
    }

    void check_count(const char* key, double count, const std::string& remedy) const
    {
        if (count <= most_) return;
        fail(key,
             fmt::format(
                 "asks for {:.0f} particles, and {:.0f} are the most that are left of the {} that a scene may have{}",
                 count, std::max(0.0, most_), kMostParticles, remedy));
    }

    SolidShape fill(const SurfaceMesh& surface) const
    {
        const double inside = std::abs(volume(surface));
        if (shape_.spacing && shape_.count) fail("count", "is given beside spacing; keep one of them");
        const int count = shape_.count.value_or(kUsualCount);
        if (shape_.spacing) {
            const double coarsest = std::cbrt(inside / std::max(1.0, most_));
            check_count("spacing", inside / std::pow(*shape_.spacing, 3),
                        fmt::format("; use a spacing of {:.3g} m or more", 1.01 * coarsest));
        } else {
            check_count("count", count, "; ask for fewer");
        }
        SolidShape shape = located([&] {
            return shape_.spacing ? fill_with_spacing(surface, *shape_.spacing) : fill_with_count(surface, count);
        });
        if (shape.points.empty())
            fail(shape_.spacing ? "spacing" : "count",
                 fmt::format("no particle fits inside: the body is empty; use a spacing below {:.3g} m",
                             0.5 * std::cbrt(inside)));
        return shape;
    }

    const SolidEntry& solid_;
    const ShapeEntry& shape_;
    std::string path_;
    const SceneSource& source_;
    double most_;
    const KindRule* rule_;
};

SolidShape ShapeMaker::make() const
{
    check_keys();
    if (rule_->filled()) return fill(scaled(make_surface()));
    if (shape_.kind == ShapeKind::tetrahedra) {
        const TetMesh tets = scaled(read([](const std::string& file) { return read_tetrahedra(file); }));
        check_count("file", static_cast<double>(tets.vertices.size()), "");
        return located([&] { return shape_of_tetrahedra(tets, static_cast<double>(solid_.density)); });
    }
    std::vector<Vec3d> points = scaled_points();
    return located([&] { return shape_of_points(std::move(points)); });
}

}  // namespace

SolidShape make_shape(const SolidEntry& entry, const std::string& path, const SceneSource& source, double most)
{
    return ShapeMaker(entry, path, source, most).make();
}

}  // namespace pliant

#include "pliant/files/write_usda.h"

#include "pliant/files/atomic_file.h"
#include "pliant/files/spooled_writer.h"
#include "pliant/files/usd_glue.h"
#include "pliant/files/usd_text.h"
#include "pliant/geometry/mesh.h"
#include "pliant/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <set>

namespace pliant {

namespace {

/// Normals of points in the axes of the file; turning them commutes with that.
std::vector<Float3> normals_of_points(const std::vector<Float3>& points, const Triangles& triangles)
{
    std::vector<Vec3d> places;
    for (const Float3& p : points) places.push_back(p.cast<double>());
    std::vector<Float3> normals;
    for (const Vec3d& n : vertex_normals(places, triangles))
        normals.push_back(n.squared_norm() == 0 ? Float3{0, 1, 0} : n.cast<float>());
    return normals;
}

constexpr std::array<Float3, 6> kColours = {{{0.8F, 0.36F, 0.3F},
                                             {0.3F, 0.5F, 0.75F},
                                             {0.85F, 0.7F, 0.35F},
                                             {0.4F, 0.65F, 0.45F},
                                             {0.6F, 0.45F, 0.7F},
                                             {0.5F, 0.5F, 0.5F}}};

/// The points of a rod, strand by strand; a ring ends with its first point again.
std::vector<Vec3> curve_points(const Rod& rod, std::span<const Vec3> x)
{
    std::vector<Vec3> points;
    for (int s = 0; s < rod.strands(); ++s) {
        for (int k = 0; k < rod.count_points(s); ++k) points.push_back(x[rod.point(s, k)]);
        if (rod.closed[s] != 0) points.push_back(x[rod.point(s, 0)]);
    }
    return points;
}

std::vector<int> curve_counts(const Rod& rod)
{
    std::vector<int> counts;
    for (int s = 0; s < rod.strands(); ++s) counts.push_back(rod.count_points(s) + (rod.closed[s] != 0 ? 1 : 0));
    return counts;
}

/// The points of its section, or of the widest side of it [m].
double thickness_of(const Rod& rod)
{
    const double sides = static_cast<double>(std::max(rod.params.width, rod.params.thickness));
    return sides > 0 ? sides : 2 * static_cast<double>(rod.params.radius);
}

class UsdaWriter : public SpooledWriter {
  public:
    UsdaWriter(const std::string& path, const RunInfo& run, const WriterOptions& options)
        : SpooledWriter(path, options), world_(run.world)
    {}

    void write(const Frame& frame) override
    {
        SpooledWriter::write(with_curves(frame));
        start(StreamFile::Start::empty);
        if (glue_) glue_->append(*world_);
    }

    void finish() override
    {
        const bool kept = frames() > 0 && kept_for_checkpoint();
        SpooledWriter::finish();
        if (glue_ && frames() > 0 && !kept) glue_->remove_spool();
    }

    void resume(const Frame& latest, std::string_view state) override
    {
        SpooledWriter::resume(with_curves(latest), state);
        start(StreamFile::Start::as_it_is);
        if (glue_) glue_->shrink(frames());
    }

  protected:
    void write_all() override
    {
        AtomicFile file(path_);
        out_ = &file;
        print("#usda 1.0\n(\n    defaultPrim = \"World\"\n    startTimeCode = 0\n    endTimeCode = {}\n", frames() - 1);
        print(
            "    framesPerSecond = {0}\n    timeCodesPerSecond = {0}\n    metersPerUnit = {1}\n    upAxis = "
            "\"{2}\"\n)\n\n",
            static_cast<float>(options_.rate()), options_.unit, options_.up == UpAxis::y ? "Y" : "Z");
        print("def Xform \"World\"\n{{\n");
        std::set<std::string> taken;
        std::vector<UsdBody> bodies;
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const std::string prim = usd_name(bodies_[i].name, taken);
            const std::uint32_t* said = bodies_[i].layer.color ? &*bodies_[i].layer.color : nullptr;
            write_body(bodies_[i], prim, rod_of(i),
                       said != nullptr ? usd_colour(*said) : kColours[i % kColours.size()]);
            bodies.push_back({fmt::format("/World/{}", prim), bodies_[i].frame(0), point_of_particles(i)});
        }
        if (glue_)
            glue_->write(*world_, bodies, usd_name("glue", taken), [&](std::string_view text) { out_->write(text); });
        print("}}\n");
        file.commit();
        out_ = nullptr;
    }

  private:
    void start(StreamFile::Start start)
    {
        if (world_ != nullptr && !glue_) glue_.emplace(*world_, options_, path_ + ".glue_of_all.spool", start);
    }

    /// The rod that a body of the file is; null for another kind.
    const Rod* rod_of(std::size_t body) const
    {
        if (world_ == nullptr) return nullptr;
        const std::size_t first = world_->solids.size() + world_->cloths.size();
        const bool is_rod = body >= first && body < first + world_->rods.size();
        return is_rod ? &world_->rods[body - first] : nullptr;
    }

    /// The frame with rods as lines in place of tubes.
    const Frame& with_curves(const Frame& frame)
    {
        if (world_ == nullptr || world_->rods.empty()) return frame;
        frame_ = frame;
        for (std::size_t i = 0; i < frame_.layers.size(); ++i) {
            const Rod* rod = rod_of(i);
            if (rod == nullptr) continue;
            frame_.layers[i].points = curve_points(*rod, rod->particles.of(world_->particles->x));
            frame_.layers[i].triangles = nullptr;
        }
        return frame_;
    }

    /// Which point of the file each particle of a body is.
    std::vector<int> point_of_particles(std::size_t body) const
    {
        std::vector<int> points;
        if (const Rod* rod = rod_of(body)) {
            points.assign(static_cast<std::size_t>(rod->particles.count), -1);
            int at = 0;
            for (int s = 0; s < rod->strands(); ++s) {
                for (int k = 0; k < rod->count_points(s); ++k) points[rod->point(s, k)] = at++;
                if (rod->closed[s] != 0) ++at;
            }
        } else if (world_ != nullptr && body >= world_->solids.size() &&
                   body < world_->solids.size() + world_->cloths.size()) {
            const Cloth& cloth = world_->cloths[body - world_->solids.size()];
            if (static_cast<std::size_t>(cloth.particles.count) != bodies_[body].points) return points;
            for (int i = 0; i < cloth.particles.count; ++i) points.push_back(i);
        }
        return points;
    }

    template <class... Values>
    void print(fmt::format_string<Values...> format, Values&&... values)
    {
        out_->write(fmt::format(format, std::forward<Values>(values)...));
    }

    using Sample = std::function<std::vector<Float3>(int frame)>;

    void write_samples(const char* attribute, const char* more, const Sample& sample)
    {
        print("        {}.timeSamples = {{\n", attribute);
        for (int i = 0; i < frames(); ++i) print("            {}: {},\n", i, usd_list(sample(i)));
        print("        }}\n");
        if (*more != '\0') print("        {}\n", more);
    }

    void write_body(const SpooledBody& body, const std::string& prim, const Rod* rod, const Float3& colour)
    {
        const bool has_faces = body.layer.triangles && !body.layer.triangles->empty();
        const char* type = rod != nullptr ? "BasisCurves" : has_faces ? "Mesh" : "Points";
        const double width = (rod != nullptr ? thickness_of(*rod)
                              : has_faces    ? 0
                                             : 2 * body.layer.radius) /
                             options_.unit;
        print("    def {} \"{}\" (\n        displayName = \"{}\"\n    )\n    {{\n", type, prim, body.name);
        write_samples("float3[] extent", "",
                      [&](int i) { return usd_extent(body.frame(i), static_cast<float>(width / 2)); });
        write_samples("point3f[] points", "", [&](int i) { return body.frame(i); });
        write_samples("vector3f[] velocities", "", [&](int i) { return velocities(body, i); });
        print("        color3f[] primvars:displayColor = {}\n", usd_list(std::vector<Float3>{colour}));
        if (!body.layer.shown) print("        token visibility = \"invisible\"\n");
        if (rod == nullptr && has_faces) write_faces(body);
        else
            print("        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
                  static_cast<float>(width));
        if (rod != nullptr) {
            print("        uniform token type = \"linear\"\n        uniform token wrap = \"nonperiodic\"\n");
            print("        int[] curveVertexCounts = {}\n", usd_list(curve_counts(*rod)));
        }
        print("    }}\n");
    }

    std::vector<Float3> velocities(const SpooledBody& body, int i) const
    {
        std::vector<Float3> now = body.frame(i);
        if (i == 0) return std::vector<Float3>(now.size());
        const std::vector<Float3> before = body.frame(i - 1);
        for (std::size_t k = 0; k < now.size(); ++k)
            now[k] = static_cast<float>(options_.rate()) * (now[k] - before[k]);
        return now;
    }

    void write_faces(const SpooledBody& body)
    {
        const FaceList faces = faces_of(body.layer);
        print("        int[] faceVertexCounts = {}\n", usd_list(faces.counts));
        print("        int[] faceVertexIndices = {}\n", usd_list(faces.corners));
        print("        uniform token subdivisionScheme = \"none\"\n");
        write_samples("normal3f[] normals", "",
                      [&](int i) { return normals_of_points(body.frame(i), *body.layer.triangles); });
        if (!body.layer.faces) return;
        write_uvs(*body.layer.faces);
        write_subsets(body.layer.faces->groups, "group");
        write_subsets(body.layer.faces->materials, "material");
    }

    void write_uvs(const PolygonFaces& faces)
    {
        if (faces.uvs.empty()) return;
        std::string list;
        for (const auto& [u, v] : faces.uvs) list += fmt::format("{}({}, {})", list.empty() ? "" : ", ", u, v);
        std::vector<int> indices = faces.corner_uvs;
        for (int& index : indices) index = std::max(index, 0);
        print("        texCoord2f[] primvars:st = [{}] (\n            interpolation = \"faceVarying\"\n        )\n",
              list);
        print("        int[] primvars:st:indices = {}\n", usd_list(indices));
    }

    void write_subsets(const FaceLabels& labels, const char* family)
    {
        std::set<std::string> others;
        for (std::size_t k = 0; k < labels.names.size(); ++k) {
            std::vector<int> chosen;
            for (std::size_t i = 0; i < labels.of_face.size(); ++i)
                if (labels.of_face[i] == static_cast<int>(k)) chosen.push_back(static_cast<int>(i));
            print("        def GeomSubset \"{}_{}_{}\"\n        {{\n            uniform token elementType = \"face\"\n",
                  family, k, usd_name(labels.names[k], others));
            print("            uniform token familyName = \"{}\"\n            int[] indices = {}\n        }}\n", family,
                  usd_list(chosen));
        }
    }

    const World* world_;
    Frame frame_;  // as it is written
    std::optional<UsdGlue> glue_;
    AtomicFile* out_ = nullptr;
};

}  // namespace

std::unique_ptr<FrameWriter> make_usda_writer(const std::string& path, const RunInfo& run)
{
    WriterOptions options = run.format;
    options.frames = run.frames;
    return std::make_unique<UsdaWriter>(path, run, options);
}

}  // namespace pliant

#include "pliant/files/write_usda.h"

#include "pliant/files/atomic_file.h"
#include "pliant/files/spooled_writer.h"
#include "pliant/geometry/mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

namespace pliant {

namespace {

/// A name of a prim: letters, digits and underscores, not a digit first.
std::string prim_name(const std::string& name)
{
    std::string safe;
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) safe += '_';
    for (const char c : name) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        safe += fine ? c : '_';
    }
    return safe;
}

std::string usd_list(const std::vector<Float3>& list)
{
    fmt::memory_buffer text;
    text.push_back('[');
    for (std::size_t i = 0; i < list.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}({}, {}, {})", i == 0 ? "" : ", ", list[i].x, list[i].y, list[i].z);
    text.push_back(']');
    return {text.data(), text.size()};
}

std::string usd_list(const std::vector<int>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

std::vector<Float3> extent_of(const std::vector<Float3>& points)
{
    if (points.empty()) return {{}, {}};
    Float3 low = points[0], high = low;
    for (const Float3& p : points)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    return {low, high};
}

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

class UsdaWriter : public SpooledWriter {
  public:
    using SpooledWriter::SpooledWriter;

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
        for (std::size_t i = 0; i < bodies_.size(); ++i) write_body(bodies_[i], kColours[i % kColours.size()]);
        print("}}\n");
        file.commit();
        out_ = nullptr;
    }

  private:
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

    void write_body(const SpooledBody& body, const Float3& colour)
    {
        const bool has_faces = body.layer.triangles && !body.layer.triangles->empty();
        print("    def {} \"{}\" (\n        displayName = \"{}\"\n    )\n    {{\n", has_faces ? "Mesh" : "Points",
              prim_name(body.name), body.name);
        write_samples("float3[] extent", "", [&](int i) { return extent_of(body.frame(i)); });
        write_samples("point3f[] points", "", [&](int i) { return body.frame(i); });
        write_samples("vector3f[] velocities", "", [&](int i) { return velocities(body, i); });
        print("        color3f[] primvars:displayColor = {}\n", usd_list(std::vector<Float3>{colour}));
        if (has_faces) write_faces(body);
        else
            print("        float[] widths = [{}] (\n            interpolation = \"constant\"\n        )\n",
                  2 * body.layer.radius / options_.unit);
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
        for (std::size_t k = 0; k < labels.names.size(); ++k) {
            std::vector<int> chosen;
            for (std::size_t i = 0; i < labels.of_face.size(); ++i)
                if (labels.of_face[i] == static_cast<int>(k)) chosen.push_back(static_cast<int>(i));
            print("        def GeomSubset \"{}_{}_{}\"\n        {{\n            uniform token elementType = \"face\"\n",
                  family, k, prim_name(labels.names[k]));
            print("            uniform token familyName = \"{}\"\n            int[] indices = {}\n        }}\n", family,
                  usd_list(chosen));
        }
    }

    AtomicFile* out_ = nullptr;
};

}  // namespace

std::unique_ptr<FrameWriter> make_usda_writer(const std::string& path, const WriterOptions& options)
{
    return std::make_unique<UsdaWriter>(path, options);
}

}  // namespace pliant

// VTK XML PolyData, all bodies in one: points with normals, velocities, the number of their body and of its group, and texture
// coordinates where each point has one. The arrays follow the XML as raw bytes, each after its length.

#include "pliant/files/write_vtp.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/byte_order.h"
#include "pliant/files/frame_meshes.h"
#include "pliant/files/growing_file.h"
#include "pliant/files/paths.h"
#include "pliant/files/sequence.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace pliant {

namespace {

std::string xml_text(const std::string& text)
{
    std::string safe;
    for (const char c : one_line(text)) {
        if (c == '&') safe += "&amp;";
        else if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '"') safe += "&quot;";
        else safe += c;
    }
    return safe;
}

/// The data arrays of a file, described in XML and collected as bytes.
class VtkArrays {
  public:
    template <class T>
    std::string add(const char* type, const char* name, int components, const std::vector<T>& values)
    {
        std::string xml = fmt::format(
            "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
            "offset=\"{}\"/>\n",
            type, name, components, bytes_.size());
        append_little(static_cast<std::uint32_t>(values.size() * sizeof(T)), bytes_);
        for (const T& value : values) append_value(value);
        return xml;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    void append_value(const Float3& v)
    {
        for (int i = 0; i < 3; ++i) append_little(v[i], bytes_);
    }
    template <class T>
    void append_value(const T& number)
    {
        append_little(number, bytes_);
    }

    std::string bytes_;
};

/// All bodies of a frame in one list.
struct JoinedMeshes {
    std::vector<Float3> points, normals, velocities;
    std::vector<int> body, corners, ends;  // per point; of the faces: their points, and where each ends
    std::vector<int> cloud;                // points without a face
    std::string names;

    explicit JoinedMeshes(std::span<const BodyMesh> meshes)
    {
        for (std::size_t number = 0; number < meshes.size(); ++number) add(meshes[number], static_cast<int>(number));
    }
    void add(const BodyMesh& mesh, int number)
    {
        const int first = static_cast<int>(points.size());
        const FaceList faces = faces_of(*mesh.layer);
        points.insert(points.end(), mesh.points.begin(), mesh.points.end());
        velocities.insert(velocities.end(), mesh.velocities.begin(), mesh.velocities.end());
        normals.insert(normals.end(), mesh.normals.begin(), mesh.normals.end());
        normals.resize(points.size(), Float3{0, 1, 0});
        body.resize(points.size(), number);
        for (const int corner : faces.corners) corners.push_back(first + corner);
        int end = ends.empty() ? 0 : ends.back();
        for (const int count : faces.counts) ends.push_back(end += count);
        if (faces.counts.empty())
            for (int i = first; i < static_cast<int>(points.size()); ++i) cloud.push_back(i);
        names += fmt::format("<!-- body {} is {} -->\n", number, xml_text(mesh.name));
    }
};

std::string vtp_text(const JoinedMeshes& all, double time)
{
    VtkArrays arrays;
    std::vector<int> ends_of_cloud;
    for (std::size_t i = 0; i < all.cloud.size(); ++i) ends_of_cloud.push_back(static_cast<int>(i) + 1);
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt32\">\n";
    text += all.names + "<PolyData>\n<FieldData>\n";
    text += arrays.add("Float64", "TimeValue", 1, std::vector<double>{time});
    text += fmt::format(
        "</FieldData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n",
        all.points.size(), all.cloud.size(), all.ends.size());
    text += "<Points>\n" + arrays.add("Float32", "Points", 3, all.points) + "</Points>\n";
    text += "<PointData Normals=\"Normals\" Vectors=\"velocity\" Scalars=\"body\">\n";
    text += arrays.add("Float32", "Normals", 3, all.normals) + arrays.add("Float32", "velocity", 3, all.velocities);
    text += arrays.add("Int32", "body", 1, all.body) + "</PointData>\n<Verts>\n";
    text += arrays.add("Int32", "connectivity", 1, all.cloud) + arrays.add("Int32", "offsets", 1, ends_of_cloud);
    text += "</Verts>\n<Polys>\n" + arrays.add("Int32", "connectivity", 1, all.corners);
    text += arrays.add("Int32", "offsets", 1, all.ends) + "</Polys>\n</Piece>\n</PolyData>\n";
    return text + "<AppendedData encoding=\"raw\">\n_" + arrays.bytes() + "\n</AppendedData>\n</VTKFile>\n";
}

constexpr const char* kPvdHead =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
    "byte_order=\"LittleEndian\">\n<Collection>\n";
constexpr const char* kPvdTail = "</Collection>\n</VTKFile>\n";

class VtpWriter : public FrameWriter {
  public:
    VtpWriter(std::string path, const WriterOptions& options) : path_(std::move(path)), meshes_(path_, options)
    {
        const SplitPath split = split_extension(path_);
        pieces_ = split.stem + ".vtp";
        has_list_ = lower_extension(path_) == ".pvd";
    }

    void write(const Frame& frame) override
    {
        write_file(sequence_path(pieces_, frame.number), vtp_text(JoinedMeshes(meshes_.update(frame)), frame.time));
        if (!has_list_) return;
        if (!list_) list_.emplace(path_, kPvdHead, kPvdTail);
        list_->append(entry(frame.number, frame.time));
    }

    std::string state() const override { return {}; }

    void resume(const Frame& latest, std::string_view /*state*/) override
    {
        check_sequence(pieces_, latest.number);
        meshes_.resume(latest);
        if (!has_list_) return;
        const std::string text = read_bytes(path_), last = entry(latest.number, latest.time);
        const std::size_t at = text.find(last);
        if (at == std::string::npos)
            throw FileError(fmt::format("cannot resume '{}': frame {} is missing; run without --resume to start again",
                                        path_, latest.number));
        list_.emplace(path_, std::string_view(text).substr(0, at + last.size()), kPvdTail);
    }

  private:
    std::string entry(int number, double time) const
    {
        const std::string file = sequence_path(pieces_, number), folder = parent_path(file);
        return fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", time,
                           xml_text(folder.empty() ? file : file.substr(folder.size() + 1)));
    }

    std::string path_, pieces_;
    FrameMeshes meshes_;
    bool has_list_ = false;
    std::optional<GrowingFile> list_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_vtp_writer(const std::string& path, const WriterOptions& options)
{
    return std::make_unique<VtpWriter>(path, options);
}

}  // namespace pliant

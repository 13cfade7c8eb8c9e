#include "pliant/files/ply_file.h"

#include "pliant/base/check.h"
#include "pliant/files/ply_header.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace pliant {

namespace {

[[noreturn]] void fail_ply(const std::string& path, const std::string& message)
{
    throw InputError(fmt::format("{}: {}", path, message));
}

/// The values after the header, one after the other.
class PlyValues {
  public:
    PlyValues(const std::string& path, std::string_view bytes, PlyFormat format)
        : path_(path), bytes_(bytes), format_(format)
    {}

    double next(PlyType type)
    {
        if (format_ == PlyFormat::kAscii) return next_word();
        switch (type) {
            case PlyType::kInt8: return next_as<std::int8_t>();
            case PlyType::kUint8: return next_as<std::uint8_t>();
            case PlyType::kInt16: return next_as<std::int16_t>();
            case PlyType::kUint16: return next_as<std::uint16_t>();
            case PlyType::kInt32: return next_as<std::int32_t>();
            case PlyType::kUint32: return next_as<std::uint32_t>();
            case PlyType::kFloat: return next_as<float>();
            default: return next_as<double>();
        }
    }

    /// The length of a list; an error if the rest of the file could not hold it.
    std::size_t next_length(PlyType type)
    {
        const double length = next(type);
        if (length >= 0 && length <= static_cast<double>(bytes_.size() - at_) && length == std::floor(length)) {
            return static_cast<std::size_t>(length);
        }
        fail_ply(path_, fmt::format("{} has a list of {} values, which the file cannot hold", where, length));
    }

    std::string where;  // for messages: element and row

  private:
    double next_word()
    {
        const std::string_view word = first_word(bytes_.substr(at_));
        double value = 0;
        if (word.empty()) fail_ply(path_, fmt::format("the file ends at {}; is it cut off?", where));
        if (!parse_number(word, value))
            fail_ply(path_, fmt::format("{} has {} where a number should be", where, quoted(word)));
        at_ = static_cast<std::size_t>(word.data() - bytes_.data()) + word.size();
        return value;
    }

    template <class T>
    double next_as()
    {
        if (bytes_.size() - at_ < sizeof(T)) fail_ply(path_, fmt::format("the file ends at {}; is it cut off?", where));
        std::array<char, sizeof(T)> raw;
        const bool is_native = (format_ == PlyFormat::kLittleEndian) == (std::endian::native == std::endian::little);
        for (std::size_t i = 0; i < sizeof(T); ++i) raw[is_native ? i : sizeof(T) - 1 - i] = bytes_[at_ + i];
        at_ += sizeof(T);
        T value;
        std::memcpy(&value, raw.data(), sizeof(T));
        return static_cast<double>(value);
    }

    const std::string& path_;
    std::string_view bytes_;
    PlyFormat format_;
    std::size_t at_ = 0;
};

/// The meaning of a vertex property: 0 to 2 are x, y and z, 3 and 4 are u and v of its texture coordinate, -1 is any
/// other.
int axis_of(const PlyProperty& property)
{
    constexpr std::array<std::string_view, 9> kNames = {"x", "y", "z", "u", "v", "s", "t", "texture_u", "texture_v"};
    if (property.count_type) return -1;
    for (std::size_t i = 0; i < kNames.size(); ++i)
        if (property.name == kNames[i]) return i < 3 ? static_cast<int>(i) : 3 + static_cast<int>(i - 3) % 2;
    return -1;
}

class PlyReader {
  public:
    PlyReader(const std::string& path, const std::string& bytes)
        : path_(path),
          header_(read_ply_header(path, bytes)),
          values_(path, std::string_view(bytes).substr(header_.size), header_.format)
    {}

    PolygonMesh read()
    {
        take_names();
        for (const PlyElement& element : header_.elements) {
            for (std::int64_t row = 0; row < element.count && !element.properties.empty(); ++row) {
                values_.where = fmt::format("{} {}", element.name.substr(0, 24), row);
                if (element.name == "vertex") read_vertex(element);
                else if (element.name == "face") read_face(element);
                else if (element.name == "tristrips") read_strips(element);
                else skip(element);
            }
        }
        check_faces();
        return std::move(mesh_);
    }

  private:
    /// Objects, groups or materials of faces. A face has the number of its name as a property.
    struct Label {
        std::string_view key;
        FaceLabels& names;
        std::vector<int> of_number{};  // per number in the file: index into names
        int number = -1;               // of the face that is read

        int index() const
        {
            const bool known = number >= 0 && number < static_cast<int>(of_number.size());
            return known ? of_number[static_cast<std::size_t>(number)] : -1;
        }
    };

    Label* label_of(std::string_view key)
    {
        for (Label& label : labels_)
            if (label.key == key) return &label;
        return nullptr;
    }

    /// The names as our own writer puts them: `comment group 0 collar`. Their numbers are consecutive; several bodies
    /// may share a name.
    void take_names()
    {
        for (const std::string_view comment : header_.comments) {
            const std::string_view key = first_word(comment), rest = comment.substr(key.size());
            Label* label = label_of(key);
            const std::string_view number = first_word(rest);
            double value = -1;
            if (label == nullptr || !parse_number(number, value) ||
                value != static_cast<double>(label->of_number.size()))
                continue;
            const auto end = static_cast<std::size_t>(number.data() - rest.data()) + number.size();
            label->of_number.push_back(label->names.index_of(rest.substr(std::min(end + 1, rest.size()))));
        }
    }

    std::size_t length_of(const PlyProperty& property)
    {
        return property.count_type ? values_.next_length(*property.count_type) : 1;
    }

    void skip(const PlyElement& element)
    {
        for (const PlyProperty& property : element.properties)
            for (std::size_t left = length_of(property); left > 0; --left) values_.next(property.type);
    }

    void read_vertex(const PlyElement& element)
    {
        std::array<double, 5> found;
        found.fill(std::numeric_limits<double>::quiet_NaN());
        int axes = 0;
        for (const PlyProperty& property : element.properties) {
            const int axis = axis_of(property);
            for (std::size_t left = length_of(property); left > 0; --left) {
                const double value = values_.next(property.type);
                if (axis < 0) continue;
                if (!std::isfinite(value) && axis < 3)
                    fail_ply(path_,
                             fmt::format("{} of {} is {}; repair the file", property.name, values_.where, value));
                found[static_cast<std::size_t>(axis)] = value;
                axes += axis < 3 ? 1 : 0;
            }
        }
        if (axes != 3) fail_ply(path_, "vertices have no x, y and z");
        mesh_.vertices.push_back({found[0], found[1], found[2]});
        const bool has_uv = std::isfinite(found[3]) && std::isfinite(found[4]);
        if (has_uv) mesh_.faces.uvs.push_back({found[3], found[4]});
        vertex_uvs_.push_back(has_uv ? static_cast<int>(mesh_.faces.uvs.size()) - 1 : -1);
    }

    void read_face(const PlyElement& element)
    {
        corners_.clear();
        coordinates_.clear();
        for (Label& label : labels_) label.number = -1;
        for (const PlyProperty& property : element.properties) {
            const bool is_face = property.name == "vertex_indices" || property.name == "vertex_index";
            const bool is_list = property.count_type.has_value();
            Label* label = is_list ? nullptr : label_of(property.name);
            for (std::size_t left = length_of(property); left > 0; --left) {
                const double value = values_.next(property.type);
                if (is_face) corners_.push_back(index_from(value));
                else if (is_list && property.name == "texcoord") coordinates_.push_back(value);
                else if (label != nullptr) label->number = index_from(value);
            }
        }
        if (corners_.size() >= 3) add_face();
    }

    /// Triangle strips of the Stanford scans; -1 ends one.
    void read_strips(const PlyElement& element)
    {
        for (const PlyProperty& property : element.properties) {
            std::vector<int> strip;
            for (Label& label : labels_) label.number = -1;
            for (std::size_t left = length_of(property); left > 0; --left) {
                const double value = values_.next(property.type);
                if (property.name != "vertex_indices") continue;
                strip.push_back(index_from(value));
                if (value == -1) strip.clear();
                const std::size_t n = strip.size();
                if (n < 3) continue;
                corners_ = {strip[n - 3], strip[n - 2], strip[n - 1]};
                if (n % 2 == 0) std::swap(corners_[0], corners_[1]);
                coordinates_.clear();
                add_face();
            }
        }
    }

    static int index_from(double value)
    {
        const bool is_index = value >= 0 && value < 1.0 * INT32_MAX && value == std::floor(value);
        return is_index ? static_cast<int>(value) : -1;
    }

    /// Texture coordinates of corners take precedence over those of vertices.
    void add_face()
    {
        std::vector<int> uvs;
        const bool own = coordinates_.size() == 2 * corners_.size();
        for (std::size_t k = 0; own && k < corners_.size(); ++k) {
            const std::array<double, 2> uv{coordinates_[2 * k], coordinates_[2 * k + 1]};
            const bool finite = std::isfinite(uv[0]) && std::isfinite(uv[1]);
            uvs.push_back(finite ? static_cast<int>(mesh_.faces.uvs.size()) : -1);
            if (finite) mesh_.faces.uvs.push_back(uv);
        }
        mesh_.faces.add(corners_, uvs, labels_[0].index(), labels_[1].index(), labels_[2].index());
    }

    void check_faces()
    {
        const int n = static_cast<int>(mesh_.vertices.size());
        for (int i = 0; i < mesh_.faces.size(); ++i)
            for (const int v : mesh_.faces.face(i))
                if (v < 0 || v >= n)
                    fail_ply(path_,
                             fmt::format("face {} has a vertex that is none of 0 to {}; repair the file", i, n - 1));
        for (std::size_t k = 0; k < mesh_.faces.corners.size(); ++k)
            if (mesh_.faces.corner_uvs[k] < 0)
                mesh_.faces.corner_uvs[k] = vertex_uvs_[static_cast<std::size_t>(mesh_.faces.corners[k])];
    }

    const std::string& path_;
    PlyHeader header_;
    PlyValues values_;
    PolygonMesh mesh_;
    std::array<Label, 3> labels_{
        {{"object", mesh_.faces.objects}, {"group", mesh_.faces.groups}, {"material", mesh_.faces.materials}}};
    std::vector<int> vertex_uvs_;      // per vertex: index of its texture coordinate, or -1
    std::vector<int> corners_;         // of a face
    std::vector<double> coordinates_;  // of its corners, two each
};

}  // namespace

PolygonMesh read_ply(const std::string& path)
{
    const std::string bytes = read_bytes(path);
    if (bytes.empty()) fail_ply(path, "the file is empty");
    return PlyReader(path, bytes).read();
}

}  // namespace pliant

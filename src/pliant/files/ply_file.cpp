#include "pliant/files/ply_file.h"

#include "pliant/base/check.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace pliant {

namespace {

enum class Type { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };
enum class Format { kAscii, kLittleEndian, kBigEndian };

struct Property {
    std::string_view name;
    Type type;
    std::optional<Type> count_type;  // of a list
};

struct Element {
    std::string_view name;
    std::int64_t count;
    std::vector<Property> properties;
};

struct Header {
    Format format = Format::kAscii;
    std::vector<Element> elements;
    std::size_t size = 0;  // [bytes]
};

[[noreturn]] void fail(const std::string& path, const std::string& message)
{
    throw InputError(fmt::format("{}: {}", path, message));
}

Type type_from(const std::string& path, std::string_view word)
{
    constexpr std::array<std::array<std::string_view, 2>, 8> kNames = {{{"char", "int8"},
                                                                        {"uchar", "uint8"},
                                                                        {"short", "int16"},
                                                                        {"ushort", "uint16"},
                                                                        {"int", "int32"},
                                                                        {"uint", "uint32"},
                                                                        {"float", "float32"},
                                                                        {"double", "float64"}}};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (word == kNames[i][0] || word == kNames[i][1]) return static_cast<Type>(i);
    }
    fail(path, fmt::format("the header has a property of unknown type {}", quoted(word)));
}

Format format_from(const std::string& path, std::string_view word)
{
    if (word == "ascii") return Format::kAscii;
    if (word == "binary_little_endian") return Format::kLittleEndian;
    if (word == "binary_big_endian") return Format::kBigEndian;
    fail(path, fmt::format("the header has the unknown format {}", quoted(word)));
}

Property property_from(const std::string& path, const std::vector<std::string_view>& words)
{
    if (words.size() == 3) return {words[2], type_from(path, words[1]), std::nullopt};
    if (words.size() == 5 && words[1] == "list") {
        return {words[4], type_from(path, words[3]), type_from(path, words[2])};
    }
    fail(path, "the header has a property that is neither 'type name' nor 'list type type name'");
}

Header read_header(const std::string& path, std::string_view bytes)
{
    Header header;
    if (!bytes.starts_with("ply")) fail(path, "a .ply file starts with 'ply'; export it again");
    for (;;) {
        const std::size_t end = bytes.find('\n', header.size);
        if (end == std::string_view::npos) fail(path, "the header has no end_header; is the file cut off?");
        const std::vector<std::string_view> words = split_words(bytes.substr(header.size, end - header.size));
        header.size = end + 1;
        if (words.empty()) continue;
        if (words[0] == "end_header") return header;
        if (words[0] == "format" && words.size() > 1) header.format = format_from(path, words[1]);
        if (words[0] == "property") {
            if (header.elements.empty()) fail(path, "the header has a property before the first element");
            header.elements.back().properties.push_back(property_from(path, words));
        }
        if (words[0] != "element") continue;
        double count = -1;
        // An element has a byte at least: what the file cannot hold is not even tried.
        if (words.size() != 3 || !parse_number(words[2], count) || !(count >= 0 && count <= 1.0 * bytes.size())) {
            fail(path, fmt::format("the header promises {} of an element, which the file cannot hold; is it cut off?",
                                   quoted(words.back())));
        }
        header.elements.push_back({words[1], static_cast<std::int64_t>(count), {}});
    }
}

/// The values after the header, one after the other.
class Values {
  public:
    Values(const std::string& path, std::string_view bytes, Format format) : path_(path), bytes_(bytes), format_(format)
    {}

    double next(Type type)
    {
        if (format_ == Format::kAscii) return next_word();
        switch (type) {
            case Type::kInt8: return next_as<std::int8_t>();
            case Type::kUint8: return next_as<std::uint8_t>();
            case Type::kInt16: return next_as<std::int16_t>();
            case Type::kUint16: return next_as<std::uint16_t>();
            case Type::kInt32: return next_as<std::int32_t>();
            case Type::kUint32: return next_as<std::uint32_t>();
            case Type::kFloat: return next_as<float>();
            default: return next_as<double>();
        }
    }

    /// The length of a list; no more than what is left could hold.
    std::size_t next_length(Type type)
    {
        const double length = next(type);
        if (length >= 0 && length <= static_cast<double>(bytes_.size() - at_) && length == std::floor(length)) {
            return static_cast<std::size_t>(length);
        }
        fail(path_, fmt::format("{} has a list of {} values, which the file cannot hold", where, length));
    }

    std::string where;  // for messages: element and row

  private:
    double next_word()
    {
        const std::string_view word = first_word(bytes_.substr(at_));
        double value = 0;
        if (word.empty()) fail(path_, fmt::format("the file ends at {}; is it cut off?", where));
        if (!parse_number(word, value))
            fail(path_, fmt::format("{} has {} where a number should be", where, quoted(word)));
        at_ = static_cast<std::size_t>(word.data() - bytes_.data()) + word.size();
        return value;
    }

    template <class T>
    double next_as()
    {
        if (bytes_.size() - at_ < sizeof(T)) fail(path_, fmt::format("the file ends at {}; is it cut off?", where));
        std::array<char, sizeof(T)> raw;
        const bool is_native = (format_ == Format::kLittleEndian) == (std::endian::native == std::endian::little);
        for (std::size_t i = 0; i < sizeof(T); ++i) raw[is_native ? i : sizeof(T) - 1 - i] = bytes_[at_ + i];
        at_ += sizeof(T);
        T value;
        std::memcpy(&value, raw.data(), sizeof(T));
        return static_cast<double>(value);
    }

    const std::string& path_;
    std::string_view bytes_;
    Format format_;
    std::size_t at_ = 0;
};

void read_vertex(const std::string& path, const Element& element, Values& values, PlyContent& content)
{
    Vec3d p;
    int found = 0;
    for (const Property& property : element.properties) {
        const std::size_t length = property.count_type ? values.next_length(*property.count_type) : 1;
        for (std::size_t i = 0; i < length; ++i) {
            const double value = values.next(property.type);
            if (property.count_type || property.name.size() != 1) continue;
            const std::size_t axis = std::string_view("xyz").find(property.name);
            if (axis == std::string_view::npos) continue;
            if (!std::isfinite(value)) {
                fail(path, fmt::format("{} of {} is {}; repair the file", property.name, values.where, value));
            }
            p[static_cast<int>(axis)] = value;
            ++found;
        }
    }
    if (found != 3) fail(path, "vertices have no x, y and z");
    content.vertices.push_back(p);
}

void read_face(const Element& element, Values& values, PlyContent& content)
{
    for (const Property& property : element.properties) {
        const std::size_t length = property.count_type ? values.next_length(*property.count_type) : 1;
        const bool is_face = property.name == "vertex_indices" || property.name == "vertex_index";
        std::vector<int> corners;
        for (std::size_t i = 0; i < length; ++i) {
            const double value = values.next(property.type);
            const bool is_index = value >= 0 && value < 1.0 * INT32_MAX && value == std::floor(value);
            if (is_face) corners.push_back(is_index ? static_cast<int>(value) : -1);
        }
        if (is_face) content.faces.push_back(std::move(corners));
    }
}

void check_faces(const std::string& path, const PlyContent& content)
{
    const int n = static_cast<int>(content.vertices.size());
    for (std::size_t i = 0; i < content.faces.size(); ++i) {
        for (const int v : content.faces[i]) {
            if (v >= 0 && v < n) continue;
            fail(path, fmt::format("face {} has a vertex that is none of 0 to {}; repair the file", i, n - 1));
        }
    }
}

}  // namespace

PlyContent read_ply(const std::string& path)
{
    const std::string bytes = read_bytes(path);
    if (bytes.empty()) fail(path, "the file is empty");
    const Header header = read_header(path, bytes);
    Values values(path, std::string_view(bytes).substr(header.size), header.format);
    PlyContent content;
    for (const Element& element : header.elements) {
        for (std::int64_t row = 0; row < element.count && !element.properties.empty(); ++row) {
            values.where = fmt::format("{} {}", element.name.substr(0, 24), row);
            if (element.name == "vertex") read_vertex(path, element, values, content);
            else read_face(element, values, content);
        }
    }
    check_faces(path, content);
    return content;
}

}  // namespace pliant

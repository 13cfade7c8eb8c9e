#pragma once
// The header of a .ply file: the elements that follow it, their format, and the comments.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class PlyType { kInt8, kUint8, kInt16, kUint16, kInt32, kUint32, kFloat, kDouble };
enum class PlyFormat { kAscii, kLittleEndian, kBigEndian };

struct PlyProperty {
    std::string_view name;
    PlyType type;
    std::optional<PlyType> count_type;  // of a list
};

struct PlyElement {
    std::string_view name;
    std::int64_t count;
    std::vector<PlyProperty> properties;
};

/// Contains views into the bytes that it was read from.
struct PlyHeader {
    PlyFormat format = PlyFormat::kAscii;
    std::vector<PlyElement> elements;
    std::vector<std::string_view> comments;  // without the word
    std::size_t size = 0;                    // [bytes]
};

/// Throws InputError; an element has no more rows than the file has bytes.
PlyHeader read_ply_header(const std::string& path, std::string_view bytes);

}  // namespace pliant

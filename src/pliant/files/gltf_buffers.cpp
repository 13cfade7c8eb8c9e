#include "pliant/files/gltf_buffers.h"

#include "pliant/base/check.h"
#include "pliant/files/little_endian.h"
#include "pliant/files/paths.h"
#include "pliant/files/text_reader.h"
#include "pliant/files/uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr std::string_view kGlbMagic = "glTF";
constexpr std::uint32_t kJsonChunk = 0x4e4f534a, kBinaryChunk = 0x004e4942;
constexpr std::size_t kGlbHeader = 12, kChunkHeader = 8;     // [bytes]
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 32;  // of all buffers
constexpr std::uint64_t kMaxStride = 252;                    // by the specification [bytes]

enum ComponentType : std::uint64_t {
    kByte = 5120,
    kUnsignedByte = 5121,
    kShort = 5122,
    kUnsignedShort = 5123,
    kUnsignedInt = 5125,
    kFloat = 5126
};

/// Size of a component [bytes]; 0 for an unknown type.
std::size_t size_of_component(std::uint64_t type)
{
    switch (type) {
        case kByte:
        case kUnsignedByte: return 1;
        case kShort:
        case kUnsignedShort: return 2;
        case kUnsignedInt:
        case kFloat: return 4;
        default: return 0;
    }
}

double component_at(std::string_view bytes, std::size_t at, std::uint64_t type)
{
    switch (type) {
        case kByte: return take_little_endian<std::int8_t>(bytes, at);
        case kUnsignedByte: return take_little_endian<std::uint8_t>(bytes, at);
        case kShort: return take_little_endian<std::int16_t>(bytes, at);
        case kUnsignedShort: return take_little_endian<std::uint16_t>(bytes, at);
        case kUnsignedInt: return take_little_endian<std::uint32_t>(bytes, at);
        default: return static_cast<double>(take_little_endian<float>(bytes, at));
    }
}

/// The divisor of a normalized integer.
double normal_of(std::uint64_t type)
{
    switch (type) {
        case kByte: return std::numeric_limits<std::int8_t>::max();
        case kUnsignedByte: return std::numeric_limits<std::uint8_t>::max();
        case kShort: return std::numeric_limits<std::int16_t>::max();
        case kUnsignedShort: return std::numeric_limits<std::uint16_t>::max();
        case kUnsignedInt: return std::numeric_limits<std::uint32_t>::max();
        default: return 1;
    }
}

std::size_t components_of(const std::string& type)
{
    if (type == "SCALAR") return 1;
    if (type == "VEC2") return 2;
    if (type == "VEC3") return 3;
    if (type == "VEC4") return 4;
    if (type == "MAT4") return 16;
    return 0;
}

}  // namespace

GltfDocument::GltfDocument(const std::string& path) : path_(path)
{
    std::string bytes = read_bytes(path);
    if (bytes.empty()) fail("the file is empty");
    bytes_read_ = bytes.size();
    if (bytes.starts_with(kGlbMagic)) bytes = take_chunks(bytes);
    if (bytes.starts_with("\xef\xbb\xbf")) bytes.erase(0, 3);  // byte order mark
    root_ = parse_json(bytes, path).root;
    if (!root_.is_object()) fail("a glTF file is a JSON object; export it again");
    const Json* buffers = list(root_, "buffers");
    loaded_.resize(buffers == nullptr ? 0 : buffers->size());
}

/// The JSON chunk; keeps the binary one.
std::string GltfDocument::take_chunks(std::string_view bytes)
{
    if (bytes.size() < kGlbHeader + kChunkHeader) fail("the file ends in its header; is it cut off?");
    const std::uint32_t version = take_little_endian<std::uint32_t>(bytes, 4);
    if (version != 2) fail(fmt::format("version {} of the binary format is not read; export glTF 2.0", version));
    std::optional<std::string> json;
    for (std::size_t at = kGlbHeader; at + kChunkHeader <= bytes.size();) {
        const std::uint32_t length = take_little_endian<std::uint32_t>(bytes, at);
        const std::uint32_t type = take_little_endian<std::uint32_t>(bytes, at + 4);
        at += kChunkHeader;
        if (length > bytes.size() - at)
            fail(fmt::format("a chunk of {} bytes is promised, but {} are left; is the file cut off?", length,
                             bytes.size() - at));
        const std::string_view chunk = bytes.substr(at, length);
        if (type == kJsonChunk && !json) json = chunk;
        else if (type == kBinaryChunk && !chunk_) chunk_ = chunk;
        at += length;
    }
    if (!json) fail("there is no JSON chunk in the file; export it again");
    return *json;
}

const Json& GltfDocument::element(const char* list_key, std::uint64_t index, const char* what) const
{
    const Json* elements = list(root_, list_key);
    const std::size_t count = elements == nullptr ? 0 : elements->size();
    if (index >= count) fail(fmt::format("there is no {} {}; the file has {}; export it again", what, index, count));
    const Json& found = (*elements)[index];
    if (!found.is_object()) fail(fmt::format("{} {} is not an object; export it again", what, index));
    return found;
}

std::uint64_t GltfDocument::whole_number(const Json& object, const char* key,
                                         std::optional<std::uint64_t> without) const
{
    const auto member = object.find(key);
    if (member == object.end()) {
        if (without) return *without;
        fail(fmt::format("\"{}\" is missing; export it again", key));
    }
    if (member->is_number_unsigned()) return member->get<std::uint64_t>();
    // Some exporters write 3.0 for 3.
    const double value = member->is_number() ? member->get<double>() : -1;
    if (!(value >= 0 && value < 9e15) || value != std::floor(value))
        fail(fmt::format("\"{}\" must be a whole number, 0 or more; export it again", key));
    return static_cast<std::uint64_t>(value);
}

std::vector<std::uint64_t> GltfDocument::indices(const Json& object, const char* key) const
{
    std::vector<std::uint64_t> values;
    const Json* elements = list(object, key);
    if (elements == nullptr) return values;
    for (const Json& value : *elements) {
        if (!value.is_number_unsigned())
            fail(fmt::format("\"{}\" must be a list of whole numbers; export it again", key));
        values.push_back(value.get<std::uint64_t>());
    }
    return values;
}

std::vector<double> GltfDocument::numbers(const Json& object, const char* key, std::size_t length) const
{
    std::vector<double> values;
    const Json* elements = list(object, key);
    if (elements == nullptr) return values;
    for (const Json& element : *elements) {
        if (!element.is_number()) fail(fmt::format("\"{}\" must be {} numbers; export it again", key, length));
        values.push_back(element.get<double>());
    }
    if (values.size() != length)
        fail(fmt::format("\"{}\" must be {} numbers, but has {}; export it again", key, length, values.size()));
    return values;
}

const Json* GltfDocument::list(const Json& object, const char* key) const
{
    const auto member = object.find(key);
    if (member == object.end()) return nullptr;
    if (!member->is_array()) fail(fmt::format("\"{}\" must be a list; export it again", key));
    return &*member;
}

std::string GltfDocument::text(const Json& object, const char* key) const
{
    const auto member = object.find(key);
    if (member == object.end()) return {};
    if (!member->is_string()) fail(fmt::format("\"{}\" must be text; export it again", key));
    return member->get<std::string>();
}

std::string_view GltfDocument::buffer(std::uint64_t index)
{
    const Json& entry = element("buffers", index, "buffer");
    std::optional<std::string>& loaded = loaded_[index];
    if (!loaded) {
        const std::string uri = text(entry, "uri");
        if (!uri.empty()) loaded = load_uri(uri, index);
        else if (index == 0 && chunk_) loaded = std::move(*chunk_);
        else fail(fmt::format("buffer {} has no \"uri\" and no binary chunk; is the file cut off?", index));
        bytes_read_ += loaded->size();
        if (bytes_read_ > kMaxBytes) fail("its buffers have more than 4 GB together; split it into several files");
    }
    const std::uint64_t length = whole_number(entry, "byteLength");
    if (length > loaded->size())
        fail(fmt::format("buffer {} should have {} bytes, but has {}; is it cut off?", index, length, loaded->size()));
    return std::string_view(*loaded).substr(0, length);
}

std::string GltfDocument::load_uri(const std::string& uri, std::uint64_t index) const
{
    if (uri.starts_with("data:")) {
        std::optional<std::string> data = decode_data_uri(uri);
        if (!data) fail(fmt::format("the data of buffer {} is not in base 64; export it again", index));
        return std::move(*data);
    }
    const std::string name = decode_percent(uri);
    const std::string file = join_paths(parent_path(path_), name);
    if (uri.find(':') != std::string::npos || is_absolute(name) || kind_of_path(file) != PathKind::file)
        fail(
            fmt::format("buffer {} is in {}, which is no file that can be found from here; keep it beside this one, or "
                        "export as .glb",
                        index, pliant::quoted(name)));
    return read_bytes(file);
}

GltfDocument::View GltfDocument::view(std::uint64_t index)
{
    const Json& entry = element("bufferViews", index, "buffer view");
    const std::string_view bytes = buffer(whole_number(entry, "buffer"));
    const std::uint64_t offset = whole_number(entry, "byteOffset", 0), length = whole_number(entry, "byteLength");
    if (offset > bytes.size() || length > bytes.size() - offset)
        fail(fmt::format("buffer view {} has {} bytes from {} on, but the buffer has {}; export it again", index,
                         length, offset, bytes.size()));
    const std::uint64_t stride = whole_number(entry, "byteStride", 0);
    if (stride > kMaxStride)
        fail(fmt::format("buffer view {} has a \"byteStride\" of {}; {} is the most", index, stride, kMaxStride));
    return {bytes.substr(offset, length), stride};
}

void GltfDocument::read_elements(const View& from, std::uint64_t offset, std::uint64_t type, std::uint64_t count,
                                 std::size_t components, std::vector<double>& values) const
{
    const std::size_t part = size_of_component(type), size = part * components;
    const std::uint64_t stride = from.stride == 0 ? size : from.stride;
    const bool fits = count == 0 || (offset <= from.bytes.size() && size <= from.bytes.size() - offset && stride > 0 &&
                                     count - 1 <= (from.bytes.size() - offset - size) / stride);
    if (!fits)
        fail(
            fmt::format("an accessor has {} elements of {} bytes from {} on, but its buffer view has {} bytes; is the "
                        "file cut off?",
                        count, size, offset, from.bytes.size()));
    for (std::uint64_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < components; ++k)
            values.push_back(component_at(from.bytes, offset + i * stride + k * part, type));
}

/// Overwrites some elements, as a sparse accessor says.
void GltfDocument::apply_sparse(const Json& sparse, std::uint64_t type, std::size_t components,
                                std::vector<double>& values)
{
    if (!sparse.is_object() || !sparse.contains("indices") || !sparse.contains("values") ||
        !sparse["indices"].is_object() || !sparse["values"].is_object())
        fail("a sparse accessor has \"indices\" and \"values\"; export it again");
    const Json &where = sparse["indices"], &what = sparse["values"];
    const std::uint64_t count = whole_number(sparse, "count"), index_type = whole_number(where, "componentType");
    if (index_type != kUnsignedByte && index_type != kUnsignedShort && index_type != kUnsignedInt)
        fail(fmt::format("a sparse accessor has indices of the type {}; export it again", index_type));
    std::vector<double> indices, replacements;
    read_elements(view(whole_number(where, "bufferView")), whole_number(where, "byteOffset", 0), index_type, count, 1,
                  indices);
    read_elements(view(whole_number(what, "bufferView")), whole_number(what, "byteOffset", 0), type, count, components,
                  replacements);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto element = static_cast<std::size_t>(indices[i]);
        if (element >= values.size() / components)
            fail(fmt::format("a sparse accessor replaces element {} of {}; export it again", element,
                             values.size() / components));
        std::copy_n(replacements.data() + i * components, components, values.data() + element * components);
    }
}

std::uint64_t GltfDocument::accessor_size(std::uint64_t index) const
{
    return whole_number(element("accessors", index, "accessor"), "count");
}

std::vector<double> GltfDocument::read_accessor(std::uint64_t index, std::size_t components)
{
    const Json& entry = element("accessors", index, "accessor");
    const std::uint64_t type = whole_number(entry, "componentType"), count = accessor_size(index);
    if (size_of_component(type) == 0) fail(fmt::format("accessor {} has the unknown type {}", index, type));
    if (components_of(text(entry, "type")) != components)
        fail(fmt::format("accessor {} has {} where {} numbers an element should be; export it again", index,
                         pliant::quoted(text(entry, "type")), components));
    std::vector<double> values;
    if (entry.contains("bufferView")) {
        read_elements(view(whole_number(entry, "bufferView")), whole_number(entry, "byteOffset", 0), type, count,
                      components, values);
    } else {
        // Zeros, of which a sparse accessor replaces some: the one count that no buffer bounds.
        if (count > bytes_read_)
            fail(fmt::format("accessor {} promises {} elements, which the file cannot hold", index, count));
        values.resize(count * components, 0);
    }
    if (const auto sparse = entry.find("sparse"); sparse != entry.end())
        apply_sparse(*sparse, type, components, values);
    if (entry.value("normalized", Json(false)) == Json(true))
        for (double& value : values) value = std::max(value / normal_of(type), -1.0);
    return values;
}

void GltfDocument::fail(const std::string& message) const { throw InputError(fmt::format("{}: {}", path_, message)); }

}  // namespace pliant

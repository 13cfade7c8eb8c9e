#include "pliant/files/ply_header.h"

#include "pliant/base/check.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <array>

namespace pliant {

namespace {

[[noreturn]] void fail_header(const std::string& path, const std::string& message)
{
    throw InputError(fmt::format("{}: {}", path, message));
}

PlyType type_from(const std::string& path, std::string_view word)
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
        if (word == kNames[i][0] || word == kNames[i][1]) return static_cast<PlyType>(i);
    }
    fail_header(path, fmt::format("the header has a property of unknown type {}", quoted(word)));
}

PlyFormat format_from(const std::string& path, std::string_view word)
{
    if (word == "ascii") return PlyFormat::kAscii;
    if (word == "binary_little_endian") return PlyFormat::kLittleEndian;
    if (word == "binary_big_endian") return PlyFormat::kBigEndian;
    fail_header(path, fmt::format("the header has the unknown format {}", quoted(word)));
}

PlyProperty property_from(const std::string& path, const std::vector<std::string_view>& words)
{
    if (words.size() == 3) return {words[2], type_from(path, words[1]), std::nullopt};
    if (words.size() == 5 && words[1] == "list") {
        return {words[4], type_from(path, words[3]), type_from(path, words[2])};
    }
    fail_header(path, "the header has a property that is neither 'type name' nor 'list type type name'");
}

/// What follows the word `comment`, up to the end of the line.
std::string_view comment_of(std::string_view bytes, const std::vector<std::string_view>& words)
{
    if (words.size() < 2) return {};
    const auto begin = static_cast<std::size_t>(words[1].data() - bytes.data());
    const auto end = static_cast<std::size_t>(words.back().data() - bytes.data()) + words.back().size();
    return bytes.substr(begin, end - begin);
}

}  // namespace

PlyHeader read_ply_header(const std::string& path, std::string_view bytes)
{
    PlyHeader header;
    if (!bytes.starts_with("ply")) fail_header(path, "a .ply file starts with 'ply'; export it again");
    for (;;) {
        const std::size_t end = bytes.find('\n', header.size);
        if (end == std::string_view::npos) fail_header(path, "the header has no end_header; is the file cut off?");
        const std::vector<std::string_view> words = split_words(bytes.substr(header.size, end - header.size));
        header.size = end + 1;
        if (words.empty()) continue;
        if (words[0] == "end_header") return header;
        if (words[0] == "comment") header.comments.push_back(comment_of(bytes, words));
        if (words[0] == "format" && words.size() > 1) header.format = format_from(path, words[1]);
        if (words[0] == "property") {
            if (header.elements.empty()) fail_header(path, "the header has a property before the first element");
            header.elements.back().properties.push_back(property_from(path, words));
        }
        if (words[0] != "element") continue;
        double count = -1;
        // An element has at least one byte: reject a count that the file cannot hold before allocating.
        if (words.size() != 3 || !parse_number(words[2], count) || !(count >= 0 && count <= 1.0 * bytes.size())) {
            fail_header(path,
                        fmt::format("the header promises {} of an element, which the file cannot hold; is it cut off?",
                                    quoted(words.back())));
        }
        header.elements.push_back({words[1], static_cast<std::int64_t>(count), {}});
    }
}

}  // namespace pliant

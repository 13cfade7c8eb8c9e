#pragma once
// The binary half of glTF: buffers, views into them and accessors, with every offset and count checked against the
// available bytes before anything is read or allocated.

#include "pliant/json/json_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// A glTF document: the JSON of a .gltf, or of a .glb with its binary chunk.
class GltfDocument {
  public:
    explicit GltfDocument(const std::string& path);

    const Json& root() const { return root_; }
    /// An element of one of the lists at the root; `what` names it in messages, such as "mesh".
    const Json& element(const char* list, std::uint64_t index, const char* what) const;
    /// The member of an object, a whole number that is not negative; `without` if it is missing.
    std::uint64_t whole_number(const Json& object, const char* key, std::optional<std::uint64_t> without = {}) const;
    /// A list of whole numbers under a key, 0 or more; empty without the key.
    std::vector<std::uint64_t> indices(const Json& object, const char* key) const;
    /// A list of numbers of the given length under a key; empty without the key.
    std::vector<double> numbers(const Json& object, const char* key, std::size_t length) const;
    /// The elements of a list under a key; null without the key.
    const Json* list(const Json& object, const char* key) const;
    /// The text under a key; empty without the key.
    std::string text(const Json& object, const char* key) const;

    /// The elements that an accessor says it has.
    std::uint64_t accessor_size(std::uint64_t index) const;
    /// The values of an accessor one after the other, `components` for each element: 1, 2, 3, 4, or 16 for "MAT4".
    std::vector<double> read_accessor(std::uint64_t index, std::size_t components);

    /// Size of the file and all buffers that were read so far, a bound for the length of lists [bytes].
    std::uint64_t bytes_read() const { return bytes_read_; }

    [[noreturn]] void fail(const std::string& message) const;

  private:
    struct View {
        std::string_view bytes;
        std::uint64_t stride;  // 0: elements follow each other
    };

    std::string take_chunks(std::string_view bytes);
    std::string_view buffer(std::uint64_t index);
    std::string load_uri(const std::string& uri, std::uint64_t index) const;
    View view(std::uint64_t index);
    void read_elements(const View& from, std::uint64_t offset, std::uint64_t type, std::uint64_t count,
                       std::size_t components, std::vector<double>& values) const;
    void apply_sparse(const Json& sparse, std::uint64_t type, std::size_t components, std::vector<double>& values);

    std::string path_;
    Json root_;
    std::optional<std::string> chunk_;                // binary chunk of a .glb
    std::vector<std::optional<std::string>> loaded_;  // per buffer
    std::uint64_t bytes_read_ = 0;
};

}  // namespace pliant
